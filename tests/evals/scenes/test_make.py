import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from loopback_server import ModelServer, Refusal

from evals.datasets.povbench.houses import read_house as read_published_house
from evals.datasets.povbench.layout import find_houses
from evals.model_source import ModelError
from evals.scenes import make
from evals.scenes.asking import ask_with
from evals.scenes.errors import DatasetFolderError, HouseFileError, RendererMissingError, SceneError
from evals.scenes.house import House, Item
from evals.scenes.make import Progress, make_house_from_procthor, make_houses
from evals.scenes.procthor_writing import house_json
from evals.scenes.reading import camera_of, directions_of, position_of, read_dataset
from tools.camera import project


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def test_a_house_has_the_published_layout(small_dataset: Path) -> None:
    folder = small_dataset / "artifacts" / "train_house_00000"
    assert {"train_house_00000.json", "exploration_log.json", "per_image_visible_objects.json"} <= {
        p.name for p in folder.iterdir()
    }
    log = json.loads((folder / "exploration_log.json").read_text())
    frames = sorted(path.name for path in (folder / "exploration_images").iterdir())
    assert [entry["image_path"] for entry in log] == [f"exploration_images/{name}" for name in frames]
    assert 3 <= len(frames) <= 8
    assert set(log[0]["camera"]) == {"cam_pos", "cam_yaw", "cam_horizon", "fov", "screen_width", "screen_height"}
    visible = json.loads((folder / "per_image_visible_objects.json").read_text())
    assert list(visible) == [entry["image_path"] for entry in log]
    for entry in log:
        types = {"Doorway" if hit.startswith("door|") else hit.split("|")[0] for hit in entry["object_in_frame_hits"]}
        assert types == set(visible[entry["image_path"]])
    assert cv2.imread(str(folder / "exploration_images" / frames[0])).shape == (96, 96, 3)


def test_pairs_have_the_published_keys(small_dataset: Path) -> None:
    pairs = [pair for house in read_dataset(small_dataset) for pair in house.pairs]
    assert pairs
    for pair in pairs:
        assert {
            "pair_id",
            "house_id",
            "camera",
            "rgb_path",
            "object_observer",
            "object_landmark",
            "landmark_type",
            "placements",
            "stage3",
            "stage5",
            "stage6",
        } <= set(pair)
        assert set(pair["stage3"]) == {"right", "left", "front", "up"}
        box = pair["object_landmark"]["raw_metadata"]["axisAlignedBoundingBox"]
        assert np.array(box["cornerPoints"]).shape == (8, 3)
        for direction in directions_of(pair):
            assert pair["stage3"][direction]["verdict"] == "appropriate"
            assert set(pair["stage5"][direction]) == {"type_a", "type_b"}
            assert direction in pair["placements"]


def test_the_published_reader_finds_nothing_wrong_and_the_same_positions(small_dataset: Path) -> None:
    compared = 0
    for files in find_houses(small_dataset):
        house, problems = read_published_house(files, small_dataset)
        assert problems == []
        for pair in house.pairs.values():
            for direction in pair.directions:
                target = pair.targets[direction]
                assert target.recomputed
                assert target.position == pytest.approx(position_of(dict(pair.raw), direction, ""), abs=1e-9)
                compared += 1
    assert compared >= 6


def test_projecting_the_truth_scores_0_and_the_anchor_does_not(small_dataset: Path) -> None:
    of_anchor = []
    for files in find_houses(small_dataset):
        house, _ = read_published_house(files, small_dataset)
        for pair in house.pairs.values():
            assert pair.camera is not None
            assert pair.anchor is not None
            for direction in pair.directions:
                position = pair.targets[direction].position
                assert position is not None
                truth = project(pair.camera, [position])
                answer = project(pair.camera, [position_of(dict(pair.raw), direction, "")])
                if truth.in_frame[0]:
                    assert np.linalg.norm(truth.points - answer.points) < 1e-6
                    anchor = project(pair.camera, [pair.anchor.box_center])
                    of_anchor.append(float(np.linalg.norm(truth.points - anchor.points)))
    assert np.mean(of_anchor) > 0.02


