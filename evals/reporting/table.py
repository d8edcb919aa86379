"""Prints rows of a summary as a table for people, as JSON or as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from evals.reporting.statistics import FEW_CLUSTERS
from evals.reporting.summary import ALL, UNANSWERED
from evals.reporting.text import coordinates_note, printable
from evals.running.accounting import lines as accounting_lines
from evals.scorers import Metric, scorer_of

DASH = "–"

Columns = list[tuple[str, list[str]]]

_NAMES = ("run", "graph", "model", "condition", "group", "table")
"""Columns of names, aligned to the left."""

_LABELS = {"inferred": "Inferred", "stated": "Stated", "given": "Given"}


def render(rows: Sequence[Mapping[str, Any]], description: Mapping[str, Any], width: int, detail: bool | None) -> str:
    """Writes rows as a table of at most `width` characters, with what must be said of them beneath."""
    if not rows:
        return "no item has ended yet"
    scorer = scorer_of(description["form"])
    single = len(description["graphs"]) == 1 and len(description["models"]) == 1
    shown = [row for row in rows if row["breakdown"] == ALL or (single if detail is None else detail)]
    names = _names(shown, description)
    columns = _columns(shown, description, scorer.metrics, scorer.headline)
    text, left_out = text_table([*((name, _once(cells)) for name, cells in names), *columns], width)
    if names and _mean_label(scorer.metrics, scorer.headline) in left_out:
        text, left_out = text_table(columns, width)
        text = with_headings(text, names)
    return "\n".join([text, *_beneath(shown, description, left_out)])


def text_table(columns: Columns, width: int) -> tuple[str, list[str]]:
    """Writes columns as a table of at most `width` characters.

    Args:
        columns: Name and cells of each, the most important first; the first is aligned to the left like other names.
        width: Characters a line.

    Returns:
        The table, and the names of the columns that did not fit.
    """
    columns, left_out = _fitting(columns, width)
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for name, _ in columns:
        table.add_column(printable(name), justify="left" if name in _NAMES else "right", no_wrap=True)
    for cells in zip(*(cells for _, cells in columns), strict=True):
        table.add_row(*(printable(cell) for cell in cells))
    buffer = io.StringIO()
    Console(file=buffer, width=max(width, 40), force_terminal=False, highlight=False, markup=False).print(table)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()), left_out


def as_json(rows: Sequence[Mapping[str, Any]], description: Mapping[str, Any]) -> str:
    """Writes rows with their description as JSON; keys are stable."""
    return json.dumps({"run": description, "rows": list(rows)}, indent=1, allow_nan=False)


def as_csv(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] = ()) -> str:
    """Writes rows as CSV, one column a key; lists and objects in a cell are JSON.

    Args:
        rows: Rows of equal keys.
        columns: The keys, where there may be no row to tell them.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    if names := list(rows[0]) if rows else list(columns):
        writer.writerow(names)
    writer.writerows([_csv_cell(row[name]) for name in names] for row in rows)
    return buffer.getvalue()


def _csv_cell(value: Any) -> Any:
    if isinstance(value, (list, dict)):
        return json.dumps(value)
    return printable(value) if isinstance(value, str) else value


def with_headings(text: str, names: Columns) -> str:
    """Puts names above their rows, where there is no room for columns of names beside the scores."""
    head, *lines = text.splitlines()
    headings = _once([", ".join(cells) for cells in zip(*(cells for _, cells in names), strict=True)])
    headed = [head]
    for heading, line in zip(headings, lines, strict=True):
        headed += [printable(heading), line] if heading else [line]
    return "\n".join(headed)


def _names(rows: Sequence[Mapping[str, Any]], description: Mapping[str, Any]) -> Columns:
    """Columns that tell graphs and models apart; none of those of which there is but one."""
    names: Columns = []
    if len(description["graphs"]) > 1:
        names.append(("graph", [row["graph"] for row in rows]))
    if len(description["models"]) > 1:
        names.append(("model", [f"{row['model']}{' (no VLM)' if row['no_vlm'] else ''}" for row in rows]))
    return names


def _mean_label(metrics: Sequence[Metric], headline: str) -> str:
    return next(f"{metric.label} [95 %]" for metric in metrics if metric.name == headline)


def _columns(
    rows: Sequence[Mapping[str, Any]], description: Mapping[str, Any], metrics: Sequence[Metric], headline: str
) -> Columns:
    """Columns of figures in the order of their importance for the reader, left to right."""
    breakdown = description["breakdown"]
    columns: Columns = [("condition", [_condition(row) for row in rows])]
    for name in ("n", "answered", "failed"):
        columns.append((name, [str(row[name]) if row["applicable"] else DASH for row in rows]))
    if any(row["unscored"] for row in rows):
        columns.append(("unscored", [str(row["unscored"]) if row["applicable"] else DASH for row in rows]))
    columns.append(("resp.", [number(row["response_rate"], ".1%") for row in rows]))
    by_name = {metric.name: metric for metric in metrics}
    first = by_name[headline]
    columns.append((_mean_label(metrics, headline), [interval(row, first.name, first.format) for row in rows]))
    if breakdown and any(row["mean_over_breakdown"] is not None for row in rows):
        cells = [number(row["mean_over_breakdown"], first.format) if row["breakdown"] == ALL else "" for row in rows]
        columns.append((f"{breakdown} mean", cells))
    for name in UNANSWERED:
        if any(row[name] for row in rows):
            columns.append((name, [number(row[name], ".1%") for row in rows]))
    if any(row["in_reasoning"] for row in rows):
        columns.append(("in reasoning", [number(row["in_reasoning"], ".1%") for row in rows]))
    if any(row["failed"] for row in rows):
        columns.append(("resp. published", [number(row["response_rate_published"], ".1%") for row in rows]))
    for metric in metrics:
        if metric.name != headline:
            columns.append((metric.label, [number(row[metric.name], metric.format) for row in rows]))
    columns.append(("sd", [number(row[f"{headline}_std"], first.format) for row in rows]))
    return columns


