"""Rays against a house: what each meets first, and how far away it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from house_furniture import Part
from house_plans import House, shell_parts
from numpy.typing import NDArray

from tools.camera import Camera, box_corners, project

Array = NDArray[Any]
NOTHING = -1


@dataclass(frozen=True)
class Scene:
    """Parts with the index of the object that each belongs to (-1: the house itself), and their extents as arrays."""

    parts: list[Part]
    owners: Array
    lows: Array
    highs: Array
    rooms: list[tuple[tuple[float, float, float, float], Array]]
    lights: Array


def build_scene(house: House) -> Scene:
    shell = shell_parts(house)
    owned = [(i, part) for i, thing in enumerate(house.things) for part in thing.parts]
    parts = [*shell, *[part for _, part in owned]]
    lights = [thing.center for thing in house.things if thing.kind == "CeilingLight"]
    return Scene(
        parts=parts,
        owners=np.array([NOTHING] * len(shell) + [i for i, _ in owned]),
        lows=np.array([part.low for part in parts], dtype=np.float32),
        highs=np.array([part.high for part in parts], dtype=np.float32),
        rooms=[(room.area, linear(room.paint)) for room in house.rooms],
        lights=np.array(lights, dtype=np.float32),
    )


def linear(colour: str) -> Array:
    """Returns (3,) linear light from an sRGB hex colour."""
    return np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)], dtype=np.float32) ** np.float32(2.2)


def span(shape: str, origins: Array, directions: Array) -> tuple[Array, Array]:
    """Returns (N,) distances at which rays enter and leave a solid that fills [-1, 1] in all axes."""
    near = np.full(len(directions), -np.inf, dtype=np.float32)
    far = np.full(len(directions), np.inf, dtype=np.float32)
    with np.errstate(divide="ignore", invalid="ignore"):
        for axis in {"box": (0, 1, 2), "cylinder": (1,), "ellipsoid": ()}[shape]:
            inverse = 1 / directions[:, axis]
            first, second = (-1 - origins[:, axis]) * inverse, (1 - origins[:, axis]) * inverse
            np.fmax(near, np.fmin(first, second), out=near)
            np.fmin(far, np.fmax(first, second), out=far)
        if shape != "box":
            axes = [0, 2] if shape == "cylinder" else [0, 1, 2]
            o, d = origins[:, axes].astype(np.float64), directions[:, axes].astype(np.float64)
            a, b, c = (d * d).sum(1), (o * d).sum(1), (o * o).sum(1) - 1
            root = np.sqrt(b * b - a * c)
            missed = np.isnan(root)
            near = np.where(missed, np.inf, np.fmax(near, (-b - root) / a)).astype(np.float32)
            far = np.where(missed, -np.inf, np.fmin(far, (-b + root) / a)).astype(np.float32)
    return near, far


def hit(part: Part, origins: Array, directions: Array) -> Array:
    """Returns (N,) distances along the rays to a part, infinite where it is missed, 0 inside it."""
    low, high = np.array(part.low, dtype=np.float32), np.array(part.high, dtype=np.float32)
    middle, half = (low + high) / 2, (high - low) / 2
    near, far = span(part.shape, (origins - middle) / half, directions / half)
    entry = np.maximum(near, 0)
    return np.where(far > entry, entry, np.float32(np.inf))


def nearest(scene: Scene, origins: Array, directions: Array, reach: Array | float) -> Array:
    """Returns (N,) distances to the nearest part within `reach` (also (N,)), else infinite; lamps hide nothing."""
    ends = origins + directions * np.asarray(reach, dtype=np.float32).reshape(-1, 1)
    low, high = np.minimum(origins.min(0), ends.min(0)), np.maximum(origins.max(0), ends.max(0))
    touched = np.all((scene.lows < high) & (scene.highs > low), axis=1)
    best = np.full(len(origins), np.inf, dtype=np.float32)
    for index in np.flatnonzero(touched):
        if scene.parts[index].finish != "glow":
            np.minimum(best, hit(scene.parts[index], origins, directions), out=best)
    return np.where(best < reach, best, np.float32(np.inf))


def middle_and_size(part: Part) -> tuple[Array, Array]:
    low, high = np.array(part.low), np.array(part.high)
    return (low + high) / 2, high - low


def camera_rays(camera: Camera, scale: int) -> Array:
    """Returns (H, W, 3) directions of planar length 1, `scale` rays along each side of a pixel."""
    right, up, forward = camera.axes.astype(np.float32)
    u = (np.arange(camera.width * scale) + 0.5) / scale - camera.width / 2
    v = camera.height / 2 - (np.arange(camera.height * scale) + 0.5) / scale
    across = (u / camera.focal_length).astype(np.float32)[None, :, None] * right
    rays: Array = across + (v / camera.focal_length).astype(np.float32)[:, None, None] * up + forward
    return rays


def cast(scene: Scene, camera: Camera, scale: int = 1) -> tuple[Array, Array]:
    """Returns (H, W) depths and part indices (-1: nothing) of what each ray meets first."""
    rays = camera_rays(camera, scale)
    height, width = rays.shape[:2]
    depth = np.full((height, width), np.inf, dtype=np.float32)
    seen = np.full((height, width), NOTHING, dtype=np.int32)
    origin = np.array(camera.position, dtype=np.float32)[None]
    for index, part in enumerate(scene.parts):
        corners = project(camera, box_corners(*middle_and_size(part)))
        window = (slice(0, height), slice(0, width))
        if np.all(corners.depth < 0.01):
            continue
        if np.all(corners.depth > 0.01):
            low, high = corners.points.min(0), corners.points.max(0)
            if np.any(high < 0) or np.any(low > 1):
                continue
            x0, y0 = np.maximum(np.floor(low * (width, height)).astype(int) - 1, 0)
            x1, y1 = np.ceil(high * (width, height)).astype(int) + 2
            window = (slice(y0, y1), slice(x0, x1))
        block = rays[window]
        distance = hit(part, origin, block.reshape(-1, 3)).reshape(block.shape[:2])
        closer = distance < depth[window]
        depth[window][closer] = distance[closer]
        seen[window][closer] = index
    return depth, seen
