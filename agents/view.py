"""What one call may say of the frames: how many there are, how large, and in which convention points are written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from agents.frame import Frame
from tools.coordinates import PIXELS, Convention, largest


@dataclass(frozen=True)
class View:
    """The numbered frames as one call sees them.

    Attributes:
        frames: The numbered frames, in numbered order.
        convention: How the model is asked to write coordinates.
        bound_to: Number of the frame that has been settled on; None while the model may choose.
        rejected: Numbers of the frames that may no longer be chosen.
    """

    frames: tuple[Frame, ...]
    convention: Convention = PIXELS
    bound_to: int | None = None
    rejected: frozenset[int] = frozenset()

    @classmethod
    def of(cls, frames: tuple[Frame, ...], convention: Convention = PIXELS) -> View:
        """The view of frames in which nothing is settled yet; one frame alone needs no choice.

        Args:
            frames: The frames that are numbered and can be answers: `Situation.originals`.
            convention: How the model is asked to write coordinates.
        """
        return cls(frames, convention, bound_to=0 if len(frames) == 1 else None)

    @property
    def bound_frame(self) -> Frame | None:
        """The frame that has been settled on."""
        return None if self.bound_to is None else self.frames[self.bound_to]

    @property
    def choices(self) -> tuple[int, ...]:
        """Numbers of the frames that may be chosen."""
        return tuple(number for number in range(len(self.frames)) if number not in self.rejected)

    def bind(self, frame_id: str) -> View:
        """The view after a frame has been settled on."""
        return replace(self, bound_to=self.number_of(frame_id))

    def number_of(self, frame_id: str) -> int:
        """The number under which a frame is shown.

        Raises:
            KeyError: If no frame has that id.
        """
        for number, frame in enumerate(self.frames):
            if frame.id == frame_id:
                return number
        raise KeyError(frame_id)

    @cached_property
    def limits(self) -> tuple[float, float]:
        """Largest x and y that are asked for; over frames of different sizes, the largest of all."""
        frames = self.frames if self.bound_frame is None else (self.bound_frame,)
        widths, heights = zip(*{frame.size for frame in frames}, strict=True)
        return largest(max(widths), self.convention), largest(max(heights), self.convention)


def label(number: int) -> str:
    """The label that precedes a numbered frame, as in POVBench."""
    return f"Image {number}"
