"""A symbolic agent, no VLM: it takes each step from the hints and the sentence, with seeded noise a step.

Its errors are known by construction, so that one can study how the error of a step becomes the error of the answer.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import BaseModel

from agents.asking import ANSWER
from agents.frame import Frame
from agents.model import Purpose, Reply, Request
from agents.steps.anchor_identification import AnchorName
from agents.steps.anchor_localization import AnchorPoint
from agents.steps.directional_frame import DirectionalFrame
from agents.steps.frame_selection import ChosenFrame
from agents.steps.observer_grounding import ObserverPose
from agents.steps.scene_inventory import SceneInventory
from agents.steps.side_identification import Side
from agents.steps.spatial_reasoning import SpatialReasoning
from agents.steps.target_estimation import TargetPoint
from agents.wire import to_wire
from evals.datasets.povbench.placement import Relation, names_anchor, target_position
from evals.model_source import ModelError, sample_model
from evals.models._as_asked import as_asked
from evals.models._best_frame import Point3, best_frame
from evals.sample import Sample
from graphs.hints import Hints, ObjectHint
from tools.camera import Camera, FloatArray, project

SideName = Literal["left", "right", "front", "on top"]

_SIDES: tuple[tuple[SideName, str], ...] = (
    ("front", r"\bin front of\b|\bfront\b"),
    ("left", r"\bleft\b"),
    ("right", r"\bright\b"),
    ("on top", r"\bon top\b|\batop\b|\babove\b|\bon\b"),
)

_NOT_ON_TOP = re.compile(
    r"on (the |its |your |my )?((far )?(left|right|front)|floor(?! lamp)|ground|carpet|rug|\w+ side of)\b",
    re.IGNORECASE,
)
"""An "on" that places nothing on top: on the left half, on its right side, on the floor, on the far side of."""

_RELATIONS: Mapping[SideName, Relation] = {"left": "left", "right": "right", "front": "front", "on top": "up"}


class _CannotTell(Exception):  # noqa: N818 - what the agent says, not a fault
    """The hints do not hold what a step needs; the agent says so, in words, instead of guessing."""


@sample_model(options={"frame": 0.0, "facing": 0.0, "anchor": 0.0})
def reference(sample: Sample, options: Mapping[str, float | str], seed: str) -> Reference:
    """Symbolic agent that reads the hints; noise: frame=P(another), facing=degrees, anchor=fraction of the frame."""
    noise = Noise(float(options["frame"]), float(options["facing"]), float(options["anchor"]))
    if noise.frame > 1:
        raise ModelError(f"model 'reference': frame is a probability, it must be at most 1, not {noise.frame:g}")
    spec = "&".join(f"{name}={value}" for name, value in options.items())
    return Reference(f"reference?{spec}", f"reference?{spec}@{sample.id}#{seed}", sample, noise, seed)


@dataclass(frozen=True)
class Noise:
    """Errors that the reference makes on purpose.

    Attributes:
        frame: Probability of choosing another frame than the best.
        facing: Standard deviation of the observer's heading, degrees.
        anchor: Standard deviation of each of the anchor's coordinates, fractions of the frame.
    """

    frame: float = 0.0
    facing: float = 0.0
    anchor: float = 0.0


@dataclass(frozen=True)
class Reference:
    """The reference for one sample."""

    name: str
    identity: str
    sample: Sample
    noise: Noise = Noise()
    seed: str = "0"
    is_vlm: bool = False

    async def reply(self, request: Request) -> Reply:
        """Answers in the text form that a model would use: a line a step, the JSON that was asked for last."""
        try:
            return Reply(self._say(request.purpose, request.repeat))
        except _CannotTell as reason:
            return Reply(f"I cannot tell: {reason}.")

    def _say(self, purpose: Purpose, repeat: int) -> str:
        thought = _Thought(self.sample, self.noise, purpose, f"{self.seed}\0{self.sample.id}\0{repeat}")
        *reasoned, last = purpose.steps
        view = purpose.view if purpose.view.bound_to is not None else purpose.view.bind(thought.frame.id)
        lines = [f"{name}: {json.dumps(to_wire(thought.finding(name), view))}" for name in reasoned]
        final = thought.answer(purpose.finds) if last == ANSWER else thought.finding(last)
        return "\n".join([*lines, as_asked(final, purpose.view)])


class _Thought:
    """One chain of steps about one request; each step starts from the earlier findings that the request carries."""

    def __init__(self, sample: Sample, noise: Noise, purpose: Purpose, seed: str) -> None:
        self.noise, self.purpose, self.seed = noise, purpose, seed
        self.question, self.hints = sample.situation.question, sample.hints
        self._found: dict[str, BaseModel] = dict(purpose.findings)
        self.frame = self._choose_frame()

    def finding(self, step: str) -> BaseModel:
        """What a step finds; a finding that the request carries stands."""
        if step not in self._found:
            self._found[step] = self._find(step)
        return self._found[step]

    def _find(self, step: str) -> BaseModel:
        match step:
            case "frame_selection":
                return ChosenFrame(frame=self.frame.id)
            case "observer_grounding":
                return self._observer()
            case "anchor_identification":
                return AnchorName(anchor=_words(self._anchor.category))
            case "directional_frame":
                facing = self._facing()
                return DirectionalFrame(front=(facing + 180) % 360, left=(facing - 90) % 360, right=(facing + 90) % 360)
            case "anchor_localization":
                return self._anchor_point()
            case "scene_inventory":
                return SceneInventory(objects=[])
            case "side_identification":
                return Side(side=side_named_in(self.question, self._anchor.category))
            case "spatial_reasoning":
                return SpatialReasoning(
                    reasoning=f"the target is {self._side()} of the {_words(self._anchor.category)}"
                )
            case "target_estimation":
                return self._target_point()
        raise _CannotTell(f"the reference does not know the step {step}")

    def answer(self, finds: type[BaseModel]) -> BaseModel:
        """The answer, from the estimate of the target."""
        target = self.finding("target_estimation")
        if not isinstance(target, TargetPoint) or not {"frame", "x", "y"} <= set(finds.model_fields):
            raise _CannotTell(f"the reference does not answer in the form {finds.__name__}")
        return finds.model_validate({"frame": self.frame.id, "x": target.x, "y": target.y})

    @property
    def _anchor(self) -> ObjectHint:
        if self.hints.anchor is None:
            raise _CannotTell("the hints hold no anchor")
        return self.hints.anchor

    @property
    def _camera(self) -> Camera:
        if self.frame.id not in self.hints.cameras:
            raise _CannotTell(f"the hints hold no camera of the frame {self.frame.id}")
        return self.hints.cameras[self.frame.id]

    def _random(self, step: str) -> np.random.Generator:
        digest = hashlib.sha256(f"{self.seed}\0{step}".encode()).digest()
        return np.random.default_rng(int.from_bytes(digest[:16], "big"))

    def _choose_frame(self) -> Frame:
        view = self.purpose.view
        given = self.purpose.findings.get("frame_selection")
        if isinstance(given, ChosenFrame):
            return view.frames[view.number_of(given.frame)]
        if view.bound_frame is not None:
            return view.bound_frame
        choices = [view.frames[number] for number in view.choices]
        best = best_frame(choices, self.hints, [_target(self.hints, _RELATIONS[self._side()], 0.0)])
        if best is None:
            raise _CannotTell("no frame has a known camera")
        others = [frame for frame in choices if frame.id != best.id and frame.id in self.hints.cameras]
        random = self._random(f"frame_selection {len(view.rejected)}")
        if others and random.random() < self.noise.frame:
            return others[int(random.integers(len(others)))]
        return best

    def _observer(self) -> ObserverPose:
        observer = self.hints.observer
        visible = observer is not None and self.frame.id in observer.visible_in
        place = project(self._camera, [observer.position]) if observer is not None and visible else None
        seen = place is not None and bool(place.in_front[0])
        return ObserverPose(
            observer=_words(observer.category) if observer else "unknown",
            x=float(place.points[0, 0]) if place is not None and seen else None,
            y=float(place.points[0, 1]) if place is not None and seen else None,
            facing=(_facing_yaw(self.hints) + self._facing_error() - self._camera.yaw) % 360,
        )

    def _facing_error(self) -> float:
        if not self.noise.facing:
            return 0.0
        return float(self._random("observer_grounding").normal(0, 1)) * self.noise.facing

    def _facing(self) -> float:
        """Heading in which the observer looks, relative to the frame's camera, degrees."""
        frame = self.purpose.findings.get("directional_frame")
        if isinstance(frame, DirectionalFrame):
            return (frame.front + 180) % 360
        pose = self.finding("observer_grounding")
        return pose.facing if isinstance(pose, ObserverPose) else 0.0

    def _side(self) -> SideName:
        side = self.finding("side_identification")
        return side.side if isinstance(side, Side) else side_named_in(self.question, self._anchor.category)

    def _anchor_point(self) -> AnchorPoint:
        place = project(self._camera, [self._anchor.box_center])
        visible = self.frame.id in self._anchor.visible_in
        if not place.in_front[0]:
            return AnchorPoint(visible=False, x=None, y=None)
        error = self._random("anchor_localization").normal(0, 1, size=2) * self.noise.anchor
        x, y = place.points[0] + error
        return AnchorPoint(visible=visible, x=float(x), y=float(y))

    def _target_point(self) -> TargetPoint:
        turn = self._facing() + self._camera.yaw - _facing_yaw(self.hints)
        place = project(self._camera, [_target(self.hints, _RELATIONS[self._side()], turn)])
        if not place.in_front[0]:
            return TargetPoint(x=0.5, y=0.5)
        x, y = place.points[0] + self._anchor_shift()
        return TargetPoint(x=float(x), y=float(y))

    def _anchor_shift(self) -> FloatArray:
        """How far off the anchor was found; the target is placed from where the anchor was found."""
        found = self.finding("anchor_localization")
        true = project(self._camera, [self._anchor.box_center])
        if not isinstance(found, AnchorPoint) or found.x is None or found.y is None or not true.in_front[0]:
            return np.zeros(2)
        shift: FloatArray = np.array([found.x, found.y]) - true.points[0]
        return shift


