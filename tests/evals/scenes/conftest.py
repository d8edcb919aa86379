"""Small houses that several tests look at; made once, because making them takes a few seconds."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from evals.scenes.generate import generate_house
from evals.scenes.house import House, Item, Opening, Room, Wall
from evals.scenes.make import make_houses
from evals.scenes.world import World, embree_world

# Houses are rendered with embreex (extra `scenes`), which has no wheel for some machines.
collect_ignore_glob = [] if find_spec("embreex") else ["test_*.py"]


def room_house(items: tuple[Item, ...] = (), size: float = 4.0, doors: tuple[Opening, ...] = ()) -> House:
    """One square room with a corner at the origin and walls 2.5 m high, whatever else is asked for."""
    corners = ((0.0, 0.0), (0.0, size), (size, size), (size, 0.0))
    walls = tuple(Wall(f"wall|2|{i}", "room|2", corners[i], corners[(i + 1) % 4], 2.5) for i in range(4))
    room = Room("room|2", "LivingRoom", corners)
    return House((room,), walls, doors, (), items, (size / 2, size / 2))


def two_rooms(items: tuple[Item, ...] = (), closed: bool = False) -> House:
    """Two 3 x 3 m rooms side by side along x, with a 1 m doorway in the wall between them at z 1 to 2."""
    rooms, walls = [], []
    for number, low in ((2, 0.0), (3, 3.0)):
        corners = ((low, 0.0), (low, 3.0), (low + 3, 3.0), (low + 3, 0.0))
        rooms.append(Room(f"room|{number}", "Bedroom", corners))
        walls += [Wall(f"wall|{number}|{i}", f"room|{number}", corners[i], corners[(i + 1) % 4], 2.5) for i in range(4)]
    ends = ((3.0, 1.0), (3.0, 2.0))
    door = Opening("door|2|3", "Doorway_1", ("room|2", "room|3"), *ends, 0.0, 2.0, ("wall|2|2", "wall|3|0"), closed)
    return House(tuple(rooms), tuple(walls), (door,), (), items, (0.5, 0.5))


@pytest.fixture(scope="session")
def two_room_house() -> Callable[..., House]:
    return two_rooms


@pytest.fixture(scope="session")
def square_room() -> Callable[..., House]:
    return room_house


@pytest.fixture(scope="session")
def empty_room() -> World:
    return embree_world(room_house(), 0)


@pytest.fixture(scope="session")
def small_house() -> World:
    return embree_world(generate_house(3, 0, 4), 3)


@pytest.fixture(scope="session")
def small_dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("houses")
    make_houses(out, 2, 5, rooms=3, workers=1, side=96, frames=8)
    return out
