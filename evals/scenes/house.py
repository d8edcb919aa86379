"""A house as data: rooms, walls, openings and the things in it. Nothing here draws or decides."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
Vector = tuple[float, float, float]

DOOR_CATEGORY = "Doorway"

THICKNESS = 0.12
"""Of the walls of generated houses, metres: each side stands half of it inside its room."""

THIN = 0.012
"""Of the walls of houses from elsewhere, which ProcTHOR furnishes up to the line of the wall, metres."""

_SETS = {
    "Chair": "chairs",
    "DiningTable": "chairs",
    "CounterTop": "kitchen",
    "WallCabinet": "kitchen",
    "SideTable": "side tables",
}


@dataclass(frozen=True)
class Room:
    """One room.

    Attributes:
        id: As in the house file, e.g. `room|2`.
        kind: `Kitchen`, `LivingRoom`, `Bedroom` or `Bathroom`.
        polygon: Corners (x, z) in metres, in order.
    """

    id: str
    kind: str
    polygon: tuple[Point, ...]

    @property
    def area(self) -> float:
        """Floor area in square metres."""
        x, z = np.array(self.polygon).T
        return abs(float(x @ np.roll(z, -1) - z @ np.roll(x, -1))) / 2

    def contains(self, point: Point) -> bool:
        """Whether an (x, z) point lies inside the polygon (even-odd rule)."""
        return bool(inside(np.array(self.polygon), np.array([point]))[0])


@dataclass(frozen=True)
class Wall:
    """One side of a wall: what one sees of it from its room.

    Attributes:
        id: As in the house file.
        room: Id of its room, or `exterior`.
        start: (x, z) of its first end, metres.
        end: (x, z) of its other end.
        height: Metres.
    """

    id: str
    room: str
    start: Point
    end: Point
    height: float

    @property
    def length(self) -> float:
        """Length in metres."""
        return float(np.hypot(self.end[0] - self.start[0], self.end[1] - self.start[1]))

    def at(self, along: float) -> Point:
        """The (x, z) point `along` metres from the start."""
        share = along / self.length
        return (
            self.start[0] + (self.end[0] - self.start[0]) * share,
            self.start[1] + (self.end[1] - self.start[1]) * share,
        )


@dataclass(frozen=True)
class Opening:
    """A doorway or a window.

    Attributes:
        id: As in the house file, e.g. `door|1|2`.
        asset: Asset id.
        rooms: Ids of the rooms on both sides; twice the same where it leads outside.
        start: (x, z) of one end of the hole, metres.
        end: (x, z) of its other end.
        low: Lower edge of the hole above the floor, metres.
        high: Upper edge.
        walls: Ids of the walls that it goes through.
        closed: Whether a door leaf fills it.
    """

    id: str
    asset: str
    rooms: tuple[str, str]
    start: Point
    end: Point
    low: float
    high: float
    walls: tuple[str, str]
    closed: bool = False

    @property
    def width(self) -> float:
        """Width of the hole in metres."""
        return float(np.hypot(self.end[0] - self.start[0], self.end[1] - self.start[1]))

    @property
    def middle(self) -> Point:
        """(x, z) of the hole's middle."""
        return (self.start[0] + self.end[0]) / 2, (self.start[1] + self.end[1]) / 2

    @property
    def outside(self) -> bool:
        """Whether it leads out of the house."""
        return self.rooms[0] == self.rooms[1]


