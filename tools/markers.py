"""Markers that are drawn into a picture to show where something is: discs, rectangles, rings.

Shapes and colours are those of POVBench's plotted interventions: a red disc for the observer, a blue box (or a circle,
where no box is known) for the anchor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import assert_never

import cv2
import numpy as np
from numpy.typing import NDArray

RGBImage = NDArray[np.uint8]
"""(H, W, 3) red, green and blue, 0 to 255."""

RED = (255, 0, 0)
WHITE = (255, 255, 255)
BLUE = (0, 0, 255)

RIM_WIDTH = 2
OUTLINE_WIDTH = 3


@dataclass(frozen=True)
class Disc:
    """A filled red disc with a white rim of 2 pixels, which is part of the radius.

    Attributes:
        x: Column of the centre, pixels.
        y: Row of the centre, pixels.
        radius: Distance from the centre to the outer edge of the rim, pixels.
    """

    x: int
    y: int
    radius: int


@dataclass(frozen=True)
class Rectangle:
    """A blue outline of 3 pixels that lies inside its corners, so that one along the picture's edge is seen whole.

    Attributes:
        x0: Leftmost column, pixels.
        y0: Topmost row, pixels.
        x1: Rightmost column, included, pixels.
        y1: Lowest row, included, pixels.
    """

    x0: int
    y0: int
    x1: int
    y1: int


@dataclass(frozen=True)
class Ring:
    """A blue circle of 3 pixels, which lie inside the radius.

    Attributes:
        x: Column of the centre, pixels.
        y: Row of the centre, pixels.
        radius: Distance from the centre to the outer edge, pixels.
    """

    x: int
    y: int
    radius: int


Marker = Disc | Rectangle | Ring


def disc_radius(size: tuple[int, int]) -> int:
    """Radius of a disc in a picture of a size (width, height), pixels: 2.2 % of the short side, at least 8."""
    return max(8, int(0.022 * min(size)))


def ring_radius(size: tuple[int, int]) -> int:
    """Radius of a ring in a picture of a size (width, height), pixels: 4 % of the short side, at least 15."""
    return max(15, int(0.04 * min(size)))


def canonical_text(markers: Sequence[Marker]) -> str:
    """Writes markers in one fixed way, so that they can be part of a picture's digest."""
    return "; ".join(" ".join([type(marker).__name__, *map(str, astuple(marker))]) for marker in markers)


def draw(pixels: RGBImage, markers: Sequence[Marker]) -> RGBImage:
    """Draws markers into a copy of a picture, later ones over earlier ones; parts outside the picture are cut off.

    Args:
        pixels: (H, W, 3) RGB, left unchanged.
        markers: What to draw, in order.

    Returns:
        (H, W, 3) RGB with the markers.

    Raises:
        ValueError: If `pixels` is not an (H, W, 3) array of bytes.
    """
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8:
        raise ValueError(f"pixels must be (H, W, 3) bytes, not {pixels.shape} of {pixels.dtype}")
    canvas = np.array(pixels, order="C")
    for marker in markers:
        match marker:
            case Disc(x, y, radius):
                _fill_circle(canvas, x, y, radius, WHITE)
                _fill_circle(canvas, x, y, radius - RIM_WIDTH, RED)
            case Rectangle(x0, y0, x1, y1):
                # One thick stroke would lie half outside the corners and round them off.
                for inset in range(OUTLINE_WIDTH):
                    if x0 + inset <= x1 - inset and y0 + inset <= y1 - inset:
                        corners = (_reachable(x0 + inset, y0 + inset), _reachable(x1 - inset, y1 - inset))
                        cv2.rectangle(canvas, *corners, BLUE, thickness=1)
            case Ring(x, y, radius):
                mask = np.zeros(canvas.shape[:2], dtype=np.uint8)
                _fill_circle(mask, x, y, radius, (1,))
                _fill_circle(mask, x, y, radius - OUTLINE_WIDTH, (0,))
                canvas[mask == 1] = BLUE
            case _:
                assert_never(marker)
    return canvas


def _fill_circle(canvas: NDArray[np.uint8], x: int, y: int, radius: int, colour: Sequence[float]) -> None:
    if radius >= 0:
        cv2.circle(canvas, _reachable(x, y), radius, colour, thickness=cv2.FILLED)


def _reachable(x: int, y: int) -> tuple[int, int]:
    """Moves a point that OpenCV's 32-bit coordinates cannot hold; points next to the camera project that far away."""
    limit = 2**30
    return max(-limit, min(limit, x)), max(-limit, min(limit, y))
