import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evals.scenes.errors import DatasetFolderError
from evals.scenes.floor_plan import ROOM_INK, look


def test_a_plan_shows_rooms_cameras_and_pairs(small_dataset: Path, tmp_path: Path) -> None:
    picture = Image.open(look(small_dataset, 1, tmp_path / "plan.png"))
    assert min(picture.size) > 400
    colors = {tuple(color) for color in np.asarray(picture).reshape(-1, 3)[::7].tolist()}
    report = json.loads((small_dataset / "artifacts" / "train_house_00001" / "generation.json").read_text())
    for kind in {room["kind"] for room in report["rooms"]}:
        assert ROOM_INK[kind] in colors
    assert (255, 214, 120) in colors  # A frame's wedge.
    assert (200, 50, 50) in colors  # The first pair.


def test_a_dataset_without_house_files_is_drawn_all_the_same(small_dataset: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(small_dataset, copy)
    (copy / "artifacts" / "train_house_00000" / "house.json").unlink()
    assert look(copy, 0, tmp_path / "plan.png").stat().st_size > 5000


@pytest.mark.parametrize(("key", "value"), [("cam_pos", [1e300, 1.0, 0.0]), ("fov", 1e300), ("cam_yaw", float("nan"))])
def test_a_camera_that_cannot_be_is_named(small_dataset: Path, tmp_path: Path, key: str, value: object) -> None:
    shutil.copytree(small_dataset, tmp_path / "copy")
    file = tmp_path / "copy" / "artifacts" / "train_house_00000" / "exploration_log.json"
    log = json.loads(file.read_text())
    log[0]["camera"][key] = value
    file.write_text(json.dumps(log))
    with pytest.raises(DatasetFolderError, match="train_house_00000: frame 0: camera"):
        look(tmp_path / "copy", 0, tmp_path / "plan.png")


def test_a_broken_house_does_not_hide_the_others(small_dataset: Path, tmp_path: Path) -> None:
    shutil.copytree(small_dataset, tmp_path / "copy")
    (tmp_path / "copy" / "artifacts" / "train_house_00000" / "train_house_00000.json").write_text("[")
    assert look(tmp_path / "copy", 1, tmp_path / "plan.png").stat().st_size > 5000


@pytest.mark.parametrize("index", [-1, 2])
def test_there_is_no_such_house(small_dataset: Path, tmp_path: Path, index: int) -> None:
    with pytest.raises(DatasetFolderError, match="from 0 to 1"):
        look(small_dataset, index, tmp_path / "plan.png")


def test_a_picture_that_cannot_be_written_is_a_clear_error(small_dataset: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DatasetFolderError, match="cannot be written"):
        look(small_dataset, 0, tmp_path / "file" / "plan.png")