def side_named_in(sentence: str, anchor: str = "") -> SideName:
    """The side of the landmark that a sentence names: the last such word that the landmark follows.

    Args:
        sentence: The sentence.
        anchor: Category of the landmark; where the sentence calls it something else, the last word for a side counts.

    Raises:
        _CannotTell: If it names none.
    """
    found = sorted(
        (match.start(), side)
        for side, pattern in _SIDES
        for match in re.finditer(pattern, sentence, re.IGNORECASE)
        if side != "on top" or not _NOT_ON_TOP.match(sentence, match.start())
    )
    if not found:
        raise _CannotTell("the sentence names no side")
    ends = [*(start for start, _ in found[1:]), len(sentence)]
    followed = [
        side
        for (start, side), end in zip(found, ends, strict=True)
        if anchor and names_anchor(sentence[start:end], anchor)
    ]
    return followed[-1] if followed else found[-1][1]


def _facing_yaw(hints: Hints) -> float:
    """Yaw of the horizontal line from the observer to the anchor, degrees."""
    if hints.observer_camera is None or hints.anchor is None:
        raise _CannotTell("the hints hold no observer")
    x, _, z = np.array(hints.anchor.placed_at) - np.array(hints.observer_camera.position)
    return math.degrees(math.atan2(x, z))


def _target(hints: Hints, relation: Relation, turn: float) -> Point3:
    """Where the target is if the observer faced the anchor from a place turned about it by `turn` degrees."""
    if hints.observer_camera is None or hints.anchor is None:
        raise _CannotTell("the hints hold no observer and no anchor")
    yaw = math.radians(_facing_yaw(hints) + turn)
    x, y, z = hints.anchor.placed_at
    observer = (x - math.sin(yaw), y, z - math.cos(yaw))
    return target_position(hints.anchor, relation, hints.surface or "", observer)


def _words(category: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", category).lower()
