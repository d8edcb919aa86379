"""What the baselines share: a frame, a point in it, and that point as the reply to whatever is asked."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

import numpy as np
from pydantic import BaseModel

from agents.frame import Frame
from agents.model import Reply, Request
from evals.models._as_asked import as_asked
from tools.coordinates import Mark, Range

PointIn = Callable[[np.random.Generator, Frame], tuple[float, float]]
Choose = Callable[[np.random.Generator, Sequence[Frame]], Frame]


def any_frame(random: np.random.Generator, frames: Sequence[Frame]) -> Frame:
    """A frame drawn at random."""
    return frames[int(random.integers(len(frames)))]


@dataclass(frozen=True)
class Guesser:
    """A baseline for one sample: it answers every step with the same frame and the same point.

    Attributes:
        name: Its name.
        identity: Its name, with the sample and the seed.
        seed: What its randomness depends on, with the repeat.
        point: Makes the point in a frame, in fractions of the frame.
        choose: Chooses the frame.
    """

    name: str
    identity: str
    seed: str
    point: PointIn
    choose: Choose = any_frame
    is_vlm: bool = False

    async def reply(self, request: Request) -> Reply:
        """Replies with the JSON that was asked for."""
        purpose = request.purpose
        view = purpose.view
        digest = hashlib.sha256(f"{self.identity}\0{request.repeat}\0{len(view.rejected)}".encode()).digest()
        random = np.random.default_rng(int.from_bytes(digest[:16], "big"))
        frame = view.bound_frame or self.choose(random, [view.frames[number] for number in view.choices])
        x, y = self.point(random, frame)
        values = {
            name: _fill(field.annotation, field.metadata, frame.id, x, y, random)
            for name, field in purpose.finds.model_fields.items()
        }
        return Reply(as_asked(purpose.finds.model_validate(values), view))


def _fill(annotation: Any, marks: list[Any], frame: str, x: float, y: float, random: np.random.Generator) -> Any:
    """A value for a field of a finding: the frame, the point, an option drawn at random, or the plainest value."""
    if NoneType in get_args(annotation):
        inner = next(argument for argument in get_args(annotation) if argument is not NoneType)
        return _fill(inner, marks, frame, x, y, random)
    if get_origin(annotation) is Annotated:
        bare, *own = get_args(annotation)
        return _fill(bare, [*marks, *own], frame, x, y, random)
    for mark in marks:
        match mark:
            case Mark("frame"):
                return frame
            case Mark("x"):
                return x
            case Mark("y"):
                return y
            case Mark("heading"):
                return 0.0
            case Range(low, high, _):
                return min(max(0.0, low), high)
    if get_origin(annotation) is Literal:
        # Not the first one: where that is often right, it is no chance level.
        options = get_args(annotation)
        return options[int(random.integers(len(options)))]
    if get_origin(annotation) is list:
        return []
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {
            name: _fill(field.annotation, field.metadata, frame, x, y, random)
            for name, field in annotation.model_fields.items()
        }
    return "unknown" if annotation is str else True
