"""Reads ProcTHOR's house JSON, with suspicion."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from evals.scenes.assets import category_of, size_of
from evals.scenes.errors import HouseFileError
from evals.scenes.house import THICKNESS, THIN, House, Item, Opening, Point, Room, Wall

LARGEST_FILE = 50_000_000
MOST_THINGS, MOST_ROOMS, MOST_CORNERS = 2_000, 100, 200
WIDEST = 200.0
"""Metres from the origin beyond which a coordinate cannot be meant."""

LARGEST_HOUSE = 100.0
"""Longest side of a house, metres; the grids over its floor grow with it."""

LOWEST_CEILING = 1.6
"""Of the highest room, metres; observers look from just below."""


def _whole(text: str) -> str:
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError(f"{text!a} holds half a character")
    return text


_Name = Annotated[str, AfterValidator(_whole)]


class _Loose(BaseModel):
    model_config = ConfigDict(extra="ignore", allow_inf_nan=False, frozen=True)


class _Vector(_Loose):
    x: float = Field(ge=-WIDEST, le=WIDEST)
    y: float = Field(default=0.0, ge=-WIDEST, le=WIDEST)
    z: float = Field(default=0.0, ge=-WIDEST, le=WIDEST)

    @property
    def ground(self) -> Point:
        return self.x, self.z


class _Turn(_Loose):
    y: float = 0.0


class _Room(_Loose):
    id: _Name
    room_type: _Name = Field(alias="roomType")
    floor_polygon: list[_Vector] = Field(alias="floorPolygon", min_length=3, max_length=MOST_CORNERS)


class _Wall(_Loose):
    id: _Name
    room_id: _Name = Field(alias="roomId", default="exterior")
    polygon: list[_Vector] = Field(min_length=3, max_length=MOST_CORNERS)
    empty: bool = False


class _Hole(_Loose):
    id: _Name
    asset_id: _Name = Field(alias="assetId")
    room0: _Name
    room1: _Name | None = None
    wall0: _Name
    wall1: _Name | None = None
    hole_polygon: list[_Vector] = Field(alias="holePolygon", min_length=2, max_length=100)
    openable: bool = False
    openness: float = 1.0


class _Object(_Loose):
    id: _Name
    asset_id: _Name = Field(alias="assetId")
    position: _Vector
    rotation: _Turn = _Turn()
    children: list[_Object] = Field(default_factory=list, max_length=MOST_THINGS)
    size: tuple[float, float, float] | None = None


class _Document(_Loose):
    rooms: list[_Room] = Field(min_length=1, max_length=MOST_ROOMS)
    walls: list[_Wall] = Field(min_length=1, max_length=MOST_THINGS)
    doors: list[_Hole] = Field(default_factory=list, max_length=MOST_THINGS)
    windows: list[_Hole] = Field(default_factory=list, max_length=MOST_THINGS)
    objects: list[_Object] = Field(default_factory=list, max_length=MOST_THINGS)
    metadata: dict[str, Any] = Field(default_factory=dict)


def read_house(path: Path) -> House:
    """Reads a ProcTHOR house.

    Args:
        path: A JSON file that holds one house.

    Returns:
        The house; things of unknown assets get an everyday size of their category.

    Raises:
        HouseFileError: If the file cannot be read, breaks the format, or a room has no area.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise HouseFileError(f"{path}: larger than {LARGEST_FILE // 1_000_000} MB: give a file with one house")
        raw = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise HouseFileError(f"{path}: cannot be read ({error.strerror}): check the path") from error
    except (ValueError, RecursionError) as error:
        raise HouseFileError(f"{path}: not JSON ({error}): give a file in ProcTHOR's house format") from error
    return house_from(raw, str(path))


def house_from(raw: object, name: str = "house") -> House:
    """Builds a house from a parsed ProcTHOR document (see `read_house`); `name` stands in error messages."""
    try:
        document = _Document.model_validate(raw)
    except (ValidationError, RecursionError) as error:
        if isinstance(error, RecursionError):
            raise HouseFileError(
                f"{name}: objects are nested too deeply: give a house as ProcTHOR writes it"
            ) from error
        first = error.errors()[0]
        place = place_of(first["loc"])
        raise HouseFileError(f"{name}: {place}: {first['msg']}: mend it as ProcTHOR's house format says") from error
    rooms = tuple(Room(room.id, room.room_type, _corners(room)) for room in document.rooms)
    for room in rooms:
        if room.area < 0.5:
            raise HouseFileError(
                f"{name}: rooms: {room.id} has a floor of {room.area:.2f} square metres: remove it or give it area"
            )
    corners = [corner for room in rooms for corner in room.polygon]
    span = max(max(c[axis] for c in corners) - min(c[axis] for c in corners) for axis in (0, 1))
    if span > LARGEST_HOUSE:
        raise HouseFileError(
            f"{name}: rooms: {span:.0f} m from end to end is more than {LARGEST_HOUSE:.0f}: mend the floorPolygons"
        )
    repeated = _repeated([room.id for room in rooms])
    if repeated:
        raise HouseFileError(f"{name}: rooms: {repeated} appears twice: give each room its own id")
    walls = tuple(_wall(wall, name) for wall in document.walls if not wall.empty)
    if not any(wall.room == room.id for wall in walls for room in rooms):
        raise HouseFileError(f"{name}: walls: none belongs to a room: give each wall the roomId of a room")
    height = max(wall.height for wall in walls)
    if height < LOWEST_CEILING:
        raise HouseFileError(
            f"{name}: walls: {height:.2f} m high, too low to look from eye level: make them {LOWEST_CEILING} m or more"
        )
    by_id = {wall.id: wall for wall in walls}
    doors = tuple(_opening(hole, by_id, name, "doors") for hole in document.doors)
    windows = tuple(_opening(hole, by_id, name, "windows") for hole in document.windows)
    extra = document.metadata.get("situate")
    items = [*_items(document.objects, "", rooms, decor=False), *_items(_decor(extra, name), "", rooms, decor=True)]
    if len(items) > MOST_THINGS:
        raise HouseFileError(f"{name}: objects: {len(items)} are more than {MOST_THINGS}: remove some")
    repeated = _repeated([item.id for item in items] + [door.id for door in doors])
    if repeated:
        raise HouseFileError(f"{name}: objects: {repeated} appears twice: give each object its own id")
    return House(
        rooms,
        walls,
        doors,
        windows,
        tuple(items),
        _entrance(document, doors, rooms),
        THICKNESS if isinstance(extra, dict) else THIN,
        raw if isinstance(raw, dict) else {},
    )


