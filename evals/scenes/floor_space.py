"""Where in a room there is still place: footprints, doors kept free, and whether one can still walk about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from evals.scenes.assets import ASSETS, DECOR
from evals.scenes.house import THICKNESS, Item, Opening, Point, Room

Box = tuple[float, float, float, float]

STEP = 0.1
WALKER = 0.3
"""Radius in metres of whoever must be able to walk: wide enough for a gap to hold a position of the robot's grid."""

DOOR_ZONE = 0.85
"""How far in front of a doorway the floor stays free, metres."""


@dataclass(frozen=True)
class Spot:
    """A place for a thing: (x, z) of its middle and its yaw in degrees."""

    x: float
    z: float
    yaw: float


@dataclass
class FloorSpace:
    """A room while it is being furnished.

    Attributes:
        room: A rectangular room.
        doors: Its doorways.
        windows: Its windows.
        items: What stands in it so far.
    """

    room: Room
    doors: Sequence[Opening]
    windows: Sequence[Opening]
    items: list[Item] = field(default_factory=list)

    @property
    def inner(self) -> Box:
        """(low x, low z, high x, high z) between the faces of the walls, metres."""
        corners = np.array(self.room.polygon)
        half = THICKNESS / 2
        (low_x, low_z), (high_x, high_z) = corners.min(axis=0), corners.max(axis=0)
        return float(low_x) + half, float(low_z) + half, float(high_x) - half, float(high_z) - half

    @property
    def on_floor(self) -> list[Item]:
        """Things that stand on the floor and are in the way."""
        return [item for item in self.items if not item.parent and item.bottom < 0.05 and item.size[1] > 0.05]

    def item(
        self,
        category: str,
        asset: str,
        spot: Spot,
        bottom: float = 0.0,
        parent: str = "",
        size: tuple[float, float, float] | None = None,
    ) -> Item:
        """Makes a thing for this room, with the next free number in its id."""
        size = size or (ASSETS[category][asset] if category in ASSETS else DECOR[category])
        owner = self.room.id.split("|")[1]
        name = f"{category}|{owner}|{len(self.items)}"
        position = (round(spot.x, 4), round(bottom + size[1] / 2, 4), round(spot.z, 4))
        return Item(
            name, asset, category, self.room.id, position, spot.yaw % 360.0, size, parent, decor=category not in ASSETS
        )

    def door_zones(self) -> list[Box]:
        """Rectangles before the doorways that stay free."""
        low_x, low_z, high_x, high_z = self.inner
        zones = []
        for door in self.doors:
            (x0, z0), (x1, z1) = sorted([door.start, door.end])
            if abs(x1 - x0) < abs(z1 - z0):
                near = low_x if abs(x0 - low_x) < abs(x0 - high_x) else high_x
                other = near + (DOOR_ZONE if near == low_x else -DOOR_ZONE)
                zones.append((min(near, other), z0 - 0.1, max(near, other), z1 + 0.1))
            else:
                near = low_z if abs(z0 - low_z) < abs(z0 - high_z) else high_z
                other = near + (DOOR_ZONE if near == low_z else -DOOR_ZONE)
                zones.append((x0 - 0.1, min(near, other), x1 + 0.1, max(near, other)))
        return zones

    def fits(self, item: Item, margin: float = 0.02) -> bool:
        """Whether a thing on the floor is inside the room, off the door zones, and apart from all others."""
        box = item.footprint()
        low_x, low_z, high_x, high_z = self.inner
        if box[0] < low_x - 1e-6 or box[1] < low_z - 1e-6 or box[2] > high_x + 1e-6 or box[3] > high_z + 1e-6:
            return False
        if any(overlap(box, zone) for zone in self.door_zones()):
            return False
        wide = item.footprint(margin)
        return not any(overlap(wide, other.footprint()) for other in self.on_floor)

    def covers_window(self, item: Item) -> bool:
        """Whether a thing would stand in front of a window or hang over it."""
        for window in self.windows:
            if item.top < window.low + 0.02 or item.bottom > window.high:
                continue
            (x0, z0), (x1, z1) = sorted([window.start, window.end])
            if overlap(item.footprint(0.02), (x0 - 0.25, z0 - 0.25, x1 + 0.25, z1 + 0.25)):
                return True
        return False

    def covers_door(self, item: Item) -> bool:
        """Whether a thing on the wall would hang over a doorway."""
        return any(overlap(item.footprint(0.02), (*_low(door, 0.15), *_high(door, 0.15))) for door in self.doors)

    def walkable(self, extra: Sequence[Item] = ()) -> NDArray[np.bool_]:
        """(X, Z) cells of `STEP` metres in which a walker's middle can be."""
        low_x, low_z, high_x, high_z = self.inner
        x = np.arange(low_x + STEP / 2, high_x, STEP)
        z = np.arange(low_z + STEP / 2, high_z, STEP)
        free = np.ones((len(x), len(z)), dtype=bool)
        for item in (*self.on_floor, *extra):
            a, b, c, d = item.footprint(WALKER)
            free[np.ix_((x > a) & (x < c), (z > b) & (z < d))] = False
        near_wall_x = (x < low_x + WALKER) | (x > high_x - WALKER)
        near_wall_z = (z < low_z + WALKER) | (z > high_z - WALKER)
        free[near_wall_x] = False
        free[:, near_wall_z] = False
        for a, b, c, d in self.door_zones():
            free[np.ix_((x > a + WALKER) & (x < c - WALKER), (z > b) & (z < d))] |= True
            free[np.ix_((x > a) & (x < c), (z > b + WALKER) & (z < d - WALKER))] |= True
        return free

    def stays_open(self, item: Item, users: Sequence[Item]) -> bool:
        """Whether, with one more thing, all doorways stay joined and every user's front can be walked to."""
        free = self.walkable([item])
        labels, _ = ndimage.label(free)
        low_x, low_z, _, _ = self.inner

        def label_at(x: float, z: float) -> set[int]:
            i, j = int((x - low_x) / STEP), int((z - low_z) / STEP)
            near = labels[max(i - 3, 0) : i + 4, max(j - 3, 0) : j + 4]
            return set(near[near > 0].tolist())

        common: set[int] | None = None
        for a, b, c, d in self.door_zones():
            here = label_at((a + c) / 2, (b + d) / 2)
            common = here if common is None else common & here
        if not common:
            return False
        main = max(common, key=lambda name: int(np.count_nonzero(labels == name)))
        # Islands that nobody can get to are as bad as a blocked door.
        if np.count_nonzero(labels == main) < 0.9 * np.count_nonzero(labels > 0):
            return False
        return all(main in label_at(*use_point(user)) for user in users)

    def along_walls(self, size: tuple[float, float, float], gap: float = 0.015) -> Iterator[Spot]:
        """Places with the back to a wall, every `STEP` metres, facing into the room."""
        low_x, low_z, high_x, high_z = self.inner
        width, _, depth = size
        back = depth / 2 + gap
        for along in np.arange(low_z + width / 2 + 0.01, high_z - width / 2, STEP):
            yield Spot(low_x + back, float(along), 90.0)
            yield Spot(high_x - back, float(along), 270.0)
        for along in np.arange(low_x + width / 2 + 0.01, high_x - width / 2, STEP):
            yield Spot(float(along), low_z + back, 0.0)
            yield Spot(float(along), high_z - back, 180.0)


def _low(door: Opening, margin: float) -> Point:
    return min(door.start[0], door.end[0]) - margin, min(door.start[1], door.end[1]) - margin


def _high(door: Opening, margin: float) -> Point:
    return max(door.start[0], door.end[0]) + margin, max(door.start[1], door.end[1]) + margin


def overlap(a: Box, b: Box) -> bool:
    """Whether two rectangles share more than an edge."""
    return a[0] < b[2] - 1e-9 and b[0] < a[2] - 1e-9 and a[1] < b[3] - 1e-9 and b[1] < a[3] - 1e-9


def use_point(item: Item, reach: float = 0.4) -> Point:
    """(x, z) where someone stands who uses a thing: `reach` metres before its front."""
    x, _, z = item.position
    half = item.size[2] / 2 + reach
    return x + item.front[0] * half, z + item.front[1] * half
