"""Which frame shows a pair best, by the hints: what the reference and the `anchor` baseline choose."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from agents.frame import Frame
from graphs.hints import Hints
from tools.camera import project

Point3 = tuple[float, float, float]


def best_frame(frames: Sequence[Frame], hints: Hints, points: Sequence[Point3]) -> Frame | None:
    """Chooses a frame: observer and anchor both visible first, then the points in front, in frame, near its middle.

    Args:
        frames: Frames to choose from.
        hints: Cameras and where observer and anchor are visible.
        points: World points that should be in the frame, metres.

    Returns:
        The frame; None where no frame has a camera.
    """
    known = [(_visibility(frame, hints), frame) for frame in frames if frame.id in hints.cameras]
    best = max((visibility for visibility, _ in known), default=None)
    # Points are projected into the frames that are best so far, as it takes most of the time.
    tied = [frame for visibility, frame in known if visibility == best]
    return max(tied, key=lambda frame: _merit(frame, hints, points), default=None)


def _visibility(frame: Frame, hints: Hints) -> tuple[bool, bool]:
    observer = hints.observer is not None and frame.id in hints.observer.visible_in
    anchor = hints.anchor is not None and frame.id in hints.anchor.visible_in
    return observer and anchor, anchor


def _merit(frame: Frame, hints: Hints, points: Sequence[Point3]) -> tuple[bool, bool, float]:
    places = project(hints.cameras[frame.id], points)
    in_front = bool(places.in_front.all())
    from_middle = float(np.linalg.norm(places.points - 0.5, axis=1).max()) if in_front else np.inf
    return in_front, bool(places.in_frame.all()), -from_middle
