"""Reads back what `make` wrote, for counts and pictures; ordinary POVBench folders are read as far as they go."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from evals.datasets.povbench.fields import LIMIT
from evals.scenes.errors import DatasetFolderError
from evals.scenes.procthor import place_of
from evals.scenes.tour import COMMANDS, NO_TRUTH
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


class _Report(BaseModel):
    rooms: list[dict[str, Any]] = []
    rejected: dict[str, int] = {}


class _Own(BaseModel):
    flags: list[str] = []


class _Pair(BaseModel):
    camera: dict[str, Any] = {}
    object_observer: dict[str, Any] | None = None
    object_landmark: dict[str, Any] | None = None
    stage3: dict[str, dict[str, Any] | None] = {}
    situate: _Own | None = None


class _Stop(BaseModel):
    camera: dict[str, Any] = {}


_REPORT, _PAIRS, _LOG = TypeAdapter(_Report), TypeAdapter(list[_Pair]), TypeAdapter(list[_Stop])
"""What must be as the layout says wherever it stands; all else is passed over."""


def read_dataset(data: Path) -> list[MadeHouse]:
    """Reads every house of a dataset in POVBench's layout, in the order of their names.

    Raises:
        DatasetFolderError: If the folder holds no house, or a file is broken.
    """
    return [read_made(data, folder) for folder in house_folders(data)]


def house_folders(data: Path) -> list[Path]:
    """Finds the folders of a dataset's houses, in the order of their names.

    Raises:
        DatasetFolderError: If there is none.
    """
    folders = sorted(folder for folder in (data / "artifacts").glob("*") if folder.is_dir())
    folders = [folder for folder in folders if _pairs_file(data, folder).is_file()]
    if not folders and (data / COMMANDS).is_file():
        raise DatasetFolderError(f"{data}: holds frames of a real video with {NO_TRUTH}; there is nothing to count")
    if not folders:
        raise DatasetFolderError(
            f"{data}: holds no house in POVBench's layout: give the folder that has artifacts/train_house_…"
        )
    return folders


def read_made(data: Path, folder: Path) -> MadeHouse:
    """Reads one house of a dataset.

    Args:
        data: The dataset's folder.
        folder: The house's, one of `house_folders`.

    Raises:
        DatasetFolderError: If a file of it is broken.
    """
    log = folder / "exploration_log.json"
    report = folder / "generation.json"
    return MadeHouse(
        folder.name,
        folder,
        _checked(_pairs_file(data, folder), _PAIRS, "a list of objects"),
        _checked(log, _LOG, "a list of objects") if log.is_file() else [],
        _checked(report, _REPORT, "an object") if report.is_file() else {},
    )


def _pairs_file(data: Path, folder: Path) -> Path:
    beside = folder / f"{folder.name}.json"
    return beside if beside.is_file() else data / beside.name


def _checked(path: Path, form: TypeAdapter[Any], what: str) -> Any:
    """A file's content as it stands, once it has the form."""
    cure = "make or download it again"
    try:
        value = json.loads(path.read_bytes())
        form.validate_python(value, strict=True)
    except OSError as error:
        raise DatasetFolderError(f"{path}: cannot be read ({error.strerror}): check the folder") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = place_of(first["loc"])
        raise DatasetFolderError(f"{path}: is not {what} as it should be: {place}: {first['msg']}: {cure}") from error
    except (ValueError, RecursionError) as error:
        raise DatasetFolderError(f"{path}: is not JSON ({error}): {cure}") from error
    return value


def camera_of(entry: dict[str, Any], where: str) -> Camera:
    """A camera under the release's keys.

    Raises:
        DatasetFolderError: If a part is missing or no sensible number; `where` stands in the message.
    """
    try:
        position = point_of(entry["cam_pos"])
        yaw, horizon, fov = (_number(entry[key]) for key in ("cam_yaw", "cam_horizon", "fov"))
        width, height = (_number(entry[key]) for key in ("screen_width", "screen_height"))
        if not (0 < fov < 180 and width >= 1 and height >= 1):
            raise ValueError(f"fov {fov:g} or a picture of {width:g} x {height:g}")
        return Camera(position, yaw, horizon, fov, int(width), int(height))
    except _WRONG as error:
        raise DatasetFolderError(
            f"{where}: camera: {error!r} is missing or no sensible number: make or download it again"
        ) from error


_WRONG = (LookupError, TypeError, ValueError, OverflowError)


def _number(value: Any) -> float:
    number = float(value)
    if not -LIMIT <= number <= LIMIT:
        raise ValueError(f"{number:g}")
    return number


def point_of(values: Any) -> tuple[float, float, float]:
    """Three numbers as a point.

    Raises:
        TypeError, ValueError, OverflowError: If they are no three sensible numbers.
    """
    x, y, z = (_number(value) for value in values)
    return x, y, z


def directions_of(pair: dict[str, Any]) -> list[str]:
    """Directions for which a pair has a sentence."""
    given = pair.get("stage6")
    sentences = given if isinstance(given, dict) else {}
    return [d for d in DIRECTIONS if isinstance(sentences.get(d), dict) and sentences[d].get("type_c")]


def position_of(pair: dict[str, Any], direction: str, where: str) -> tuple[float, float, float]:
    """The target's position as placed, metres.

    Raises:
        DatasetFolderError: If it is missing or no sensible number.
    """
    try:
        entry = pair["placements"][direction]["position"]
        return point_of([entry[axis] for axis in "xyz"])
    except _WRONG as error:
        raise DatasetFolderError(
            f"{where}: placements.{direction}: {error!r} is missing or no sensible number: make or download it again"
        ) from error
