from pathlib import Path

import pytest

from evals.scenes.errors import CommandFileError
from evals.scenes.tour import NO_TRUTH, TEMPLATE, read_commands

GOOD = """
scenarios:
  - name: entrance
    observer: mirror
    anchor: coffee table
    observer_view: frame_000.png
    directions:
      right:
        inferred: While tidying up, I saw the keys on the right side of the table.
        stated: While wiping the mirror, I saw the keys on the right side of the table.
        given: The keys were on the right side of the table.
      up:
        given: The keys were on top of the table.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "frames").mkdir()
    (tmp_path / "frames" / "frame_000.png").write_bytes(b"")
    return tmp_path


def test_commands_are_read_by_condition_and_direction(folder: Path) -> None:
    (folder / "commands.yaml").write_text(GOOD)
    tour = read_commands(folder)
    assert tour.instances == 4
    scenario = tour.scenarios[0]
    assert (scenario.observer, scenario.anchor, scenario.observer_view) == ("mirror", "coffee table", "frame_000.png")
    assert scenario.directions["up"].inferred is None
    assert scenario.directions["right"].given == "The keys were on the right side of the table."


def test_the_template_is_valid_as_it_stands(folder: Path) -> None:
    (folder / "commands.yaml").write_text(TEMPLATE)
    assert read_commands(folder).scenarios == ()


@pytest.mark.parametrize("mark", ["#", "# "])
@pytest.mark.parametrize("first", [0, 3])
def test_taking_the_comment_marks_away_leaves_the_example(folder: Path, mark: str, first: int) -> None:
    lines = TEMPLATE.splitlines()
    assert lines[3] == "# scenarios:"
    uncommented = [line.removeprefix(mark) for line in lines[first:]]
    (folder / "commands.yaml").write_text("\n".join([*lines[:first], *uncommented]))
    assert read_commands(folder).instances == 3


def test_such_data_says_that_it_has_no_truth() -> None:
    assert "no ground truth" in NO_TRUTH
    assert "no ground truth" in TEMPLATE


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("name: entrance", "name: a/b", "scenarios.0.name"),
        ("anchor: coffee table", "", "scenarios.0.anchor"),
        ("right:", "behind:", "behind"),
        ("given: The keys were on top of the table.", "", "scenarios.0.directions.up"),
        ("given: The keys were on top of the table.", "givn: The keys", "givn"),
        ("observer_view: frame_000.png", "", "needs an observer_view"),
        ("frame_000.png", "frame_777.png", "frame_777"),
        ("frame_000.png", "../secret.png", "without a folder"),
        ("observer: mirror", "observer: mirror\n    observer: lamp", "stands twice"),
        ("observer: mirror", "observer: &x mirror\n    other: *x", "aliases"),
        ("observer: mirror", "observer: !!python/object/apply:os.system [ls]", "not plain YAML"),
        ("scenarios:", "scenarios: [", "not plain YAML"),
        ("scenarios:", "scenes:", "scenes"),
        ("observer: mirror", "? [a, b]\n    : mirror", "not plain YAML"),
    ],
)
def test_a_broken_file_is_refused_with_the_place(folder: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    (folder / "commands.yaml").write_text(GOOD.replace(old, new))
    with pytest.raises(CommandFileError, match=message) as caught:
        read_commands(folder)
    assert "commands.yaml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_two_scenarios_of_one_name_are_refused(folder: Path) -> None:
    (folder / "commands.yaml").write_text(GOOD + GOOD.replace("scenarios:\n", "").lstrip("\n"))
    with pytest.raises(CommandFileError, match="stands twice"):
        read_commands(folder)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"just text", b"[1, 2]", b"- " * 20_000])
def test_other_files_are_refused(folder: Path, content: bytes) -> None:
    (folder / "commands.yaml").write_bytes(content)
    with pytest.raises(CommandFileError):
        read_commands(folder)


def test_a_missing_file_says_what_to_run(folder: Path) -> None:
    with pytest.raises(CommandFileError, match="evals frames"):
        read_commands(folder)