def test_depth_and_instance_maps_belong_to_their_frames(small_dataset: Path) -> None:
    folder = small_dataset / "artifacts" / "train_house_00000"
    depth = cv2.imread(str(folder / "depth" / "frame_000_depth.png"), cv2.IMREAD_UNCHANGED)
    instances = cv2.imread(str(folder / "instances" / "frame_000.png"), cv2.IMREAD_UNCHANGED)
    names = {entry["value"]: entry["id"] for entry in json.loads((folder / "instances" / "instances.json").read_text())}
    assert depth.dtype == instances.dtype == np.uint16
    assert depth.shape == instances.shape == (96, 96)
    assert 300 < np.median(depth[depth > 0]) < 8000
    log = json.loads((folder / "exploration_log.json").read_text())
    shown = {names[value] for value in np.unique(instances) if value}
    # Hits are counted at 512 pixels: of the few pixels that are needed there, these pictures may show none.
    assert len(set(log[0]["object_in_frame_hits"]) - shown) <= 1


def test_pairs_do_not_depend_on_the_size_of_the_pictures(small_dataset: Path, tmp_path: Path) -> None:
    make_houses(tmp_path, 1, 5, rooms=3, workers=1, side=40, frames=8)
    here = "artifacts/train_house_00000"
    for name in ("train_house_00000.json", "exploration_log.json", "per_image_visible_objects.json", "generation.json"):
        small, large = ((folder / here / name).read_text() for folder in (tmp_path, small_dataset))
        assert re.sub(r'("screen_\w+": )40\b', r"\g<1>96", small) == large


@pytest.mark.slow
def test_the_same_seed_makes_the_same_bytes_also_in_other_processes(small_dataset: Path, tmp_path: Path) -> None:
    make_houses(tmp_path, 2, 5, rooms=3, workers=2, side=96, frames=8)
    assert contents(tmp_path) == contents(small_dataset)


