"""Writes a comparison as text, JSON, CSV, Markdown or LaTeX; all of them from the same rows."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from evals.reporting.comparison import Comparison
from evals.reporting.summary import ALL
from evals.reporting.table import DASH, Columns, number, text_table
from evals.reporting.table import as_csv as rows_as_csv
from evals.reporting.text import printable
from evals.scorers import Metric

Rows = Sequence[Mapping[str, Any]]

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    # A line that begins with a bracket would be read as an option of the line end before it.
    "[": "{[}",
    "]": "{]}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "Δ": r"$\Delta$",
    "≥": r"$\geq$",
    "–": "--",
    "−": "$-$",
}
_MARKDOWN = {character: f"\\{character}" for character in "\\`*_[]<>|~"}


def as_text(comparison: Comparison, width: int) -> str:
    """The table for people, at most `width` characters wide, its notes beneath."""
    text, left_out = text_table(columns_of(comparison), width)
    notes = list(comparison.notes)
    if left_out:
        notes.append(f"Left out for width: {', '.join(left_out)} (--format json has them all).")
    return "\n".join([text, "", *map(printable, notes)])


def as_json(comparison: Comparison) -> str:
    """Rows with stable keys, and what must be said of them."""
    content = {
        "runs": list(comparison.runs),
        "baseline": comparison.baseline,
        "by": list(comparison.by),
        "metric": comparison.metric.name,
        "notes": comparison.notes,
        "rows": comparison.rows,
    }
    return json.dumps(content, indent=1, allow_nan=False)


def as_csv(comparison: Comparison) -> str:
    """Rows, one column a key."""
    return rows_as_csv(comparison.rows)


def as_markdown(comparison: Comparison) -> str:
    """A Markdown table, the notes as a list beneath."""
    columns = columns_of(comparison)
    lines = [
        _markdown_line([name for name, _ in columns]),
        _markdown_line([":--" if name in _NAMES else "--:" for name, _ in columns], escape=False),
        *(_markdown_line(cells) for cells in zip(*(cells for _, cells in columns), strict=True)),
    ]
    return "\n".join([*lines, "", *(f"- {_escaped(note, _MARKDOWN)}" for note in comparison.notes)])


def _markdown_line(cells: Sequence[str], escape: bool = True) -> str:
    return f"| {' | '.join(_escaped(cell, _MARKDOWN) if escape else cell for cell in cells)} |"


def as_latex(comparison: Comparison) -> str:
    """A LaTeX table for the booktabs package, the notes as small print beneath."""
    columns = columns_of(comparison)
    lines = [_latex_line(cells) for cells in zip(*(cells for _, cells in columns), strict=True)]
    return "\n".join(
        [
            "% needs \\usepackage{booktabs}",
            f"\\begin{{tabular}}{{{''.join('l' if name in _NAMES else 'r' for name, _ in columns)}}}",
            "\\toprule",
            _latex_line([name for name, _ in columns]),
            "\\midrule",
            *lines,
            "\\bottomrule",
            "\\end{tabular}",
            "",
            "\\par\\smallskip{\\footnotesize",
            *(f"{_escaped(note, _LATEX)}\\\\" for note in comparison.notes),
            "}",
        ]
    )


def _latex_line(cells: Sequence[str]) -> str:
    return f"{' & '.join(_escaped(cell, _LATEX) for cell in cells)} \\\\"


def _escaped(text: str, escapes: Mapping[str, str]) -> str:
    return "".join(escapes.get(character, character) for character in printable(text).strip())


_NAMES = ("run", "model", "condition", "group", "graph", "table")


def columns_of(comparison: Comparison) -> Columns:
    """The columns of the table, the most important first; those that would hold dashes only are left out."""
    rows, metric = comparison.rows, comparison.metric
    columns = _names(comparison)
    headline = f"{metric.label} [95 %]"
    columns += [
        (headline, [_interval(row, "mean", metric.format) for row in rows]),
        ("Δ [95 %]", [_interval(row, "difference", f"+{metric.format}") for row in rows]),
        ("p", [_p(row["p_adjusted"]) for row in rows]),
        ("resp.", [number(_response(row), ".1%") for row in rows]),
        ("Δ resp. [95 %]", [_interval(row, "difference_response_rate", "+.1f", 100) for row in rows]),
        ("n", [_count(row, "items") for row in rows]),
        ("scenes", [_count(row, "scenes") for row in rows]),
        ("pairs", [_count(row, "pairs") for row in rows]),
        ("Δ answered", [_signed(row["difference_answered"], metric) for row in rows]),
        ("Δ worst", [_signed(row["difference_worst_case"], metric) for row in rows]),
        ("tokens in", [number(row["input_tokens"], ",.0f") for row in rows]),
        ("tokens out", [number(row["output_tokens"], ",.0f") for row in rows]),
        ("s", [number(row["seconds"], ".2f") for row in rows]),
        ("cost $", [_cost(row) for row in rows]),
        ("worst case", [number(row["worst_case"], metric.format) for row in rows]),
        ("sd items", [_root(row["variance_between_items"], metric) for row in rows]),
        ("sd repeats", [_root(row["variance_between_repeats"], metric) for row in rows]),
        ("deff", [number(row["design_effect"], ".2f") for row in rows]),
        ("table", [row["reference"] or "" for row in rows]),
    ]
    return [(name, cells) for name, cells in columns if name in _NAMES or set(cells) - {DASH, ""}]


def _names(comparison: Comparison) -> Columns:
    """Which row is which; names that are the same in all rows are left to the notes."""
    rows = comparison.rows
    columns: Columns = []
    if len(comparison.runs) > 1:
        columns.append(("run", [row["run"] or "published" for row in rows]))
    models = [f"{row['model']}{' (no VLM)' if row['no_vlm'] else ''}" for row in rows]
    if len(set(models)) > 1:
        columns.append(("model", _once(models)))
    if any(row["condition"] != ALL for row in rows):
        columns.append(("condition", _once([row["condition"] for row in rows], models)))
    if any(row["group"] != ALL for row in rows):
        columns.append(("group", ["" if row["group"] == ALL else f"{row['group']} {row['value']}" for row in rows]))
    columns.append(("graph", [_graph(row) for row in rows]))
    return columns


def _once(names: Sequence[str], within: Sequence[str] = ()) -> list[str]:
    """Blanks what stands in the line above already, within the same entry of a wider column."""
    pairs = list(zip(within or names, names, strict=True))
    return [
        name if place == 0 or pairs[place - 1] != (wider, name) else "" for place, (wider, name) in enumerate(pairs)
    ]


def _graph(row: Mapping[str, Any]) -> str:
    if row["source"] == "published":
        return f"{row['graph']} (published)"
    mark = " (baseline)" if row["is_baseline"] else ""
    return f"{row['graph']}{' *' if row['beyond_paper'] and row['applicable'] else ''}{mark}"


def _interval(row: Mapping[str, Any], key: str, form: str, times: float = 1.0) -> str:
    value, low, high = (row[f"{key}{end}"] for end in ("", "_low", "_high"))
    if value is None:
        return DASH
    told = _number(value * times, form)
    return told if low is None else f"{told} [{_number(low * times, form)}, {_number(high * times, form)}]"


def _number(value: float, form: str) -> str:
    """Writes a number; the sign of a zero is dropped."""
    sign, plain = ("+", form[1:]) if form.startswith("+") else ("", form)
    text = format(value, f"z{plain}")
    return text if text.startswith("-") or not sign or not any(digit in text for digit in "123456789") else sign + text


def _signed(value: float | None, metric: Metric) -> str:
    return DASH if value is None else _number(value, f"+{metric.format}")


def _count(row: Mapping[str, Any], key: str) -> str:
    return DASH if row[key] is None or not row["applicable"] else str(row[key])


def _response(row: Mapping[str, Any]) -> float | None:
    value: float | None = row["response_rate_published" if row["source"] == "published" else "response_rate"]
    return value


def _p(value: float | None) -> str:
    if value is None:
        return DASH
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _cost(row: Mapping[str, Any]) -> str:
    """The sum of the known prices, marked where some calls have none."""
    if row["cost"] is None:
        return DASH
    return f"{'≥' if row['calls_without_cost'] else ''}{row['cost']:.4f}"


def _root(variance: float | None, metric: Metric) -> str:
    return DASH if variance is None else number(math.sqrt(variance), metric.format)
