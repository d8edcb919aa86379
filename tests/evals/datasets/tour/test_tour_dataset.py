from pathlib import Path

import cv2
import numpy as np
import pytest

import evals
from evals.dataset_kind import DatasetError
from evals.datasets.tour import holds_tour, tour
from evals.reporting.show import as_records, find_items
from evals.reporting.units import ComparisonError

COMMANDS = """
scenarios:
  - name: entrance
    observer: mirror
    anchor: table
    observer_view: frame_001.png
    directions:
      right:
        inferred: While tidying up, I saw the keys on the right side of the table.
        given: The keys were on the right side of the table.
      up:
        stated: While wiping the mirror, I saw the keys on top of the table.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "frames").mkdir()
    for number in range(3):
        cv2.imwrite(str(tmp_path / "frames" / f"frame_{number:03d}.png"), np.full((32, 32, 3), 60 * number, np.uint8))
    (tmp_path / "commands.yaml").write_text(COMMANDS)
    return tmp_path


def test_each_command_is_a_sample_with_the_frames_of_its_condition(folder: Path) -> None:
    assert holds_tour(folder)
    samples = {sample.id.split("/", 1)[1]: sample for sample in tour.open(folder).samples()}
    assert set(samples) == {"entrance/right/inferred", "entrance/up/stated", "entrance/right/given"}
    inferred, given = samples["entrance/right/inferred"], samples["entrance/right/given"]
    assert [frame.id for frame in inferred.situation.frames] == ["frame_000.png", "frame_001.png", "frame_002.png"]
    assert [frame.id for frame in given.situation.frames] == ["frame_001.png"]
    assert given.situation.question == "The keys were on the right side of the table."
    assert inferred.keys["scene"] == given.keys["scene"]
    assert len({sample.digest for sample in samples.values()}) == 3


def test_it_says_that_there_is_no_truth(folder: Path) -> None:
    data = tour.open(folder)
    assert any("no ground truth" in str(problem) and not problem.fatal for problem in data.problems)
    sample = next(data.samples())
    truth = data.truth_for(sample.id, {"frame": "frame_000.png"})
    assert truth["known"] is False
    assert "no ground truth" in truth["why"]


def test_a_changed_picture_changes_the_sample(folder: Path) -> None:
    before = {sample.id: sample.digest for sample in tour.open(folder).samples()}
    cv2.imwrite(str(folder / "frames" / "frame_001.png"), np.full((32, 32, 3), 9, np.uint8))
    after = {sample.id: sample.digest for sample in tour.open(folder).samples()}
    assert before.keys() == after.keys()
    assert all(before[name] != after[name] for name in before)


def test_frames_without_commands_are_refused(folder: Path) -> None:
    (folder / "commands.yaml").write_text("scenarios: []\n")
    with pytest.raises(DatasetError, match="0 commands"):
        tour.open(folder)


def test_other_folders_are_not_taken_for_a_tour(tmp_path: Path) -> None:
    assert not holds_tour(tmp_path)
    assert not holds_tour(tmp_path / "none")


def test_a_run_stores_answers_without_scores_and_says_why(folder: Path) -> None:
    result = evals.run("basic", model="center", data=folder, out=folder / "run", progress=False)
    assert [item.status for item in result.items()] == ["answered"] * 3
    assert all(item.row["truth"]["known"] is False for item in result.items())
    assert all(row["l2"] is None and row["l2_std"] is None for row in result.rows())
    assert [row["answered"] for row in result.rows() if row["breakdown"] == "all"] == [1, 1, 1]
    table = str(result)
    assert "–: no ground truth: " in table
    assert "Means over" not in table
    (record,) = as_records(result, find_items(result, "up/stated"))
    assert set(record["scores"].values()) == {None}


def test_such_a_run_is_compared_with_nothing(folder: Path) -> None:
    result = evals.run("basic", model="center", data=folder, out=folder / "run", progress=False)
    with pytest.raises(ComparisonError, match=r"no ground truth: [^\n]*$"):
        result.compare("basic")
