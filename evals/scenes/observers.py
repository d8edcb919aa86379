"""Where somebody is who is busy with a thing, and the view from there towards another (POVBench, section 4.1)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evals.scenes.explore import FOV, SIDE, FreeFloor, clear_of_things
from evals.scenes.house import DOOR_CATEGORY, House, Item, Point
from tools.camera import Camera

EYE = 1.55
"""Height of the observer's eyes above the floor, metres."""

ARM = 0.42
"""How far in front of a thing one stands to use it, metres."""

FARTHEST = 1.1
"""How far from a thing somebody still counts as busy with it, metres."""

SEATS = frozenset({"ArmChair", "Bed", "Chair", "Sofa", "Stool", "Toilet"})
"""Things that one sits or lies on: the observer is where they are."""


def observer_point(house: House, floor: FreeFloor, item: Item, things: dict[str, Item]) -> Point | None:
    """Where the observer is.

    Args:
        house: The house.
        floor: Where one can stand.
        item: The observer object.
        things: All things by id, to find what it stands on.

    Returns:
        (x, z) in metres: the seat itself for seats, else a free place before the thing; None where nobody could be.
    """
    for point in _places(item, things):
        room = house.room_at(point)
        if room is None or (item.room and room.id != item.room and item.category != DOOR_CATEGORY):
            continue
        if item.category in SEATS:
            if _head_free(house, point, item):
                return point
        elif bool(clear_of_things(house, np.array([point]), 0.12)[0]) or item.category == DOOR_CATEGORY:
            return point
    if item.category in SEATS:
        return None
    base = things.get(item.parent, item)
    x, z = base.position[0], base.position[2]
    a, b, c, d = base.footprint()
    gaps = np.hypot(
        np.maximum(np.maximum(a - floor.positions[:, 0], floor.positions[:, 0] - c), 0),
        np.maximum(np.maximum(b - floor.positions[:, 1], floor.positions[:, 1] - d), 0),
    )
    order = np.argsort(gaps + 0.1 * np.hypot(floor.positions[:, 0] - x, floor.positions[:, 1] - z), kind="stable")
    for index in order[:40].tolist():
        point = (float(floor.positions[index, 0]), float(floor.positions[index, 1]))
        room = house.room_at(point)
        if gaps[index] <= FARTHEST and room is not None and (not item.room or room.id == item.room):
            return point
    return None


def _places(item: Item, things: dict[str, Item]) -> Iterator[Point]:
    x, _, z = item.position
    if item.category in SEATS:
        yield x, z
        return
    if item.category == DOOR_CATEGORY:
        fx, fz = item.front
        for reach in (0.0, 0.45, -0.45):
            yield x + fx * reach, z + fz * reach
        return
    base = things.get(item.parent, item)
    fx, fz = base.front
    # Before the base, level with the thing on it.
    ahead = (base.position[0] - x) * fx + (base.position[2] - z) * fz + base.size[2] / 2
    for reach in (ARM, ARM + 0.12):
        for side in (0.0, 0.3, -0.3):
            yield x + fx * (ahead + reach) + fz * side, z + fz * (ahead + reach) - fx * side


def _head_free(house: House, point: Point, seat: Item) -> bool:
    """Whether no other thing is where the head of somebody on the seat would be."""
    for other in house.items:
        if other.id == seat.id or other.top < EYE - 0.15 or other.bottom > EYE + 0.15:
            continue
        a, b, c, d = other.footprint(0.1)
        if a < point[0] < c and b < point[1] < d:
            return False
    return True


def looking_at(point: Point, target: tuple[float, float, float], side: int = SIDE) -> Camera:
    """The observer's camera: at eye height, turned so that the target is in the middle of the picture."""
    ahead = np.array(target) - np.array([point[0], EYE, point[1]])
    yaw = float(np.degrees(np.arctan2(ahead[0], ahead[2])))
    horizon = float(np.degrees(np.arctan2(-ahead[1], np.hypot(ahead[0], ahead[2]))))
    return Camera((point[0], EYE, point[1]), round(yaw, 6), round(horizon, 6), FOV, side, side)
