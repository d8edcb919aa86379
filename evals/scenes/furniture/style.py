"""What makes two pieces of a kind differ: colours and small choices, all from one seed."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from evals.scenes.materials import Color, Material, rgb
from evals.scenes.mesh import Mesh, box, cylinder

Option = TypeVar("Option")
Size = tuple[float, float, float]

WOODS = (("#c79a63", "#96683a"), ("#8a5a36", "#5a3720"), ("#e0c79c", "#c6a672"), ("#b07d4f", "#7d5230"))
FABRICS = ("#4a8684", "#c79a3a", "#8d949c", "#3f5a86", "#b2674a", "#8ca283", "#b87f8a", "#d3c6ac", "#6b6f9a")
PAINTS = ("#efece5", "#dfe5e2", "#39495a", "#7d9b8c", "#c9beb0")

STEEL = Material(rgb("#b3b8be"), "brushed", rgb("#858b93"), 0.3, gloss=0.32)
CHROME = Material(rgb("#d4d8dc"), gloss=0.75)
BLACK = Material(rgb("#26282b"), gloss=0.25)
DARK = Material(rgb("#3c4046"), gloss=0.1)
WHITE = Material(rgb("#f1f0ec"), gloss=0.12)
PORCELAIN = Material(rgb("#f5f4f0"), gloss=0.5)
GLASS = Material(rgb("#1d252c"), gloss=0.8)
BRASS = Material(rgb("#c7a24f"), gloss=0.5)
SOIL = Material(rgb("#4a382a"), "carpet", rgb("#2c2018"), 0.01)
PAPER = Material(rgb("#f3efe4"))


@dataclass(frozen=True)
class Style:
    """Choices for one piece, the same for the same seed.

    Attributes:
        seed: Any whole number.
    """

    seed: int

    def choose(self, what: str, options: Sequence[Option]) -> Option:
        """Picks one option; each `what` is an independent choice."""
        return options[zlib.crc32(f"{self.seed}/{what}".encode()) % len(options)]

    def wood(self, what: str = "wood") -> Material:
        """A kind of wood."""
        light, dark = self.choose(what, WOODS)
        return Material(rgb(light), "wood", rgb(dark), 0.09, gloss=0.12, seed=self.seed % 89)

    def fabric(self, what: str = "fabric") -> Material:
        """An upholstery cloth."""
        color = rgb(self.choose(what, FABRICS))
        return Material(color, "fabric", darker(color, 0.72), 0.012, seed=self.seed % 89)

    def paint(self, what: str = "paint") -> Material:
        """A painted surface."""
        return Material(rgb(self.choose(what, PAINTS)), gloss=0.12)


@dataclass(frozen=True, eq=False)
class Part:
    """A shape and its surface."""

    mesh: Mesh
    material: Material


Model = Callable[[Size, Style], list[Part]]
MODELS: dict[str, Model] = {}
"""Every piece that can be built, by category; filled by `piece`."""


def piece(category: str) -> Callable[[Model], Model]:
    """Registers a model: from a size (width, height, depth in metres) and a style to parts that stand on y = 0."""

    def register(model: Model) -> Model:
        MODELS[category] = model
        return model

    return register


def darker(color: Color, factor: float) -> Color:
    """The same hue, darker (or lighter above 1, at most white)."""
    return min(color[0] * factor, 1.0), min(color[1] * factor, 1.0), min(color[2] * factor, 1.0)


def four_legs(
    width: float, depth: float, height: float, thick: float, material: Material, round_legs: bool
) -> list[Part]:
    """Legs under the corners of a width by depth rectangle, metres."""
    leg = cylinder(thick / 2, height, 14) if round_legs else box(thick, height, thick, thick * 0.15, 1)
    x, z = width / 2 - thick / 2, depth / 2 - thick / 2
    return [Part(leg.moved(sx * x, 0, sz * z), material) for sx in (-1, 1) for sz in (-1, 1)]
