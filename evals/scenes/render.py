"""Pictures of a scene: Embree finds what is seen, NumPy shades it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from evals.scenes import lighting
from evals.scenes.materials import albedo
from evals.scenes.rays import Hits, Maps, RayCaster, as_maps, camera_rays
from evals.scenes.scene import Scene
from tools.camera import Camera

FloatArray = NDArray[np.float32]

EXPOSURE = 2.1
SKIN = np.float32(2e-3)
"""How far off a surface its secondary rays start, metres."""


@dataclass(frozen=True, eq=False)
class View:
    """A picture with its maps.

    Attributes:
        color: (H, W, 3) RGB, 8 bits.
        maps: Depth and instances, pixel for pixel.
    """

    color: NDArray[np.uint8]
    maps: Maps


class Renderer(Protocol):
    """What makes pictures of one house."""

    def view(self, camera: Camera) -> View:
        """Renders one picture."""
        ...

    def maps(self, camera: Camera) -> Maps:
        """Renders depth and instances alone."""
        ...


@dataclass(frozen=True, eq=False)
class _Points:
    """Surface points that are to be shaded, N of them."""

    position: FloatArray
    normal: FloatArray
    face: FloatArray
    direction: FloatArray
    owner: NDArray[np.int32]
    surface: NDArray[np.int32]
    depth: FloatArray


class EmbreeRenderer:
    """Renders one scene; the same camera gives the same bytes."""

    def __init__(self, scene: Scene) -> None:
        """Prepares a scene.

        Args:
            scene: What to show.

        Raises:
            RendererMissingError: If embreex is not installed.
        """
        self.scene = scene
        self.caster = RayCaster(scene.triangles)
        self._lights = lighting.lights_of(scene.house)
        self._gloss = np.array([material.gloss for material in scene.materials], dtype=np.float32)
        self._glow = np.array([material.glow for material in scene.materials], dtype=np.float32)

    def maps(self, camera: Camera) -> Maps:
        """Depth and instances for a camera."""
        directions = camera_rays(camera)
        return as_maps(self.scene, self.caster.first(_from(camera, directions), directions), camera)

    def view(self, camera: Camera) -> View:
        """Picture, depth and instances for a camera."""
        directions = camera_rays(camera)
        hits = self.caster.first(_from(camera, directions), directions)
        maps = as_maps(self.scene, hits, camera)
        seen = np.flatnonzero(hits.found)
        linear = lighting.sky(directions)
        if len(seen):
            points = self._points(_from(camera, directions), directions, hits, seen)
            light = self._light(points, seen % camera.width, seen // camera.width)
            light = _denoised(light, points, seen, (camera.height, camera.width))
            linear[seen] = self._shaded(points, light, mirrors=True)
            self._smooth_edges(linear, points, light, seen, camera)
        return View(_developed(linear).reshape(camera.height, camera.width, 3), maps)

    def _points(self, origins: FloatArray, directions: FloatArray, hits: Hits, seen: NDArray[np.int64]) -> _Points:
        triangle, u, v = hits.triangle[seen], hits.u[seen][:, None], hits.v[seen][:, None]
        direction = directions[seen]
        corners, normals = self.scene.triangles[triangle], self.scene.normals[triangle]
        position = origins[seen] + direction * hits.distance[seen][:, None]
        face = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        face /= np.maximum(np.linalg.norm(face, axis=1, keepdims=True), 1e-20)
        face *= -np.sign(np.einsum("ij,ij->i", face, direction))[:, None]
        normal = normals[:, 0] * (1 - u - v) + normals[:, 1] * u + normals[:, 2] * v
        normal *= np.where(np.einsum("ij,ij->i", normal, face) < 0, np.float32(-1), np.float32(1))[:, None]
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-20)
        return _Points(
            (position + face * SKIN).astype(np.float32), normal.astype(np.float32), face.astype(np.float32), direction,
            self.scene.owner[triangle], self.scene.surface[triangle], hits.distance[seen],
        )  # fmt: skip

    def _light(self, points: _Points, columns: NDArray[np.int64], rows: NDArray[np.int64]) -> FloatArray:
        """(N, 4) openness, lamp, window and sun at each point, one noisy sample set a pixel."""
        shift = lighting.patterns(columns, rows)
        rooms = self._lights.room_of(points.position)
        where, normal = points.position, points.normal
        return np.stack(
            [
                lighting.openness(self.caster, where, points.face, shift),
                lighting.lamp_light(self.caster, self._lights, rooms, where, normal, shift),
                lighting.window_light(self.caster, self._lights, rooms, where, normal, shift),
                lighting.sunlight(self.caster, where, normal, shift),
            ],
            axis=1,
        )

    def _albedo(self, points: _Points) -> FloatArray:
        """(N, 3) reflectance, one group of points on the same thing and surface at a time."""
        result = np.empty((len(points.surface), 3), dtype=np.float32)
        turn, origin = self.scene.turns[points.owner], self.scene.origins[points.owner]
        local = np.einsum("nji,nj->ni", turn, points.position - origin)
        facing = np.einsum("nji,nj->ni", turn, points.face)
        order = np.argsort(points.surface * np.int64(4096) + points.owner, kind="stable")
        keys = (points.surface * np.int64(4096) + points.owner)[order]
        starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
        for group in np.split(order, starts[1:]):
            material = self.scene.materials[points.surface[group[0]]]
            result[group] = albedo(local[group], facing[group], material, self.scene.spans[points.owner[group[0]]])
        return result

    def _shaded(self, points: _Points, light: FloatArray, mirrors: bool) -> FloatArray:
        """(N, 3) radiance towards the camera."""
        color = self._albedo(points)
        up = points.normal[:, 1:2]
        open_sky = light[:, :1]
        ambient = lighting.NEUTRAL * (0.92 + 0.08 * up) * lighting.AMBIENT * (0.25 + 0.75 * open_sky)
        direct = (
            lighting.LAMP_COLOR * (light[:, 1:2] * np.float32(lighting.LAMP_POWER))
            + lighting.SKY_COLOR * (light[:, 2:3] * np.float32(lighting.WINDOW_POWER))
            + lighting.SUN_COLOR * (light[:, 3:4] * np.float32(lighting.SUN_POWER))
        )
        glow = self._glow[points.surface][:, None]
        radiance = color * (ambient + direct + glow)
        gloss = self._gloss[points.surface]
        shiny = np.flatnonzero(gloss > 0.05)
        if mirrors and len(shiny):
            radiance[shiny] = self._mirrored(points, shiny, radiance[shiny], gloss[shiny])
        return np.asarray(radiance, dtype=np.float32)

    def _mirrored(self, points: _Points, shiny: NDArray[np.int64], base: FloatArray, gloss: FloatArray) -> FloatArray:
        """Adds what a glossy surface mirrors; only strong gloss sends a ray, the rest gets a highlight of the lamp."""
        direction = points.direction[shiny]
        direction = direction / np.linalg.norm(direction, axis=1, keepdims=True)
        normal = points.normal[shiny]
        along = np.einsum("ij,ij->i", direction, normal)
        bounced = (direction - 2 * along[:, None] * normal).astype(np.float32)
        edge = (1 - np.clip(-along, 0, 1)) ** 4
        strength = gloss * (0.22 + 0.6 * edge)
        seen = np.zeros_like(base)
        strong = np.flatnonzero(gloss >= 0.3)
        if len(strong):
            origins = points.position[shiny[strong]]
            hits = self.caster.first(origins, bounced[strong])
            found = np.flatnonzero(hits.found)
            seen[strong] = lighting.sky(bounced[strong])
            if len(found):
                other = self._points(origins, bounced[strong], hits, found)
                flat = np.tile(np.array([0.8, 0.12, 0.05, 0.0], np.float32), (len(found), 1))
                seen[strong[found]] = self._shaded(other, flat, mirrors=False)
        rooms = self._lights.room_of(points.position[shiny])
        way = self._lights.lamp[rooms] - points.position[shiny]
        way /= np.linalg.norm(way, axis=1, keepdims=True)
        spot = np.clip(np.einsum("ij,ij->i", bounced, way), 0, 1) ** 40
        mixed = base * (1 - 0.6 * strength[:, None]) + seen * strength[:, None]
        return np.asarray(mixed + lighting.LAMP_COLOR * (spot * gloss * 0.9)[:, None], dtype=np.float32)

    def _smooth_edges(
        self, linear: FloatArray, points: _Points, light: FloatArray, seen: NDArray[np.int64], camera: Camera
    ) -> None:
        """Replaces pixels on outlines by the mean of four rays; each borrows the light of its most alike neighbour."""
        shape = (camera.height, camera.width)
        slot = np.full(camera.height * camera.width, -1, dtype=np.int64)
        slot[seen] = np.arange(len(seen))
        edges = np.flatnonzero(_outlines(points, slot, shape))
        if not len(edges):
            return
        offsets = ((0.25, 0.125), (0.875, 0.25), (0.125, 0.75), (0.75, 0.875))
        directions = np.concatenate([camera_rays(camera, offset)[edges] for offset in offsets])
        origins = _from(camera, directions)
        hits = self.caster.first(origins, directions)
        value = lighting.sky(directions)
        found = np.flatnonzero(hits.found)
        if len(found):
            mine = self._points(origins, directions, hits, found)
            borrowed = _borrowed(mine, points, light, slot, np.tile(edges, len(offsets))[found], shape)
            value[found] = self._shaded(mine, borrowed, mirrors=True)
        linear[edges] = np.minimum(value, 4.0).reshape(len(offsets), len(edges), 3).mean(axis=0)


def _from(camera: Camera, directions: FloatArray) -> FloatArray:
    return np.broadcast_to(np.array(camera.position, dtype=np.float32), directions.shape)


def _neighbours(
    slot: NDArray[np.int64], pixels: NDArray[np.int64], shape: tuple[int, int], dx: int, dy: int
) -> NDArray[np.int64]:
    """Slots of the pixels beside the given ones, clamped at the picture's edges; -1 where nothing is seen."""
    rows = np.clip(pixels // shape[1] + dy, 0, shape[0] - 1)
    columns = np.clip(pixels % shape[1] + dx, 0, shape[1] - 1)
    return np.asarray(slot[rows * shape[1] + columns])


def _outlines(points: _Points, slot: NDArray[np.int64], shape: tuple[int, int]) -> NDArray[np.bool_]:
    """(H * W,) pixels next to another surface, a bend or a jump in depth."""
    pixels = np.arange(shape[0] * shape[1])
    result = np.zeros(len(pixels), dtype=bool)
    for dx, dy in ((1, 0), (0, 1)):
        other = _neighbours(slot, pixels, shape, dx, dy)
        both = (slot >= 0) & (other >= 0)
        a, b = np.maximum(slot, 0), np.maximum(other, 0)
        same = both & (points.surface[a] == points.surface[b]) & (points.owner[a] == points.owner[b])
        same &= np.einsum("ij,ij->i", points.normal[a], points.normal[b]) > 0.85
        gap = np.abs(np.einsum("ij,ij->i", points.position[b] - points.position[a], points.face[a]))
        same &= gap < 0.02 + 0.02 * points.depth[a]
        differs = ~same & ((slot >= 0) | (other >= 0))
        result |= differs
        step = dx + dy * shape[1]
        result[step:] |= differs[:-step]
    return result


def _borrowed(
    mine: _Points,
    points: _Points,
    light: FloatArray,
    slot: NDArray[np.int64],
    pixels: NDArray[np.int64],
    shape: tuple[int, int],
) -> FloatArray:
    """(N, 4) light of the neighbour whose surface is most like the point's own."""
    best = np.full(len(pixels), np.inf, dtype=np.float32)
    result = np.tile(np.array([0.5, 0.1, 0.03, 0.0], np.float32), (len(pixels), 1))
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            other = _neighbours(slot, pixels, shape, dx, dy)
            safe = np.maximum(other, 0)
            bend = 1 - np.einsum("ij,ij->i", mine.normal, points.normal[safe])
            gap = np.abs(np.einsum("ij,ij->i", points.position[safe] - mine.position, mine.face))
            cost = (
                bend
                + 4 * gap
                + 0.5 * (points.owner[safe] != mine.owner)
                + np.where(other < 0, np.float32(9), np.float32(0))
            )
            better = cost < best
            best[better] = cost[better]
            result[better] = light[safe[better]]
    return result


def _denoised(light: FloatArray, points: _Points, seen: NDArray[np.int64], shape: tuple[int, int]) -> FloatArray:
    """Means the light over the pixels of a 4x4 window, one whole interleaving, that lie on the same surface."""
    height, width = shape
    full = np.zeros((height, width, 4), np.float32)
    normal = np.zeros((height, width, 3), np.float32)
    plane = np.full((height, width), 1e6, np.float32)
    position = np.zeros((height, width, 3), np.float32)
    full.reshape(-1, 4)[seen] = light
    normal.reshape(-1, 3)[seen] = points.normal
    position.reshape(-1, 3)[seen] = points.position
    plane.reshape(-1)[seen] = np.einsum("ij,ij->i", points.position, points.normal)
    tolerance = np.zeros((height, width), np.float32)
    tolerance.reshape(-1)[seen] = 0.004 + 0.012 * points.depth
    total, weight = full.copy(), np.ones((height, width), np.float32)
    for dy in range(-2, 2):
        for dx in range(-2, 2):
            if dx == 0 and dy == 0:
                continue
            here = (slice(max(-dy, 0), height - max(dy, 0)), slice(max(-dx, 0), width - max(dx, 0)))
            there = (slice(max(dy, 0), height - max(-dy, 0)), slice(max(dx, 0), width - max(-dx, 0)))
            bend = np.einsum("ijk,ijk->ij", normal[here], normal[there])
            gap = np.abs(np.einsum("ijk,ijk->ij", position[there], normal[here]) - plane[here])
            alike = ((bend > 0.93) & (gap < tolerance[here])).astype(np.float32)
            total[here] += full[there] * alike[..., None]
            weight[here] += alike
    return (total / weight[..., None]).reshape(-1, 4)[seen]


def _developed(linear: FloatArray) -> NDArray[np.uint8]:
    """Exposure, a soft shoulder for the brightest parts, and the sRGB curve."""
    value = np.maximum(linear, 0) * np.float32(EXPOSURE)
    value = value * (1 + value / np.float32(6.0)) / (1 + value * np.float32(0.85))
    value = np.clip(value, 0, 1)
    srgb = np.where(value <= 0.0031308, value * 12.92, 1.055 * np.power(value, np.float32(1 / 2.4)) - 0.055)
    return np.asarray(srgb * 255 + 0.5, dtype=np.uint8)
