"""Seeded floor plans: rooms that fill a rectangle, doorways that join them all, windows to the outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evals.scenes.errors import SceneError
from evals.scenes.house import Opening, Point, Room, Wall

Box = tuple[float, float, float, float]

CEILING = 2.7
DOOR_WIDTH, WIDE_DOOR, DOOR_HEIGHT = 0.92, 1.8, 2.04
SMALLEST = {"Kitchen": 2.7, "LivingRoom": 3.2, "Bedroom": 2.9, "Bathroom": 2.1}
"""Shortest side of a room, metres."""

AREAS = {"Kitchen": (9.0, 15.0), "LivingRoom": (17.0, 28.0), "Bedroom": (11.0, 17.0), "Bathroom": (5.5, 8.5)}
"""Range of floor areas, square metres."""

MOST_ROOMS = 10


@dataclass(frozen=True)
class Plan:
    """Rooms, walls and openings of a house without furniture.

    Attributes:
        rooms: Rectangular rooms.
        walls: Sides of walls, exterior sides included.
        doors: Doorways; the first is the entrance.
        windows: Windows.
    """

    rooms: tuple[Room, ...]
    walls: tuple[Wall, ...]
    doors: tuple[Opening, ...]
    windows: tuple[Opening, ...]


def check_rooms(count: int) -> None:
    """Makes sure that a house can have so many rooms.

    Raises:
        SceneError: If it cannot.
    """
    if not 1 <= count <= MOST_ROOMS:
        raise SceneError(f"a house has 1 to {MOST_ROOMS} rooms, not {count}: give --rooms another number")


def room_kinds(count: int, rng: np.random.Generator) -> list[str]:
    """Which rooms a house of that size has, in the order in which they are laid out."""
    check_rooms(count)
    if count == 1:
        return [str(rng.choice(["LivingRoom", "Bedroom", "Kitchen"], p=[0.5, 0.3, 0.2]))]
    if count == 2:
        return ["LivingRoom", str(rng.choice(["Kitchen", "Bedroom"]))]
    if count == 3:
        return ["LivingRoom", "Kitchen", str(rng.choice(["Bedroom", "Bathroom"]))]
    kinds = ["LivingRoom", "Kitchen", "Bedroom", "Bathroom"]
    for number in range(count - 4):
        kinds.append(["Bedroom", "Bathroom", "Bedroom", "LivingRoom", "Bedroom", "Bathroom"][number])
    return kinds


def plan_of(count: int, rng: np.random.Generator, tries: int = 30_000) -> Plan:
    """Draws a plan.

    Args:
        count: Number of rooms, 1 to `MOST_ROOMS`.
        rng: Source of every choice.
        tries: How often to draw again when a room comes out too narrow or cannot be reached; ten rooms take 560 or so.

    Returns:
        A plan whose rooms do not overlap and can all be reached from the entrance.

    Raises:
        SceneError: If the number of rooms is out of range, or no try worked.
    """
    for _ in range(tries):
        kinds = room_kinds(count, rng)
        areas = [float(rng.uniform(*AREAS[kind])) for kind in kinds]
        total = sum(areas)
        ratio = float(rng.uniform(0.8, 1.5)) if count > 1 else float(rng.uniform(0.85, 1.2))
        width = round(float(np.sqrt(total * ratio)), 1)
        boxes = _split((0.0, 0.0, width, round(total / width, 1)), list(range(count)), areas, rng)
        if any(min(b[2] - b[0], b[3] - b[1]) < SMALLEST[kind] for b, kind in zip(boxes, kinds, strict=True)):
            continue
        rooms = tuple(
            Room(f"room|{i + 2}", kind, ((b[0], b[1]), (b[0], b[3]), (b[2], b[3]), (b[2], b[1])))
            for i, (b, kind) in enumerate(zip(boxes, kinds, strict=True))
        )
        doors = _doors(rooms, boxes, rng)
        if doors is None:
            continue
        return Plan(rooms, tuple(_walls(rooms, boxes)), tuple(doors), tuple(_windows(rooms, boxes, doors, rng)))
    raise SceneError(f"no plan of {count} rooms came out in {tries} tries: use another --seed")


def _split(box: Box, members: list[int], areas: Sequence[float], rng: np.random.Generator) -> list[Box]:
    """Cuts a rectangle into one for each member, areas in proportion; the answer is indexed like `members`."""
    if len(members) == 1:
        return [box]
    order = [members[i] for i in rng.permutation(len(members))]
    half = float(sum(areas[m] for m in members)) / 2
    first: list[int] = []
    while len(first) < len(members) - 1 and (not first or sum(areas[m] for m in first) + areas[order[0]] / 2 < half):
        first.append(order.pop(0))
    share = sum(areas[m] for m in first) / (2 * half)
    low_x, low_z, high_x, high_z = box
    if high_x - low_x >= high_z - low_z:
        cut = round(low_x + (high_x - low_x) * share, 1)
        parts = ((low_x, low_z, cut, high_z), (cut, low_z, high_x, high_z))
    else:
        cut = round(low_z + (high_z - low_z) * share, 1)
        parts = ((low_x, low_z, high_x, cut), (low_x, cut, high_x, high_z))
    found = dict(zip(first, _split(parts[0], first, areas, rng), strict=True))
    found.update(zip(order, _split(parts[1], order, areas, rng), strict=True))
    return [found[m] for m in members]


def shared_edge(a: Box, b: Box) -> tuple[Point, Point] | None:
    """The stretch of wall between two rectangles, None where they do not touch along a line."""
    for axis in (0, 1):
        other = 1 - axis
        for line in {a[axis], a[axis + 2]} & {b[axis], b[axis + 2]}:
            low, high = max(a[other], b[other]), min(a[other + 2], b[other + 2])
            if high - low > 1e-6:
                return ((line, low), (line, high)) if axis == 0 else ((low, line), (high, line))
    return None


def _doors(rooms: Sequence[Room], boxes: Sequence[Box], rng: np.random.Generator) -> list[Opening] | None:
    """An entrance and a tree of doorways over all rooms; None when some room cannot be joined."""
    edges: dict[tuple[int, int], tuple[Point, Point]] = {}
    for i in range(len(rooms)):
        for j in range(i + 1, len(rooms)):
            edge = shared_edge(boxes[i], boxes[j])
            if edge and np.hypot(edge[1][0] - edge[0][0], edge[1][1] - edge[0][1]) >= DOOR_WIDTH + 0.5:
                edges[i, j] = edge
    cost = {"LivingRoom": 0.0, "Kitchen": 0.6, "Bedroom": 1.5, "Bathroom": 3.0}
    joined, doors = {0}, []
    while len(joined) < len(rooms):
        # Nobody walks through a bathroom to anywhere.
        options = [
            pair
            for pair in edges
            if (pair[0] in joined) != (pair[1] in joined)
            and rooms[pair[0] if pair[0] in joined else pair[1]].kind != "Bathroom"
        ]
        if not options:
            return None
        noise = {pair: float(rng.uniform(0, 0.8)) for pair in options}
        best = min(options, key=lambda p: cost[rooms[p[0]].kind] + cost[rooms[p[1]].kind] + noise[p])
        joined |= set(best)
        doors.append(_door(rooms, best, edges[best], rng))
    taken = {frozenset(door.rooms) for door in doors}
    for pair, edge in edges.items():
        kinds = {rooms[pair[0]].kind, rooms[pair[1]].kind}
        if frozenset((rooms[pair[0]].id, rooms[pair[1]].id)) not in taken and kinds <= {"LivingRoom", "Kitchen"}:
            doors.append(_door(rooms, pair, edge, rng))
    return [_entrance(rooms, boxes, rng), *doors]


def _door(rooms: Sequence[Room], pair: tuple[int, int], edge: tuple[Point, Point], rng: np.random.Generator) -> Opening:
    a, b = rooms[pair[0]], rooms[pair[1]]
    length = float(np.hypot(edge[1][0] - edge[0][0], edge[1][1] - edge[0][1]))
    wide = {a.kind, b.kind} <= {"LivingRoom", "Kitchen"} and length > WIDE_DOOR + 1.2 and rng.random() < 0.6
    width = WIDE_DOOR if wide else DOOR_WIDTH
    # Near one end of the stretch, so that the longer rest of the wall can hold furniture.
    place = float(rng.choice([0.25, length - width - 0.25])) if length > width + 1.0 else (length - width) / 2
    start, end = _stretch(edge, place, place + width)
    name = f"door|{a.id.split('|')[1]}|{b.id.split('|')[1]}"
    walls = (_wall_on(a, edge), _wall_on(b, edge))
    return Opening(name, "Doorway_Double_5" if wide else "Doorway_1", (a.id, b.id), start, end, 0.0, DOOR_HEIGHT, walls)


def _stretch(edge: tuple[Point, Point], low: float, high: float) -> tuple[Point, Point]:
    wall = Wall("", "", edge[0], edge[1], 0.0)
    return tuple(tuple(round(v, 4) for v in wall.at(t)) for t in (low, high))  # type: ignore[return-value]


def _wall_on(room: Room, edge: tuple[Point, Point]) -> str:
    """Id of the side of the room that a stretch of wall lies on."""
    corners = room.polygon
    for number in range(len(corners)):
        (x0, z0), (x1, z1) = corners[number], corners[(number + 1) % len(corners)]
        if x0 == x1 == edge[0][0] == edge[1][0] or z0 == z1 == edge[0][1] == edge[1][1]:
            return _wall_id(room.id.split("|")[1], (x0, z0), (x1, z1))
    return ""


def _wall_id(owner: str, start: Point, end: Point) -> str:
    (low_x, low_z), (high_x, high_z) = sorted([start, end])
    return f"wall|{owner}|{low_x:.2f}|{low_z:.2f}|{high_x:.2f}|{high_z:.2f}"


def _walls(rooms: Sequence[Room], boxes: Sequence[Box]) -> list[Wall]:
    walls = []
    hull = (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
    for room in rooms:
        for start, end in zip(room.polygon, (*room.polygon[1:], room.polygon[0]), strict=True):
            walls.append(Wall(_wall_id(room.id.split("|")[1], start, end), room.id, start, end, CEILING))
            if _outer(start, end, hull):
                walls.append(Wall(_wall_id("exterior", start, end), "exterior", start, end, CEILING))
    return walls


def _outer(start: Point, end: Point, hull: Box) -> bool:
    return any(start[axis] == end[axis] and start[axis] in (hull[axis], hull[axis + 2]) for axis in (0, 1))


def _outer_sides(index: int, boxes: Sequence[Box]) -> list[tuple[Point, Point]]:
    hull = (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
    low_x, low_z, high_x, high_z = boxes[index]
    corners = ((low_x, low_z), (low_x, high_z), (high_x, high_z), (high_x, low_z))
    sides = [(corners[i], corners[(i + 1) % 4]) for i in range(4)]
    return [side for side in sides if _outer(side[0], side[1], hull)]


def _entrance(rooms: Sequence[Room], boxes: Sequence[Box], rng: np.random.Generator) -> Opening:
    """A closed front door in the first room that has an outer wall, living rooms before others."""
    rank = {"LivingRoom": 0, "Kitchen": 1, "Bedroom": 2, "Bathroom": 3}
    index = min((i for i in range(len(rooms)) if _outer_sides(i, boxes)), key=lambda i: (rank[rooms[i].kind], i))
    sides = _outer_sides(index, boxes)
    edge = sides[int(rng.integers(len(sides)))]
    length = float(np.hypot(edge[1][0] - edge[0][0], edge[1][1] - edge[0][1]))
    place = float(rng.choice([0.3, length - DOOR_WIDTH - 0.3]))
    start, end = _stretch(edge, place, place + DOOR_WIDTH)
    owner = rooms[index].id.split("|")[1]
    walls = (_wall_on(rooms[index], edge), _wall_id("exterior", *edge))
    room = rooms[index].id
    return Opening(f"door|1|{owner}", "Doorway_5", (room, room), start, end, 0.0, DOOR_HEIGHT, walls, closed=True)


def _windows(
    rooms: Sequence[Room], boxes: Sequence[Box], doors: Sequence[Opening], rng: np.random.Generator
) -> list[Opening]:
    """One window in the middle of an outer wall of most rooms, two in large ones, clear of the entrance."""
    windows: list[Opening] = []
    for index, room in enumerate(rooms):
        sides = _outer_sides(index, boxes)
        wanted = 1 if room.area < 20 else 2
        for side in [sides[i] for i in rng.permutation(len(sides))][:wanted]:
            length = float(np.hypot(side[1][0] - side[0][0], side[1][1] - side[0][1]))
            asset, width = (
                ("Window_Fixed_60x48", 1.53)
                if length > 2.8 and room.kind != "Bathroom"
                else ("Window_Fixed_36x48", 0.92)
            )
            low = 1.25 if room.kind in ("Kitchen", "Bathroom") else 0.95
            place = (length - width) / 2
            start, end = _stretch(side, place, place + width)
            middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
            if any(
                np.hypot(door.middle[0] - middle[0], door.middle[1] - middle[1]) < (width + door.width) / 2 + 0.2
                for door in doors
            ):
                continue
            owner = room.id.split("|")[1]
            walls = (_wall_on(room, side), _wall_id("exterior", *side))
            high = low + (1.22 if room.kind not in ("Kitchen", "Bathroom") else 0.9)
            windows.append(
                Opening(f"window|{owner}|{len(windows)}", asset, (room.id, room.id), start, end, low, high, walls)
            )
    return windows
