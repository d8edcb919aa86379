"""Scores a predictions file of POVBench's authors against a data set, as their own scorer does.

Added to what they report: distances where the target is in the frame, hit rates, frames that show both objects, answers
out of range, signed means, the mean of the direction means (the paper's table 1), and the number of instances that the
data set holds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from evals.datasets.povbench.annotations import CONDITIONS, Condition, Pair, read_pairs
from evals.datasets.povbench.exploration import LoggedFrame, read_exploration
from evals.datasets.povbench.fields import Field, as_number, described
from evals.datasets.povbench.layout import find_houses
from evals.datasets.povbench.prediction_files import PredictionRow, read_predictions
from evals.datasets.povbench.summary import Evaluated, summarise
from evals.datasets.povbench.truth import project_target
from evals.sample import Problem
from evals.scorers.frame_point import frame_point
from tools.camera import Camera

KINDS: Mapping[str, Condition] = dict(zip("abc", CONDITIONS, strict=True))
"""What the authors' scripts call the conditions."""

Fractions = tuple[float, float]


@dataclass(frozen=True)
class _Annotations:
    pairs: Mapping[tuple[str, str], Pair]
    logs: Mapping[str, Mapping[str, LoggedFrame]]
    problems: Sequence[Problem]


class _UnansweredError(Exception):
    """A row that cannot be scored; carries the published status."""


def score_predictions(predictions: Path, data: Path) -> dict[str, Any]:
    """Scores predictions by their `predicted_x` and `predicted_y`, never by their raw text.

    Pictures are not opened. Pixels are in fractions of the size that the file states, or 512x512; under Given, of the
    observer camera's. Where a row has several points, its error is that of the centroid of the clamped points.

    Args:
        predictions: A file or a folder; see `prediction_files.read_predictions`.
        data: The data set's folder.

    Returns:
        `summary`: figures overall, by type and by direction; `evaluations`: one entry a prediction with the published
        keys; `metadata` of the run; `problems`: one line for each thing that was left out or looks wrong.

    Raises:
        DatasetError: If either of the two cannot be used.
    """
    annotations = _read_annotations(data.resolve())
    read = read_predictions(predictions, set(annotations.logs))
    problems = [*read.problems, *(str(problem) for problem in annotations.problems if problem.fatal)]
    evaluated = [_evaluate(row, annotations, problems) for row in read.rows]
    _add_errors(evaluated)
    existing = [(kind, direction) for pair in annotations.pairs.values() for kind, direction in _existing(pair)]
    return {
        "metadata": dict(read.metadata),
        "summary": summarise(evaluated, existing),
        "evaluations": [item.entry for item in evaluated],
        "problems": problems,
    }


def _read_annotations(root: Path) -> _Annotations:
    pairs: dict[tuple[str, str], Pair] = {}
    logs: dict[str, Mapping[str, LoggedFrame]] = {}
    problems: list[Problem] = []
    for house in find_houses(root):
        found, pair_problems = read_pairs(house, root)
        logs[house.id], log_problems = read_exploration(house, root)
        pairs |= {(house.id, pair_id): pair for pair_id, pair in found.items()}
        problems += [*pair_problems, *log_problems]
    return _Annotations(pairs, logs, problems)


def _existing(pair: Pair) -> list[tuple[str, str]]:
    kinds = {condition: kind for kind, condition in KINDS.items()}
    return [(kinds[condition], direction) for direction, condition in pair.sentences]


def _evaluate(row: PredictionRow, annotations: _Annotations, problems: list[str]) -> Evaluated:
    """Finds what a row is held against; the errors are added for all rows at once."""
    entry: dict[str, Any] = {
        "pair_id": row.pair,
        "house_id": row.house,
        "direction": row.direction,
        "type": row.kind,
        "sentence": _shown(row.values.get("sentence", "")),
        "predicted_x": as_number(row.values.get("predicted_x")),
        "predicted_y": as_number(row.values.get("predicted_y")),
        "parse_error": _shown(row.values.get("parse_error")),
    }
    try:
        return _matched(row, entry, annotations, problems)
    except _UnansweredError as unanswered:
        entry["status"] = str(unanswered)
        return Evaluated(entry)


def _shown(value: Any) -> str | None:
    """A text of a row as it goes into its entry; anything else in words, so that the result stays plain JSON."""
    return value if value is None or isinstance(value, str) else described(value)


