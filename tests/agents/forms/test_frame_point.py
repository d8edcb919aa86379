"""A point in a frame is read strictly, or as the benchmark's authors read it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from agents.forms import FramePoint, FramePointAnswer, Reading
from agents.frame import Frame
from agents.view import View
from agents.wire import Unreadable
from tools.coordinates import Convention
from tools.pictures import Picture

GOLDEN = Path(__file__).parents[2] / "golden" / "povbench" / "predictions.json"
ROWS: list[dict[str, Any]] = json.loads(GOLDEN.read_text())["predictions"]
SIDE = 512


def view_of(*ids: str) -> View:
    frames = tuple(Frame(name, Picture(Path(name), (SIDE, SIDE))) for name in ids)
    return View(frames, bound_to=0 if len(frames) == 1 else None)


SIX = view_of(*(f"f{number}" for number in range(6)))
ONE = view_of("f0")


def read(text: str, view: View, reading: Reading) -> FramePointAnswer | None:
    """The answer in a reply, None where there is none."""
    try:
        answer = FramePoint().read(text, view, reading)
    except Unreadable:
        return None
    assert isinstance(answer, FramePointAnswer)
    return answer


def golden_view(row: dict[str, Any]) -> View:
    return view_of(*row["candidate_images"]) if row["type"] in "ab" else view_of("observer")


def name_of(row: dict[str, Any]) -> str:
    return f"{row['house_id']}-{row['pair_id']}-{row['direction']}-{row['type']}"


def golden_answer(row: dict[str, Any]) -> FramePointAnswer | None:
    """What the authors' reader made of a row; one that chose a frame out of range counts as unanswered."""
    if row["predicted_x"] is None or (row["type"] in "ab" and row["predicted_image"] is None):
        return None
    frame = row["predicted_image"] if row["type"] in "ab" else "observer"
    return FramePointAnswer(frame=frame, x=row["predicted_x"] / SIDE, y=row["predicted_y"] / SIDE)


def test_as_many_golden_replies_are_answered_as_the_authors_counted() -> None:
    counted = json.loads((GOLDEN.parent / "expected.json").read_text())["summary"]
    assert (len(ROWS), counted["total"]) == (78, 78)
    assert sum(golden_answer(row) is not None for row in ROWS) == counted["n_ok"]


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_the_published_reading_is_that_of_the_authors(row: dict[str, Any]) -> None:
    assert read(row["raw_response"], golden_view(row), "published") == golden_answer(row)


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_the_strict_reading_takes_the_last_object_in_range_or_not(row: dict[str, Any]) -> None:
    expected = golden_answer(row)
    if "final:" in row["raw_response"]:
        # Where the authors' reader went back to an earlier point, because the last one lies outside the picture.
        assert expected is not None
        expected = expected.model_copy(update={"x": 900 / SIDE})
    assert read(row["raw_response"], golden_view(row), "strict") == expected


def point(x: float, y: float, frame: str = "f0") -> FramePointAnswer:
    return FramePointAnswer(frame=frame, x=x / SIDE, y=y / SIDE)


A = '{"x": 10, "y": 20}'
B = '{"x": 30, "y": 40}'
OUT = '{"x": 900, "y": 40}'


