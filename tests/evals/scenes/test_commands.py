import json
import re
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
