"""Floor plans, camera tours and questions of the two built-in houses, and the published rule for where targets lie.

World axes are Unity's, left-handed: x right, y up, z forward at yaw 0; metres. The rule is that of POVBench (appendix
B.4 and the released scorer), written here a second time and on its own, so that the loader's can be held against it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from house_furniture import CATALOGUE, Part, Point, solid
from house_questions import ACTIVITIES, NAMES, TARGETS, Pair, sentences

from tools.camera import Camera, box_corners

CEILING, WALL, DOOR_HEIGHT = 2.5, 0.1, 2.05
EXPLORATION_HEIGHT, EYE_HEIGHT, HORIZON, FIELD_OF_VIEW, SIZE = 0.9, 1.55, 30.0, 100.0, 512
CUBE = 0.4
FLAT = {"Bed", "CounterTop", "Desk", "Desktop", "DiningTable", "Dresser", "SideTable"}
TURNS = {"north": 0, "east": 1, "south": 2, "west": 3}
FACINGS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True)
class Room:
    """A rectangle (x0, z0, x1, z1), the colour of its walls, and what its floor looks like."""

    area: Rectangle
    paint: str
    floor: str
    floor_colour: str


@dataclass(frozen=True)
class Wall:
    """A wall along x or z at a fixed place on the other axis, with door openings as (start, end)."""

    along: str
    place: float
    start: float
    end: float
    doors: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Thing:
    """A piece from the catalogue, where it stands, and which way its front looks."""

    kind: str
    room: int
    x: float
    z: float
    facing: str
    lift: float = 0.0
    colour: str | None = None

    @cached_property
    def parts(self) -> list[Part]:
        build = CATALOGUE[self.kind]
        made = build(self.colour) if self.colour else build()
        return [part.placed(self.x, self.lift, self.z, TURNS[self.facing]) for part in made]

    @cached_property
    def low(self) -> Point:
        return tuple(round(float(v), 6) for v in np.min([part.low for part in self.parts], axis=0))  # type: ignore[return-value]

    @cached_property
    def high(self) -> Point:
        return tuple(round(float(v), 6) for v in np.max([part.high for part in self.parts], axis=0))  # type: ignore[return-value]

    @property
    def center(self) -> Point:
        return tuple((a + b) / 2 for a, b in zip(self.low, self.high, strict=True))  # type: ignore[return-value]


@dataclass(frozen=True)
class House:
    """One house: `tour` holds (x, z, yaw in degrees) of the exploration frames."""

    name: str
    rooms: tuple[Room, ...]
    walls: tuple[Wall, ...]
    things: tuple[Thing, ...]
    tour: tuple[tuple[float, float, float], ...]
    pairs: tuple[Pair, ...]
    object_ids: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        ids = tuple(f"{thing.kind}|{thing.room}|{i}" for i, thing in enumerate(self.things))
        object.__setattr__(self, "object_ids", ids)

    def index_of(self, kind: str) -> int:
        found = [i for i, thing in enumerate(self.things) if thing.kind == kind]
        if len(found) != 1:
            raise ValueError(f"{self.name}: a pair needs exactly one {kind}, not {len(found)}")
        return found[0]


def wall_parts(house: House) -> Iterator[Part]:
    """Yields walls with their lintels, then baseboards and door frames."""
    for wall in house.walls:
        across = (wall.place - WALL / 2, wall.place + WALL / 2)
        cuts = [wall.start, *[edge for door in wall.doors for edge in door], wall.end]
        spans = [(a, b, 0.0, CEILING) for a, b in zip(cuts[::2], cuts[1::2], strict=True)]
        spans += [(a, b, DOOR_HEIGHT, CEILING) for a, b in wall.doors]
        for a, b, low, high in spans:
            yield along(wall, (a, b), (low, high), across, "#ffffff", "wall")
        for a, b in zip(cuts[::2], cuts[1::2], strict=True):
            yield along(wall, (a, b), (0, 0.09), (across[0] - 0.012, across[1] + 0.012), "#f3f0ea", "hard")
        for a, b in wall.doors:
            frame = (across[0] - 0.015, across[1] + 0.015)
            for edge in (a, b):
                yield along(wall, (edge - 0.05, edge + 0.05), (0, DOOR_HEIGHT), frame, "#f3f0ea", "hard")
            yield along(wall, (a - 0.05, b + 0.05), (DOOR_HEIGHT - 0.05, DOOR_HEIGHT + 0.05), frame, "#f3f0ea", "hard")


def along(
    wall: Wall,
    span: tuple[float, float],
    height: tuple[float, float],
    across: tuple[float, float],
    colour: str,
    finish: str,
) -> Part:
    (x0, x1), (z0, z1) = (span, across) if wall.along == "x" else (across, span)
    return Part((x0, height[0], z0), (x1, height[1], z1), colour, finish)


def shell_parts(house: House) -> list[Part]:
    """Returns the parts that belong to no object: floors, ceiling, walls."""
    parts = []
    for room in house.rooms:
        x0, z0, x1, z1 = room.area
        grown = (x0 - WALL / 2, x1 + WALL / 2, z0 - WALL / 2, z1 + WALL / 2)
        parts.append(Part((grown[0], -0.1, grown[2]), (grown[1], 0.0, grown[3]), room.floor_colour, room.floor))
        middle = ((x0 + x1) / 2, CEILING, (z0 + z1) / 2)
        parts.append(solid(middle, (x1 - x0 + WALL, 0.05, z1 - z0 + WALL), "#f6f3ee", "plain"))
    return [*parts, *wall_parts(house)]


def overlaps(low: Point, high: Point, other_low: Point, other_high: Point) -> bool:
    """Whether two boxes share more than a touching face."""
    edges = zip(low, high, other_low, other_high, strict=True)
    return all(a < d - 1e-6 and c < b - 1e-6 for a, b, c, d in edges)


def exploration_cameras(house: House) -> list[Camera]:
    places = [((x, EXPLORATION_HEIGHT, z), yaw) for x, z, yaw in house.tour]
    return [Camera(place, yaw, HORIZON, FIELD_OF_VIEW, SIZE, SIZE) for place, yaw in places]


def observer_camera(house: House, pair: Pair) -> Camera:
    """Stands at the observer object (in front of it where it reaches eye height) and faces the anchor's centre."""
    observer = house.things[house.index_of(pair.observer)]
    target = house.things[house.index_of(pair.anchor)].center
    (x, _, z), toward = observer.center, FACINGS[observer.facing]
    if observer.high[1] > EYE_HEIGHT - 0.2:
        reach = max(
            abs(toward[0]) * (observer.high[0] - observer.low[0]), abs(toward[1]) * (observer.high[2] - observer.low[2])
        )
        x, z = x + toward[0] * (reach / 2 + 0.25), z + toward[1] * (reach / 2 + 0.25)
    dx, dy, dz = target[0] - x, target[1] - EYE_HEIGHT, target[2] - z
    yaw, horizon = math.degrees(math.atan2(dx, dz)), math.degrees(math.atan2(-dy, math.hypot(dx, dz)))
    place = (round(x, 6), EYE_HEIGHT, round(z, 6))
    return Camera(place, round(yaw, 6), round(horizon, 6), FIELD_OF_VIEW, SIZE, SIZE)


