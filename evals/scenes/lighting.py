"""Where the light in a house comes from, and how much of it reaches a point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evals.scenes.house import House, inside
from evals.scenes.rays import FAR, RayCaster
from evals.scenes.shell import inward

FloatArray = NDArray[np.float32]

LAMP_COLOR = np.array([1.0, 0.93, 0.82], dtype=np.float32)
SKY_COLOR = np.array([0.80, 0.90, 1.0], dtype=np.float32)
SUN_COLOR = np.array([1.0, 0.90, 0.70], dtype=np.float32)
SUN = np.array([0.52, 0.62, 0.59], dtype=np.float32)
"""Unit vector towards the sun."""

LAMP_POWER, WINDOW_POWER, SUN_POWER, AMBIENT = 2.1, 1.5, 1.0, 0.5
CELL = 0.1
REACH = 0.9
"""How far ambient occlusion looks, metres."""

NEUTRAL = np.array([0.62, 0.60, 0.57], dtype=np.float32)

# The 4x4 interleaving: each pixel of a block takes another part of the samples, and the denoiser joins them again.
_BAYER = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], dtype=np.float32) / 16


@dataclass(frozen=True, eq=False)
class Lights:
    """The area lights of each room.

    Attributes:
        grid: (X, Z) index of the room of each `CELL` square of the floor, -1 outside.
        low: (2,) x and z of the grid's corner, metres.
        lamp: (R, 3) middle of each room's ceiling light.
        lamp_half: (R, 2) half its extent along x and z, metres.
        window: (R, 3) middle of each room's largest window.
        window_axis: (R, 3) half its extent along the wall, metres; zero where a room has none.
        window_half: (R,) half its height, metres.
        window_normal: (R, 3) into the room.
    """

    grid: NDArray[np.int32]
    low: NDArray[np.float64]
    lamp: FloatArray
    lamp_half: FloatArray
    window: FloatArray
    window_axis: FloatArray
    window_half: FloatArray
    window_normal: FloatArray

    def room_of(self, points: FloatArray) -> NDArray[np.int32]:
        """(N,) index of the room that each (N, 3) point is nearest to being in; 0 when outside all."""
        cell = np.floor((points[:, [0, 2]] - self.low) / CELL).astype(np.int64)
        cell = np.clip(cell, 0, np.array(self.grid.shape) - 1)
        return np.maximum(self.grid[cell[:, 0], cell[:, 1]], 0)


def lights_of(house: House) -> Lights:
    """Puts a ceiling light into each room and takes its largest window as a second one."""
    low_x, low_z, high_x, high_z = house.bounds
    low = np.array([low_x, low_z])
    shape = np.maximum(np.ceil((np.array([high_x, high_z]) - low) / CELL).astype(int), 1)
    centers = (
        np.stack(np.meshgrid(*(np.arange(n) + 0.5 for n in shape), indexing="ij"), axis=-1).reshape(-1, 2) * CELL + low
    )
    grid = np.full(len(centers), -1, dtype=np.int32)
    count = len(house.rooms)
    lamp, half = np.zeros((count, 3)), np.zeros((count, 2))
    window, axis, tall, normal = np.zeros((count, 3)), np.zeros((count, 3)), np.zeros(count), np.zeros((count, 3))
    for index, room in enumerate(house.rooms):
        mine = inside(np.array(room.polygon), centers)
        grid[mine] = index
        spots = centers[mine] if mine.any() else np.array(room.polygon)
        middle = spots.mean(axis=0)
        if not room.contains((float(middle[0]), float(middle[1]))):
            middle = spots[np.argmin(np.linalg.norm(spots - middle, axis=1))]
        extent = np.ptp(spots, axis=0)
        lamp[index] = (middle[0], house.height - 0.12, middle[1])
        half[index] = np.clip(extent * 0.17, 0.15, 0.7)
        own = [opening for opening in house.windows if room.id in opening.rooms]
        for opening in sorted(own, key=lambda o: (o.width * (o.high - o.low), o.id))[-1:]:
            window[index] = (opening.middle[0], (opening.low + opening.high) / 2, opening.middle[1])
            axis[index] = ((opening.end[0] - opening.start[0]) / 2, 0, (opening.end[1] - opening.start[1]) / 2)
            tall[index] = (opening.high - opening.low) / 2
            wall = next((w for w in house.walls if w.room == room.id and w.id in opening.walls), None)
            if wall is not None:
                normal[index] = inward(wall, room)
                window[index] += normal[index] * (house.thickness / 2 + 0.06)
            else:
                tall[index] = 0.0
    arrays = [array.astype(np.float32) for array in (lamp, half, window, axis, tall, normal)]
    return Lights(grid.reshape(tuple(shape)), low, *arrays)


def patterns(columns: NDArray[np.int64], rows: NDArray[np.int64]) -> FloatArray:
    """(N,) the pixel's place in the 4x4 interleaving, in [0, 1)."""
    return np.asarray(_BAYER[rows % 4, columns % 4], dtype=np.float32)


