"""Floors, walls with their openings, ceilings and skirting, as parts in world axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evals.scenes.furniture.style import Part, Style
from evals.scenes.house import House, Opening, Point, Room, Wall, inside
from evals.scenes.materials import Material, rgb
from evals.scenes.mesh import FloatArray, IntArray, Mesh, box

_FLOORS = {
    "Kitchen": (
        ("tiles", "#d8d0c2", "#a9a294", 0.4),
        ("tiles", "#c4b5a0", "#92856f", 0.33),
        ("checks", "#e4ded2", "#7f8a8f", 0.35),
    ),
    "LivingRoom": (
        ("planks", "#b98a5b", "#76502f", 0.14),
        ("planks", "#cfa878", "#8d6840", 0.15),
        ("planks", "#8f6343", "#573a25", 0.13),
    ),
    "Bedroom": (
        ("planks", "#c79d6d", "#8a6239", 0.14),
        ("carpet", "#b9ada0", "#94887b", 0.012),
        ("carpet", "#93a0a8", "#74818a", 0.012),
    ),
    "Bathroom": (
        ("tiles", "#dfe3e2", "#a8b2b3", 0.22),
        ("mosaic", "#a9c3c4", "#5f8689", 0.06),
        ("tiles", "#9fb2b5", "#e8ecec", 0.3),
    ),
}
_WALLS = {
    "Kitchen": ("#e9dfc6", "#dfe4d8", "#f0e3cf", "#d9e2e0"),
    "LivingRoom": ("#ece4d6", "#dcd9cf", "#cfd8d6", "#e6d5c3"),
    "Bedroom": ("#d5dde3", "#e3d8dc", "#dfe2d2", "#e9dfd0"),
    "Bathroom": ("#e2ebea", "#d3e2e3", "#ecebe2", "#dbe4ea"),
}


def floor_material(room: Room, seed: int) -> Material:
    """What the floor of a room is made of."""
    pattern, first, second, scale = Style(seed).choose("floor", _FLOORS.get(room.kind, _FLOORS["LivingRoom"]))
    return Material(
        rgb(first),
        pattern,
        rgb(second),
        scale,
        gloss=0.16 if pattern in ("tiles", "planks", "checks") else 0.0,
        seed=seed % 97,
    )


def wall_material(room: Room, seed: int) -> Material:
    """What the walls of a room are painted with."""
    color = rgb(Style(seed).choose("wall", _WALLS.get(room.kind, _WALLS["LivingRoom"])))
    return Material(color, "plaster", (color[0] * 0.86, color[1] * 0.86, color[2] * 0.86), 0.35)


def triangulated(polygon: Sequence[Point]) -> IntArray:
    """Cuts a simple polygon into triangles by clipping ears; (F, 3) indices of its corners."""
    points = np.array(polygon, dtype=np.float64)
    area = float(np.sum(points[:, 0] * np.roll(points[:, 1], -1) - np.roll(points[:, 0], -1) * points[:, 1]))
    order = list(range(len(points))) if area > 0 else list(range(len(points)))[::-1]
    faces: list[tuple[int, int, int]] = []
    while len(order) > 3:
        for k in range(len(order)):
            a, b, c = order[k - 1], order[k], order[(k + 1) % len(order)]
            u, v = points[b] - points[a], points[c] - points[b]
            if u[0] * v[1] - u[1] * v[0] < -1e-12:
                continue
            others = [i for i in order if i not in (a, b, c)]
            if inside(points[[a, b, c]], points[others]).any():
                continue
            faces.append((a, b, c))
            order.pop(k)
            break
        else:
            break
    faces.append((order[0], order[1], order[2]))
    return np.array(faces, dtype=np.int64)


def _flat(polygon: Sequence[Point], y: float, up: bool) -> Mesh:
    points = np.array(polygon, dtype=np.float64)
    vertices = np.stack([points[:, 0], np.full(len(points), y), points[:, 1]], axis=1)
    normal = np.array([0.0, 1.0 if up else -1.0, 0.0])
    return Mesh(vertices, np.tile(normal, (len(vertices), 1)), triangulated(polygon))


def holes_in(wall: Wall, openings: Sequence[Opening]) -> list[tuple[float, float, float, float]]:
    """(low along, low y, high along, high y) in metres of every opening that lies in the wall's line and stretch."""
    along = np.array([wall.end[0] - wall.start[0], wall.end[1] - wall.start[1]]) / max(wall.length, 1e-9)
    across = np.array([-along[1], along[0]])
    found = []
    for opening in openings:
        ends = np.array([opening.start, opening.end]) - np.array(wall.start)
        if np.abs(ends @ across).max() > 0.08:
            continue
        low, high = sorted((ends @ along).tolist())
        low, high = max(low, 0.0), min(high, wall.length)
        if high - low > 0.05:
            found.append((low, opening.low, high, opening.high))
    return sorted(found)