def target_position(anchor: Thing, camera: Camera, direction: str, surface: str) -> Point:
    """Returns where the target's centre lies by the published rule (POVBench, table 7)."""
    (cx, _, cz), top = anchor.center, anchor.high[1]
    if direction == "up":
        return cx, top + CUBE / 2, cz
    toward = np.array([camera.position[0] - anchor.x, camera.position[2] - anchor.z])
    fx, fz = toward / np.linalg.norm(toward)
    # Right is up x forward; forward is the opposite of the way to the observer.
    dx, dz = {"front": (fx, fz), "right": (-fz, fx), "left": (fz, -fx)}[direction]
    on_anchor = "floor" not in surface
    reach = 0.0
    if direction == "front" or not (anchor.kind in FLAT and on_anchor):
        halves = ((anchor.high[0] - anchor.low[0]) / 2, (anchor.high[2] - anchor.low[2]) / 2)
        reach = min(half / abs(d) for half, d in zip(halves, (dx, dz), strict=True) if abs(d) > 1e-12)
    height = top if on_anchor else 0.0
    return cx + (reach + CUBE / 2) * dx, height + CUBE / 2, cz + (reach + CUBE / 2) * dz


def is_free(house: House, pair: Pair, position: Point, surface: str) -> bool:
    """Whether the target's cube cuts no wall and, on the floor, no furniture but the observer's and the anchor's."""
    low = tuple(v - CUBE / 2 for v in position)
    high = tuple(v + CUBE / 2 for v in position)
    inside = any(r.area[0] <= position[0] <= r.area[2] and r.area[1] <= position[2] <= r.area[3] for r in house.rooms)
    if not inside or any(overlaps(low, high, p.low, p.high) for p in wall_parts(house) if p.finish == "wall"):  # type: ignore[arg-type]
        return False
    if "floor" not in surface:
        return True
    others = [t for t in house.things if t.kind not in (pair.observer, pair.anchor, "Rug")]
    return not any(overlaps(low, high, t.low, t.high) for t in others)  # type: ignore[arg-type]


