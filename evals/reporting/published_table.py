"""Tables of the papers' figures, beneath a comparison: one line a graph and model, one column a condition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evals.reporting.summary import ALL
from evals.reporting.table import DASH, Columns
from evals.scorers import Metric

Rows = Sequence[Mapping[str, Any]]


def published_tables(rows: Rows, headline: Metric) -> list[tuple[str, Columns]]:
    """Title and columns of one table a metric.

    Args:
        rows: Rows of a comparison; those that were run here are passed over.
        headline: The comparison's metric, whose label and format are taken.
    """
    published = [row for row in rows if row["source"] == "published"]
    tables = []
    for metric in dict.fromkeys(row["metric"] for row in published):
        own = [row for row in published if row["metric"] == metric]
        label, form = (
            (headline.label, headline.format) if metric == headline.name else (metric.replace("_", " "), ".2f")
        )
        tables.append((f"published, NOT RUN HERE: {label} (response rate)", _columns(own, form)))
    return tables


def _columns(rows: Rows, form: str) -> Columns:
    lines = list(dict.fromkeys((row["model"], row["graph"]) for row in rows))
    places = list(dict.fromkeys((row["condition"], row["group"], row["value"]) for row in rows))
    found = {
        (row["model"], row["graph"], row["condition"], row["group"], row["value"]): _figure(row, form) for row in rows
    }
    references = {line: [row["reference"] for row in rows if (row["model"], row["graph"]) == line] for line in lines}
    columns: Columns = [("model", [model for model, _ in lines]), ("graph", [graph for _, graph in lines])]
    for place in places:
        columns.append((_heading(*place), [found.get((*line, *place), DASH) for line in lines]))
    return [*columns, ("table", [max(references[line], key=len) for line in lines])]


def _heading(condition: str, group: str, value: str) -> str:
    named = [name for name in (condition, value if group != ALL else ALL) if name != ALL]
    return ", ".join(named) or "overall"


def _figure(row: Mapping[str, Any], form: str) -> str:
    told = []
    if row["mean"] is not None:
        told.append(format(row["mean"], form))
    if row["difference"] is not None:
        told.append(f"Δ {row['difference']:+.4g}")
    if row["response_rate_published"] is not None:
        told.append(f"({row['response_rate_published']:.1%})")
    return " ".join(told)
