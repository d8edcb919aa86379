"""Data sets are found by the name of the function that opens them."""

from __future__ import annotations

from evals.dataset_kind import DatasetKind, dataset
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
