"""Figures for papers: every format, fonts inside, and the numbers beside."""

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from evals.reporting.drawing import COLOURS, MARKERS
from evals.reporting.plots import KINDS, plot
from evals.reporting.result import RunResult
from evals.reporting.units import ComparisonError

WriteRun = Callable[..., RunResult]


@pytest.fixture
def run(write_run: WriteRun) -> RunResult:
    samples = [f"{scene}/{side}/{when}" for scene in "abc" for side in ("left", "up") for when in ("stated", "given")]
    keys = {name: dict(zip(("direction", "condition"), name.split("/")[1:], strict=True)) for name in samples}
    values: dict[str, Any] = {name: 0.1 + 0.05 * (place % 7) for place, name in enumerate(samples)}
    return write_run(
        {"basic": values, "o_plot": {name: value for name, value in values.items() if "stated" in name}},
        conditions=["stated", "given"],
        applies={"o_plot": ["stated"]},
        keys=keys,
        breakdown="direction",
        model="a_model_with_$_in_its_name",
    )


def numbers(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_every_kind_in_every_format_with_its_numbers_beside(
    run: RunResult, tmp_path: Path, kind: str, suffix: str
) -> None:
    out = tmp_path / f"figure{suffix}"
    table = plot([run], kind, out)
    assert table == tmp_path / f"figure.{kind}.csv"
    assert numbers(table)
    if suffix == ".png":
        with Image.open(out) as picture:
            assert picture.info["dpi"][0] == pytest.approx(300, abs=1)
            assert len(picture.convert("RGB").getcolors(1 << 24) or []) > 2
    elif suffix == ".pdf":
        # TrueType fonts as a whole (type 42), each with its file; no bitmap fonts of type 3.
        content = out.read_bytes()
        assert b"/FontFile2" in content
        assert b"/Subtype /Type3" not in content
    else:
        # Letters are outlines, so that no reader needs the font.
        content_text = out.read_text(encoding="utf-8")
        assert "<text" not in content_text
        assert "<path" in content_text


def test_numbers_are_those_of_the_comparison(run: RunResult, tmp_path: Path) -> None:
    rows = numbers(plot([run], "directions", tmp_path / "d.svg"))
    compared = [row for row in run.compare(by=["direction"]).rows if row["group"] == "direction"]
    told = {(row["graph"], row["condition"], row["value"]): float(row["shown"]) for row in rows}
    assert told == {
        (row["graph"], row["condition"], row["value"]): row["mean"] for row in compared if row["mean"] is not None
    }


def test_error_map_tells_right_and_below_in_fractions(write_run: WriteRun, tmp_path: Path) -> None:
    """Answers lie 0.25 right of the truth; one beyond the frame is clamped to its edge."""
    run = write_run({"basic": {"a/1": 0.25, "b/1": 1.5}})
    rows = numbers(plot([run], "errormap", tmp_path / "e.png"))
    assert [(float(row["right"]), float(row["below"])) for row in rows] == [(0.25, 0.0), (1.0, 0.0)]


def test_same_numbers_make_the_same_file(run: RunResult, tmp_path: Path) -> None:
    for suffix in (".svg", ".pdf"):
        one, other = tmp_path / f"one{suffix}", tmp_path / f"other{suffix}"
        plot([run], "conditions", one)
        plot([run], "conditions", other)
        assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    ("kind", "name", "message"),
    [
        ("directions", "figure.jpg", r"ends in \.svg, \.pdf, \.png"),
        ("pie", "figure.svg", "there are directions, conditions, response, errormap"),
    ],
)
def test_unknown_kinds_and_endings_are_refused(
    run: RunResult, tmp_path: Path, kind: str, name: str, message: str
) -> None:
    with pytest.raises(ComparisonError, match=message):
        plot([run], kind, tmp_path / name)


def test_data_without_directions_says_so(write_run: WriteRun, tmp_path: Path) -> None:
    with pytest.raises(ComparisonError, match="no directions or other breakdown"):
        plot([write_run({"basic": {"a/1": 0.5}})], "directions", tmp_path / "d.svg")


def test_graphs_are_told_apart_without_colour() -> None:
    """Colours and shapes come round at different times, so that the pairs of 56 graphs differ."""
    pairs = {(COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]) for number in range(56)}
    assert len(pairs) == 56
    assert all(re.fullmatch(r"#[0-9A-F]{6}", colour) for colour in COLOURS)


def test_numbers_take_the_place_of_no_other_table(run: RunResult, tmp_path: Path) -> None:
    (tmp_path / "keep.csv").write_text("mine")
    tables = {plot([run], kind, tmp_path / "keep.png") for kind in ("response", "errormap")}
    assert len(tables) == 2
    assert (tmp_path / "keep.csv").read_text() == "mine"
