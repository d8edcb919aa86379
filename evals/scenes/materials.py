"""Surfaces: a colour, a procedural pattern in the piece's own axes, and how shiny it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]
Color = tuple[float, float, float]

PATTERNS = (
    "plain", "wood", "fabric", "knit", "tiles", "planks", "marble", "brushed", "carpet", "stripes", "screen", "picture",
    "checks", "leaf", "plaster", "mosaic",
)  # fmt: skip
"""Names that `Material.pattern` may take."""


@dataclass(frozen=True)
class Material:
    """How a surface looks.

    Attributes:
        color: Linear RGB reflectance in [0, 1].
        pattern: One of `PATTERNS`.
        second: The pattern's other colour.
        scale: Size of the pattern, metres.
        gloss: Strength of highlights and mirrored light, 0 to 1.
        glow: Light that the surface gives off, as a factor of its colour.
        seed: Shifts the pattern, so that two pieces of the same kind differ.
    """

    color: Color
    pattern: str = "plain"
    second: Color = (0.5, 0.5, 0.5)
    scale: float = 0.1
    gloss: float = 0.0
    glow: float = 0.0
    seed: int = 0

    def seeded(self, seed: int) -> Material:
        """Returns the same material with its pattern shifted."""
        return replace(self, seed=seed % 997)


def rgb(code: str) -> Color:
    """Linear reflectance of an sRGB hex code such as `#c08040`."""
    values = np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    return float(linear[0]), float(linear[1]), float(linear[2])


_PRIMES = (np.uint32(374761393), np.uint32(668265263), np.uint32(2147483647))


def _mixed(keys: NDArray[np.uint32]) -> FloatArray:
    """Scrambles 32-bit keys into values in [0, 1)."""
    keys = (keys ^ (keys >> np.uint32(13))) * np.uint32(1274126177)
    keys ^= keys >> np.uint32(16)
    return (keys & np.uint32(0xFFFF)).astype(np.float32) * np.float32(1 / 65536)


def _hash(*parts: FloatArray) -> FloatArray:
    """A value in [0, 1) for each whole-number lattice point."""
    total = np.zeros(parts[0].shape, dtype=np.uint32)
    for part, prime in zip(parts, _PRIMES, strict=True):
        total ^= part.astype(np.int32).view(np.uint32) * prime
    return _mixed(total)


def noise(points: FloatArray, seed: float = 0.0) -> FloatArray:
    """Smooth value noise in [0, 1] at (N, 3) points, one cell a unit."""
    shifted = points.T + np.float32(seed * 7.31)
    cell = np.floor(shifted)
    inside = shifted - cell
    inside = inside * inside * (3 - 2 * inside)
    lattice = cell.astype(np.int32).view(np.uint32)
    sides = [(lattice[k] * prime, (lattice[k] + np.uint32(1)) * prime) for k, prime in enumerate(_PRIMES)]
    weights = [(1 - inside[k], inside[k]) for k in range(3)]
    result = np.zeros(len(points), dtype=np.float32)
    for i in (0, 1):
        for j in (0, 1):
            plane = sides[0][i] ^ sides[1][j]
            weight = weights[0][i] * weights[1][j]
            for k in (0, 1):
                result += weight * weights[2][k] * _mixed(plane ^ sides[2][k])
    return result


def _facing(points: FloatArray, normals: FloatArray) -> FloatArray:
    """(N, 2) coordinates in the plane that a surface most nearly faces."""
    axis = np.argmax(np.abs(normals), axis=1)
    flat = np.where((axis == 0)[:, None], points[:, [2, 1]], points[:, [0, 1]])
    return np.where((axis == 1)[:, None], points[:, [0, 2]], flat)


def _wood(points: FloatArray, material: Material, span: FloatArray) -> FloatArray:
    """Grain along the piece's longest axis: stretched noise and rings."""
    long_axis = int(np.argmax(span))
    stretched = points / np.float32(material.scale)
    stretched[:, long_axis] *= np.float32(0.09)
    slow = noise(stretched, material.seed)
    rings = 0.5 + 0.5 * np.sin(np.float32(26.0) * slow + 6 * stretched.sum(axis=1))
    fine = noise(stretched * np.float32(9.0), material.seed + 3)
    return np.asarray(np.clip(0.62 * rings * slow + 0.38 * fine, 0, 1), dtype=np.float32)


def blend(points: FloatArray, normals: FloatArray, material: Material, span: FloatArray) -> FloatArray:
    """How much of the second colour shows at each point.

    Args:
        points: (N, 3) in the piece's own axes, metres.
        normals: (N, 3) in the same axes.
        material: The surface.
        span: (3,) size of the piece, metres.

    Returns:
        (N,) in [0, 1]; 0 shows the first colour alone.
    """
    return np.asarray(_share(points, normals, material, span), dtype=np.float32)


