"""Faults of a data set: one line with file, place and cure, exit code 2, and scores for all that is left."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from PIL import Image

HOUSE = "train_house_05305"
PAIRS = f"artifacts/{HOUSE}/{HOUSE}.json"
LOG = f"artifacts/{HOUSE}/exploration_log.json"
FRAMES = f"artifacts/{HOUSE}/exploration_images"
FIRST = "pair Desk|5|9__ArmChair|2|7"


def rewrite(file: Path, how) -> None:
    content = json.loads(file.read_text())
    how(content)
    file.write_text(json.dumps(content))


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:300])


def silence(data: Path) -> None:
    """Takes away every sentence of the house."""

    def clear(pairs):
        for pair in pairs:
            for stage in ("stage5", "stage6"):
                for sentences in pair[stage].values():
                    for kind in sentences:
                        sentences[kind] = ""

    rewrite(data / PAIRS, clear)


def crowd(data: Path) -> None:
    """Makes the six frames of the house 33."""
    names = [f"exploration_images/frame_{number:03}.png" for number in range(6, 33)]
    for name in names:
        shutil.copy(data / FRAMES / "frame_000.png", data / FRAMES.rpartition("/")[0] / name)
    rewrite(data / LOG, lambda log: log.extend({**log[0], "image_path": name} for name in names))


def shrink(file: Path, size: tuple[int, int]) -> None:
    Image.new("RGB", size).save(file)


def link_out(data: Path, file: str) -> None:
    shutil.move(data / file, data.parent / "outside")
    (data / file).symlink_to(data.parent / "outside")


# What is broken, how many of the 26 instances a condition are left (inferred, stated, given), and what the line says.
FATAL = [
    ("pairs missing", lambda data: (data / PAIRS).unlink(), (14, 14, 14), [PAIRS, "is missing", "download"]),
    (
        "pairs truncated",
        lambda data: truncate(data / PAIRS),
        (14, 14, 14),
        [PAIRS, "is not complete JSON (line ", "download it again"],
    ),
    ("log missing", lambda data: (data / LOG).unlink(), (14, 14, 26), [LOG, "is missing", "download"]),
    ("log truncated", lambda data: truncate(data / LOG), (14, 14, 26), [LOG, "is not complete JSON", "download"]),
    (
        "observer view missing",
        lambda data: (data / f"artifacts/{HOUSE}/img_from_observer/pair_00.png").unlink(),
        (26, 26, 22),
        [PAIRS, FIRST, "rgb_path", "pair_00.png", "given instances are left out"],
    ),
    (
        "observer view of another shape",
        lambda data: shrink(data / f"artifacts/{HOUSE}/img_from_observer/pair_00.png", (512, 300)),
        (26, 26, 22),
        [PAIRS, FIRST, "is 512x300 while its camera says 512x512", "correct"],
    ),
    (
        "path that leaves the folder",
        lambda data: rewrite(data / PAIRS, lambda pairs: pairs[0].update(rgb_path="../../../secret.png")),
        (26, 26, 22),
        [PAIRS, FIRST, "rgb_path", "must stay in the house's folder", "correct it"],
    ),
    (
        "absolute path",
        lambda data: rewrite(data / PAIRS, lambda pairs: pairs[0].update(rgb_path="/etc/passwd")),
        (26, 26, 22),
        [PAIRS, FIRST, "must stay in the house's folder", "/etc/passwd"],
    ),
    (
        "link out of the folder",
        lambda data: link_out(data, f"artifacts/{HOUSE}/img_from_observer/pair_00.png"),
        (26, 26, 22),
        [PAIRS, FIRST, "rgb_path", "pair_00.png"],
    ),
    (
        "fields missing",
        lambda data: rewrite(data / PAIRS, lambda pairs: pairs[0].pop("object_landmark")),
        (22, 22, 22),
        [PAIRS, FIRST, "object_landmark", "is missing", "download the file again"],
    ),
]


@pytest.mark.parametrize(("harm", "left", "parts"), [case[1:] for case in FATAL], ids=[case[0] for case in FATAL])
def test_a_fault_is_said_and_the_rest_is_scored(harm, left, parts, data, command):
    harm(data)
    ended = command("run", "--graph", "basic", "--data", data, "--out", "run", "--format", "json")
    assert ended.code == 2
    errors = [line for line in ended.said if line.startswith("error: ")]
    assert any(all(part in line for part in parts) for line in errors), ended.err
    assert "Traceback" not in ended.err
    rows = {row["condition"]: row for row in ended.json["rows"] if row["breakdown"] == "all"}
    assert tuple(rows[condition]["answered"] for condition in ("inferred", "stated", "given")) == left
    assert all(row["l2"] is not None and not row["failed"] for row in rows.values())
    assert ended.json["run"]["faults"] == len(errors)


WARNINGS = [
    (
        "frame missing",
        lambda data: (data / FRAMES / "frame_002.png").unlink(),
        [LOG, "frame_002.png", "has no picture"],
    ),
    (
        "frame of another size",
        lambda data: shrink(data / FRAMES / "frame_002.png", (256, 256)),
        ["frame_002.png", "is 256x256 while its camera says 512x512", "(used, as the shape is the same)"],
    ),
    (
        "frame of another shape",
        lambda data: shrink(data / FRAMES / "frame_002.png", (512, 300)),
        ["frame_002.png", "is 512x300", "is left out"],
    ),
    (
        "frame that is no picture",
        lambda data: (data / FRAMES / "frame_002.png").write_bytes(b"not a picture"),
        ["frame_002.png", "is left out"],
    ),
    (
        "frame missing from the log",
        lambda data: rewrite(data / LOG, lambda log: log.pop(2)),
        ["frame_002.png", "has no usable entry in exploration_log.json", "add one", "is left out"],
    ),
    ("more than 30 frames", crowd, [FRAMES, "holds 33 frames", "the first 30 by name are used"]),
]


@pytest.mark.parametrize(("harm", "parts"), [case[1:] for case in WARNINGS], ids=[case[0] for case in WARNINGS])
def test_what_costs_no_instance_is_a_warning_and_all_is_scored(harm, parts, data, command):
    harm(data)
    ended = command(
        "run", "--graph", "basic", "--data", data, "--conditions", "inferred", "--out", "run", "--format", "json"
    )
    assert ended.code == 0
    warnings = [line for line in ended.said if line.startswith("warning: ")]
    assert any(all(part in line for part in parts) for line in warnings), ended.err
    assert [row["answered"] for row in ended.json["rows"] if row["breakdown"] == "all"] == [26]


def test_no_more_than_thirty_frames_are_sent(data, command):
    crowd(data)
    command("run", "--graph", "basic", "--data", data, "--conditions", "inferred", "--limit", 26, "--out", "run")
    shown = command("show", "run", "Desk|5|9__ArmChair|2|7/front/inferred", "--format", "json").json
    parts = shown[0]["calls"][0]["request"]["messages"][0]["parts"]
    assert sum("picture" in part for part in parts) == 30


def test_an_instance_without_a_sentence_does_not_exist_and_is_no_fault(data, command):
    silence(data)
    ended = command("run", "--graph", "basic", "--data", data, "--out", "run", "--format", "json")
    assert ended.code == 0
    assert [row["n"] for row in ended.json["rows"] if row["breakdown"] == "all"] == [14, 14, 14]


def test_data_without_any_sentence_is_refused_with_the_cure(data, command):
    silence(data)
    shutil.rmtree(data / "artifacts" / "train_house_07017")
    ended = command("run", "--graph", "basic", "--data", data, "--out", "run")
    assert (ended.code, ended.out) == (2, "")
    assert ended.said[-1] == "error: the data holds no usable instance of these conditions; see evals data check"


def test_many_faults_are_counted_instead_of_shown(data, command):
    def break_all(log):
        for entry in log:
            entry["camera"]["fov"] = None

    rewrite(data / LOG, break_all)
    other = data / "artifacts" / "train_house_07017"
    rewrite(other / "exploration_log.json", break_all)
    for number in range(6, 26):
        shutil.copy(data / FRAMES / "frame_000.png", data / FRAMES / f"frame_{number:03}.png")
    ended = command("run", "--graph", "basic", "--data", data, "--out", "run")
    assert ended.code == 2
    faults = [line for line in ended.said if line.startswith(("error: ", "warning: "))]
    assert len(faults) == 20
    assert any(
        line.startswith("and ") and line.endswith(" more problems in the data: evals data check") for line in ended.said
    )


@pytest.mark.parametrize(
    ("folder", "parts"),
    [
        ("nowhere", ["nowhere: no such folder", "--data takes the folder of a dataset"]),
        ("empty", ["empty: holds no known layout", "povbench"]),
    ],
)
def test_a_folder_that_is_no_data_set_is_refused(folder, parts, tmp_path, command):
    (tmp_path / "empty").mkdir()
    for arguments in (["run", "--graph", "basic", "--data", folder], ["data", "check", folder]):
        ended = command(*arguments)
        assert (ended.code, ended.out) == (2, "")
        (line,) = ended.said
        assert all(part in line for part in parts)


def test_names_in_a_message_do_not_steer_the_terminal(data, command):
    (data / FRAMES / "frame_\x1b[31m_009.png").write_bytes((data / FRAMES / "frame_000.png").read_bytes())
    for arguments in (
        ["data", "check", data],
        ["data", "check", data, "--format", "csv"],
        ["run", "--graph", "basic", "--data", data, "--limit", "1", "--out", "run"],
    ):
        ended = command(*arguments)
        assert "\x1b" not in ended.out + ended.err
        assert "\\x1b[31m" in ended.out + ended.err


def test_a_path_in_an_error_does_not_steer_the_terminal(command):
    ended = command("data", "check", "no\x1b[31m\u202ewhere")
    assert ended.code == 2
    assert ended.said[0].startswith("error: no\\x1b[31m\\u202ewhere: no such folder")
