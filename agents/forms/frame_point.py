"""A point in one of the numbered frames (POVBench, sections 3.1 and 5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel

from agents.forms.form import Form
from agents.view import View
from agents.wire import FRAME_KEY, Unreadable, from_wire
from tools.coordinates import FrameId, FrameX, FrameY
from tools.replies import flat_objects, number


class FramePointAnswer(BaseModel):
    """The centre of the target in the frame that was chosen."""

    frame: FrameId
    x: FrameX
    y: FrameY


@dataclass(frozen=True)
class FramePoint(Form):
    """Choose a frame and point in it; where there is but one frame, just point."""

    kind: ClassVar[str] = "frame_point"
    answer: ClassVar[type[BaseModel]] = FramePointAnswer

    def _read_as_published(self, text: str, view: View) -> BaseModel:
        """Of the flat objects with the wanted keys, the last whose point lies in the frame, else the last."""
        keys = ("x", "y") if view.bound_to is not None else (FRAME_KEY, "x", "y")
        objects = [
            found
            for found in flat_objects(text)
            if all(key in found for key in keys) and number(found["x"]) is not None and number(found["y"]) is not None
        ]
        if not objects:
            raise Unreadable(f"no flat JSON object with {', '.join(keys)}")
        width, height = view.limits
        in_range = [
            found
            for found in objects
            if 0 <= (number(found["x"]) or 0.0) <= width and 0 <= (number(found["y"]) or 0.0) <= height
        ]
        return from_wire(FramePointAnswer, (in_range or objects)[-1], view)
