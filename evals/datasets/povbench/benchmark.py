"""POVBench as a data set: samples, and the truth that an answer is held against."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agents.forms import FramePoint
from agents.situation import Situation
from evals.dataset_kind import DatasetError
from evals.datasets.povbench.annotations import BY_DIRECTION, CONDITIONS, Condition, Pair
from evals.datasets.povbench.fields import Point
from evals.datasets.povbench.houses import House, View, read_house
from evals.datasets.povbench.layout import find_houses
from evals.datasets.povbench.truth import project_target
from evals.sample import Problem, Sample, Truth
from graphs.hints import Hints, ObjectHint

TASK = "situated_target"
TASK_GIVEN = "situated_target_observer_view"


@dataclass(frozen=True)
class Instance:
    """One sentence of a pair, everything it needs being there.

    Attributes:
        house: The house.
        pair: The pair.
        direction: `right`, `left`, `front` or `up`.
        condition: How the observer's view is conveyed.
        position: (x, y, z) of the target, metres.
        views: The frames that are shown, in numbered order.
    """

    house: House
    pair: Pair
    direction: str
    condition: Condition
    position: Point
    views: tuple[View, ...]

    @property
    def id(self) -> str:
        """The instance's name, readable by a person."""
        return f"{self.house.id}/{self.pair.id}/{self.direction}/{self.condition}"

    @property
    def surface(self) -> str | None:
        """What supports the target, in words, where it was judged appropriate."""
        return self.pair.targets[self.direction].surface


@dataclass(eq=False)
class PovBench:
    """POVBench, or a part of it, in a folder.

    Attributes:
        name: Registered name.
        conditions: The three forms of observer grounding (section 3.3).
        breakdown: Tables split a condition by direction.
        problems: What was found wrong; the instances that a fatal problem concerns are left out.
        instances: The usable instances by id, by house, condition, pair and direction.
    """

    name: str
    conditions: tuple[str, ...]
    breakdown: str | None
    problems: Sequence[Problem]
    instances: Mapping[str, Instance]

    def samples(self) -> Iterator[Sample]:
        """Yields every usable instance; reads the bytes of its pictures once, for their hashes."""
        return map(_sample, self.instances.values())

    def truth_for(self, sample_id: str, answer: Mapping[str, Any]) -> Truth:
        """Projects the target into the frame that was chosen.

        Args:
            sample_id: Id of a sample.
            answer: Canonical answer; only its `frame` matters.

        Returns:
            `x`, `y`: the target in fractions of the frame, clamped to [0, 1], 0.5 behind the camera; `in_frame`;
            `behind`; `frame_correct`: whether the frame shows observer and anchor, None where it was not chosen or the
            log does not say; `position`: [x, y, z] in metres; `surface_known`: whether the annotations name the
            surface that the target stands on.

        Raises:
            DatasetError: If there is no such sample, or no such frame in it.
        """
        if sample_id not in self.instances:
            raise DatasetError(f"povbench has no sample {sample_id!r}; the data set may have changed since the run")
        instance = self.instances[sample_id]
        frame_id = answer.get("frame")
        view = next((view for view in instance.views if view.frame.id == frame_id), None)
        if view is None:
            raise DatasetError(
                f"sample {sample_id!r} has no frame {frame_id!r}; "
                "answer with the id of one of its frames, or load the data set that the run used"
            )
        target = project_target(view.camera, instance.position)
        return {
            "x": target.x,
            "y": target.y,
            "in_frame": target.in_frame,
            "behind": target.behind,
            "frame_correct": _shows_both(instance, view),
            "position": list(instance.position),
            "surface_known": instance.surface is not None,
        }


def read_benchmark(root: Path) -> PovBench:
    """Reads POVBench from a folder; see `evals.datasets.povbench`."""
    root = root.resolve()
    problems: list[Problem] = []
    instances: dict[str, Instance] = {}
    for files in find_houses(root):
        house, found = read_house(files, root)
        problems += found
        instances |= {instance.id: instance for instance in _instances(house)}
    return PovBench("povbench", CONDITIONS, "direction", tuple(problems), instances)


def _instances(house: House) -> Iterator[Instance]:
    """The instances of a house that have what they need; for each that has not, a problem has been reported."""
    for condition in CONDITIONS:
        for pair in house.pairs.values():
            views: tuple[View, ...] = ()
            if condition != "given" and pair.observer is not None:
                views = house.views
            elif condition == "given" and pair.id in house.observer_views:
                views = (house.observer_views[pair.id],)
            if pair.anchor is None or not views:
                continue
            for direction in pair.directions:
                target = pair.targets.get(direction)
                if (direction, condition) in pair.sentences and target is not None and target.position is not None:
                    yield Instance(house, pair, direction, condition, target.position, views)


def _shows_both(instance: Instance, view: View) -> bool | None:
    observer, anchor = instance.pair.observer, instance.pair.anchor
    if instance.condition == "given" or view.shows is None or observer is None or anchor is None:
        return None
    return {observer.id, anchor.id} <= view.shows


def _sample(instance: Instance) -> Sample:
    pair = instance.pair
    situation = Situation(
        task=TASK_GIVEN if instance.condition == "given" else TASK,
        frames=tuple(view.frame for view in instance.views),
        question=pair.sentences[instance.direction, instance.condition],
        form=FramePoint(),
    )
    keys = {
        "scene": instance.house.id,
        "pair": pair.id,
        "direction": instance.direction,
        "condition": instance.condition,
        "instance": instance.id.rpartition("/")[0],
        "observer_category": pair.observer.category if pair.observer else "unknown",
        "anchor_category": pair.anchor.category if pair.anchor else "unknown",
    }
    if instance.house.rooms is not None:
        keys["room_count"] = str(instance.house.rooms)
    return Sample(instance.id, situation, _hints(instance), keys, _digest(instance, situation))


def _hints(instance: Instance) -> Hints:
    pair, views = instance.pair, instance.views
    observer, anchor = (_seen(item, views) for item in (pair.observer, pair.anchor))
    if instance.condition == "given" and anchor is not None:
        # The observer's camera is turned to the anchor, so its picture shows it; the release does not list its objects.
        anchor = replace(anchor, visible_in=frozenset({views[0].frame.id}))
    return Hints(
        cameras={view.frame.id: view.camera for view in views},
        observer_camera=views[0].camera if instance.condition == "given" else pair.camera,
        observer=observer,
        anchor=anchor,
        surface=instance.surface,
    )


def _seen(item: ObjectHint | None, views: Sequence[View]) -> ObjectHint | None:
    if item is None:
        return None
    return replace(item, visible_in=frozenset(view.frame.id for view in views if view.shows and item.id in view.shows))


def _digest(instance: Instance, situation: Situation) -> str:
    """Hash of what the instance holds; another direction's sentence or placement does not change it."""
    annotation = {
        key: value.get(instance.direction) if key in BY_DIRECTION and isinstance(value, dict) else value
        for key, value in instance.pair.raw.items()
        if key not in ("stage5", "stage6")
    }
    log = instance.house.log
    parts = {
        "id": instance.id,
        "task": situation.task,
        "form": situation.form.kind,
        "question": situation.question,
        "annotation": annotation,
        "frames": [
            [frame.id, frame.picture.digest, log[frame.id].raw if frame.id in log else None]
            for frame in situation.frames
        ],
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
