"""`evals data check`: what is wrong with a folder, file by file."""

from __future__ import annotations

import csv
import io


def test_sound_data_are_counted(command, data):
    ended = command("data", "check", data)
    assert (ended.code, ended.out) == (0, "povbench: 78 usable instances in 2 scenes, 0 problems\n")


def test_without_a_folder_the_built_in_houses_are_checked(command):
    assert command("data", "check").out == "povbench: 123 usable instances in 3 scenes, 0 problems\n"


def test_each_fault_is_a_line_with_file_place_and_cure(command, data, house):
    (house / "train_house_05305.json").write_text("[{")
    (house / "exploration_images" / "frame_002.png").unlink()
    ended = command("data", "check", data)
    assert ended.code == 2
    error, warning, total = ended.out.splitlines()
    assert error.startswith("error: artifacts/train_house_05305/train_house_05305.json: is not complete JSON (line 1:")
    assert warning.startswith(
        "warning: artifacts/train_house_05305/exploration_log.json: frame exploration_images/frame_002.png: "
    )
    # The other house has 14 directions under 3 conditions.
    assert total == "povbench: 42 usable instances in 1 scene, 2 problems"


def test_warnings_alone_are_no_failure(command, data, house):
    (house / "exploration_images" / "frame_002.png").unlink()
    assert command("data", "check", data).code == 0


def test_json_and_csv_hold_the_same(command, data, house):
    (house / "train_house_05305.json").unlink()
    as_json = command("data", "check", data, "--format", "json")
    as_csv = command("data", "check", data, "--format", "csv")
    assert as_json.code == as_csv.code == 2
    assert (as_json.json["dataset"], as_json.json["instances"]) == ("povbench", 42)
    rows = list(csv.DictReader(io.StringIO(as_csv.out)))
    assert [{**row, "fatal": row["fatal"] == "True"} for row in rows] == as_json.json["problems"]
    assert set(rows[0]) == {"file", "place", "what", "fatal"}


def test_sound_data_as_csv_are_a_head_alone(command, data):
    assert command("data", "check", data, "--format", "csv").out == "file,place,what,fatal\n"
