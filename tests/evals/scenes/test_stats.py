import json
from pathlib import Path
from typing import Any

import pytest

from evals.scenes.errors import DatasetFolderError
from evals.scenes.reading import directions_of, read_dataset
from evals.scenes.stats import stats

CAMERA = {"cam_pos": [0, 1.5, 0], "cam_yaw": 0, "cam_horizon": 0, "fov": 90, "screen_width": 100, "screen_height": 100}


def pair(name: str, **positions: tuple[float, float, float]) -> dict[str, Any]:
    return {
        "pair_id": name,
        "camera": CAMERA,
        "observer_type": "Sofa",
        "landmark_type": "Bed",
        "placements": {d: {"position": dict(zip("xyz", p, strict=True))} for d, p in positions.items()},
        "stage3": {d: {"verdict": "appropriate", "surface": "on the floor", "target": "Mug"} for d in positions},
        "stage5": {},
        "stage6": {d: {"type_c": "The mug was there."} for d in positions},
    }


def write(root: Path, pairs: list[Any], report: dict[str, Any] | None = None) -> Path:
    folder = root / "artifacts" / "train_house_00000"
    folder.mkdir(parents=True)
    (folder / "train_house_00000.json").write_text(json.dumps(pairs))
    (folder / "exploration_log.json").write_text("[{}, {}]")
    if report is not None:
        (folder / "generation.json").write_text(json.dumps(report))
    return root


def test_counts_are_those_of_the_papers_section_4_4(tmp_path: Path) -> None:
    # A camera at 1.5 m that looks along +z with 90 degrees sees x from -z to z.
    pairs = [
        pair("a", front=(0, 1, 2), right=(1.9, 1.5, 2), left=(-2.1, 1.5, 2)),
        pair("b", front=(0, 1.5, -1)),
    ]
    report = {"rooms": [{"kind": "Kitchen"}, {"kind": "Bedroom"}], "rejected": {"direction:wall": 3}}
    found = stats(write(tmp_path, pairs, report))
    assert (found["houses"], found["pairs"], found["instances_a_condition"], found["frames"]) == (1, 2, 4, 2)
    assert found["directions_a_pair"] == 2.0
    assert (found["front"], found["right"], found["left"], found["up"]) == (1.0, 0.5, 0.5, 0.0)
    assert found["observer_view_in_frame"] == 0.5
    assert found["rooms_a_house"] == {"2": 1}
    assert found["observers"] == {"Sofa": 2}
    assert found["targets"] == {"Mug": 4}
    assert found["rejected"] == {"direction:wall": 3}


def test_a_dataset_made_elsewhere_is_counted_as_far_as_it_goes(tmp_path: Path) -> None:
    found = stats(write(tmp_path, []))
    assert found["pairs"] == 0
    assert found["directions_a_pair"] is None
    assert found["rooms_a_house"] == {}


def test_a_made_dataset_adds_up(small_dataset: Path) -> None:
    found = stats(small_dataset)
    pairs = [pair for house in read_dataset(small_dataset) for pair in house.pairs]
    assert found["houses"] == 2
    assert found["pairs"] == len(pairs)
    assert (
        found["instances_a_condition"]
        == sum(len(directions_of(pair)) for pair in pairs)
        == sum(found["surfaces"].values())
    )
    assert found["rooms_a_house"] == {"3": 2}
    assert found["directions_a_pair"] >= 2


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ({}, "not a list"),
        ([1], "not a list"),
        ([{**pair("a", front=(0, 1, 2)), "camera": {}}], "camera"),
        ([{**pair("a", front=(0, 1, 2)), "placements": {}}], "placements.front"),
    ],
)
def test_broken_files_are_named(tmp_path: Path, pairs: Any, message: str) -> None:
    with pytest.raises(DatasetFolderError, match=message):
        stats(write(tmp_path, pairs))


WITHIN = pair("a", front=(0, 1, 2))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"camera": {**CAMERA, "fov": 0}}, "camera: .*fov 0"),
        ({"camera": {**CAMERA, "screen_width": float("inf")}}, "camera: .*inf"),
        ({"camera": {**CAMERA, "screen_width": 10**400}}, "camera: "),
        ({"camera": {**CAMERA, "cam_pos": [1e300, 0, 0]}}, "camera: .*1e\\+300"),
        ({"placements": {"front": {"position": {"x": float("nan"), "y": 0, "z": 0}}}}, r"placements\.front: .*nan"),
        ({"stage3": 5}, r"0\.stage3"),
        ({"situate": {"flags": 3}}, r"0\.situate\.flags"),
    ],
)
def test_numbers_and_types_that_cannot_be_are_named(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(DatasetFolderError, match=message):
        stats(write(tmp_path, [{**WITHIN, **change}]))


@pytest.mark.parametrize(
    ("report", "message"),
    [({"rejected": {"a": "x"}}, r"rejected\.a"), ({"rejected": None}, "rejected"), ({"rooms": None}, "rooms")],
)
def test_a_broken_report_is_named(tmp_path: Path, report: dict[str, Any], message: str) -> None:
    with pytest.raises(DatasetFolderError, match=rf"generation\.json: .*{message}"):
        stats(write(tmp_path, [WITHIN], report))


def test_a_file_with_a_number_of_many_digits_is_named(tmp_path: Path) -> None:
    write(tmp_path, [])
    (tmp_path / "artifacts" / "train_house_00000" / "exploration_log.json").write_text("9" * 5000)
    with pytest.raises(DatasetFolderError, match=r"exploration_log\.json: is not JSON"):
        stats(tmp_path)


def test_a_broken_house_is_left_out_and_said(tmp_path: Path) -> None:
    write(tmp_path, [WITHIN])
    other = tmp_path / "artifacts" / "train_house_00001"
    other.mkdir()
    (other / "train_house_00001.json").write_text("[")
    found = stats(tmp_path)
    assert (found["houses"], found["pairs"]) == (1, 1)
    assert ["train_house_00001.json: is not JSON" in wrong for wrong in found["broken"]] == [True]


def test_a_tour_has_nothing_to_count(tmp_path: Path) -> None:
    (tmp_path / "commands.yaml").write_text("scenarios: []\n")
    with pytest.raises(DatasetFolderError, match="no ground truth"):
        stats(tmp_path)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetFolderError, match="holds no house"):
        stats(tmp_path)