def _frame(normals: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Two unit vectors across each normal (Duff et al. 2017's sign trick, without branches)."""
    sign = np.where(normals[:, 2] >= 0, np.float32(1), np.float32(-1))
    a = -1 / (sign + normals[:, 2])
    b = normals[:, 0] * normals[:, 1] * a
    first = np.stack([1 + sign * normals[:, 0] ** 2 * a, sign * b, -sign * normals[:, 0]], axis=1)
    second = np.stack([b, sign + normals[:, 1] ** 2 * a, -normals[:, 1]], axis=1)
    return first, second


def openness(
    caster: RayCaster, points: FloatArray, normals: FloatArray, shift: FloatArray, rays: int = 5
) -> FloatArray:
    """(N,) share of the hemisphere that is free for `REACH` metres, cosine-weighted."""
    first, second = _frame(normals)
    total = np.zeros(len(points), dtype=np.float32)
    for k in range(rays):
        share = (k + shift) / rays
        angle = np.float32(2 * np.pi) * ((shift * 16 * np.float32(0.618034) + k * np.float32(0.754878)) % 1)
        radius = np.sqrt(share)
        up = np.sqrt(np.maximum(1 - share, 0.0))
        direction = (
            first * (radius * np.cos(angle))[:, None]
            + second * (radius * np.sin(angle))[:, None]
            + normals * up[:, None]
        )
        total += ~caster.blocked(points, direction, REACH)
    return (total / rays).astype(np.float32)


def lamp_light(
    caster: RayCaster,
    lights: Lights,
    rooms: NDArray[np.int32],
    points: FloatArray,
    normals: FloatArray,
    shift: FloatArray,
    rays: int = 3,
) -> FloatArray:
    """(N,) light from the ceiling lamp of the point's room, shadows included."""
    middle, half = lights.lamp[rooms], lights.lamp_half[rooms]
    area = 4 * half[:, 0] * half[:, 1]
    total = np.zeros(len(points), dtype=np.float32)
    for k in range(rays):
        s = ((shift * 16 * np.float32(0.754878) + k * np.float32(0.569840)) % 1) * 2 - 1
        t = ((shift + k / np.float32(rays)) % 1) * 2 - 1
        target = middle.copy()
        target[:, 0] += s * half[:, 0]
        target[:, 2] += t * half[:, 1]
        total += _arriving(caster, points, normals, target, np.array([0, -1, 0], np.float32), area)
    return (total / rays).astype(np.float32)


def window_light(
    caster: RayCaster,
    lights: Lights,
    rooms: NDArray[np.int32],
    points: FloatArray,
    normals: FloatArray,
    shift: FloatArray,
    rays: int = 2,
) -> FloatArray:
    """(N,) sky light through the largest window of the point's room, shadows included."""
    axis, tall = lights.window_axis[rooms], lights.window_half[rooms]
    area = 4 * np.linalg.norm(axis, axis=1) * tall
    lit = np.flatnonzero(area > 0)
    total = np.zeros(len(points), dtype=np.float32)
    for k in range(rays):
        s = ((shift[lit] * 16 * np.float32(0.618034) + k * np.float32(0.5)) % 1) * 2 - 1
        t = ((shift[lit] + k * np.float32(0.5)) % 1) * 2 - 1
        target = lights.window[rooms[lit]] + axis[lit] * s[:, None]
        target[:, 1] += tall[lit] * t
        total[lit] += _arriving(caster, points[lit], normals[lit], target, lights.window_normal[rooms[lit]], area[lit])
    return (total / rays).astype(np.float32)


def _arriving(
    caster: RayCaster, points: FloatArray, normals: FloatArray, target: FloatArray, facing: FloatArray, area: FloatArray
) -> FloatArray:
    """Form factor of a patch of light at `target`, 0 where something stands between."""
    way = target - points
    square = np.maximum(np.einsum("ij,ij->i", way, way), np.float32(0.05))
    distance = np.sqrt(square)
    here = np.einsum("ij,ij->i", way, normals) / distance
    there = -np.einsum("ij,ij->i", way, np.broadcast_to(facing, way.shape)) / distance
    value = np.clip(here, 0, None) * np.clip(there, 0, None) * area / (np.float32(np.pi) * square)
    worth = np.flatnonzero(value > 1e-4)
    if len(worth):
        shadow = caster.blocked(points[worth], way[worth], 0.985)
        value[worth[shadow]] = 0
    value[value <= 1e-4] = 0
    return np.asarray(value, dtype=np.float32)


def sunlight(caster: RayCaster, points: FloatArray, normals: FloatArray, shift: FloatArray) -> FloatArray:
    """(N,) direct sun, which comes in through windows only."""
    facing = normals @ SUN
    worth = np.flatnonzero(facing > 0.02)
    total = np.zeros(len(points), dtype=np.float32)
    if len(worth):
        angle = shift[worth] * np.float32(2 * np.pi * 7)
        blur = np.float32(0.012)
        direction = np.broadcast_to(SUN, (len(worth), 3)).copy()
        direction[:, 0] += blur * np.cos(angle)
        direction[:, 2] += blur * np.sin(angle)
        free = ~caster.blocked(points[worth], direction, FAR)
        total[worth[free]] = facing[worth[free]]
    return total


def sky(directions: FloatArray) -> FloatArray:
    """(N, 3) radiance seen outside: a bright sky above a lawn."""
    up = directions[:, 1] / np.linalg.norm(directions, axis=1)
    share = np.clip(up, 0, 1)[:, None] ** np.float32(0.6)
    above = np.array([0.86, 0.93, 1.0], np.float32) * (1 - share) + np.array([0.36, 0.58, 0.92], np.float32) * share
    below = np.array([0.30, 0.42, 0.22], np.float32)
    blend = np.clip(up * 14 + 0.5, 0, 1)[:, None]
    return np.asarray((above * blend + below * (1 - blend)) * np.float32(1.25), dtype=np.float32)
