"""Prints what a run could find as a table for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evals.reporting.power import Power
from evals.reporting.summary import ALL
from evals.reporting.table import DASH, Columns, number, text_table, with_headings
from evals.reporting.text import printable


def as_text(power: Power, width: int) -> str:
    """The table, at most `width` characters wide, its notes beneath."""
    rows = power.rows
    columns: Columns = [("graph", [row["graph"] for row in rows])]
    if len({row["model"] for row in rows}) > 1:
        columns.append(("model", [row["model"] for row in rows]))
    if any(row["condition"] != ALL for row in rows):
        columns.append(("condition", [row["condition"] for row in rows]))
    columns += [
        ("scenes needed [95 %]", [_needed(row) for row in rows]),
        ("instances", [number(row["items_needed"], "d") for row in rows]),
        ("scenes", [number(row["scenes"], "d") for row in rows]),
        ("power", [number(row["power"], ".1%") for row in rows]),
        ("finds", [number(row["detectable"], ".3g") for row in rows]),
        ("sd a scene", [number(row["scene_sd"], ".3g") for row in rows]),
        ("a scene", [number(row["items_per_scene"], ".1f") for row in rows]),
    ]
    text, left_out = text_table(columns, width)
    models = [(name, cells) for name, cells in columns if name == "model"]
    if models and "power" in left_out:
        # Long names leave no room for figures beside them, so they stand above their rows.
        text, left_out = text_table([one for one in columns if one not in models], width)
        text = with_headings(text, models)
    notes = list(power.notes)
    if left_out:
        notes.append(f"Left out for width: {', '.join(left_out)} (--format json has them all).")
    return "\n".join([text, "", *map(printable, notes)])


def _needed(row: Mapping[str, Any]) -> str:
    if row["scene_sd"] is None:
        return DASH
    names = ("scenes_needed", "scenes_needed_low", "scenes_needed_high")
    needed, low, high = ("over 1,000,000" if row[name] is None else str(row[name]) for name in names)
    return f"{needed} [{low}, {high}]"