def _share(points: FloatArray, normals: FloatArray, material: Material, span: FloatArray) -> Any:
    pattern, scale = material.pattern, np.float32(material.scale)
    if pattern == "wood":
        return _wood(points.copy(), material, span)
    flat = _facing(points, normals) / scale
    if pattern in ("fabric", "knit"):
        weave = np.sin(flat[:, 0] * np.float32(2 * np.pi)) * np.sin(flat[:, 1] * np.float32(2 * np.pi))
        cloud = noise(points / (scale * 6), material.seed)
        return np.clip(0.35 + 0.3 * weave + 0.5 * (cloud - 0.5), 0, 1)
    if pattern == "carpet":
        return np.clip(noise(points / scale, material.seed) * 0.7 + noise(points / (scale * 9), 5) * 0.5 - 0.1, 0, 1)
    if pattern in ("tiles", "mosaic"):
        cell = np.floor(flat)
        edge = np.minimum(flat - cell, 1 - (flat - cell)).min(axis=1)
        grout = np.clip(1 - edge / np.float32(0.018 if pattern == "tiles" else 0.05), 0, 1)
        tone = _hash(cell[:, 0], cell[:, 1], np.full(len(flat), material.seed, np.float32))
        return np.maximum(grout, tone * np.float32(0.14 if pattern == "tiles" else 0.45))
    if pattern == "planks":
        row = np.floor(flat[:, 0])
        along = flat[:, 1] / np.float32(7.0) + _hash(row, row * 0, row * 0 + np.float32(material.seed))
        board = np.floor(along)
        gap = np.minimum(flat[:, 0] - row, 1 - (flat[:, 0] - row))
        butt = np.minimum(along - board, 1 - (along - board)) * np.float32(7.0)
        seam = np.clip(1 - np.minimum(gap, butt) / np.float32(0.022), 0, 1)
        stretched = np.stack([flat[:, 0] * 3, flat[:, 1] * np.float32(0.35), row * 3 + board * 5], axis=1)
        grain = noise(stretched * np.float32(2.0), material.seed) * 0.6 + noise(stretched * np.float32(8.0), 2) * 0.25
        tone = _hash(row, board, np.full(len(row), material.seed, np.float32))
        return np.clip(np.maximum(seam * 0.9, 0.30 * grain + 0.42 * tone), 0, 1)
    if pattern == "marble":
        wave = noise(points / scale, material.seed) + 0.5 * noise(points / (scale * 0.4), material.seed + 1)
        return np.clip(1 - np.abs(np.sin(wave * 5)) * 4.0, 0, 1) * np.float32(0.45) + np.float32(0.25) * wave
    if pattern == "brushed":
        return 0.25 + 0.3 * noise(np.stack([flat[:, 0] * 60, flat[:, 1], flat[:, 0] * 0], axis=1), material.seed)
    if pattern == "stripes":
        return (np.floor(flat[:, 0] + material.seed * 0.1) % 2).astype(np.float32)
    if pattern == "checks":
        return 0.5 * ((np.floor(flat[:, 0]) % 2) + (np.floor(flat[:, 1]) % 2)).astype(np.float32)
    if pattern == "leaf":
        return np.clip(
            np.abs(np.sin(points[:, 0] / scale * 3)) * 0.3 + noise(points / scale, material.seed) * 0.6, 0, 1
        )
    if pattern == "plaster":
        return 0.35 * noise(points / scale, material.seed) + 0.15 * noise(points / (scale * 0.22), 1)
    if pattern == "picture":
        hills = np.sin(flat[:, 0] * 2.1 + material.seed) * 0.22 + np.sin(flat[:, 0] * 5.3 + material.seed) * 0.08
        horizon = span[1] / 2 / scale
        return np.clip((flat[:, 1] - horizon - hills) * 4, 0, 1) * 0.8 + 0.2 * noise(
            points / (scale * 0.2), material.seed
        )
    if pattern == "screen":
        return np.clip(0.5 + 0.5 * (flat[:, 1] + 0.4 * flat[:, 0]), 0, 1)
    return np.zeros(len(points), dtype=np.float32)


def albedo(points: FloatArray, normals: FloatArray, material: Material, span: FloatArray) -> FloatArray:
    """(N, 3) linear reflectance at points given in the piece's own axes (see `blend`)."""
    first = np.array(material.color, dtype=np.float32)
    if material.pattern == "plain":
        return np.broadcast_to(first, (len(points), 3))
    second = np.array(material.second, dtype=np.float32)
    share = blend(points, normals, material, span)[:, None].astype(np.float32)
    mixed: FloatArray = first + (second - first) * share
    return mixed
