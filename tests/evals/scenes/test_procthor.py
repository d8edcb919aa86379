import copy
import json
from pathlib import Path
from typing import Any

import pytest

from evals.scenes.errors import HouseFileError
from evals.scenes.explore import exploration_cameras
from evals.scenes.generate import generate_house
from evals.scenes.procthor import house_from, read_house
from evals.scenes.procthor_writing import house_json
from evals.scenes.world import embree_world


def corner(x: float, y: float, z: float) -> dict[str, float]:
    return {"x": x, "y": y, "z": z}


def wall(number: int, start: tuple[float, float], end: tuple[float, float]) -> dict[str, Any]:
    feet = [corner(start[0], 0, start[1]), corner(end[0], 0, end[1])]
    heads = [corner(start[0], 3, start[1]), corner(end[0], 3, end[1])]
    return {"id": f"wall|2|{number}", "roomId": "room|2", "polygon": feet + heads, "material": {"name": "PureWhite"}}


CORNERS = [(0.0, 0.0), (0.0, 4.0), (2.0, 4.0), (2.0, 2.0), (5.0, 2.0), (5.0, 0.0)]

L_SHAPED: dict[str, Any] = {
    "rooms": [{"id": "room|2", "roomType": "Kitchen", "floorPolygon": [corner(x, 0, z) for x, z in CORNERS]}],
    "walls": [wall(i, CORNERS[i], CORNERS[(i + 1) % 6]) for i in range(6)],
    "doors": [
        {
            "id": "door|1|2",
            "assetId": "Doorway_1",
            "room0": "room|2",
            "room1": "room|2",
            "wall0": "wall|2|4",
            "wall1": "wall|exterior|4",
            "holePolygon": [corner(0.5, 0, 0), corner(1.5, 2.1, 0)],
            "openable": False,
            "openness": 0,
        }
    ],
    "windows": [],
    "objects": [
        {
            "id": "DiningTable|2|1",
            "assetId": "Dining_Table_999",
            "position": corner(1.0, 0.375, 1.0),
            "rotation": corner(0, 90, 0),
            "children": [
                {
                    "id": "Bowl|surface|2|0",
                    "assetId": "Bowl_8",
                    "position": corner(1.0, 0.8, 1.0),
                    "rotation": corner(0, 0, 0),
                }
            ],
        }
    ],
    "metadata": {},
    "proceduralParameters": {},
}


def test_an_l_shaped_house_is_read_as_it_stands() -> None:
    house = house_from(L_SHAPED)
    assert house.rooms[0].area == pytest.approx(4 * 2 + 3 * 2)
    assert house.rooms[0].contains((1.0, 3.0))
    assert not house.rooms[0].contains((3.0, 3.0))
    # Wall 4 runs from (5, 2) to (5, 0); the hole lies 0.5 to 1.5 m along it.
    assert house.doors[0].start == pytest.approx((5.0, 1.5))
    assert house.doors[0].end == pytest.approx((5.0, 0.5))
    assert house.doors[0].closed
    assert house.entrance == pytest.approx((4.5, 1.0))
    table, bowl = house.items
    assert (table.category, table.yaw, table.room) == ("DiningTable", 90, "room|2")
    # A quarter turn swaps width and depth of the world's box.
    assert table.box_size == pytest.approx((table.size[2], table.size[1], table.size[0]))
    assert bowl.parent == table.id


def test_a_generated_house_reads_back_as_it_was_written() -> None:
    house = generate_house(9, 4, 5)
    again = house_from(json.loads(json.dumps(house_json(house))))
    assert again == house


def test_decoration_stays_out_of_what_unity_reads() -> None:
    written = house_json(generate_house(9, 4, 5))
    ids = {entry["id"].split("|")[0] for entry in written["objects"]}
    assert ids.isdisjoint({"CeilingLamp", "Rug", "Mirror", "Cooker", "Curtain", "WallCabinet"})
    assert written["metadata"]["situate"]["decor"]


def test_written_houses_have_the_keys_of_procthors_own_files() -> None:
    written = house_json(generate_house(2, 0, 3))
    assert {"doors", "metadata", "objects", "proceduralParameters", "rooms", "walls", "windows"} == set(written)
    assert {"assetId", "holePolygon", "id", "room0", "room1", "wall0", "wall1", "assetPosition"} <= set(
        written["doors"][0]
    )
    assert {"floorMaterial", "floorPolygon", "id", "roomType", "ceilings", "children"} <= set(written["rooms"][0])
    assert {"agent", "roomSpecId", "schema"} <= set(written["metadata"])


