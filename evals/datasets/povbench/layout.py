"""Where POVBench keeps the files of a house.

Two variants are published: the pairs of a house beside its pictures in `artifacts/<house>/`, or in the data set's root.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evals.dataset_kind import DatasetError

PAIRS_FILES = "train_house_*.json"
HOUSE_FOLDERS = "train_house_*"
FRAMES_FOLDER = "exploration_images"
EXPLORATION_LOG = "exploration_log.json"
HOUSE_PLAN = "house.json"
"""The house in ProcTHOR's form. Not in the published data; `evals scenes make` writes it beside them."""


@dataclass(frozen=True)
class HouseFiles:
    """The files of one house.

    Attributes:
        id: The house, named after its file of pairs.
        pairs: The file of pairs; may be missing where there is a folder.
        folder: The folder of its pictures and its exploration log; may be missing.
    """

    id: str
    pairs: Path
    folder: Path


def holds_povbench(root: Path) -> bool:
    """Whether a folder looks like POVBench: pairs of a house in its root, or under `artifacts`."""
    return any(root.glob(PAIRS_FILES)) or any((root / "artifacts").glob(f"*/{PAIRS_FILES}"))


def find_houses(root: Path) -> list[HouseFiles]:
    """Finds the houses of a data set.

    A house that has a file of pairs in the root and another under `artifacts` is read from the root, as published.

    Args:
        root: The data set's folder.

    Returns:
        The houses in the order of their ids.

    Raises:
        DatasetError: If the folder is missing or holds no house.
    """
    cure = "give the folder that holds POVBench's artifacts"
    try:
        if not root.exists():
            raise DatasetError(f"{root}: there is no such folder; {cure}")
        if not root.is_dir():
            raise DatasetError(f"{root}: is not a folder; {cure}")
    except OSError as error:
        raise DatasetError(f"{root}: cannot be read ({error.strerror}); check its permissions") from error
    artifacts = root / "artifacts"
    houses = {
        folder.name: HouseFiles(folder.name, folder / f"{folder.name}.json", folder)
        for folder in artifacts.glob(HOUSE_FOLDERS)
        if folder.is_dir()
    }
    for pairs in (*artifacts.glob(f"*/{PAIRS_FILES}"), *root.glob(PAIRS_FILES)):
        houses[pairs.stem] = HouseFiles(pairs.stem, pairs, _pictures_of(pairs, root))
    if not houses:
        raise DatasetError(f"{root}: holds no {PAIRS_FILES}, neither itself nor in artifacts/<house>/; {cure}")
    return [houses[house] for house in sorted(houses)]


def _pictures_of(pairs: Path, root: Path) -> Path:
    published = root / "artifacts" / pairs.stem
    if published.is_dir():
        return published
    return root / pairs.stem if pairs.parent == root else pairs.parent