@pytest.mark.parametrize(
    ("text", "strict", "published"),
    [
        (f"```json\n{A}\n```", point(10, 20), point(10, 20)),
        (f"The bed is at (120, 300), so {A} it is. {{really}}", point(10, 20), point(10, 20)),
        (f"{A} No, wait: {B}", point(30, 40), point(30, 40)),
        (f"{A} and then {OUT}", point(900, 40), point(10, 20)),
        (f"{OUT} only", point(900, 40), point(900, 40)),
        (f'{A} {{"x": 30, "y":', point(10, 20), point(10, 20)),
        ('{"x": 10, "y": 20', None, None),
        ('{"x": 10}', None, None),
        (f"<think>{A}</think>{B}", point(30, 40), point(30, 40)),
        (f"<think>{A}</think>", None, point(10, 20)),
        (f"{A}<think>{B}", point(10, 20), point(30, 40)),
        (f"<think>{A} so", None, point(10, 20)),
        (f"{A}</think>{B}", point(30, 40), point(30, 40)),
        (f'{{"answer": {A}}}', point(10, 20), point(10, 20)),
        (f'{{"x": 1, "y": 2, "refined": {A}}}', point(10, 20), point(10, 20)),
        ('{"y": 20, "x": 10}', point(10, 20), point(10, 20)),
        ('{"x": "10", "y": "20.0"}', point(10, 20), point(10, 20)),
        ('{"x": 10.25, "y": 20.75}', point(10.25, 20.75), point(10.25, 20.75)),
        ('{"x": -40.0, "y": 20}', point(-40, 20), point(-40, 20)),
        ('{"x": 511, "y": 0}{"x": 511.5, "y": 0}', point(511.5, 0), point(511, 0)),
        ('{"x": NaN, "y": 20}', None, None),
        ('{"x": Infinity, "y": 20}', None, None),
        ('{"x": 1e999, "y": 20}', None, None),
        ('{"x": true, "y": 20}', None, None),
        ('{"x": null, "y": 20}', None, None),
        (f'{A} {{"x": NaN, "y": 1}}', None, point(10, 20)),
        ("{'x': 10, 'y': 20}", None, None),
        ("[10, 20]", None, None),
        ("x=10, y=20", None, None),
        ("I cannot help with that.", None, None),
        ("", None, None),
        ("   \n", None, None),
        ('{"x": {"x": 10, "y": 20}, "y": 30}', point(10, 20), point(10, 20)),
        ("{" * 100_000, None, None),
        ('{"x":' * 50_000, None, None),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_hostile_reply_about_one_frame(
    text: str, strict: FramePointAnswer | None, published: FramePointAnswer | None
) -> None:
    assert read(text, ONE, "strict") == strict
    assert read(text, ONE, "published") == published


def chosen(frame: object, x: object = 10, y: object = 20) -> str:
    return json.dumps({"selected_image": frame, "x": x, "y": y})


@pytest.mark.parametrize(
    ("text", "strict", "published"),
    [
        (chosen(3), point(10, 20, "f3"), point(10, 20, "f3")),
        (chosen("3", "10", "20"), point(10, 20, "f3"), point(10, 20, "f3")),
        (chosen(0), point(10, 20, "f0"), point(10, 20, "f0")),
        (chosen(5), point(10, 20, "f5"), point(10, 20, "f5")),
        (chosen(6), None, None),
        (chosen(-1), None, None),
        (chosen("Image 3"), point(10, 20, "f3"), point(10, 20, "f3")),
        (chosen("Image 6"), None, None),
        (chosen(None), None, None),
        (chosen(True), None, None),
        (chosen(2.5), None, None),
        (A, None, None),
        (f"{chosen(3)}\nso at {B}", point(10, 20, "f3"), point(10, 20, "f3")),
        (f"{chosen(3)} {chosen(4, 900)}", point(900, 20, "f4"), point(10, 20, "f3")),
        (f"{chosen(3)} {chosen(9)}", None, None),
        (f"{chosen(1)} {chosen(2, math.nan)}", None, point(10, 20, "f1")),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_hostile_reply_about_several_frames(
    text: str, strict: FramePointAnswer | None, published: FramePointAnswer | None
) -> None:
    assert read(text, SIX, "strict") == strict
    assert read(text, SIX, "published") == published


def test_the_published_range_is_that_of_the_convention_in_which_points_were_asked_for() -> None:
    thousand = View(ONE.frames, Convention("thousand", scale=1000), bound_to=0)
    answer = read(f'{OUT} {{"x": 1200, "y": 4}}', thousand, "published")
    assert answer == FramePointAnswer(frame="f0", x=0.9, y=0.04)


def test_each_point_counts_in_its_own_frame_size() -> None:
    view = View((*ONE.frames, Frame("wide", Picture(Path("wide"), (1024, 256)))))
    assert read(chosen(1, 512, 64), view, "strict") == FramePointAnswer(frame="wide", x=0.5, y=0.25)


def test_why_nothing_could_be_read_is_said() -> None:
    with pytest.raises(Unreadable, match="no complete JSON object with selected_image, x, y"):
        FramePoint().read("left of the bed", SIX)
    with pytest.raises(Unreadable, match="no flat JSON object with x, y"):
        FramePoint().read("left of the bed", ONE, "published")