BOWL = {"id": "Bowl|0", "assetId": "Bowl_8", "position": corner(1, 1, 1)}


def without(key: str) -> dict[str, Any]:
    house = copy.deepcopy(L_SHAPED)
    del house[key]
    return house


def changed(*path: Any, to: Any) -> dict[str, Any]:
    house = copy.deepcopy(L_SHAPED)
    place: Any = house
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return house


def deeply_nested() -> dict[str, Any]:
    return nested(3000, {"id": "Bowl|0", "assetId": "Bowl_8", "position": corner(1, 1, 1)})


def nested(depth: int, entry: Any = 5) -> dict[str, Any]:
    house = copy.deepcopy(L_SHAPED)
    for level in range(1, depth):
        entry = {"id": f"Bowl|{level}", "assetId": "Bowl_8", "position": corner(1, 1, 1), "children": [entry]}
    house["objects"] = [entry]
    return house


def low_walls() -> dict[str, Any]:
    house = without("doors")
    for side in house["walls"]:
        side["polygon"] = [{**end, "y": min(end["y"], 0.6)} for end in side["polygon"]]
    return house


@pytest.mark.parametrize(
    ("house", "message"),
    [
        ([], "top level"),
        ("text", "top level"),
        (without("rooms"), "rooms"),
        (without("walls"), "walls"),
        (changed("rooms", to=[]), "rooms"),
        (
            changed("rooms", 0, "floorPolygon", to=[corner(0, 0, 0), corner(1, 0, 0), corner(2, 0, 0)]),
            "0.00 square metres",
        ),
        (changed("rooms", 0, "floorPolygon", 0, "x", to=float("nan")), "floorPolygon.0.x"),
        (changed("rooms", 0, "floorPolygon", 0, "x", to=1e9), "floorPolygon.0.x"),
        (changed("objects", 0, "position", "y", to="high"), "objects.0.position.y"),
        (changed("objects", 0, "id", to="Bowl|surface|2|0"), "appears twice"),
        (changed("doors", 0, "wall0", to="wall|9|9"), "is not there"),
        (changed("doors", 0, "holePolygon", to=[corner(7, 0, 0), corner(9, 2, 0)]), "no opening inside its wall"),
        (changed("walls", 0, "polygon", to=[corner(0, 0, 0), corner(0, 0, 0), corner(0, 3, 0)]), "has no area"),
        (changed("metadata", to={"situate": {"decor": [1]}}), "decor"),
        (changed("rooms", 0, "floorPolygon", 4, "x", to=150.0), "150 m from end to end"),
        (
            changed(
                "objects",
                0,
                "children",
                to=[{**BOWL, "id": f"Bowl|{i}", "children": [{**BOWL, "id": f"Egg|{i}"}]} for i in range(1500)],
            ),
            "3001 are more than 2000",
        ),
        (deeply_nested(), "nested|recursion|objects"),
        (changed("objects", 0, "position", "x", to=10**400), r"objects\.0\.position\.x"),
        (changed("objects", 0, "id", to="Bowl\ud800"), r"objects\.0\.id: .*'Bowl\\ud800' holds half a character"),
        (nested(200), r"objects\.0\.children\.0\.…\.[a-z0-9.]{1,40}: "),
        (low_walls(), r"walls: 0\.60 m high"),
    ],
)
def test_a_broken_house_is_refused_in_one_line_that_names_the_place(house: Any, message: str) -> None:
    with pytest.raises(HouseFileError, match=message) as caught:
        house_from(house, "some.json")
    assert str(caught.value).startswith("some.json")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"rooms": 1' + b"0" * 5000 + b"}"])
def test_a_file_that_is_no_json_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "house.json"
    path.write_bytes(content)
    with pytest.raises(HouseFileError, match="not JSON"):
        read_house(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HouseFileError, match="cannot be read"):
        read_house(tmp_path / "none.json")


def test_houses_from_elsewhere_have_thin_walls_so_that_pictures_hang_before_them() -> None:
    assert house_from(L_SHAPED).thickness < 0.02
    assert generate_house(2, 0, 3).thickness == 0.12


def test_an_l_shaped_house_can_be_walked_and_photographed() -> None:
    world = embree_world(house_from(L_SHAPED), 0)
    cameras = exploration_cameras(world.scene, world.renderer, world.floor, 48, 6)
    assert len(cameras) >= 4
    ids = {instance.id for instance in world.scene.instances}
    assert {"DiningTable|2|1", "Bowl|surface|2|0", "door|1|2", "floor|room|2", "wall|2|0"} <= ids
    for camera in cameras:
        assert (world.renderer.view(camera).maps.depth > 0).mean() > 0.9
