"""What the gallery shows: every item in columns, small enough to filter and sort thousands at once."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.frame import Frame
from evals.running.store import StoredItem
from evals.sample import Sample
from evals.scorers import Scorer, scorer_of

DIGITS = 4
"""Digits after the point of coordinates; a tenth of a pixel of the largest frames."""

CHUNK = 64
"""Instances whose details are packed together; they are unpacked when one of them is opened."""

MOST_SCENES = 200
"""Scenes that one still chooses from in a list."""

Column = list[Any]


@dataclass(frozen=True)
class Gallery:
    """The gallery's contents.

    Attributes:
        index: What the page's script reads; every value is a number, a text, or a list or an object of these.
        frames_wanted: The frames to show by their number in the index, those of the worst answered instances first.
        scenes: Number of scenes.
        places: Number of each sample in the index.
        count: Number of instances.
        unknown: Number of instances that the data do not hold.
    """

    index: Mapping[str, Any]
    frames_wanted: Mapping[int, Frame]
    scenes: int
    places: Mapping[str, int]
    count: int
    unknown: int


def gallery_of(
    items: Sequence[StoredItem], scores: Sequence[float], description: Mapping[str, Any], samples: Mapping[str, Sample]
) -> Gallery:
    """Gathers what the gallery shows.

    Args:
        items: The items of the run.
        scores: Headline of each item; NaN where it has no answer.
        description: What the run was made of.
        samples: The samples that the data hold, by id.
    """
    scorer = scorer_of(description["form"])
    of_samples: dict[str, Mapping[str, str]] = {item.sample: item.row["keys"] for item in items}
    places = {sample: place for place, sample in enumerate(of_samples)}
    scenes = {keys["scene"] for keys in of_samples.values()}
    keys = _shown_keys(description, len(scenes))
    values = {key: _values(key, of_samples.values(), description) for key in keys}
    frames = _Frames(samples)
    columns = _columns(items, scores, description, places, frames)
    index = {
        "metric": _metric(scorer),
        "graphs": list(description["graphs"]),
        "models": [[name, about["is_vlm"]] for name, about in description["models"].items()],
        "statuses": columns.pop("statuses"),
        "keys": [[key, values[key]] for key in keys],
        "chunk": CHUNK,
        "samples": [
            [
                sample,
                samples[sample].situation.question if sample in samples else "",
                [values[key].index(of_keys[key]) if key in of_keys else -1 for key in keys],
                frames.first(sample),
            ]
            for sample, of_keys in of_samples.items()
        ],
        "frames": frames.described,
        "items": columns,
    }
    return Gallery(
        index=index,
        frames_wanted=_wanted(index, frames.frames, scorer),
        scenes=len(scenes),
        places=places,
        count=len(of_samples),
        unknown=sum(sample not in samples for sample in of_samples),
    )


def _metric(scorer: Scorer) -> dict[str, Any]:
    metric = next(metric for metric in scorer.metrics if metric.name == scorer.headline)
    return {
        "label": metric.label,
        "lower": scorer.lower_is_better,
        "worst": scorer.worst,
        "percent": metric.format.endswith("%"),
    }


def _shown_keys(description: Mapping[str, Any], scenes: int) -> list[str]:
    """The keys that the gallery is filtered by, where the data have them: condition, breakdown, scene."""
    keys = ["condition"] if description["conditions"] else []
    keys += [description["breakdown"]] if description["breakdown"] else []
    return [*keys, "scene"] if 1 < scenes <= MOST_SCENES else keys


def _values(key: str, of_samples: Any, description: Mapping[str, Any]) -> list[str]:
    found = sorted({keys[key] for keys in of_samples if key in keys})
    if key == "condition":
        order = list(description["conditions"])
        return [value for value in order if value in found] + [value for value in found if value not in order]
    return found


class _Frames:
    """Numbers the frames that are shown, a picture once however many instances show it."""

    def __init__(self, samples: Mapping[str, Sample]) -> None:
        self.samples = samples
        self.frames: dict[int, Frame] = {}
        self.described: list[list[Any]] = []
        self._numbers: dict[tuple[str, str], int] = {}

    def number(self, sample: str, frame_id: str) -> int:
        """The number of a frame of a sample; one whose picture is not known has a number too."""
        frame = None
        if sample in self.samples:
            frame = next((one for one in self.samples[sample].situation.originals if one.id == frame_id), None)
        known = (frame.picture.digest if frame else sample, frame_id)
        if known not in self._numbers:
            number = self._numbers[known] = len(self.described)
            width, height = frame.size if frame else (1, 1)
            self.described.append([frame_id, width, height])
            if frame is not None:
                self.frames[number] = frame
        return self._numbers[known]

    def first(self, sample: str) -> int:
        """The first frame of a sample, for instances that nobody answered; -1 where the data are not there."""
        if sample not in self.samples:
            return -1
        return self.number(sample, self.samples[sample].situation.originals[0].id)


def _columns(
    items: Sequence[StoredItem],
    scores: Sequence[float],
    description: Mapping[str, Any],
    places: Mapping[str, int],
    frames: _Frames,
) -> dict[str, Column]:
    """The items in columns: sample, graph, model, repeat, status, score, point, truth, frame, whether in frame."""
    graphs = {name: number for number, name in enumerate(description["graphs"])}
    models = {name: number for number, name in enumerate(description["models"])}
    statuses: dict[str, int] = {}
    columns: dict[str, Column] = {
        name: [] for name in ("s", "g", "m", "r", "st", "v", "x", "y", "tx", "ty", "f", "in", "a")
    }
    for item, score in zip(items, scores, strict=True):
        answer: Mapping[str, Any] = item.row.get("answer") or {}
        truth: Mapping[str, Any] = item.row.get("truth") or {}
        points = _is_flat_point(answer) and _is_flat_point(truth)
        frame = answer.get("frame")
        number = frames.number(item.sample, frame) if isinstance(frame, str) else -1
        if number < 0 and points:
            number = frames.first(item.sample)
        row = {
            "s": places[item.sample],
            "g": graphs[item.graph],
            "m": models[item.model],
            "r": item.repeat,
            "st": statuses.setdefault(item.status, len(statuses)),
            "v": None if math.isnan(score) else round(float(score), 6),
            "x": _rounded(answer["x"]) if points else None,
            "y": _rounded(answer["y"]) if points else None,
            "tx": _rounded(truth["x"]) if points else None,
            "ty": _rounded(truth["y"]) if points else None,
            "f": number,
            "in": int(bool(truth.get("in_frame", True))) + 2 * int(bool(truth.get("behind", False))),
            "a": None if points or not answer else _said(answer),
        }
        for name, value in row.items():
            columns[name].append(value)
    columns["statuses"] = list(statuses)
    if not any(columns["a"]):
        columns["a"] = []
    return columns


def _is_flat_point(values: Mapping[str, Any]) -> bool:
    """Whether values hold a point of a frame; points in space are told in words."""
    return "x" in values and "y" in values and "z" not in values


def _rounded(value: float) -> float:
    """A coordinate for drawing, kept near the frame so that nothing is drawn a mile away."""
    return round(min(max(float(value), -0.2), 1.2), DIGITS)


def _said(answer: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in answer.items())[:200]


def _wanted(index: Mapping[str, Any], frames: Mapping[int, Frame], scorer: Scorer) -> dict[int, Frame]:
    """The frames in the order in which the gallery first shows them: worst answered instances first."""
    sign = 1.0 if scorer.lower_is_better else -1.0
    worst: dict[int, float] = {}
    columns = index["items"]
    for sample, value in zip(columns["s"], columns["v"], strict=True):
        bad = sign * (scorer.worst if value is None else value)
        worst[sample] = max(bad, worst.get(sample, -math.inf))
    chosen: dict[int, list[int]] = {}
    for sample, number in zip(columns["s"], columns["f"], strict=True):
        chosen.setdefault(sample, []).append(number)
    return {number: frames[number] for number in _order(worst, chosen, index["samples"]) if number in frames}


def _order(worst: Mapping[int, float], chosen: Mapping[int, list[int]], samples: Sequence[Any]) -> Iterator[int]:
    seen: set[int] = set()
    for sample in sorted(worst, key=lambda place: -worst[place]):
        numbers = [number for number in chosen[sample] if number >= 0] or [samples[sample][3]]
        for number in numbers:
            if number not in seen:
                seen.add(number)
                yield number