def _matched(row: PredictionRow, entry: dict[str, Any], annotations: _Annotations, problems: list[str]) -> Evaluated:
    if not _has_point(row, problems):
        raise _UnansweredError("no_prediction")
    pair = annotations.pairs.get((row.house, row.pair))
    if pair is None:
        problems.append(f"{row.place}: the data set has no pair {row.pair!r} in {row.house!r}; give the one of the run")
        raise _UnansweredError("entry_not_found")
    target = pair.targets.get(row.direction)
    if target is None:
        problems.append(f"{row.place}: pair {row.pair!r} has no placement {row.direction!r}; give the data of the run")
        raise _UnansweredError("placement_not_found")
    if target.position is None:
        problems.append(f"{row.place}: pair {row.pair!r}, {row.direction}: its position cannot be read; mend the data")
        raise _UnansweredError("no_gt_position")
    entry["gt_surface_corrected"] = target.recomputed
    entry["gt_position_3d"] = dict(zip("xyz", target.position, strict=True))
    camera, correct = _chosen(row, entry, pair, annotations.logs[row.house], problems)
    projected = project_target(camera, target.position)
    entry["gt_position_2d"] = {"x": projected.x, "y": projected.y}
    entry["gt_in_frame"] = projected.in_frame
    entry["status"] = "ok"
    size = (camera.width, camera.height)
    truth = {"x": projected.x, "y": projected.y, "in_frame": projected.in_frame, "frame_correct": correct}
    answer = (entry["predicted_x"] / size[0], entry["predicted_y"] / size[1])
    points = [(x / size[0], y / size[1]) for x, y in _points(row, problems)]
    return Evaluated(entry, truth, answer, tuple(points))


def _has_point(row: PredictionRow, problems: list[str]) -> bool:
    values = [row.values.get("predicted_x"), row.values.get("predicted_y")]
    if None in values:
        return False
    wrong = [value for value in values if as_number(value) is None]
    if wrong:
        problems.append(
            f"{row.place}: {described(wrong[0])} is no coordinate, so there is no prediction; write a number"
        )
    return not wrong


def _chosen(
    row: PredictionRow,
    entry: dict[str, Any],
    pair: Pair,
    log: Mapping[str, LoggedFrame],
    problems: list[str],
) -> tuple[Camera, bool | None]:
    """The camera of the frame that a row points into, and whether that frame shows both objects."""
    if row.kind == "c":
        if pair.camera is None:
            problems.append(f"{row.place}: pair {row.pair!r} has no usable observer camera; mend the data")
            raise _UnansweredError("no_observer_camera")
        entry["camera_image"] = pair.view
        return pair.camera, None
    frame = row.values.get("predicted_image")
    if not frame:
        raise _UnansweredError("no_selected_image")
    entry["predicted_image"] = _shown(frame)
    logged = log.get(frame) if isinstance(frame, str) else None
    if logged is None:
        problems.append(
            f"{row.place}: predicted_image {described(frame)} is not in the exploration log of {row.house!r}; "
            "give the data of the run"
        )
        raise _UnansweredError("image_not_in_log")
    entry["camera_image"] = frame
    correct = None
    if logged.shows is not None and pair.observer is not None and pair.anchor is not None:
        correct = {pair.observer.id, pair.anchor.id} <= logged.shows
    # As published, the file's size counts for exploration frames, not the size that the log gives.
    return replace(logged.camera, width=row.size[0], height=row.size[1]), correct


def _points(row: PredictionRow, problems: list[str]) -> list[Fractions]:
    """The points of a row that gives several, in pixels."""
    listed = Field("predicted_points", row.values.get("predicted_points"))
    if listed.missing:
        return []
    if not isinstance(listed.value, list):
        problems.append(f"{row.place}: predicted_points is no list, so predicted_x and predicted_y count alone")
        return []
    found = []
    for point in listed.items():
        numbers = [as_number(value) for value in point.value[:2]] if isinstance(point.value, list) else []
        if len(numbers) == 2 and numbers[0] is not None and numbers[1] is not None:
            found.append((numbers[0], numbers[1]))
        else:
            problems.append(f"{row.place}: {point.path} is no point [x, y]; left out of the centroid")
    return found


def _add_errors(evaluated: Sequence[Evaluated]) -> None:
    """Adds the errors of the answered rows to their entries and the scores to the rows."""
    answered = [item for item in evaluated if item.truth is not None]
    truths = [item.truth for item in answered if item.truth is not None]
    answers = [{"x": item.answer[0], "y": item.answer[1]} for item in answered]
    columns = frame_point.score(answers, truths)
    pooled = frame_point.score([dict(zip("xy", item.pooled, strict=True)) for item in answered], truths)
    for name in ("l2", "l2_in_frame", *(name for name in pooled if name.startswith("hit_"))):
        columns[name] = pooled[name]
    for index, (item, truth) in enumerate(zip(answered, truths, strict=True)):
        item.scores.update({name: float(column[index]) for name, column in columns.items()})
        x, y = np.clip(item.answer, 0, 1)
        item.entry["predicted_x_norm"], item.entry["predicted_y_norm"] = float(x), float(y)
        item.entry["error_x"], item.entry["error_y"] = float(x) - truth["x"], float(y) - truth["y"]
        item.entry["error_l2"] = item.scores["l2"]
        if item.points:
            clamped = np.clip(item.points, 0, 1)
            item.entry["n_points"] = len(item.points)
            item.entry["error_l2_min"] = min(math.hypot(px - truth["x"], py - truth["y"]) for px, py in clamped)
            item.entry["error_l2_mean"] = item.scores["l2"]
