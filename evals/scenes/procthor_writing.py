"""Writes houses as ProcTHOR's JSON, so that AI2-THOR takes them.

What AI2-THOR has no asset for (decoration) is kept apart under `metadata.situate`, where Unity does not look.
"""

from __future__ import annotations

import math
from typing import Any

from evals.scenes.house import House, Item, Opening, Room, Wall


def house_json(house: House) -> dict[str, Any]:
    """Writes a generated house as a ProcTHOR document.

    Args:
        house: A house; one that was read from a file gives back what was read.

    Returns:
        Plain JSON values, keys in the order of ProcTHOR's own files.
    """
    if house.source:
        return house.source
    walls = {wall.id: wall for wall in house.walls}
    real = [item for item in house.items if not item.decor]
    number = {room.id: str(index) for index, room in enumerate(house.rooms)}
    x, z = house.entrance
    return {
        "doors": [
            _hole_json(door, walls, {"openable": not door.outside, "openness": 0 if door.closed else 1})
            for door in house.doors
        ],
        "metadata": {
            "agent": {
                "horizon": 30,
                "position": {"x": x, "y": 0.95, "z": z},
                "rotation": {"x": 0, "y": 0, "z": 0},
                "standing": True,
            },
            "roomSpecId": "situate",
            "schema": "1.0.0",
            "situate": {"decor": [_object_json(item, []) for item in house.items if item.decor]},
        },
        "objects": [
            _object_json(item, [child for child in real if child.parent == item.id]) for item in real if not item.parent
        ],
        "proceduralParameters": {
            "ceilingMaterial": {"name": "PureWhite"},
            "floorColliderThickness": 1.0,
            "lights": [_SUN, *(_lamp(room, house.height, number[room.id]) for room in house.rooms)],
            "receptacleHeight": 0.7,
            "reflections": [],
            "skyboxId": "SkyEmeryville",
        },
        "rooms": [
            {
                "ceilings": [],
                "children": [],
                "floorMaterial": {"name": "OrangeCabinet" if room.kind != "Bathroom" else "BathroomTile"},
                "floorPolygon": [{"x": px, "y": 0, "z": pz} for px, pz in room.polygon],
                "id": room.id,
                "roomType": room.kind,
                "layer": f"Procedural{index % 4}",
            }
            for index, room in enumerate(house.rooms)
        ],
        "walls": [_wall_json(wall, number) for wall in house.walls],
        "windows": [_hole_json(window, walls, {}) for window in house.windows],
    }


_SHADOW = {
    "type": "Soft",
    "strength": 1,
    "normalBias": 0,
    "bias": 0,
    "nearPlane": 0.2,
    "resolution": "FromQualitySettings",
}
_SUN = {
    "id": "DirectionalLight",
    "indirectMultiplier": 1.0,
    "intensity": 1,
    "position": {"x": 0.84, "y": 0.1855, "z": -1.09},
    "rgb": {"r": 1.0, "g": 1.0, "b": 1.0},
    "rotation": {"x": 66, "y": 75, "z": 0},
    "shadow": _SHADOW,
    "type": "directional",
}


def _lamp(room: Room, height: float, number: str) -> dict[str, Any]:
    x = sum(c[0] for c in room.polygon) / len(room.polygon)
    z = sum(c[1] for c in room.polygon) / len(room.polygon)
    return {
        "id": f"light_{room.id.split('|')[-1]}",
        "intensity": 0.45,
        "position": {"x": x, "y": height - 0.2, "z": z},
        "range": 15,
        "rgb": {"r": 1.0, "g": 0.855, "b": 0.722},
        "shadow": {**_SHADOW, "bias": 0.05},
        "type": "point",
        "layer": f"Procedural{int(number) % 4}",
    }


def _wall_json(wall: Wall, number: dict[str, str]) -> dict[str, Any]:
    (x0, z0), (x1, z1) = wall.start, wall.end
    corners = [(x0, 0, z0), (x1, 0, z1), (x0, wall.height, z0), (x1, wall.height, z1)]
    return {
        "id": wall.id,
        "material": {"name": "PureWhite"},
        "polygon": [{"x": x, "y": y, "z": z} for x, y, z in corners],
        "roomId": wall.room,
        "layer": f"Procedural{int(number.get(wall.room, '0')) % 4}",
    }


def _hole_json(opening: Opening, walls: dict[str, Wall], extra: dict[str, Any]) -> dict[str, Any]:
    wall = walls[opening.walls[0]]
    low, high = sorted(math.dist(wall.start, end) for end in (opening.start, opening.end))
    return {
        "assetId": opening.asset,
        "id": opening.id,
        **extra,
        "room0": opening.rooms[0],
        "room1": opening.rooms[1],
        "wall0": opening.walls[0],
        "wall1": opening.walls[1],
        "holePolygon": [{"x": low, "y": opening.low, "z": 0}, {"x": high, "y": opening.high, "z": 0}],
        "assetPosition": {"x": (low + high) / 2, "y": (opening.low + opening.high) / 2, "z": 0},
    }


def _object_json(item: Item, children: list[Item]) -> dict[str, Any]:
    x, y, z = item.position
    entry: dict[str, Any] = {
        "assetId": item.asset,
        "children": [_object_json(child, []) for child in children],
        "id": item.id,
        "kinematic": True,
        "position": {"x": x, "y": y, "z": z},
        "rotation": {"x": 0, "y": item.yaw, "z": 0},
    }
    if item.decor:
        entry["size"] = list(item.size)
    return entry
