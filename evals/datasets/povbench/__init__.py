"""POVBench, a benchmark of contextual observer grounding, in the layout in which its authors publish it."""

from __future__ import annotations

from pathlib import Path

from evals.dataset_kind import dataset
from evals.datasets.povbench.benchmark import read_benchmark
from evals.datasets.povbench.layout import holds_povbench
from evals.sample import Dataset


@dataset(recognises=holds_povbench)
def povbench(root: Path) -> Dataset:
    """POVBench: point at a target that a sentence places as its observer saw it (Inferred, Stated, Given).

    Args:
        root: The folder that holds `artifacts`.

    Returns:
        The data set; what is wrong in it stands in its `problems`.

    Raises:
        DatasetError: If the folder is missing or holds no house.
    """
    return read_benchmark(root)


__all__ = ["povbench"]
