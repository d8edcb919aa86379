"""Reads the predictions that the authors' scripts write: one file, shards of workers, or one list for each house."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.dataset_kind import DatasetError
from evals.datasets.povbench.fields import BrokenFieldError, BrokenFileError, Field, read_json

DEFAULT_SIZE = (512, 512)
"""The size in which the authors' scripts ask for pixels; lists for each house do not say it."""

NO_PREDICTIONS = frozenset({"meta.json", "eval_results.json"})
"""Files that the authors' scripts leave beside predictions."""

Size = tuple[int, int]


@dataclass(frozen=True)
class PredictionRow:
    """One prediction.

    Attributes:
        place: The file and the row, for messages.
        house: Its house.
        pair: Its pair.
        direction: Its direction.
        kind: `a`, `b` or `c`.
        values: The row as it stands in the file.
        size: Width and height in which its pixels are meant.
    """

    place: str
    house: str
    pair: str
    direction: str
    kind: str
    values: Mapping[str, Any]
    size: Size

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What makes a prediction unique."""
        return (self.house, self.pair, self.direction, self.kind)


@dataclass(frozen=True)
class Predictions:
    """All predictions of a run.

    Attributes:
        rows: The predictions, an instance once.
        metadata: What the first file says of the run.
        problems: What was left out, one line each.
    """

    rows: tuple[PredictionRow, ...]
    metadata: Mapping[str, Any]
    problems: tuple[str, ...]


def read_predictions(path: Path, houses: Collection[str]) -> Predictions:
    """Reads predictions from a file or from a folder of files.

    After the authors' merge a folder holds each row twice, in a worker's shard and in a house's list. Their scorer
    counts both; here the first row of an instance counts, which is their rule for merging.

    Args:
        path: A JSON file ({..., "predictions": [...]}, or a list), or a folder of such files.
        houses: Ids of the data set's houses; a list named after one may lack `house_id`.

    Returns:
        The predictions, in the order of the files by name.

    Raises:
        DatasetError: If a file is broken, or a row does not say what it predicts.
    """
    if not path.exists():
        raise DatasetError(f"{path}: is missing; give a predictions file, or the folder that holds its parts")
    problems: list[str] = []
    metadata: Mapping[str, Any] = {}
    rows: list[PredictionRow] = []
    for file in _files(path):
        content = _read(file)
        if isinstance(content, dict) and "predictions" not in content and path.is_dir():
            problems.append(f"{file.name}: holds no predictions; passed over")
            continue
        listed = Field("", content)["predictions"] if isinstance(content, dict) else Field("predictions", content)
        metadata = metadata or (_metadata(content) if isinstance(content, dict) else {})
        own = _metadata(content) if isinstance(content, dict) else {}
        try:
            if listed.missing:
                raise listed.broken("a list")
            size = _size(own) or _size(metadata) or DEFAULT_SIZE
            rows += [_row(item, file, houses, size) for item in listed.items()]
        except BrokenFieldError as error:
            raise DatasetError(f"{file}: {error}; correct it or write the predictions again") from error
    if not rows:
        raise DatasetError(f"{path}: holds no predictions; give a file of the authors' scripts or of `evals run`")
    return Predictions(_once_each(rows, problems), metadata, tuple(problems))


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.glob("*.json") if file.name not in NO_PREDICTIONS)


def _read(file: Path) -> Any:
    real = file.resolve()
    try:
        content = read_json(real, real.parent)
    except BrokenFileError as error:
        raise DatasetError(f"{file}: {error}") from error
    if not isinstance(content, dict | list):
        raise DatasetError(f"{file}: must hold a list of predictions or an object with one; give another file")
    return content


def _metadata(content: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a file says of the run, under `metadata` or beside the predictions."""
    nested = content.get("metadata")
    if isinstance(nested, dict) and nested:
        return nested
    return {key: content[key] for key in ("vlm", "types", "screen_width", "screen_height") if key in content}


def _size(metadata: Mapping[str, Any]) -> Size | None:
    described = Field("", metadata)
    width, height = described["screen_width"], described["screen_height"]
    if width.missing and height.missing:
        return None
    return (width.pixels(), height.pixels())


def _row(item: Field, file: Path, houses: Collection[str], size: Size) -> PredictionRow:
    house = item["house_id"]
    if house.missing and file.stem in houses:
        house = Field(house.path, file.stem)
    kind = item["type"]
    if kind.value not in ("a", "b", "c"):
        raise kind.broken('"a", "b" or "c"')
    return PredictionRow(
        place=f"{file.name}: {item.path}",
        house=house.text(),
        pair=item["pair_id"].text(),
        direction=item["direction"].text(),
        kind=kind.text(),
        values=item.mapping(),
        size=size,
    )


def _once_each(rows: list[PredictionRow], problems: list[str]) -> tuple[PredictionRow, ...]:
    first: dict[tuple[str, str, str, str], PredictionRow] = {}
    repeated: dict[str, list[PredictionRow]] = {}
    for row in rows:
        if row.key in first:
            repeated.setdefault(row.place.partition(":")[0], []).append(row)
        else:
            first[row.key] = row
    for file, again in repeated.items():
        differing = sum(row.values != first[row.key].values for row in again)
        problems.append(
            f"{file}: {len(again)} predictions are for instances that came before, {differing} of them with other "
            "values; the first of each counts, score several runs one by one"
        )
    return tuple(first.values())