def plan_pairs(house: House) -> list[dict[str, Any]]:
    """Returns the house's annotation file: one entry a pair of observer and anchor."""
    planned = []
    for number, pair in enumerate(house.pairs):
        observer, anchor = house.index_of(pair.observer), house.index_of(pair.anchor)
        camera, thing = observer_camera(house, pair), house.things[anchor]
        name = NAMES[pair.anchor]
        entry: dict[str, Any] = {
            "pair_id": f"{house.object_ids[observer]}__{house.object_ids[anchor]}",
            "house_id": house.name,
            "observer_type": pair.observer,
            "landmark_type": pair.anchor,
            "camera": camera_entry(camera),
            "rgb_path": f"img_from_observer/pair_{number:02d}.png",
            "object_observer": object_entry(house, observer),
            "object_landmark": object_entry(house, anchor),
            "placements": {}, "stage3": {}, "stage5": {}, "stage6": {},
        }  # fmt: skip
        for turn, direction in enumerate(("right", "left", "front", "up")):
            on_anchor = direction == "up" or (pair.sides_on_anchor and direction != "front" and pair.anchor in FLAT)
            surface = f"on the {name}" if on_anchor else "on the floor"
            position = target_position(thing, camera, direction, surface)
            targets = TARGETS.get(pair.anchor if on_anchor else "Floor", ())
            fits = bool(targets) and is_free(house, pair, position, surface)
            type_a, type_b, type_c = "", "", ""
            if fits:
                target = targets[(2 * number + turn) % len(targets)]
                type_a, type_b, type_c = sentences(
                    pair, ACTIVITIES[pair.observer], direction, on_anchor, target, number + turn
                )
            entry["placements"][direction] = {"position": point_entry(position)}
            entry["stage3"][direction] = {"verdict": "appropriate" if fits else "inappropriate", "surface": surface}
            entry["stage5"][direction] = {"type_a": type_a, "type_b": type_b}
            entry["stage6"][direction] = {"type_c": type_c}
        planned.append(entry)
    return planned


def point_entry(point: tuple[float, ...]) -> dict[str, float]:
    return {axis: round(float(value), 6) for axis, value in zip("xyz", point, strict=True)}


def camera_entry(camera: Camera) -> dict[str, Any]:
    return {
        "cam_pos": list(camera.position), "cam_yaw": camera.yaw, "cam_horizon": camera.horizon, "fov": camera.fov,
        "screen_width": camera.width, "screen_height": camera.height,
    }  # fmt: skip


def object_entry(house: House, index: int) -> dict[str, Any]:
    thing, object_id = house.things[index], house.object_ids[index]
    size = tuple(b - a for a, b in zip(thing.low, thing.high, strict=True))
    corners = [[round(float(v), 6) for v in corner] for corner in box_corners(thing.center, size)]
    box = {"center": point_entry(thing.center), "size": point_entry(size), "cornerPoints": corners}
    return {
        "objectId": object_id,
        "assetId": f"builtin_{thing.kind}",
        "position": point_entry((thing.x, thing.lift, thing.z)),
        "raw_metadata": {
            "objectId": object_id,
            "objectType": thing.kind,
            "position": point_entry((thing.x, thing.center[1], thing.z)),
            "axisAlignedBoundingBox": box,
        },
    }


LIVING_FLAT = House(
    name="train_house_90000",
    rooms=(
        Room((0, 0, 5.2, 6), "#ece1cc", "planks", "#b98d5f"),
        Room((5.3, 2.5, 9, 6), "#cfdbe3", "planks", "#a67c54"),
        Room((5.3, 0, 9, 2.4), "#dfe9e2", "tiles", "#d9d9d2"),
    ),
    walls=(
        Wall("x", -0.05, -0.1, 9.1), Wall("x", 6.05, -0.1, 9.1), Wall("z", -0.05, 0, 6), Wall("z", 9.05, 0, 6),
        Wall("z", 5.25, 0, 6, ((1.0, 1.9), (3.0, 3.9))), Wall("x", 2.45, 5.3, 9),
    ),
    things=(
        Thing("Sofa", 0, 0.5, 4.6, "east"), Thing("CoffeeTable", 0, 2.1, 4.6, "east"),
        Thing("TVStand", 0, 4.95, 5.0, "west"), Thing("Television", 0, 4.97, 5.0, "west", 0.46),
        Thing("FloorLamp", 0, 0.42, 2.9, "east"), Thing("DiningTable", 0, 2.6, 1.5, "north"),
        Thing("Chair", 0, 2.2, 0.78, "north"), Thing("Chair", 0, 3.0, 0.78, "north"),
        Thing("HousePlant", 0, 4.75, 0.42, "north"), Thing("Bed", 1, 7.55, 4.9, "south"),
        Thing("SideTable", 1, 6.3, 5.74, "south"), Thing("Dresser", 1, 7.6, 2.8, "north"),
        Thing("Toilet", 2, 8.6, 1.2, "west"), Thing("WashingMachine", 2, 6.75, 2.08, "south"),
        Thing("WashBasin", 2, 7.0, 0.24, "north"), Thing("Rug", 0, 2.1, 4.6, "east"),
        Thing("DeskLamp", 1, 6.3, 5.78, "south", 0.55), Thing("Painting", 0, 0.02, 4.6, "east", 1.3),
        Thing("Window", 0, 2.6, 0.02, "north", 0.95), Thing("Window", 1, 8.98, 4.5, "west", 0.95),
        Thing("Mirror", 2, 7.0, 0.02, "north", 1.15), Thing("CeilingLight", 0, 2.6, 3.0, "north", 2.43),
        Thing("CeilingLight", 1, 7.15, 4.25, "north", 2.43), Thing("CeilingLight", 2, 7.15, 1.2, "north", 2.43),
    ),
    tour=(
        (4.6, 2.4, -60), (4.9, 3.3, -102), (3.4, 3.2, -45), (3.3, 2.2, -18), (1.2, 2.6, 45), (1.0, 2.6, 130),
        (3.9, 3.0, -140), (5.7, 3.3, 60), (6.0, 4.4, 120), (8.6, 3.4, -60), (5.7, 1.2, 85), (8.4, 0.5, -40),
    ),
    pairs=(
        Pair("Sofa", "DiningTable"), Pair("Television", "Sofa"), Pair("FloorLamp", "CoffeeTable"),
        Pair("Bed", "Dresser"), Pair("Dresser", "Bed", sides_on_anchor=False), Pair("WashingMachine", "Toilet"),
    ),
)  # fmt: skip

