"""Data sets are found by the name of the function that opens them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from evals.dataset_kind import DatasetError, DatasetKind, dataset
from evals.datasets import open_dataset
from evals.datasets.povbench import povbench


def test_a_function_becomes_a_kind_of_its_name():
    @dataset(recognises=lambda root: root.name == "mine")
    def mine(root):
        """My layout.

        More of it.
        """
        return root

    assert isinstance(mine, DatasetKind)
    assert (mine.name, mine.summary) == ("mine", "My layout.")


def test_povbench_is_registered_under_its_module_name():
    assert isinstance(povbench, DatasetKind)
    assert povbench.name == "povbench"
    assert "POVBench" in povbench.summary


def test_conditions_are_named_in_the_papers_order(tmp_path):
    (tmp_path / "train_house_00001.json").write_text("[]")
    opened = povbench.open(tmp_path)
    assert (opened.name, opened.conditions) == ("povbench", ("inferred", "stated", "given"))


def test_a_function_that_returns_no_dataset_is_named(tmp_path, monkeypatch):
    def unfinished(folder):
        """Not written yet."""

    kind = dataset(recognises=lambda folder: True)(unfinished)
    monkeypatch.setattr("evals.datasets.DATASETS", SimpleNamespace(all=lambda: [kind]))
    with pytest.raises(DatasetError, match="dataset unfinished: its function must return a Dataset, not a NoneType"):
        open_dataset(tmp_path)