def _panels(
    length: float, height: float, holes: Sequence[tuple[float, float, float, float]]
) -> list[tuple[float, float, float, float]]:
    """Rectangles (low along, low y, high along, high y) that fill a wall around its holes."""
    panels, at = [], 0.0
    for low, bottom, high, top in holes:
        if low > at:
            panels.append((at, 0.0, low, height))
        if bottom > 0:
            panels.append((low, 0.0, high, bottom))
        if top < height:
            panels.append((low, top, high, height))
        at = max(at, high)
    if at < length:
        panels.append((at, 0.0, length, height))
    return panels


def _upright(
    wall: Wall, normal: FloatArray, rectangle: tuple[float, float, float, float], half: float, extend: float
) -> Mesh:
    low, bottom, high, top = rectangle
    if low <= 0:
        low -= extend
    if high >= wall.length:
        high += extend
    (x0, z0), (x1, z1) = wall.at(low), wall.at(high)
    shift = normal * half
    vertices = np.array([[x0, bottom, z0], [x1, bottom, z1], [x1, top, z1], [x0, top, z0]]) + shift
    return Mesh(vertices, np.tile(normal, (4, 1)), np.array([[0, 1, 2], [0, 2, 3]]))


def inward(wall: Wall, room: Room) -> FloatArray:
    """(3,) horizontal unit vector from a wall into its room."""
    along = np.array([wall.end[0] - wall.start[0], wall.end[1] - wall.start[1]]) / max(wall.length, 1e-9)
    normal = np.array([-along[1], 0.0, along[0]])
    x, z = wall.at(wall.length / 2)
    return normal if room.contains((x + 0.05 * normal[0], z + 0.05 * normal[2])) else -normal


def shell_parts(house: House, seed: int) -> dict[str, list[Part]]:
    """Builds what encloses a house.

    Args:
        house: The house.
        seed: Chooses floors and paints.

    Returns:
        Parts in world axes by instance id: `floor|…`, `wall|…`, `ceiling|…`, one for each room or wall.
    """
    openings = (*house.doors, *house.windows)
    half = house.thickness / 2
    parts: dict[str, list[Part]] = {}
    skirting = Material(rgb("#f2f0ea"), gloss=0.1)
    for index, room in enumerate(house.rooms):
        choice = seed * 31 + index
        parts[f"floor|{room.id}"] = [Part(_flat(room.polygon, 0.0, up=True), floor_material(room, choice))]
        parts[f"ceiling|{room.id}"] = [Part(_flat(room.polygon, house.height, up=False), Material(rgb("#f6f4ef")))]
        paint = wall_material(room, choice)
        for wall in house.walls:
            if wall.room != room.id or wall.length < 1e-6:
                continue
            normal = inward(wall, room)
            holes = holes_in(wall, openings)
            found = [
                Part(_upright(wall, normal, panel, half, half * 0.98), paint)
                for panel in _panels(wall.length, wall.height, holes)
            ]
            doors = [(low, 0.0, high, 0.2) for low, bottom, high, _ in holes if bottom < 0.1]
            for low, bottom, high, top in _panels(wall.length, 0.09, [(a, 0.0, b, 0.09) for a, _, b, _ in doors]):
                if high - low > 0.05:
                    found.append(Part(_skirting(wall, normal, low, high, top - bottom, half), skirting))
            if room.kind == "Bathroom":
                found += _tiled_band(wall, normal, holes, half)
            parts[wall.id] = found
    return parts


def _skirting(wall: Wall, normal: FloatArray, low: float, high: float, height: float, half: float) -> Mesh:
    x, z = wall.at((low + high) / 2)
    yaw = float(np.degrees(np.arctan2(normal[0], normal[2])))
    offset = half + 0.006
    return (
        box(high - low, height, 0.014, 0.004, 1).turned(yaw).moved(x + normal[0] * offset, 0.0, z + normal[2] * offset)
    )


def _tiled_band(
    wall: Wall, normal: FloatArray, holes: Sequence[tuple[float, float, float, float]], half: float
) -> list[Part]:
    """Wall tiles up to 1.2 m, a millimetre in front of the paint."""
    tile = Material(rgb("#e9eeee"), "tiles", rgb("#b4c2c4"), 0.15, gloss=0.25, seed=7)
    low_holes = [(low, bottom, high, min(top, 1.2)) for low, bottom, high, top in holes if bottom < 1.2]
    found = []
    for panel in _panels(wall.length, 1.2, low_holes):
        mesh = _upright(wall, normal, panel, half, 0.0)
        found.append(Part(mesh.moved(normal[0] * 0.004, 0.0, normal[2] * 0.004), tile))
    return found