KITCHEN_STUDY = House(
    name="train_house_90001",
    rooms=(
        Room((0, 0, 4.4, 5), "#e3e6d3", "tiles", "#cfc3ae"),
        Room((4.5, 0, 9.2, 5), "#e6d6cf", "planks", "#9c7450"),
    ),
    walls=(
        Wall("x", -0.05, -0.1, 9.3), Wall("x", 5.05, -0.1, 9.3), Wall("z", -0.05, 0, 5), Wall("z", 9.25, 0, 5),
        Wall("z", 4.45, 0, 5, ((1.1, 2.1),)),
    ),
    things=(
        Thing("Fridge", 0, 0.4, 0.7, "east"), Thing("CounterTop", 0, 0.34, 2.75, "east"),
        Thing("Sink", 0, 0.34, 3.4, "east", 0.915), Thing("Faucet", 0, 0.1, 3.4, "east", 0.92),
        Thing("DiningTable", 0, 2.8, 3.5, "east", 0.0, "#8a5a3b"), Thing("Chair", 0, 3.5, 3.1, "west"),
        Thing("Chair", 0, 3.5, 3.9, "west"), Thing("GarbageCan", 0, 0.3, 4.6, "east"),
        Thing("Desk", 1, 6.1, 4.65, "south"), Thing("Chair", 1, 5.95, 3.95, "north", 0.0, "#4c5f73"),
        Thing("Laptop", 1, 5.95, 4.62, "south", 0.75), Thing("ArmChair", 1, 8.55, 0.62, "north", 0.0, "#c79a3e"),
        Thing("ShelvingUnit", 1, 9.0, 2.9, "west"), Thing("HousePlant", 1, 8.75, 4.55, "west"),
        Thing("Sofa", 1, 6.0, 0.5, "north", 0.0, "#a4604f"), Thing("DeskLamp", 1, 6.6, 4.75, "south", 0.75),
        Thing("Rug", 1, 6.6, 2.3, "east", 0.0, "#55779a"), Thing("Painting", 1, 6.0, 0.02, "north", 1.3, "#7f9a5a"),
        Thing("Window", 0, 0.02, 2.75, "east", 1.15), Thing("Window", 1, 7.6, 4.98, "south", 0.95),
        Thing("CeilingLight", 0, 2.2, 2.5, "north", 2.43), Thing("CeilingLight", 1, 6.85, 2.5, "north", 2.43),
    ),
    tour=(
        (3.9, 1.2, -60), (2.0, 1.0, -70), (2.2, 1.4, -20), (1.3, 4.5, 140), (3.6, 0.6, -30), (1.2, 1.2, 35),
        (4.75, 1.4, 60), (5.2, 2.4, 45), (4.9, 3.2, 120), (7.6, 4.2, 160), (8.3, 3.6, -135), (8.2, 1.6, -45),
    ),
    pairs=(
        Pair("Fridge", "DiningTable"), Pair("DiningTable", "CounterTop"), Pair("Desk", "ArmChair"),
        Pair("ArmChair", "Desk"), Pair("HousePlant", "Sofa"), Pair("Sofa", "ShelvingUnit"),
    ),
)  # fmt: skip

HOUSES = (LIVING_FLAT, KITCHEN_STUDY)
