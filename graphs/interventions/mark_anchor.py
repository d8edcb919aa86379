"""Draw a box around the anchor into the frames (the anchor's half of POVBench's O&A-Plot, section 5.4)."""

from dataclasses import replace

import numpy as np

from agents.frame import Frame
from agents.situation import Situation
from agents.workbench import Workbench
from graphs.hints import Hints
from graphs.intervention import intervention
from tools.camera import Camera, project
from tools.markers import Marker, Rectangle, Ring, ring_radius


@intervention(needs=("cameras", "anchor"))
def mark_anchor(situation: Situation, hints: Hints, workbench: Workbench) -> Situation:  # noqa: ARG001
    """Draws a blue rectangle around the anchor object, in every frame that shows it (O&A-Plot)."""
    anchor = hints.anchor
    assert anchor is not None

    def marked(frame: Frame) -> Frame:
        if frame.id not in anchor.visible_in or frame.id not in hints.cameras:
            return frame
        camera = hints.cameras[frame.id]
        marker = (
            _rectangle(camera, anchor.box_corners, frame.size)
            if anchor.box_corners
            else _ring(camera, anchor.position, frame.size)
        )
        return frame if marker is None else replace(frame, picture=frame.picture.with_markers(marker))

    frames = tuple(marked(frame) if frame.source == "original" else frame for frame in situation.frames)
    ring = not anchor.box_corners
    return replace(situation, frames=frames).with_note("interventions/mark_anchor.j2", {"ring": ring})


def _rectangle(camera: Camera, corners: tuple[tuple[float, float, float], ...], size: tuple[int, int]) -> Marker | None:
    """The rectangle around the corners in front of the camera, clipped to the frame; None if nothing of it is left."""
    places = project(camera, corners)
    if not places.in_front.any():
        return None
    pixels = (places.points[places.in_front] * size).astype(int)
    x0, y0 = np.maximum(pixels.min(axis=0), 0).tolist()
    x1, y1 = np.minimum(pixels.max(axis=0), (size[0] - 1, size[1] - 1)).tolist()
    return Rectangle(x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None


def _ring(camera: Camera, position: tuple[float, float, float], size: tuple[int, int]) -> Marker | None:
    place = project(camera, [position])
    if not place.in_frame[0]:
        return None
    x, y = (place.points[0] * size).astype(int).tolist()
    return Ring(x, y, ring_radius(size))
