"""Prints the scores of a predictions file of POVBench's authors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evals.reporting.table import Columns, interval, interval_words, number, text_table

_COLUMNS = (
    ("n_total", "n", ""),
    ("n", "answered", ""),
    ("n_failed", "failed", ""),
    ("response_rate", "resp.", ".1%"),
    ("mean_l2", "L2 [95 %]", ".3f"),
    ("std_l2", "sd", ".3f"),
    ("mean_of_direction_means", "direction mean", ".3f"),
    ("mean_abs_x", "|x|", ".3f"),
    ("mean_abs_y", "|y|", ".3f"),
    ("pct_in_frame", "% in frame", ".1f"),
    ("mean_l2_in_frame", "in-frame L2", ".3f"),
    ("hit_0.05", "≤0.05", ".1%"),
    ("hit_0.1", "≤0.1", ".1%"),
    ("hit_0.2", "≤0.2", ".1%"),
    ("frame_correct", "both in frame", ".1%"),
    ("out_of_range", "out of range", ".1%"),
)


def groups(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The groups of a report as rows with equal keys: all, a type each, a direction each."""
    summary = report["summary"]
    named = [
        ("all", summary["overall"]),
        *((f"type {name}", group) for name, group in summary["per_type"].items()),
        *((f"direction {name}", group) for name, group in summary["per_direction"].items()),
    ]
    keys = list(summary["overall"])
    return [{"group": name, **{key: group.get(key) for key in keys}} for name, group in named]


def _cell(row: Mapping[str, Any], key: str, form: str) -> str:
    return interval(row, key, form) if key == "mean_l2" else number(row[key], form)


def as_text(report: Mapping[str, Any], width: int) -> str:
    """Writes a report as a table of at most `width` characters."""
    rows = groups(report)
    columns: Columns = [("group", [row["group"] for row in rows])]
    columns += [(label, [_cell(row, key, form) for row in rows]) for key, label, form in _COLUMNS]
    text, left_out = text_table(columns, width)
    houses = rows[0]["n_houses"]
    lines = [
        text,
        "",
        f"Means over answered predictions, as published; {interval_words('house', houses)}.",
        "resp.: answered of all, as published, so a failed request counts as a non-response; run tables call this "
        '"resp. published", and their resp. leaves failed requests out.',
    ]
    if left_out:
        lines.append(f"Left out for width: {', '.join(left_out)} (--format json has them all).")
    return "\n".join(lines)
