"""The frame of a run: one row an item and repeat, with answer, truth and scores."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from evals.datasets import open_dataset
from evals.reporting.result import RunResult
from evals.running.store import Store, StoreError

COLUMNS = [
    "sample",
    "scene",
    "pair",
    "direction",
    "condition",
    "instance",
    "graph",
    "model",
    "no_vlm",
    "repeat",
    "status",
    "reason",
    "answer_frame",
    "answer_x",
    "answer_y",
    "truth_x",
    "truth_y",
    "truth_in_frame",
    "calls",
    "seconds",
    "l2",
    "frame_correct",
]


def test_frame_has_a_row_an_item_and_repeat_with_all_columns(run):
    frame = run.frame()
    # 12 instances in 3 conditions for one graph and in 2 for the other, with 3 models, twice.
    assert len(frame) == 12 * (3 + 2) * 3 * 2
    assert set(COLUMNS) <= set(frame.columns)
    assert not frame.duplicated(["sample", "graph", "model", "repeat"]).any()
    assert set(frame["status"]) == {"answered", "unreadable", "failed"}


def test_scores_follow_from_answer_and_truth_and_are_nan_without_an_answer(run):
    frame = run.frame()
    for row in frame.itertuples():
        if row.status != "answered":
            assert math.isnan(row.l2)
            assert math.isnan(row.abs_x)
            continue
        answer = np.clip([row.answer_x, row.answer_y], 0, 1)
        assert row.l2 == pytest.approx(math.dist(answer, (row.truth_x, row.truth_y)), abs=1e-12)


def test_truth_is_of_the_frame_that_was_answered(run):
    golden = open_dataset(Path(__file__).parents[2] / "golden" / "povbench" / "dataset")
    frame = run.frame()
    answered = frame[frame["status"] == "answered"]
    assert len(answered) > 200
    for row in answered.itertuples():
        truth = golden.truth_for(row.sample, {"frame": row.answer_frame})
        assert (row.truth_x, row.truth_y, row.truth_in_frame) == (truth["x"], truth["y"], truth["in_frame"])


def test_a_run_that_has_not_begun_has_an_empty_frame_and_says_so(tmp_path):
    Store.create(tmp_path / "run").close()
    result = RunResult(tmp_path / "run")
    assert result.frame().empty
    assert {"sample", "graph", "model", "repeat", "status"} <= set(result.frame().columns)
    assert (result.rows(), str(result)) == ([], "no item has ended yet")


def test_a_folder_without_a_run_is_named_with_the_cure(tmp_path):
    with pytest.raises(StoreError, match="holds no run; give the folder that `evals run` named"):
        RunResult(tmp_path).frame()
