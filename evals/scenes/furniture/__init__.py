"""Parametric furniture: `build` makes any category in any size."""

from __future__ import annotations

import numpy as np

from evals.scenes.furniture import bathroom, kitchen, living, seating, small, tables
from evals.scenes.furniture.style import MODELS, Part, Size, Style
from evals.scenes.mesh import Mesh

__all__ = ["MODELS", "Part", "Style", "bathroom", "build", "kitchen", "living", "seating", "small", "tables"]


def build(category: str, size: Size, seed: int, cutouts: tuple[tuple[float, float], ...] = ()) -> list[Part]:
    """Builds one piece of furniture.

    Args:
        category: Any key of `MODELS`; an unknown one becomes a plain padded box.
        size: Width, height and depth in metres.
        seed: Chooses colours and details.
        cutouts: (x, z) of sinks let into a counter, in the piece's own axes, metres.

    Returns:
        The parts. They stand on y = 0, are centred in x and z, face +z, and fill the size exactly.
    """
    style = Style(seed)
    if category == "CounterTop":
        parts = kitchen.counter(size, style, cutouts)
    elif category in MODELS:
        parts = MODELS[category](size, style)
    else:
        parts = MODELS["Ottoman"](size, style)
    return _fitted(parts, size)


def _fitted(parts: list[Part], size: Size) -> list[Part]:
    """Stretches and shifts parts so that together they fill the size."""
    low = np.min([part.mesh.vertices.min(axis=0) for part in parts], axis=0)
    high = np.max([part.mesh.vertices.max(axis=0) for part in parts], axis=0)
    factors = np.array(size) / np.maximum(high - low, 1e-9)
    target = np.array([-size[0] / 2, 0.0, -size[2] / 2])

    def fit(mesh: Mesh) -> Mesh:
        return mesh.moved(*(-low)).scaled(factors).moved(*target)

    return [Part(fit(part.mesh), part.material) for part in parts]