@dataclass(frozen=True)
class Item:
    """One thing in the house.

    Attributes:
        id: As in the house file, e.g. `Sofa|2|1`.
        asset: Asset id.
        category: Object type.
        room: Id of its room, empty when unknown.
        position: (x, y, z) of the middle of its box, metres.
        yaw: Degrees; 0 faces +z, 90 faces +x.
        size: Width, height, depth in its own axes, metres.
        parent: Id of the thing that it stands on, empty for the floor or a wall.
        decor: True for things that AI2-THOR has no asset for.
    """

    id: str
    asset: str
    category: str
    room: str
    position: Vector
    yaw: float
    size: Vector
    parent: str = ""
    decor: bool = False

    @property
    def seed(self) -> int:
        """Chooses colours; the same for the same id and asset, and for all pieces of a set in one room."""
        name = f"{self.room}/{_SETS[self.category]}" if self.category in _SETS else f"{self.id}/{self.asset}"
        return zlib.crc32(name.encode())

    @property
    def bottom(self) -> float:
        """Height of its underside, metres."""
        return self.position[1] - self.size[1] / 2

    @property
    def top(self) -> float:
        """Height of its upper side, metres."""
        return self.position[1] + self.size[1] / 2

    @property
    def front(self) -> Point:
        """(x, z) unit vector in which it faces."""
        return float(np.sin(np.radians(self.yaw))), float(np.cos(np.radians(self.yaw)))

    @property
    def box_size(self) -> Vector:
        """Size of its axis-aligned box in world axes, metres."""
        c, s = abs(np.cos(np.radians(self.yaw))), abs(np.sin(np.radians(self.yaw)))
        width, height, depth = self.size
        return float(c * width + s * depth), height, float(s * width + c * depth)

    def footprint(self, margin: float = 0.0) -> tuple[float, float, float, float]:
        """(low x, low z, high x, high z) of its box on the floor, widened by `margin` metres."""
        width, _, depth = self.box_size
        x, _, z = self.position
        return x - width / 2 - margin, z - depth / 2 - margin, x + width / 2 + margin, z + depth / 2 + margin


@dataclass(frozen=True)
class House:
    """Everything that is known of a house.

    Attributes:
        rooms: Its rooms.
        walls: Sides of walls, exterior sides included.
        doors: Doorways.
        windows: Windows.
        items: Furniture and small things, decoration included.
        entrance: (x, z) just inside the entrance, metres.
        thickness: Thickness of its walls, metres.
        source: The house file as read, empty for a generated house.
    """

    rooms: tuple[Room, ...]
    walls: tuple[Wall, ...]
    doors: tuple[Opening, ...]
    windows: tuple[Opening, ...]
    items: tuple[Item, ...]
    entrance: Point
    thickness: float = THICKNESS
    source: dict[str, Any] = field(default_factory=dict, compare=False)

    @property
    def height(self) -> float:
        """Height of the ceiling, metres."""
        return max(wall.height for wall in self.walls)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """(low x, low z, high x, high z) of all rooms, metres."""
        corners = np.array([corner for room in self.rooms for corner in room.polygon])
        low, high = corners.min(axis=0), corners.max(axis=0)
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    def room_at(self, point: Point) -> Room | None:
        """The room that an (x, z) point lies in."""
        return next((room for room in self.rooms if room.contains(point)), None)

    def room(self, room_id: str) -> Room | None:
        """The room with that id."""
        return next((room for room in self.rooms if room.id == room_id), None)


def inside(polygon: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Even-odd test of (N, 2) points against a (K, 2) polygon."""
    x, z = points[:, 0], points[:, 1]
    result = np.zeros(len(points), dtype=bool)
    for (x0, z0), (x1, z1) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        crosses = (z0 > z) != (z1 > z)
        if crosses.any():
            with np.errstate(divide="ignore", invalid="ignore"):
                result ^= crosses & (x < (x1 - x0) * (z - z0) / (z1 - z0) + x0)
    return result


def door_items(doors: Sequence[Opening], depth: float = 0.16) -> list[Item]:
    """The casing of each doorway as a thing of its own, so that it can be an observer object or an anchor."""
    found = []
    for door in doors:
        x, z = door.middle
        yaw = float(np.degrees(np.arctan2(-(door.end[1] - door.start[1]), door.end[0] - door.start[0]))) % 180.0
        size = (door.width + 0.14, door.high - door.low + 0.06, depth)
        found.append(Item(door.id, door.asset, DOOR_CATEGORY, door.rooms[0], (x, door.low + size[1] / 2, z), yaw, size))
    return found
