"""Image coordinates: canonical fractions, and the conventions in which model families write them.

Canonical coordinates are fractions of a frame's width and height, origin in its top-left corner, x to the right and y
down. A convention is declared for a model family and never inferred from the magnitude of a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal


@dataclass(frozen=True)
class Convention:
    """How a model family writes a coordinate.

    Attributes:
        name: Short name, shown in prompts and stored with a run.
        scale: The number that stands for the far edge of the picture; None where coordinates are its pixels.
        order: Order in which the two coordinates of a point are written when they carry no names.
        decimals: Digits asked for behind the point; readers accept any number.
    """

    name: str
    scale: float | None
    order: Literal["xy", "yx"] = "xy"
    decimals: int = 0


PIXELS = Convention("pixels", scale=None)
"""Pixels of the picture that was sent, in [0, side - 1]: what POVBench asks every general model for."""


def to_native(fraction: float, side: int, convention: Convention) -> float:
    """Writes a canonical coordinate in a convention.

    Args:
        fraction: Fraction of the side, unclamped.
        side: Width (for x) or height (for y) of the picture, pixels.
        convention: The convention to write in.

    Returns:
        The coordinate, not rounded.
    """
    return fraction * (side if convention.scale is None else convention.scale)


def from_native(value: float, side: int, convention: Convention) -> float:
    """Reads a coordinate that was written in a convention; the inverse of `to_native`."""
    return value / (side if convention.scale is None else convention.scale)


def largest(side: int, convention: Convention) -> float:
    """The largest coordinate that a model is asked for: the last pixel, or the convention's scale."""
    return side - 1 if convention.scale is None else convention.scale


@dataclass(frozen=True)
class Mark:
    """Says what a field of a finding means in the picture; wording, schema and reader are derived from it."""

    kind: Literal["x", "y", "frame", "heading"]


FrameX = Annotated[float, Mark("x")]
"""Fraction of the frame's width, from its left edge."""

FrameY = Annotated[float, Mark("y")]
"""Fraction of the frame's height, from its top edge."""

FrameId = Annotated[str, Mark("frame")]
"""Id of a frame; models are asked for its number."""

Heading = Annotated[float, Mark("heading")]
"""Direction along the floor, degrees in [0, 360), clockwise as seen from above; 0 is where the frame's camera looks."""


@dataclass(frozen=True)
class Words:
    """Bounds the length in characters that a text is asked for; longer texts are read all the same."""

    limit: int


@dataclass(frozen=True)
class Range:
    """Bounds and decimals that a number is asked for; numbers outside are read all the same."""

    low: float
    high: float
    decimals: int


@dataclass(frozen=True)
class Items:
    """Bounds the number of entries that a list is asked for."""

    fewest: int
    most: int


Metres = Annotated[float, Range(-100.0, 100.0, 3)]
"""A length or a coordinate in metres."""
