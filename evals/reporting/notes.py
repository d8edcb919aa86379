"""What must be said beneath a comparison: method, counts, what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evals.reporting.units import LoadedRun
from evals.scorers import Metric


def notes_of(
    rows: Sequence[Mapping[str, Any]],
    runs: Sequence[LoadedRun],
    metric: Metric,
    baseline: str | None,
    explore: bool,
    published: bool,
) -> list[str]:
    """The lines beneath a comparison's table."""
    return [f"{metric.label}: means over answered items."]