def place_of(parts: Sequence[str | int]) -> str:
    """Where in a document something stands, e.g. `objects.0.id`; the middle of a long way is left out."""
    shown = [str(part) for part in parts]
    return ".".join(shown if len(shown) <= 8 else [*shown[:4], "…", *shown[-3:]]) or "top level"


def _repeated(ids: list[str]) -> str:
    return next((name for name, count in Counter(ids).items() if count > 1), "")


def _corners(room: _Room) -> tuple[Point, ...]:
    corners = [corner.ground for corner in room.floor_polygon]
    kept = [c for i, c in enumerate(corners) if math.dist(c, corners[i - 1]) > 1e-6]
    return tuple(kept if len(kept) >= 3 else corners)


def _wall(wall: _Wall, name: str) -> Wall:
    bottom = min(corner.y for corner in wall.polygon)
    feet = [corner.ground for corner in wall.polygon if corner.y - bottom < 0.01]
    height = max(corner.y for corner in wall.polygon) - bottom
    ends = [feet[0], max(feet, key=lambda foot: math.dist(foot, feet[0]))]
    if height < 0.5 or math.dist(*ends) < 1e-6:
        raise HouseFileError(f"{name}: walls: {wall.id} has no area: remove it or give it two ends and a height")
    return Wall(wall.id, wall.room_id, ends[0], ends[1], height)


def _opening(hole: _Hole, walls: dict[str, Wall], name: str, where: str) -> Opening:
    wall = walls.get(hole.wall0) or walls.get(hole.wall1 or "")
    if wall is None:
        raise HouseFileError(
            f"{name}: {where}: {hole.id} lies in wall {hole.wall0!r}, which is not there: name a wall of the file"
        )
    along = [corner.x for corner in hole.hole_polygon]
    up = [corner.y for corner in hole.hole_polygon]
    low, high = max(min(along), 0.0), min(max(along), wall.length)
    if high - low < 0.1 or max(up) - min(up) < 0.1:
        raise HouseFileError(f"{name}: {where}: {hole.id} has no opening inside its wall: mend its holePolygon")
    rooms = (hole.room0, hole.room1 or hole.room0)
    closed = where == "doors" and rooms[0] == rooms[1]
    walls_named = (hole.wall0, hole.wall1 or hole.wall0)
    return Opening(
        hole.id,
        hole.asset_id,
        rooms,
        wall.at(low),
        wall.at(high),
        max(min(up), 0.0),
        min(max(up), wall.height),
        walls_named,
        closed,
    )


def _decor(extra: object, name: str) -> list[_Object]:
    if not isinstance(extra, dict):
        return []
    try:
        return [_Object.model_validate(entry) for entry in extra.get("decor", [])]
    except (ValidationError, TypeError) as error:
        raise HouseFileError(
            f"{name}: metadata.situate.decor: not a list of objects: remove it or write the house again"
        ) from error


def _items(objects: list[_Object], parent: str, rooms: tuple[Room, ...], decor: bool) -> Iterator[Item]:
    for thing in objects:
        category = category_of(thing.id, thing.asset_id)
        position = (thing.position.x, thing.position.y, thing.position.z)
        room = next((room.id for room in rooms if room.contains(thing.position.ground)), "")
        sensible = thing.size is not None and min(thing.size) > 0 and max(thing.size) < LARGEST_HOUSE
        size = thing.size if thing.size is not None and sensible else size_of(thing.asset_id, category)
        yield Item(thing.id, thing.asset_id, category, room, position, thing.rotation.y % 360.0, size, parent, decor)
        yield from _items(thing.children, thing.id, rooms, decor)


def _entrance(document: _Document, doors: tuple[Opening, ...], rooms: tuple[Room, ...]) -> Point:
    """Just inside the first door that leads outside, else where the file puts the agent, else the first room."""
    for door in doors:
        if door.outside:
            x, z = door.middle
            along = ((door.end[0] - door.start[0]) / door.width, (door.end[1] - door.start[1]) / door.width)
            for side in (0.5, -0.5):
                point = (x - along[1] * side, z + along[0] * side)
                if any(room.contains(point) for room in rooms):
                    return point
    agent = document.metadata.get("agent")
    if isinstance(agent, dict):
        try:
            return _Vector.model_validate(agent.get("position")).ground
        except ValidationError:
            pass  # Only a hint where to start; any free floor does as well.
    corners = rooms[0].polygon
    return sum(c[0] for c in corners) / len(corners), sum(c[1] for c in corners) / len(corners)
