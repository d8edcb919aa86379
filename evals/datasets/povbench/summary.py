"""The figures that POVBench reports of a run, from evaluated predictions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evals.reporting.statistics import clustered_mean

FAILED_TO_PARSE = frozenset({"failed to parse JSON", "failed to parse points"})
"""What the authors' scripts note where a reply could not be read; any other note is a request that failed."""

SHARES = ("hit_0.05", "hit_0.1", "hit_0.2", "frame_correct", "out_of_range")


@dataclass(frozen=True)
class Evaluated:
    """One prediction, evaluated.

    Attributes:
        entry: Its entry among the evaluations, with the published keys.
        truth: What it is held against; None for one that counts as unanswered.
        answer: (x, y) that it predicts, in fractions of the frame.
        points: All points of a prediction that gives several, likewise.
        scores: The scorer's columns for it.
    """

    entry: dict[str, Any]
    truth: Mapping[str, Any] | None = None
    answer: tuple[float, float] = (0.0, 0.0)
    points: tuple[tuple[float, float], ...] = ()
    scores: dict[str, float] = field(default_factory=dict)

    @property
    def pooled(self) -> tuple[float, float]:
        """The centroid of the points, each clamped first; the answer where there is but one."""
        if not self.points:
            return self.answer
        x, y = np.clip(self.points, 0, 1).mean(axis=0)
        return (float(x), float(y))


def summarise(evaluated: Sequence[Evaluated], existing: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Pools evaluated predictions overall, by type and by direction.

    Args:
        evaluated: The predictions.
        existing: Type and direction of every instance of the data set.

    Returns:
        The published summary. Each group holds `n` answered of `n_total` predictions, `response_rate`, `mean_l2`,
        `std_l2` (population), `mean_abs_x`, `mean_abs_y`, `pct_in_frame`, and of ours: `mean_l2_low` and `mean_l2_high`
        (95 % t interval, robust to clustering by house; None where there are not two), `n_houses` of answered
        predictions, `n_instances` that the data set holds of the types in the file, `response_rate_of_instances`,
        `n_failed` requests that failed outside the model, `response_rate_without_failed`, `mean_x` and `mean_y`
        (signed), `mean_l2_in_frame`, shares of hits, of frames that show both objects and of answers out of range,
        `mean_l2_in_frame_n` and `frame_correct_n` that two of these are over, and `mean_of_direction_means` (overall
        and by type).
    """
    kinds = sorted({item.entry["type"] for item in evaluated})
    directions = sorted({item.entry["direction"] for item in evaluated})
    known = [(kind, direction) for kind, direction in existing if kind in kinds]
    overall = _group(evaluated, len(known)) | _direction_mean(evaluated)
    per_type = {}
    for kind in kinds:
        group = [item for item in evaluated if item.entry["type"] == kind]
        per_type[kind] = _group(group, sum(item[0] == kind for item in known)) | _direction_mean(group)
    per_direction = {}
    for direction in directions:
        group = [item for item in evaluated if item.entry["direction"] == direction]
        per_direction[direction] = _group(group, sum(item[1] == direction for item in known))
    return {
        "total": overall["n_total"],
        "n_ok": overall["n"],
        "response_rate": overall["response_rate"],
        "n_parse_error": sum(bool(item.entry["parse_error"]) for item in evaluated),
        "overall": overall,
        "per_type": per_type,
        "per_direction": per_direction,
    }


def _group(group: Sequence[Evaluated], instances: int) -> dict[str, Any]:
    answered = [item for item in group if item.truth is not None]
    distances = [item.scores["l2"] for item in answered]
    houses = [str(item.entry["house_id"]) for item in answered]
    mean = clustered_mean(distances, houses)
    in_frame = _mean([item.scores["in_frame"] for item in answered])
    failed = sum(_failed_outside(item) for item in group)
    return {
        "n": len(answered),
        "n_total": len(group),
        "response_rate": _ratio(len(answered), len(group)),
        "n_instances": instances,
        "response_rate_of_instances": _ratio(len(answered), instances),
        "n_failed": failed,
        "response_rate_without_failed": _ratio(len(answered), len(group) - failed),
        "mean_l2": _mean(distances),
        "mean_l2_low": mean.low,
        "mean_l2_high": mean.high,
        "n_houses": len(set(houses)),
        "std_l2": float(np.std(distances)) if distances else None,
        "mean_abs_x": _mean([item.scores["abs_x"] for item in answered]),
        "mean_abs_y": _mean([item.scores["abs_y"] for item in answered]),
        "pct_in_frame": None if in_frame is None else in_frame * 100,
        "mean_x": _mean([item.entry["error_x"] for item in answered]),
        "mean_y": _mean([item.entry["error_y"] for item in answered]),
        "mean_l2_in_frame": _mean([item.scores["l2_in_frame"] for item in answered]),
        "mean_l2_in_frame_n": sum(not np.isnan(item.scores["l2_in_frame"]) for item in answered),
        "frame_correct_n": sum(not np.isnan(item.scores["frame_correct"]) for item in answered),
        **{name: _mean([item.scores[name] for item in answered]) for name in SHARES},
    }


def _direction_mean(group: Sequence[Evaluated]) -> dict[str, float | None]:
    """The mean of the directions' means, as table 1 of the paper has it."""
    by_direction: dict[str, list[float]] = {}
    for item in group:
        if item.truth is not None:
            by_direction.setdefault(item.entry["direction"], []).append(item.scores["l2"])
    means = [_mean(distances) for distances in by_direction.values()]
    return {"mean_of_direction_means": _mean([mean for mean in means if mean is not None])}


def _failed_outside(item: Evaluated) -> bool:
    note = item.entry["parse_error"]
    return item.entry["status"] == "no_prediction" and bool(note) and note not in FAILED_TO_PARSE


def _mean(values: Sequence[float]) -> float | None:
    """The mean of what is known; None where nothing is."""
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else None


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
