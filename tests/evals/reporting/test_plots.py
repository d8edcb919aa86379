"""Figures for papers: every format, fonts inside, and the numbers beside."""

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
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


def drawn(kind: str, results: list[RunResult]) -> Figure:
    """The figure as it is laid out, its texts where they will be."""
    figure = Figure(layout="constrained", dpi=100)
    take, draw = KINDS[kind]
    draw(figure, take(results))
    FigureCanvasAgg(figure).draw()
    return figure


@pytest.mark.parametrize("kind", ["directions", "conditions", "errormap"])
def test_models_whose_names_differ_in_one_letter_are_told_apart(write_run: WriteRun, kind: str) -> None:
    start, end = "provider/a-family-of-models-with-a-long-name-", "b-instruct-of-the-third-of-march-2026"
    samples = {f"{scene}/{side}": 0.3 for scene in "abc" for side in ("left", "up")}
    keys = {sample: {"direction": sample.partition("/")[2]} for sample in samples}
    runs = [
        write_run({"basic": samples}, size, model=f"{start}{size}{end}", keys=keys, breakdown="direction")
        for size in ("7", "8")
    ]
    texts = [text.get_text().replace("\n", "") for text in drawn(kind, runs).findobj(Text)]
    assert {text for text in texts if text.startswith("provider")} == {f"{start}7{end}", f"{start}8{end}"}


def test_a_graph_that_does_not_apply_has_no_panel(run: RunResult) -> None:
    titles = [panel.get_title() for panel in drawn("errormap", [run]).axes if panel.get_visible()]
    assert [title.replace("\n", " ") for title in titles if title] == [
        "basic, stated n = 6",
        "basic, given n = 6",
        "o_plot, stated n = 6",
    ]


@pytest.mark.parametrize("kind", ["directions", "conditions", "response"])
@pytest.mark.parametrize("count", [3, 30])
def test_all_of_the_legend_lies_within_the_figure(write_run: WriteRun, kind: str, count: int) -> None:
    samples = {f"{scene}/left": 0.3 for scene in "abc"}
    keys = {sample: {"direction": "left"} for sample in samples}
    graphs = {f"s_cot_with_a_long_name+blind_{number}": samples for number in range(count)}
    figure = drawn(kind, [write_run(graphs, keys=keys, breakdown="direction")])
    (legend,) = figure.legends
    box, whole = legend.get_window_extent(), figure.bbox
    assert whole.x0 <= box.x0 < box.x1 <= whole.x1
    assert whole.y0 <= box.y0 < box.y1 <= whole.y1
    assert len(legend.get_texts()) == count
    panel = figure.axes[0].get_window_extent()
    assert panel.height > 80


def test_one_graph_model_or_condition_can_be_drawn_alone(run: RunResult, tmp_path: Path) -> None:
    rows = numbers(plot([run], "errormap", tmp_path / "e.png", {"graph": "basic", "condition": "given"}))
    assert {(row["graph"], row["condition"]) for row in rows} == {("basic", "given")}
    assert len(rows) == 6
    with pytest.raises(ComparisonError, match=r"unknown graph 'cot'\. There is something to draw of: basic, o_plot"):
        plot([run], "errormap", tmp_path / "e.png", {"graph": "cot"})


def test_letters_that_the_font_lacks_are_said_in_a_line(
    write_run: WriteRun, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    said: list[str] = []
    run = write_run({"basic": {"a/1": 0.5, "b/1": 0.4}}, model="\u6a21\u578b")
    plot([run], "conditions", tmp_path / "c.png", say=said.append)
    assert said == [
        "some letters of the names are not in the font and are boxes in c.png; c.conditions.csv has the names"
    ]
    assert not recwarn.list
    plot([write_run({"basic": {"a/1": 0.5}}, "plain")], "conditions", tmp_path / "c.png", say=said.append)
    assert len(said) == 1
