"""Scores a point in a chosen frame (POVBench, section 5.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evals.scorer import FloatArray, Metric, scorer

HIT_DISTANCES = (0.05, 0.1, 0.2)
"""Distances up to which a point counts as a hit, in fractions of the picture; ours, the paper has no threshold."""

METRICS = (
    Metric("l2", "L2", "lower", "fraction of the picture"),
    Metric("l2_in_frame", "in-frame L2", "lower", "fraction of the picture"),
    *(Metric(f"hit_{distance:g}", f"≤{distance:g}", "higher", "share", ".1%") for distance in HIT_DISTANCES),
    Metric("frame_correct", "both in frame", "higher", "share", ".1%"),
    Metric("out_of_range", "out of range", "lower", "share", ".1%"),
    Metric("in_frame", "in frame", None, "share", ".1%"),
    Metric("abs_x", "|x|", "lower", "fraction of the width"),
    Metric("abs_y", "|y|", "lower", "fraction of the height"),
)


@scorer(form="frame_point", headline="l2", worst=float(np.sqrt(2)), metrics=METRICS)
def frame_point(answers: Sequence[Mapping[str, Any]], truths: Sequence[Mapping[str, Any]]) -> dict[str, FloatArray]:
    """Scores answered items.

    Args:
        answers: N canonical answers; `x` and `y` in fractions of the chosen frame, not clamped.
        truths: N truths in the same frames: `x`, `y`, `in_frame`, and `frame_correct`, which may be None.

    Returns:
        (N,) columns. `l2`: distance between both points clamped to [0, 1] (equation 1), in [0, sqrt(2)]. `abs_x`,
        `abs_y`: its parts. `l2_in_frame`: the same distance, NaN where the target lies outside the frame. `hit_0.05`
        and so on: 1 up to that distance, else 0. `frame_correct`: 1 where the frame shows observer and anchor, NaN
        where it was not chosen or that is not known. `out_of_range`: 1 where the answer lies outside [0, 1) on either
        axis. `in_frame`: 1 where the target lies in the frame.

    Raises:
        ValueError: If the two differ in number, or a coordinate is not finite.
    """
    if len(answers) != len(truths):
        raise ValueError(f"{len(answers)} answers cannot be held against {len(truths)} truths")
    predicted, wanted = _points(answers), _points(truths)
    parts = np.abs(np.clip(predicted, 0, 1) - np.clip(wanted, 0, 1))
    distance: FloatArray = np.hypot(parts[:, 0], parts[:, 1])
    in_frame = np.array([bool(truth["in_frame"]) for truth in truths], dtype=bool)
    correct = [np.nan if truth["frame_correct"] is None else float(truth["frame_correct"]) for truth in truths]
    columns: dict[str, FloatArray] = {
        "l2": distance,
        "abs_x": parts[:, 0],
        "abs_y": parts[:, 1],
        "l2_in_frame": np.where(in_frame, distance, np.nan),
        "frame_correct": np.array(correct, dtype=np.float64),
        "out_of_range": np.asarray(((predicted < 0) | (predicted >= 1)).any(axis=1), dtype=np.float64),
        "in_frame": in_frame.astype(np.float64),
    }
    for limit in HIT_DISTANCES:
        columns[f"hit_{limit:g}"] = (distance <= limit).astype(np.float64)
    return columns


def _points(items: Sequence[Mapping[str, Any]]) -> FloatArray:
    points = np.array([(item["x"], item["y"]) for item in items], dtype=np.float64).reshape(-1, 2)
    if not np.isfinite(points).all():
        raise ValueError("a coordinate is NaN or infinite; such a reply is no answer and must not be scored")
    return points