def _fitting(columns: Columns, width: int) -> tuple[Columns, list[str]]:
    """The columns that fit, and the names of those that do not."""
    kept: Columns = []
    used = 0
    for place, (name, cells) in enumerate(columns):
        used += max(map(cell_len, [name, *cells])) + 2
        if kept and used > width + 2:
            return kept, [name for name, _ in columns[place:]]
        kept.append((name, cells))
    return kept, []


def _condition(row: Mapping[str, Any]) -> str:
    if row["breakdown"] != ALL:
        return f"  {row['breakdown']}"
    name = _LABELS.get(row["condition"], row["condition"])
    return f"{name} *" if row["beyond_paper"] and row["applicable"] else str(name)


def _once(names: list[str]) -> list[str]:
    return [name if place == 0 or names[place - 1] != name else "" for place, name in enumerate(names)]


def number(value: float | None, form: str) -> str:
    """Writes a number in a format, whole numbers as they are, and a dash for none."""
    if value is None:
        return DASH
    return str(value) if isinstance(value, int) else format(value, f"z{form}")


def interval(row: Mapping[str, Any], key: str, form: str) -> str:
    """Writes the mean under a key with its interval, or alone where there is none."""
    low, high = row[f"{key}_low"], row[f"{key}_high"]
    mean = number(row[key], form)
    return mean if low is None else f"{mean} [{number(low, form)}, {number(high, form)}]"


def interval_words(cluster: str, count: int) -> str:
    """Says in words what the intervals of a table are, and how far to trust them."""
    counted = f"{count} {cluster}" if count == 1 else f"{count} {cluster}s"
    if count < 2:
        return f"no interval can be made of {counted} (two are needed)"
    few = ", too few to trust them" if count < FEW_CLUSTERS else ""
    return f"95 % t intervals clustered by {cluster} ({counted}{few})"


def _beneath(rows: Sequence[Mapping[str, Any]], description: Mapping[str, Any], left_out: Sequence[str]) -> list[str]:
    """What must be said of a table, a line each."""
    graphs, models = description["graphs"], description["models"]
    lines = [""]
    if len(graphs) == 1:
        lines.append(f"graph: {next(iter(graphs))}")
    if len(models) == 1:
        name, about = next(iter(models.items()))
        lines.append(f"model: {name}{'' if about['is_vlm'] else ' (no VLM)'}")
    if any(row["no_vlm"] for row in rows):
        lines.append("(no VLM): reads hints or guesses; it is no measurement of any vision-language model.")
    lines += coordinates_note(description)
    scenes = max(row["scenes"] for row in rows)
    if why := description.get("no_truth"):
        lines.append(f"{DASH}: {why}; single answers: evals show RUN ITEM.")
    elif any(row["applicable"] for row in rows):
        lines.append(f"Means over answered items, repeats averaged first; {interval_words('scene', scenes)}.")
    single = sum(row["scenes"] == 1 for row in rows)
    if scenes > 1 and single:
        counted = "1 row" if single == 1 else f"{single} rows"
        lines.append(f"No interval in {counted} whose answers come from one scene alone.")
    if any(row["in_reasoning"] for row in rows):
        lines.append("in reasoning: answers that stand in the provider's reasoning field alone; they count as answers.")
    for graph in graphs:
        unrecorded = sum(row["unrecorded"] for row in rows if row["graph"] == graph and row["breakdown"] == ALL)
        if unrecorded:
            lines.append(
                f"{graph}: {unrecorded} answers came without a recorded call; its prompts are not in the store."
            )
    if any(row["failed"] for row in rows):
        lines.append("resp.: answered of those that did not fail for outside reasons; published: of all.")
    if any(row["unscored"] for row in rows):
        lines.append("unscored: the log holds no score; neither answered nor unanswered, and in no column but n.")
    if any(row["beyond_paper"] and row["applicable"] for row in rows):
        lines.append("*: our extension, the paper did not measure this graph in this condition.")
    if any(not row["applicable"] for row in rows):
        lines.append(f"{DASH}: the graph does not apply to the condition.")
        for graph, about in graphs.items():
            if not about.get("fits", True):
                lines.append(f"{graph}: its steps do not fit answers of the form {description['form']}.")
    if description["faults"]:
        lines.append(f"Faults in the data: {description['faults']}; what they concern is left out (evals data check).")
    if left_out:
        lines.append(f"Left out for width: {', '.join(left_out)} (--format json has them all).")
    is_vlm = {name: about["is_vlm"] for name, about in models.items()}
    lines += accounting_lines(description["accounting"], is_vlm)
    return [printable(line) for line in lines]


def listing(rows: Sequence[Mapping[str, Any]]) -> str:
    """Writes a listing of named things: a line each with its summary, and what else there is to say beneath it."""
    lines = []
    for row in rows:
        label = " (no VLM)" if row.get("vlm") is False else ""
        lines.append(f"{row['name']}{label}: {row['summary']}")
        for name, value in row.items():
            if name in ("name", "summary") or value in ([], {}, None, False):
                continue
            if isinstance(value, Mapping):
                value = ", ".join(f"{option}={default}" for option, default in value.items())
            elif isinstance(value, list):
                value = ", ".join(map(str, value))
            lines.append(f"    {name.replace('_', ' ')}: {value}")
    return printable("\n".join(lines), lines=True)