def test_a_broken_off_run_goes_on_where_it_was(small_dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "copy"
    shutil.copytree(small_dataset, out)
    shutil.rmtree(out / "artifacts" / "train_house_00001")
    (out / ".unfinished" / "train_house_00001.77" / "depth").mkdir(parents=True)
    kept = (out / "artifacts" / "train_house_00000" / "house.json").stat().st_mtime_ns
    steps: list[Progress] = []
    make_houses(out, 2, 5, rooms=3, workers=1, side=96, frames=8, progress=steps.append)
    assert [(step.done, step.total, step.skipped) for step in steps] == [(1, 2, True), (2, 2, False)]
    assert (out / "artifacts" / "train_house_00000" / "house.json").stat().st_mtime_ns == kept
    assert contents(out) == contents(small_dataset)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for workers in /proc")
def test_after_kill_9_no_worker_goes_on_and_a_restart_completes(tmp_path: Path) -> None:
    out = tmp_path / "out"
    call = f"make_houses(Path({str(out)!r}), 4, 3, rooms=1, workers=2, side=48, frames=4)"
    code = (
        f"from pathlib import Path\nfrom evals.scenes.make import make_houses\nif __name__ == '__main__':\n    {call}\n"
    )
    (tmp_path / "run.py").write_text(code)
    run = subprocess.Popen(
        [sys.executable, str(tmp_path / "run.py")], env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    )
    until(lambda: any((out / "artifacts").glob("*")))
    workers = children(run.pid)
    assert workers
    run.kill()
    run.wait()
    until(lambda: not any(parent_of(Path(f"/proc/{pid}/stat")) is not None for pid in workers))
    before = sorted(path.name for path in (out / "artifacts").iterdir())
    make_houses(out, 4, 3, rooms=1, workers=1, side=48, frames=4)
    make_houses(tmp_path / "whole", 4, 3, rooms=1, workers=1, side=48, frames=4)
    assert before
    assert contents(out) == contents(tmp_path / "whole")


def children(pid: int) -> list[int]:
    return [int(path.parent.name) for path in Path("/proc").glob("[0-9]*/stat") if parent_of(path) == pid]


def parent_of(stat: Path) -> int | None:
    try:
        state, parent = stat.read_text().rpartition(")")[2].split()[:2]
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if state == "Z" else int(parent)


def until(true: Callable[[], bool], seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_other_settings_do_not_mix_into_a_folder(small_dataset: Path) -> None:
    with pytest.raises(DatasetFolderError, match="seed was 5, now 6"):
        make_houses(small_dataset, 2, 6, rooms=3, side=96, frames=8)


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("important")
    with pytest.raises(DatasetFolderError, match=r"thesis\.txt"):
        make_houses(tmp_path, 1, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("")
    with pytest.raises(DatasetFolderError, match="cannot be used"):
        make_houses(path, 1, 0)


def test_a_house_file_becomes_a_dataset(small_dataset: Path, tmp_path: Path) -> None:
    source = small_dataset / "artifacts" / "train_house_00001" / "house.json"
    folder = make_house_from_procthor(source, tmp_path / "out", seed=1, side=64, frames=6)
    assert read_dataset(tmp_path / "out")[0].folder == folder
    assert json.loads((folder / "house.json").read_text()) == json.loads(source.read_text())
    for pair in read_dataset(tmp_path / "out")[0].pairs:
        camera_of(pair["camera"], "")
    before = contents(tmp_path / "out")
    steps: list[Progress] = []
    make_house_from_procthor(source, tmp_path / "out", seed=1, side=64, frames=6, progress=steps.append)
    assert steps[0].skipped
    assert contents(tmp_path / "out") == before


def test_another_house_file_of_the_same_name_is_not_taken_for_made(small_dataset: Path, tmp_path: Path) -> None:
    for number in (0, 1):
        (tmp_path / str(number)).mkdir()
        house = small_dataset / "artifacts" / f"train_house_0000{number}" / "house.json"
        shutil.copyfile(house, tmp_path / str(number) / "house.json")
    out = tmp_path / "out"
    make_house_from_procthor(tmp_path / "0" / "house.json", out, side=32, frames=2)
    with pytest.raises(DatasetFolderError, match=r"other settings \(source_sha256 was"):
        make_house_from_procthor(tmp_path / "1" / "house.json", out, side=32, frames=2)
    before = contents(out)
    make_house_from_procthor(tmp_path / "0" / "house.json", out, side=32, frames=2)
    assert contents(out) == before


def test_one_process_at_a_time_makes_houses_in_a_folder(small_dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(small_dataset, out)
    refused = []

    def second(step: Progress) -> None:
        draft = out / ".unfinished" / "train_house_00001.77"
        draft.mkdir(parents=True, exist_ok=True)
        with pytest.raises(DatasetFolderError, match="another process makes houses in it"):
            make_houses(out, 2, 5, rooms=3, side=96, frames=8)
        assert draft.is_dir()
        refused.append(step.house)

    make_houses(out, 2, 5, rooms=3, side=96, frames=8, progress=second)
    assert len(refused) == 2
    assert contents(out) == contents(small_dataset)


def test_a_full_disk_does_not_lock_the_folder(
    small_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    shutil.copytree(small_dataset, out)

    def full(path: Path, *_: object, **__: object) -> int:
        path.write_bytes(b"")
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", full)
        with pytest.raises(DatasetFolderError, match="No space left"):
            make_houses(out, 2, 5, rooms=3, side=96, frames=8)
    make_houses(out, 2, 5, rooms=3, side=96, frames=8)
    assert contents(out) == contents(small_dataset)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[" * 200_000, b"1" * 5000])
def test_a_folder_with_a_broken_meta_file_is_left_alone(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "meta.json").write_bytes(content)
    with pytest.raises(DatasetFolderError, match=r"meta\.json: is broken"):
        make_houses(tmp_path, 1, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["meta.json"]


@pytest.mark.parametrize(
    ("missing", "options"),
    [
        ("", {"rooms": 0}),
        ("embreex.rtcore_scene", {}),
        ("embreex.rtcore_scene", {"renderer": "thor"}),
        ("ai2thor.controller", {"renderer": "thor"}),
    ],
)
def test_what_would_fail_in_every_house_fails_before_the_folder_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str, options: dict
) -> None:
    if missing:
        monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises((SceneError, RendererMissingError)):
        make_houses(tmp_path / "out", 1, 0, **options)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("option", ["judge", "paraphrase"])
def test_a_model_that_does_not_answer_is_noticed_before_a_house_is_made(
    tmp_path: Path, model_server: ModelServer, option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make, "make_one", lambda *_: pytest.fail("a house was made"))
    model_server.default = Refusal(401, "no such key")
    model = ("m", ask_with(f"{model_server.url}/v1#m"))
    with pytest.raises(ModelError, match="no such key"):
        make_houses(tmp_path / "out", 1, 0, **{option: model})
    assert not (tmp_path / "out").exists()


def test_settings_under_which_no_house_came_out_give_way_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> int:
        raise SceneError("no free floor")

    with monkeypatch.context() as patched:
        patched.setattr(make, "make_one", fails)
        with pytest.raises(SceneError):
            make_houses(tmp_path, 1, 0, rooms=2, side=32, frames=2)
    assert json.loads((tmp_path / "meta.json").read_text())["rooms"] == 2
    make_houses(tmp_path, 1, 0, rooms=1, side=32, frames=2)
    assert json.loads((tmp_path / "meta.json").read_text())["rooms"] == 1
    with pytest.raises(DatasetFolderError, match="rooms was 1, now 2"):
        make_houses(tmp_path, 1, 0, rooms=2, side=32, frames=2)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for workers in /proc")
def test_an_interrupt_stops_the_workers_at_once_and_says_how_to_go_on(tmp_path: Path) -> None:
    # Houses of ten rooms at this size take minutes, so waiting for one in work would be noticed.
    code = "from evals.cli import main; main()"
    options = ["--houses", "4", "--rooms", "10", "--side", "2048", "--out", str(tmp_path / "out")]
    with subprocess.Popen(
        [sys.executable, "-c", code, "scenes", "make", *options],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        try:
            until(lambda: len(children(run.pid)) >= 3)  # Two workers and the interpreter's tracker of resources.
            workers = children(run.pid)
            run.send_signal(signal.SIGINT)
            _, said = run.communicate(timeout=20)
        finally:
            run.kill()
    assert run.returncode == 130
    assert said == "interrupted; the same command goes on where it stopped\n"
    until(lambda: not any(parent_of(Path(f"/proc/{pid}/stat")) is not None for pid in workers), 20)


def test_a_house_without_free_floor_is_a_clear_error(square_room: Callable[..., House], tmp_path: Path) -> None:
    block = Item("Bed|2|0", "Bed_1", "Bed", "room|2", (0.9, 0.4, 0.9), 0.0, (1.467, 0.91, 2.075))
    path = tmp_path / "house.json"
    path.write_text(json.dumps(house_json(square_room((block,), size=1.8))))
    with pytest.raises(SceneError, match="no free floor"):
        make_house_from_procthor(path, tmp_path / "out")


def test_a_broken_house_file_leaves_no_folder_behind(tmp_path: Path) -> None:
    path = tmp_path / "house.json"
    path.write_text("{}")
    with pytest.raises(HouseFileError):
        make_house_from_procthor(path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        {"houses": 0},
        {"houses": 1_000_000_000},
        {"houses": 1, "workers": 0},
        {"houses": 1, "side": 8},
        {"houses": 1, "side": 1_000_000},
        {"houses": 1, "renderer": "blender"},
    ],
)
def test_arguments_out_of_range_are_the_users_mistake(tmp_path: Path, arguments: dict) -> None:
    with pytest.raises(SceneError):
        make_houses(tmp_path / "out", seed=0, **arguments)
