"""Datasets, one layout each, found by name or recognised by their folder."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from agents.registry import Registry
from evals.dataset_kind import DatasetError, DatasetKind, dataset
from evals.sample import Dataset

DATASETS = Registry("dataset", "evals.datasets", DatasetKind, "situate.datasets")

BUILT_IN = Path(__file__).parent / "builtin"
"""Three houses of our own, made by `evals scenes make`: what a run without `--data` uses."""


def open_dataset(data: Path | str | Dataset | None) -> Dataset:
    """Opens a dataset, recognising its layout.

    Args:
        data: Its folder, an open dataset, or None for the built-in one.

    Raises:
        DatasetError: If the folder is missing or holds no known layout.
    """
    if data is not None and not isinstance(data, (str, Path)):
        return data
    folder = BUILT_IN if data is None else Path(data)
    if not folder.is_dir():
        raise DatasetError(f"{folder}: no such folder; --data takes the folder of a dataset")
    kinds = DATASETS.all()
    for kind in kinds:
        if kind.recognises(folder):
            opened: object = kind.open(folder)
            if not all(hasattr(opened, name) for name in ("samples", "truth_for", "problems")):
                kind_of = type(opened).__name__
                raise DatasetError(f"dataset {kind.name}: its function must return a Dataset, not a {kind_of}")
            return cast(Dataset, opened)
    known = "; ".join(f"{kind.name} ({kind.summary})" for kind in kinds)
    raise DatasetError(f"{folder}: holds no known layout; known ones: {known}")


__all__ = ["BUILT_IN", "DATASETS", "DatasetError", "DatasetKind", "dataset", "open_dataset"]
