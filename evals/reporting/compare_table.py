"""Writes a comparison as text, JSON, CSV, Markdown or LaTeX; all of them from the same rows."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from evals.reporting.comparison import Comparison
from evals.reporting.published_table import published_tables
from evals.reporting.summary import ALL
from evals.reporting.table import DASH, Columns, number, text_table, with_headings
from evals.reporting.table import as_csv as rows_as_csv
from evals.reporting.text import printable
from evals.scorers import Metric

Rows = Sequence[Mapping[str, Any]]

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    # A star or a bracket at the beginning of a line would be read as an option of the line end before it.
    "*": "{*}",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
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
_LAST_LATIN = 0x24F
"""The last letter that pdflatex sets without further packages, near enough."""

_TYPESET = {ord(character): None for character in "≤…‘’“”†‡"}
"""What it sets besides."""

_MARKDOWN = {character: f"\\{character}" for character in "\\`*_[]<>|~"}


def as_text(comparison: Comparison, width: int) -> str:
    """The table for people, at most `width` characters wide, its notes beneath; what does not fit goes on below it."""
    columns = columns_of(comparison)
    _, left_out = text_table(columns, width)
    wide = [(name, cells) for name, cells in columns if name in ("run", "model")]
    # Long names leave no room for figures beside them, so they stand above their rows.
    headings = [(name, _filled(cells)) for name, cells in wide] if "p" in left_out else []
    beside = [one for one in columns if one not in wide] if headings else columns
    parts, left_out = _blocks(beside, headings, width)
    for title, columns in published_tables(comparison.rows, comparison.metric):
        text, more = text_table(columns, width)
        parts += ["", title, text]
        left_out += more
    notes = list(comparison.notes)
    if left_out:
        notes.append(f"Left out for width: {', '.join(left_out)} (--format json has them all).")
    return "\n".join([*parts, "", *map(printable, notes)])


def _blocks(columns: Columns, headings: Columns, width: int) -> tuple[list[str], list[str]]:
    """The table, once more with the columns that did not fit, and the names of those that do not fit there either."""
    text, left_out = text_table(columns, width)
    blocks = [with_headings(text, headings) if headings else text]
    rest = [one for one in columns if one[0] in _NAMES or one[0] in left_out]
    text, still = text_table(rest, width)
    if len(still) < len(left_out):
        blocks += ["", with_headings(text, headings) if headings else text]
        left_out = still
    return blocks, left_out


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
    """Markdown tables, the notes as a list beneath."""
    parts = [_markdown_table(columns_of(comparison))]
    for title, columns in published_tables(comparison.rows, comparison.metric):
        parts += [f"**{_escaped(title, _MARKDOWN)}**", _markdown_table(columns)]
    parts.append("\n".join(f"- {_escaped(note, _MARKDOWN)}" for note in comparison.notes))
    return "\n\n".join(parts)


def _markdown_table(columns: Columns) -> str:
    lines = [
        _markdown_line([name for name, _ in columns]),
        _markdown_line([":--" if name in _NAMES else "--:" for name, _ in columns], escape=False),
        *(_markdown_line(cells) for cells in zip(*(cells for _, cells in columns), strict=True)),
    ]
    return "\n".join(lines)


def _markdown_line(cells: Sequence[str], escape: bool = True) -> str:
    return f"| {' | '.join(_escaped(cell, _MARKDOWN) if escape else cell for cell in cells)} |"


def as_latex(comparison: Comparison) -> str:
    """LaTeX tables for the booktabs package with the columns that a page holds, the notes as small print beneath."""
    columns = columns_of(comparison)
    wide = [name for name, _ in columns if name in _NOT_ON_PAPER]
    parts = [_latex_table([one for one in columns if one[0] not in wide])]
    for title, others in published_tables(comparison.rows, comparison.metric):
        parts += ["", f"\\par\\medskip {_escaped(title, _LATEX)}\\par\\smallskip", _latex_table(others)]
    notes = [*comparison.notes, *([f"Left out here: {', '.join(wide)} (--format json has them)."] if wide else [])]
    small = [f"{_escaped(note, _LATEX)}\\\\" for note in notes]
    text = "\n".join([*parts, "", "\\par\\smallskip{\\footnotesize", *small, "}"])
    beyond = any(ord(character) > _LAST_LATIN for character in text.translate(_TYPESET))
    engine = "; letters beyond Latin need xelatex or lualatex, and a font that has them" if beyond else ""
    return f"% needs \\usepackage{{booktabs}}{engine}\n{text}"


def _latex_table(columns: Columns) -> str:
    return "\n".join(
        [
            f"\\begin{{tabular}}{{{''.join('l' if name in _NAMES else 'r' for name, _ in columns)}}}",
            "\\toprule",
            _latex_line([name for name, _ in columns]),
            "\\midrule",
            *(_latex_line(cells) for cells in zip(*(cells for _, cells in columns), strict=True)),
            "\\bottomrule",
            "\\end{tabular}",
        ]
    )


def _latex_line(cells: Sequence[str]) -> str:
    return f"{' & '.join(_escaped(cell, _LATEX) for cell in cells)} \\\\"


def _escaped(text: str, escapes: Mapping[str, str]) -> str:
    return "".join(escapes.get(character, character) for character in printable(text).strip())


_NAMES = ("run", "model", "condition", "group", "graph", "table")

_NOT_ON_PAPER = ("pairs", "pair scenes", "Δ answered", "tokens in", "s", "worst case", "sd items", "sd repeats", "deff")
"""Columns that a LaTeX page has no room for."""


def columns_of(comparison: Comparison) -> Columns:
    """The columns of the table, the most important first; those that would hold dashes only are left out."""
    rows, metric = _run_here(comparison), comparison.metric
    columns = _names(comparison)
    headline = f"{metric.label} [95 %]"
    columns += [
        (headline, [_interval(row, "mean", metric.format) for row in rows]),
        ("Δ [95 %]", [_difference(row, metric) for row in rows]),
        ("p", [_p(row["p_adjusted"]) for row in rows]),
        ("resp.", [number(row["response_rate"], ".1%") for row in rows]),
        ("Δ resp. [95 %]", [_interval(row, "difference_response_rate", "+.1f", 100) for row in rows]),
        ("Δ worst", [_signed(row["difference_worst_case"], metric) for row in rows]),
        ("Δ answered", [_signed(row["difference_answered"], metric) for row in rows]),
        ("instances", [_instances(row) for row in rows]),
        ("scenes", [_count(row, "scenes") for row in rows]),
        (f"{comparison.breakdown} mean", [number(row["mean_over_breakdown"], metric.format) for row in rows]),
        ("pairs", [_count(row, "pairs") for row in rows]),
        *_pair_scenes(rows),
        ("tokens in", [number(row["input_tokens"], ",.0f") for row in rows]),
        ("tokens out", [number(row["output_tokens"], ",.0f") for row in rows]),
        ("s", [number(row["seconds"], ".2f") for row in rows]),
        ("cost $", [_cost(row) for row in rows]),
        ("worst case", [number(row["worst_case"], metric.format) for row in rows]),
        ("sd items", [_root(row["variance_between_items"], metric) for row in rows]),
        ("sd repeats", [_root(row["variance_between_repeats"], metric) for row in rows]),
        ("deff", [number(row["design_effect"], ".2f") for row in rows]),
    ]
    return [(name, cells) for name, cells in columns if name in _NAMES or set(cells) - {DASH, "", "baseline"}]


def _pair_scenes(rows: Rows) -> Columns:
    """The scenes that pairs lie in, where these are not the scenes of the row."""
    if all(row["pair_scenes"] in (None, row["scenes"]) for row in rows):
        return []
    return [("pair scenes", [_count(row, "pair_scenes") for row in rows])]


def _run_here(comparison: Comparison) -> Rows:
    return [row for row in comparison.rows if row["source"] == "run"]


def _names(comparison: Comparison) -> Columns:
    """Which row is which; names that are the same in all rows are left to the notes."""
    rows = _run_here(comparison)
    columns: Columns = []
    if len(comparison.runs) > 1:
        columns.append(("run", [row["run"] for row in rows]))
    models = [f"{row['model']}{' (no VLM)' if row['no_vlm'] else ''}" for row in rows]
    if len(set(models)) > 1:
        columns.append(("model", _once(models)))
    if any(row["condition"] != ALL for row in rows):
        columns.append(("condition", _once([row["condition"] for row in rows], models)))
    if any(row["group"] != ALL for row in rows):
        columns.append(("group", ["" if row["group"] == ALL else f"{row['group']} {row['value']}" for row in rows]))
    columns.append(("graph", [_graph(row) for row in rows]))
    return columns


def _filled(names: Sequence[str]) -> list[str]:
    """Puts back what `_once` blanked."""
    filled: list[str] = []
    for name in names:
        filled.append(name or filled[-1])
    return filled


def _once(names: Sequence[str], within: Sequence[str] = ()) -> list[str]:
    """Blanks what stands in the line above already, within the same entry of a wider column."""
    pairs = list(zip(within or names, names, strict=True))
    return [
        name if place == 0 or pairs[place - 1] != (wider, name) else "" for place, (wider, name) in enumerate(pairs)
    ]


def _graph(row: Mapping[str, Any]) -> str:
    return f"{row['graph']}{' *' if row['beyond_paper'] and row['applicable'] else ''}"


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


def _difference(row: Mapping[str, Any], metric: Metric) -> str:
    return "baseline" if row["is_baseline"] else _interval(row, "difference", f"+{metric.format}")


def _signed(value: float | None, metric: Metric) -> str:
    return DASH if value is None else _number(value, f"+{metric.format}")


def _count(row: Mapping[str, Any], key: str) -> str:
    return DASH if row[key] is None or not row["applicable"] else str(row[key])


def _instances(row: Mapping[str, Any]) -> str:
    """How many instances the mean is over, of how many that were run."""
    return f"{row['items']}/{row['instances']}" if row["applicable"] else DASH


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
