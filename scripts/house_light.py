"""Light on the surfaces of a house, computed once on a grid over each and looked up by all pictures.

The rays are the same for every point, so shadows are soft without noise: pleasant to see and small to store.
"""

from __future__ import annotations

import numpy as np
from house_furniture import Part
from house_rays import Array, Scene, nearest

TEXEL = 0.06
"""Distance between grid points, metres."""
REACH = 0.9
"""Distance up to which a neighbour takes away light, metres."""
Lightmaps = dict[tuple[int, int], Array]


def hemisphere(count: int) -> Array:
    """Returns (count, 3) cosine-spread directions around +z, in a spiral that is the same for every point."""
    steps = (np.arange(count) + 0.5) / count
    radius, angle = np.sqrt(steps), np.arange(count) * 2.399963
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), np.sqrt(1 - steps)], axis=1).astype(np.float32)


def charts(part: Part) -> list[int]:
    """Faces of a part that hold light: 0-5 are box faces (-x, +x, -y, +y, -z, +z), 6 a curved side, 7 an ellipsoid."""
    return {"box": [0, 1, 2, 3, 4, 5], "cylinder": [2, 3, 6], "ellipsoid": [7]}[part.shape]


def chart_grid(part: Part, chart: int) -> tuple[Array, Array, tuple[int, int]]:
    """Returns (N, 3) points and unit normals of a chart's grid in world axes, and the grid's size."""
    low, high = np.array(part.low), np.array(part.high)
    size = high - low
    if chart < 6:
        axes = [axis for axis in range(3) if axis != chart // 2]
        columns, rows = (int(np.clip(np.ceil(size[axis] / TEXEL), 2, 400)) for axis in axes)
    else:
        columns, rows = 16, int(np.clip(np.ceil(size[1] / TEXEL), 3, 60))
    u, v = (a.ravel() for a in np.meshgrid((np.arange(columns) + 0.5) / columns, (np.arange(rows) + 0.5) / rows))
    unit, normal = np.zeros((len(u), 3)), np.zeros((len(u), 3))
    if chart < 6:
        unit[:, axes[0]], unit[:, axes[1]] = 2 * u - 1, 2 * v - 1
        unit[:, chart // 2] = normal[:, chart // 2] = 1 if chart % 2 else -1
    else:
        angle, height = 2 * np.pi * (u - 0.5), 2 * v - 1
        ring = np.sqrt(1 - height**2) if chart == 7 else 1
        unit = np.stack([ring * np.cos(angle), height, ring * np.sin(angle)], axis=1)
        normal = unit * ([1, 1, 1] if chart == 7 else [1, 0, 1]) / size
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    return (low + high) / 2 + unit * size / 2, normal, (rows, columns)


def light_on(scene: Scene, points: Array, normals: Array) -> Array:
    """Returns (N, 3) light that reaches surface points: wide lamps with their shadows, then what comes from everywhere.

    NaN marks points inside another part: nobody sees them, but their darkness would leak to what is seen.
    """
    starts = (points + normals * 0.003).astype(np.float32)
    normals = normals.astype(np.float32)
    helper = np.where(np.abs(normals[:, 1:2]) > 0.9, [[1.0, 0, 0]], [[0, 1.0, 0]])
    side = np.cross(helper, normals)
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    spread = hemisphere(32)
    frame = np.stack([side, np.cross(normals, side), normals], axis=1)
    rays = np.einsum("sk,nkc->nsc", spread, frame).astype(np.float32).reshape(-1, 3)
    distance = nearest(scene, np.repeat(starts, len(spread), axis=0), rays, REACH).reshape(len(points), -1)
    open_share = (np.minimum(distance, REACH) / REACH).mean(1)
    direct = np.zeros(len(points), dtype=np.float32)
    offsets = [(x * 0.32, -0.1, z * 0.32) for x in (-1.5, -0.5, 0.5, 1.5) for z in (-1.5, -0.5, 0.5, 1.5)]
    for lamp in scene.lights:
        rays = lamp + np.array(offsets, dtype=np.float32) - starts[:, None]
        lengths = np.linalg.norm(rays, axis=2)
        rays /= lengths[..., None]
        cosines = np.einsum("nsk,nk->ns", rays, normals)
        strength = np.maximum(cosines, 0) / (1 + 0.16 * lengths**2)
        lit = (cosines > 0) & (lengths < 7)
        if lit.any():
            origins = np.broadcast_to(starts[:, None], rays.shape)[lit]
            strength[lit] *= np.isinf(nearest(scene, origins, rays[lit], lengths[lit]))
        direct += np.where(lit, strength, 0).mean(1)
    thrown_back = open_share * np.clip(-normals[:, 1], 0, 1)
    light: Array = direct[:, None] * np.array([0.86, 0.80, 0.70]) + open_share[:, None] * np.array([0.36, 0.38, 0.41])
    light += thrown_back[:, None] * np.array([0.44, 0.39, 0.33])
    light[open_share < 0.02] = np.nan
    return light


def bake(scene: Scene) -> Lightmaps:
    """Returns (rows, columns, 3) light on each chart of each part."""
    baked: Lightmaps = {}
    for index, part in enumerate(scene.parts):
        for chart in charts(part):
            points, normals, shape = chart_grid(part, chart)
            baked[index, chart] = spread_light(light_on(scene, points, normals).reshape(*shape, 3)).astype(np.float32)
    return baked


def spread_light(grid: Array) -> Array:
    """Fills the NaN places of a (rows, columns, 3) grid from their lit neighbours, ring by ring."""
    while np.isnan(grid).any() and not np.isnan(grid).all():
        padded = np.pad(grid, ((1, 1), (1, 1), (0, 0)), constant_values=np.nan)
        around = np.stack([padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]])
        lit = ~np.isnan(around)
        mean = np.where(lit, around, 0).sum(0) / np.maximum(lit.sum(0), 1)
        grid = np.where(np.isnan(grid) & lit.any(0), mean, grid)
    return np.nan_to_num(grid, nan=0.1)


def lookup(grid: Array, u: Array, v: Array, wraps: bool) -> Array:
    """Returns (N, 3) bilinear values of a grid at (N,) places in [0, 1]; `wraps` joins its left and right edges."""
    rows, columns = grid.shape[:2]
    x, y = u * columns - 0.5, np.clip(v * rows - 0.5, 0, rows - 1)
    x = x if wraps else np.clip(x, 0, columns - 1)
    x0, y0 = np.floor(x).astype(int), np.floor(y).astype(int)
    fx, fy = (x - x0)[:, None], (y - y0)[:, None]
    x1, y1 = x0 + 1, np.minimum(y0 + 1, rows - 1)
    x0, x1 = (x0 % columns, x1 % columns) if wraps else (x0, np.minimum(x1, columns - 1))
    upper = grid[y0, x0] * (1 - fx) + grid[y0, x1] * fx
    lower = grid[y1, x0] * (1 - fx) + grid[y1, x1] * fx
    value: Array = upper * (1 - fy) + lower * fy
    return value
