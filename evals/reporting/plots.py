"""Figures for papers: SVG, PDF or PNG, the numbers beside as CSV.

A figure shows exactly the rows of its CSV, and these are rows of the comparison (of the run, for error maps).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.reporting import drawing
from evals.reporting.comparison import Comparison, compare
from evals.reporting.result import cells_of
from evals.reporting.summary import ALL
from evals.reporting.table import as_csv
from evals.reporting.units import ComparisonError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from evals.reporting.result import RunResult

Rows = list[dict[str, Any]]

SUFFIXES = (".svg", ".pdf", ".png")

_SETTINGS: Any = {
    # Type 42 keeps TrueType fonts whole in a PDF, which journals ask for; SVG text becomes outlines.
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "situate",
    # Names come from users and models; a dollar sign in one is no formula.
    "text.parse_math": False,
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 8,
    "legend.frameon": False,
    "savefig.dpi": 300,
}

_NO_DATE = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
"""The same numbers make the same file, byte by byte."""


def plot(
    results: Sequence[RunResult],
    kind: str,
    out: Path,
    only: Mapping[str, str] | None = None,
    say: Callable[[str], object] = lambda _: None,
) -> Path:
    """Draws a figure and writes the numbers behind it beside.

    Args:
        results: The runs.
        kind: `directions`, `conditions`, `response` or `errormap`.
        out: File to write; its ending says the format.
        only: Names of the graph, the model or the condition that alone are drawn, under `graph` and so on.
        say: Takes what must be said of the figure, a line each.

    Returns:
        The CSV file, `NAME.KIND.csv` beside the figure.

    Raises:
        ComparisonError: If the ending or the kind is unknown, or the runs hold nothing to draw.
    """
    if out.suffix.lower() not in SUFFIXES:
        raise ComparisonError(f"{out}: --out takes a file that ends in {', '.join(SUFFIXES)}")
    if kind not in KINDS:
        raise ComparisonError(f"unknown kind of plot {kind!r}; there are {', '.join(KINDS)}")
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    numbers, draw = KINDS[kind]
    rows = numbers(results)
    rows = _chosen(rows, only or {})
    if not rows:
        raise ComparisonError(f"there is nothing to draw for --kind {kind}: no instance has an answer")
    # Named by the kind, so that it takes the place of no other table.
    table = out.with_suffix(f".{kind}.csv")
    with rc_context(_SETTINGS), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        figure = Figure(layout="constrained")
        draw(figure, rows)
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            figure.savefig(out, metadata=_NO_DATE.get(out.suffix.lower()))
            table.write_text(as_csv(rows), encoding="utf-8")
        except OSError as error:
            raise ComparisonError(f"{out}: cannot be written ({error.strerror})") from None
    if any("missing from font" in str(one.message) for one in warned):
        say(f"some letters of the names are not in the font and are boxes in {out.name}; {table.name} has the names")
    return table


def _chosen(rows: Rows, only: Mapping[str, str]) -> Rows:
    for key, wanted in only.items():
        names = list(dict.fromkeys(row[key] for row in rows))
        if names and wanted not in names:
            raise ComparisonError(f"unknown {key} {wanted!r}. There is something to draw of: {', '.join(names)}")
        rows = [row for row in rows if row[key] == wanted]
    return rows


def _breakdown(results: Sequence[RunResult]) -> Rows:
    """Means of each value of the breakdown, e.g. each direction."""
    key = results[0].description().get("breakdown") if results else None
    if key is None:
        raise ComparisonError("this data has no directions or other breakdown to plot; try --kind conditions")
    comparison = compare(results, by=[key])
    return [row for row in _means(comparison) if row["group"] != ALL]


def _conditions(results: Sequence[RunResult]) -> Rows:
    return list(_means(compare(results)))


def _means(comparison: Comparison) -> Rows:
    label = comparison.metric.label
    return [
        _named(row)
        | {"metric": label, "shown": row["mean"], "low": row["mean_low"], "high": row["mean_high"]}
        | {"items": row["items"], "scenes": row["scenes"]}
        for row in comparison.rows
        if row["mean"] is not None
    ]


def _response(results: Sequence[RunResult]) -> Rows:
    """Response rates by condition; failures for outside reasons are not counted."""
    return [
        _named(row)
        | {"metric": "response rate", "shown": row["response_rate"]}
        | {"low": row["response_rate_low"], "high": row["response_rate_high"]}
        | {"n": row["n"], "answered": row["answered"], "failed": row["failed"]}
        for row in compare(results).rows
        if row["response_rate"] is not None
    ]


def _named(row: Mapping[str, Any]) -> dict[str, Any]:
    names = ("run", "graph", "model", "no_vlm", "condition", "group", "value")
    return {name: row[name] for name in names}


def _errors(results: Sequence[RunResult]) -> Rows:
    """How far each answer lies right of and below the truth, fractions of the picture, clamped as the scorer does."""
    rows: Rows = []
    for result in results:
        frame = result.frame()
        if not {"answer_x", "answer_y", "truth_x", "truth_y"} <= set(frame.columns):
            raise ComparisonError(f"{result.folder}: its answers are no points in a frame, so there is no error map")
        for cell in cells_of(result.description()):
            own = frame[(frame["graph"] == cell.graph) & (frame["model"] == cell.model)]
            if cell.condition != ALL:
                own = own[own["condition"] == cell.condition]
            for item in own[own["status"] == "answered"].to_dict("records"):
                rows.append(
                    {
                        "run": result.folder.name,
                        "graph": cell.graph,
                        "model": cell.model,
                        "no_vlm": cell.no_vlm,
                        "condition": cell.condition,
                        "sample": item["sample"],
                        "repeat": item["repeat"],
                        "right": _clamped(item["answer_x"]) - _clamped(item["truth_x"]),
                        "below": _clamped(item["answer_y"]) - _clamped(item["truth_y"]),
                    }
                )
    return rows


def _clamped(value: float) -> float:
    return min(1.0, max(0.0, value))


KINDS: Mapping[str, tuple[Callable[[Sequence[RunResult]], Rows], Callable[[Figure, Rows], None]]] = {
    "directions": (_breakdown, drawing.means_by_group),
    "conditions": (_conditions, drawing.means_by_condition),
    "response": (_response, drawing.shares_by_condition),
    "errormap": (_errors, drawing.error_maps),
}
"""Where the numbers of each kind come from, and how they are drawn."""
