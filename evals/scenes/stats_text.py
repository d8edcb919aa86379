"""Writes the counts of a dataset beside the paper's for people to read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evals.reporting.table import DASH, text_table
from evals.reporting.text import printable
from evals.scenes.stats import PAPER

COUNTS = ("rooms_a_house", "room_kinds", "observers", "anchors", "surfaces", "targets", "flags", "rejected")
"""What is counted by name, in the order in which it is shown."""


def as_text(found: Mapping[str, Any]) -> str:
    """Writes what `evals.scenes.stats.stats` counted."""
    columns = [
        ("", [name.replace("_", " ") for name in PAPER]),
        ("here", [_figure(found[name]) for name in PAPER]),
        ("paper", [_figure(value) for value in PAPER.values()]),
    ]
    lines = [text_table(columns, 80)[0]]
    for name in COUNTS:
        if found[name]:
            counted = ", ".join(f"{key} {count}" for key, count in found[name].items())
            lines.append(printable(f"{name.replace('_', ' ')}: {counted}"))
    return "\n".join(lines)


def _figure(value: float | None) -> str:
    return DASH if value is None else f"{value:.3g}"
