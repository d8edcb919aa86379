"""Reads back what `make` wrote, for counts and pictures; ordinary POVBench folders are read as far as they go."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.scenes.errors import DatasetFolderError
from tools.camera import Camera

DIRECTIONS = ("right", "left", "front", "up")


@dataclass(frozen=True, eq=False)
class MadeHouse:
    """One house of a dataset.

    Attributes:
        name: Its id.
        folder: Its folder.
        pairs: The pairs as in the file.
        log: The exploration log as in the file.
        report: What is known of how it was made; empty for houses made elsewhere.
    """

    name: str
    folder: Path
    pairs: list[dict[str, Any]]
    log: list[dict[str, Any]]
    report: dict[str, Any]


def read_dataset(data: Path) -> list[MadeHouse]:
    """Reads every house of a dataset in POVBench's layout, in the order of their names.

    Raises:
        DatasetFolderError: If the folder holds no house, or a file is broken.
    """
    folders = sorted(folder for folder in (data / "artifacts").glob("*") if folder.is_dir())
    houses = []
    for folder in folders:
        file = folder / f"{folder.name}.json"
        if not file.is_file():
            file = data / f"{folder.name}.json"
        if file.is_file():
            log = folder / "exploration_log.json"
            report = folder / "generation.json"
            houses.append(
                MadeHouse(
                    folder.name,
                    folder,
                    _list(file),
                    _list(log) if log.is_file() else [],
                    _dict(report) if report.is_file() else {},
                )
            )
    if not houses:
        raise DatasetFolderError(
            f"{data}: holds no house in POVBench's layout: give the folder that has artifacts/train_house_…"
        )
    return houses


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DatasetFolderError(f"{path}: cannot be read ({error.strerror}): check the folder") from error
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise DatasetFolderError(f"{path}: is not JSON ({error}): make or download it again") from error


def _list(path: Path) -> list[dict[str, Any]]:
    value = _json(path)
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise DatasetFolderError(f"{path}: is not a list of objects: make or download it again")
    return value


def _dict(path: Path) -> dict[str, Any]:
    value = _json(path)
    if not isinstance(value, dict):
        raise DatasetFolderError(f"{path}: is not an object: make or download it again")
    return value


def camera_of(entry: dict[str, Any], where: str) -> Camera:
    """A camera under the release's keys.

    Raises:
        DatasetFolderError: If a part is missing or no number; `where` stands in the message.
    """
    try:
        x, y, z = (float(v) for v in entry["cam_pos"])
        width, height = int(entry["screen_width"]), int(entry["screen_height"])
        return Camera(
            (x, y, z), float(entry["cam_yaw"]), float(entry["cam_horizon"]), float(entry["fov"]), width, height
        )
    except (KeyError, TypeError, ValueError) as error:
        raise DatasetFolderError(
            f"{where}: camera: {error!r} is missing or no number: make or download it again"
        ) from error


def directions_of(pair: dict[str, Any]) -> list[str]:
    """Directions for which a pair has a sentence."""
    given = pair.get("stage6")
    sentences = given if isinstance(given, dict) else {}
    return [d for d in DIRECTIONS if isinstance(sentences.get(d), dict) and sentences[d].get("type_c")]


def position_of(pair: dict[str, Any], direction: str, where: str) -> tuple[float, float, float]:
    """The target's position as placed, metres.

    Raises:
        DatasetFolderError: If it is missing or no number.
    """
    try:
        entry = pair["placements"][direction]["position"]
        return float(entry["x"]), float(entry["y"]), float(entry["z"])
    except (KeyError, TypeError, ValueError) as error:
        raise DatasetFolderError(
            f"{where}: placements.{direction}: {error!r} is missing or no number: make or download it again"
        ) from error
