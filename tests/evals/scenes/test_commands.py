import json
import re
import shutil
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from evals.cli import app
from evals.model_source import ModelError
from evals.scenes.errors import VideoError


def test_make_and_look_from_the_command_line(tmp_path: Path) -> None:
    runner, out = CliRunner(), str(tmp_path / "houses")
    made = runner.invoke(app, ["scenes", "make", "--out", out, "--houses", "1", "--rooms", "1", "--side", "48"])
    assert made.exit_code == 0, made.output
    seen = runner.invoke(app, ["scenes", "look", out, "--house", "0"])
    assert seen.exit_code == 0, seen.output
    assert (tmp_path / "houses" / "floor_plan_000.png").stat().st_size > 5000


def test_a_plan_beside_the_data_does_not_stop_it_from_going_on(tmp_path: Path) -> None:
    runner, out = CliRunner(), str(tmp_path / "houses")
    arguments = ["scenes", "make", "--out", out, "--houses", "1", "--rooms", "1", "--side", "48"]
    assert runner.invoke(app, arguments).exit_code == 0
    assert runner.invoke(app, ["scenes", "look", out]).exit_code == 0
    again = runner.invoke(app, arguments)
    assert again.exit_code == 0, again.output


def test_without_a_terminal_a_line_is_said_for_each_finished_house(tmp_path: Path) -> None:
    runner, out = CliRunner(), str(tmp_path / "houses")
    arguments = ["scenes", "make", "--out", out, "--houses", "2", "--rooms", "1", "--side", "32", "--workers", "1"]
    made = runner.invoke(app, arguments)
    assert [line.partition(",")[0] for line in made.stderr.splitlines()] == [
        "1 of 2: train_house_00000",
        "2 of 2: train_house_00001",
    ]
    again = runner.invoke(app, arguments)
    assert (again.exit_code, again.stderr, again.stdout) == (0, "", made.stdout)


def test_before_a_users_mistake_nothing_is_said(tmp_path: Path) -> None:
    ran = CliRunner().invoke(app, ["scenes", "make", "--out", str(tmp_path / "houses"), "--rooms", "0"])
    assert "1 to 10 rooms" in str(ran.exception)
    assert (ran.stderr, ran.stdout) == ("", "")


@pytest.mark.parametrize("option", ["--houses", "--rooms"])
def test_options_that_a_house_file_leaves_no_room_for_are_refused(tmp_path: Path, option: str) -> None:
    arguments = ["scenes", "make", "--out", str(tmp_path / "houses"), "--house", "house.json", option, "3"]
    assert "leave --houses and --rooms out" in str(CliRunner().invoke(app, arguments).exception)


def test_houses_without_any_pair_are_no_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evals.scenes.make.find_pairs", lambda *_: ([], Counter()))
    arguments = ["scenes", "make", "--out", str(tmp_path / "houses"), "--rooms", "1", "--side", "32"]
    for _ in range(2):
        made = CliRunner().invoke(app, arguments)
        assert made.exit_code == 1
        assert made.stderr.endswith(
            "no pair was found, so there is nothing to run; generation.json beside each house counts why\n"
        )


def test_an_interrupt_says_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("evals.scenes.make.make_houses", interrupted)
    monkeypatch.setattr("evals.scenes.video.extract_frames", interrupted)
    made = CliRunner().invoke(app, ["scenes", "make", "--out", str(tmp_path)])
    assert (made.exit_code, made.stderr) == (130, "interrupted; the same command goes on where it stopped\n")
    ran = CliRunner().invoke(app, ["frames", "tour.mp4", "--out", str(tmp_path)])
    assert (ran.exit_code, ran.stderr) == (130, "interrupted; no frames were written: give the same command again\n")


def test_stats_say_what_they_left_out(small_dataset: Path, tmp_path: Path) -> None:
    shutil.copytree(small_dataset, tmp_path / "copy")
    (tmp_path / "copy" / "artifacts" / "train_house_00000" / "generation.json").write_text('{"rooms": null}')
    shown = CliRunner().invoke(app, ["data", "stats", str(tmp_path / "copy")])
    assert shown.exit_code == 1
    assert re.search(r"^left out: \S+generation\.json: [^\n]*rooms[^\n]*\n$", shown.stderr)
    assert re.search(r"houses +1 ", shown.stdout)


def test_stats_stand_beside_the_papers(small_dataset: Path) -> None:
    shown = CliRunner().invoke(app, ["data", "stats", str(small_dataset)])
    assert shown.exit_code == 0, shown.output
    assert re.search(r"directions a pair +[\d.]+ +2\.8\n", shown.stdout)
    assert "surfaces: " in shown.stdout
    counted = json.loads(CliRunner().invoke(app, ["data", "stats", str(small_dataset), "--format", "json"]).stdout)
    assert counted["houses"] == 2
    assert counted["paper"]["pairs"] == 288


def test_frames_of_a_video_lie_beside_a_file_for_commands(tmp_path: Path) -> None:
    video, out = tmp_path / "tour.avi", tmp_path / "tour"
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for shade in range(40):
        writer.write(np.full((48, 64, 3), 6 * shade, np.uint8))
    writer.release()
    ran = CliRunner().invoke(app, ["frames", str(video), "--count", "4", "--out", str(out)])
    assert ran.exit_code == 0, ran.output
    assert "no ground truth" in ran.stdout
    assert len(list((out / "frames").glob("*.png"))) == 4
    assert (out / "commands.yaml").is_file()


def test_picked_times_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    ran = CliRunner().invoke(app, ["frames", "tour.mp4", "--out", str(tmp_path), "--at", "3;7"])
    assert isinstance(ran.exception, VideoError)
    assert "like 3,7.5,12" in str(ran.exception)


@pytest.mark.parametrize("option", ["--judge", "--paraphrase"])
def test_a_model_that_answers_from_hints_judges_and_rewords_nothing(tmp_path: Path, option: str) -> None:
    ran = CliRunner().invoke(app, ["scenes", "make", "--out", str(tmp_path / "houses"), option, "anchor"])
    assert isinstance(ran.exception, ModelError)
    assert "'anchor' is no VLM" in str(ran.exception)
    assert not (tmp_path / "houses").exists()
