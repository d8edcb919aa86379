"""Rows of the papers' tables, to stand beside what was run here; they are copied figures and were not run here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.reporting.summary import ALL

FOLDER = Path(__file__).parent / "published_tables"
"""One file a benchmark, named like its kind of data set; numbers as printed, `divide_by` turns them into ours."""

_KEY_OF = {"mean": "mean", "response_rate": "response_rate_published", "difference": "difference"}
"""Which key of a row a table's quantity is; the papers count failed requests as no answer."""


def published_rows(description: Mapping[str, Any], by: Sequence[str]) -> list[dict[str, Any]]:
    """Rows of the published tables of a run's benchmark, under the keys of `evals.reporting.comparison.compare`.

    Args:
        description: What the run beside them was made of.
        by: Grouping keys that rows may be split by; rows of other groups are left out.

    Returns:
        One row a graph, model, condition, group and metric, in the order of the tables; figures of several tables about
        the same are one row. Only conditions of the run.
    """
    path = FOLDER / f"{description['dataset']}.json"
    if not path.is_file():
        return []
    conditions = description["conditions"] or [ALL]
    rows: dict[tuple[str, ...], dict[str, Any]] = {}
    for figure in _figures(json.loads(path.read_text(encoding="utf-8"))):
        place, key, value, reference = figure
        if place["condition"] not in conditions or (place["group"] != ALL and place["group"] not in by):
            continue
        row = rows.setdefault(tuple(place.values()), {"source": "published", **place, "reference": []})
        row[key] = value
        if reference not in row["reference"]:
            row["reference"].append(reference)
    return [{**row, "reference": _joined(row["reference"])} for row in rows.values()]


def sources() -> dict[str, str]:
    """The paper of each benchmark that has published rows and what must be said of them, by its kind of data set."""
    contents = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}
    return {name: f"{content['source']}. {content['remark']}" for name, content in contents.items()}


def _figures(content: Mapping[str, Any]) -> Iterator[tuple[dict[str, str], str, float, str]]:
    """Every figure of a file: where it belongs, under which key, its value, its table."""
    for table in content["tables"]:
        for row in table["rows"]:
            for column, value in zip(table["columns"], row["values"], strict=True):
                if value is None:
                    continue
                place = {
                    "graph": row["graph"],
                    "model": row["model"],
                    "condition": column.get("condition", ALL),
                    "group": column.get("group", ALL),
                    "value": column.get("value", ALL),
                    "metric": table["metric"],
                }
                reference = f"{content['benchmark']}, table {table['table']}"
                yield place, _KEY_OF[table["quantity"]], round(value / table["divide_by"], 6), reference


def _joined(references: Sequence[str]) -> str:
    """Names a benchmark once: `POVBench, table 1, table 9`."""
    first, *others = references
    return ", ".join([first, *(other.partition(", ")[2] for other in others)])
