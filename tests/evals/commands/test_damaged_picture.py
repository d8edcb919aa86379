"""A picture whose pixels are broken costs the instances that show it, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parents[2] / "golden" / "povbench" / "dataset"
BROKEN = "artifacts/train_house_07017/img_from_observer/pair_00.png"


@pytest.fixture
def truncated(tmp_path: Path) -> Path:
    """The golden data with one observer's picture cut off behind its header."""
    data = Path(shutil.copytree(GOLDEN, tmp_path / "data"))
    (data / BROKEN).write_bytes((data / BROKEN).read_bytes()[:3000])
    return data


def test_data_check_decodes_every_picture(command, truncated: Path) -> None:
    ended = command("data", "check", truncated)
    assert ended.code == 2
    assert f"{BROKEN}: cannot be decoded" in ended.out
    assert "in 2 scenes, 1 problem\n" in ended.out


def test_only_its_instances_fail_and_the_next_start_tries_them_again(command, truncated: Path) -> None:
    arguments = ["run", "--graph", "basic", "--data", truncated, "--conditions", "given", "--out", "r"]
    for _ in range(2):
        ended = command(*arguments, "--format", "json")
        assert ended.code == 2
        assert "pair_00.png: cannot be decoded" in ended.err
        (row,) = (row for row in ended.json["rows"] if row["breakdown"] == "all")
        assert row["failed"] > 0
        assert row["answered"] == row["n"] - row["failed"] > 0
    shutil.copy(GOLDEN / BROKEN, truncated / BROKEN)
    # Sound again: but for the bytes, the sample is another one now, and only failed rows stood for the old one.
    ended = command(*arguments, "--format", "json")
    assert (ended.code, ended.json["rows"][0]["failed"]) == (0, 0)
