"""Counts of a dataset as in the paper's section 4.4 and figure 6, and why candidates were rejected."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from evals.scenes.errors import DatasetFolderError
from evals.scenes.reading import (
    DIRECTIONS,
    MadeHouse,
    camera_of,
    directions_of,
    house_folders,
    position_of,
    read_made,
)
from tools.camera import project

PAPER = {
    "houses": 47,
    "pairs": 288,
    "instances_a_condition": 813,
    "directions_a_pair": 2.8,
    "front": 0.97,
    "up": 0.66,
    "left": 0.62,
    "right": 0.58,
    "observer_view_in_frame": 0.929,
}
"""What the paper's section 4.4 reports of POVBench."""


def stats(data: Path) -> dict[str, Any]:
    """Counts a dataset.

    Args:
        data: A folder in POVBench's layout.

    Returns:
        `houses`, `pairs`, `instances_a_condition`, `frames`, `directions_a_pair`; share of pairs with each direction;
        `observer_view_in_frame`, the share of targets whose middle falls into the observer's picture; and counts:
        `rooms_a_house`, `room_kinds`, `observers`, `anchors`, `surfaces`, `targets`, `flags`, `rejected` by reason.
        Shares are None for a dataset without pairs. `broken` says which houses cannot be read and are left out.
        `paper` repeats the paper's figures.

    Raises:
        DatasetFolderError: If the folder holds no house that can be read.
    """
    houses, in_view, broken = _readable(data)
    pairs = [pair for house in houses for pair in house.pairs if directions_of(pair)]
    with_direction = Counter(direction for pair in pairs for direction in directions_of(pair))
    instances = sum(with_direction.values())
    counts = _counts(pairs)
    rejected: Counter[str] = Counter()
    for house in houses:
        rejected.update(house.report.get("rejected", {}))
    rooms = Counter(len(house.report["rooms"]) for house in houses if "rooms" in house.report)
    kinds = Counter(str(room.get("kind")) for house in houses for room in house.report.get("rooms", []))
    return {
        "houses": len(houses),
        "pairs": len(pairs),
        "instances_a_condition": instances,
        "frames": sum(len(house.log) for house in houses),
        "directions_a_pair": _share(instances, len(pairs)),
        **{direction: _share(with_direction[direction], len(pairs)) for direction in DIRECTIONS},
        "observer_view_in_frame": _share(sum(in_view), len(in_view)),
        "rooms_a_house": {str(k): rooms[k] for k in sorted(rooms)},
        "room_kinds": dict(kinds.most_common()),
        **counts,
        "rejected": dict(sorted(rejected.items())),
        "broken": broken,
        "paper": PAPER,
    }


def _readable(data: Path) -> tuple[list[MadeHouse], list[bool], list[str]]:
    """The houses that can be read, whether each of their targets is in view, and what is wrong with the others."""
    houses: list[MadeHouse] = []
    in_view: list[bool] = []
    broken: list[DatasetFolderError] = []
    for folder in house_folders(data):
        try:
            house = read_made(data, folder)
            in_view += [inside for pair in house.pairs if directions_of(pair) for inside in _in_view(house, pair)]
            houses.append(house)
        except DatasetFolderError as error:
            broken.append(error)
    if not houses:
        raise broken[0]
    return houses, in_view, [str(error) for error in broken]


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _in_view(house: MadeHouse, pair: dict[str, Any]) -> list[bool]:
    where = f"{house.name}: {pair.get('pair_id')}"
    camera = camera_of(pair.get("camera", {}), where)
    points = [position_of(pair, direction, where) for direction in directions_of(pair)]
    return [bool(inside) for inside in project(camera, points).in_frame]


def _counts(pairs: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    observers: Counter[str] = Counter()
    anchors: Counter[str] = Counter()
    surfaces: Counter[str] = Counter()
    targets: Counter[str] = Counter()
    flags: Counter[str] = Counter()
    for pair in pairs:
        observers[_type_of(pair, "object_observer", "observer_type")] += 1
        anchors[_type_of(pair, "object_landmark", "landmark_type")] += 1
        flags.update((pair.get("situate") or {}).get("flags", []))
        for direction in directions_of(pair):
            judged = pair.get("stage3", {}).get(direction) or {}
            surfaces[str(judged.get("surface") or "unknown")] += 1
            if judged.get("target"):
                targets[str(judged["target"])] += 1
    named = {"observers": observers, "anchors": anchors, "surfaces": surfaces, "targets": targets, "flags": flags}
    return {name: dict(counter.most_common()) for name, counter in named.items()}


def _type_of(pair: dict[str, Any], key: str, short: str) -> str:
    if isinstance(pair.get(short), str):
        return str(pair[short])
    thing = pair.get(key)
    raw = thing.get("raw_metadata") if isinstance(thing, dict) else None
    return str(raw.get("objectType", "unknown")) if isinstance(raw, dict) else "unknown"
