"""Markers stand where the published rule puts them, worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.forms import FramePoint
from agents.frame import Frame
from agents.situation import Situation
from agents.workbench import Workbench
from graphs import Hints, Intervention, ObjectHint, mark_anchor, mark_observer
from tools.camera import Camera
from tools.markers import Disc, Marker, Rectangle, Ring
from tools.pictures import Picture

Point = tuple[float, float, float]
Make = Callable[..., Any]

# A camera at the origin that looks along z with a field of view of 90 degrees: in a picture of 512 x 512 the focal
# length is 256 pixels, so a point (x, y, z) falls on u = 256 x/z + 256, v = 256 - 256 y/z.
CAMERA = Camera((0, 0, 0), yaw=0, horizon=0, fov=90, width=512, height=512)


def box(low: Point, high: Point) -> tuple[Point, ...]:
    return tuple((x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2]))


def thing(position: Point, corners: tuple[Point, ...] = (), visible_in: tuple[str, ...] = ("f0",)) -> ObjectHint:
    # The pivot and the box centre stand elsewhere, so that a marker at either would be found out.
    elsewhere = (position[0] + 0.3, position[1] + 0.3, position[2])
    return ObjectHint("Thing|1", "Thing", position, elsewhere, elsewhere, (1, 1, 1), corners, frozenset(visible_in))


def situation_of(*sizes: tuple[int, int]) -> Situation:
    frames = tuple(Frame(f"f{number}", Picture(Path(f"{number}.png"), size)) for number, size in enumerate(sizes))
    return Situation("situated_target", frames, "?", FramePoint())


async def drawn(
    mark: Intervention, hint: ObjectHint, size: tuple[int, int] = (512, 512), camera: Camera = CAMERA
) -> tuple[Marker, ...]:
    """The markers in the one frame of a situation."""
    hints = Hints(cameras={"f0": camera}, observer=hint, anchor=hint)
    changed = await mark.apply(situation_of(size), hints, Workbench())
    return changed.frames[0].picture.markers


@pytest.mark.parametrize(
    ("position", "size", "marker"),
    [
        pytest.param((0, 0, 2), (512, 512), Disc(256, 256, 11), id="centre"),
        # 256 + 256 * 0.51/2 = 321.28; 256 - 256 * 0.23/2 = 226.56
        pytest.param((0.51, 0.23, 2), (512, 512), Disc(321, 226, 11), id="right-and-up"),
        # 256 * 0.333 / 1 + 256 = 341.248; 256 - 256 * 0.111 = 227.584
        pytest.param((0.333, 0.111, 1), (512, 512), Disc(341, 227, 11), id="cut-to-whole-pixels"),
        # 256 - 256 * 1.001 = -0.256: cut towards zero, as Python's int does.
        pytest.param((-1.001, 0, 1), (512, 512), Disc(0, 256, 11), id="just-outside"),
        pytest.param((-1.51, 0, 1), (512, 512), Disc(-130, 256, 11), id="outside-is-cut-off-when-drawn"),
        pytest.param((0, 0, 2), (300, 300), Disc(150, 150, 8), id="at-least-8-pixels"),
        pytest.param((0, 0, 2), (1024, 1000), Disc(512, 500, 22), id="of-the-short-side"),
        # 321.28 / 2 and 226.56 * 2
        pytest.param((0.51, 0.23, 2), (256, 1024), Disc(160, 453, 8), id="picture-of-another-size-than-the-camera"),
    ],
)
async def test_a_disc_marks_where_the_observer_object_stands(
    position: Point, size: tuple[int, int], marker: Disc
) -> None:
    assert await drawn(mark_observer, thing(position), size) == (marker,)


@pytest.mark.parametrize("position", [(0, 0, -1), (0, 0, 0), (0, 0, 1e-7)])
@pytest.mark.parametrize("mark", [mark_observer, mark_anchor], ids=lambda mark: mark.name)
async def test_nothing_is_drawn_for_what_is_behind_the_camera(mark: Intervention, position: Point) -> None:
    assert await drawn(mark, thing(position)) == ()


@pytest.mark.parametrize(
    ("corners", "size", "marker"),
    [
        # The near face at z = 2 spans 256 +- 256 * 0.99/2 = 256 +- 126.72, and the far one lies within it.
        pytest.param(box((-0.99, -0.99, 2), (0.99, 0.99, 4)), (512, 512), Rectangle(129, 129, 382, 382), id="whole"),
        # u from 256 + 256 * 0.51/4 = 288.64 to 256 + 256 * 1.49/2 = 446.72; v 256 +- 256 * 0.49/2 = 256 +- 62.72
        pytest.param(box((0.51, -0.49, 2), (1.49, 0.49, 4)), (512, 512), Rectangle(288, 193, 446, 318), id="aside"),
        pytest.param(
            box((0.51, -0.49, 2), (5, 0.49, 4)), (512, 512), Rectangle(288, 193, 511, 318), id="clipped-right"
        ),
        pytest.param(box((-9, -9, 2), (9, 9, 4)), (512, 512), Rectangle(0, 0, 511, 511), id="larger-than-the-frame"),
        # u to (256 - 256 * 0.49/4) * 640/512 = 280.8; v (256 +- 62.72) * 320/512 = 120.8 and 199.2
        pytest.param(box((-9, -0.49, 2), (-0.49, 0.49, 4)), (640, 320), Rectangle(0, 120, 280, 199), id="clipped-left"),
        # 256 + 256 * 0.333 = 341.248, 256 + 256 * 0.777 = 454.912; 256 - 256 * 0.111 = 227.584 and 284.416
        pytest.param(
            box((0.333, -0.111, 1), (0.777, 0.111, 1)), (512, 512), Rectangle(341, 227, 454, 284), id="cut-to-pixels"
        ),
        # Only the corners at z = 1 count: 256 +- 256 * 0.49 = 256 +- 125.44
        pytest.param(
            box((-0.49, -0.49, -1), (0.49, 0.49, 1)), (512, 512), Rectangle(130, 130, 381, 381), id="half-behind"
        ),
    ],
)
async def test_a_rectangle_bounds_the_anchors_corners(
    corners: tuple[Point, ...], size: tuple[int, int], marker: Rectangle
) -> None:
    assert await drawn(mark_anchor, thing((0, 0, 3), corners), size) == (marker,)


@pytest.mark.parametrize(
    "corners",
    [
        box((-1, -1, -4), (1, 1, -2)),
        box((3, -1, 1), (4, 1, 2)),
        box((-4, -1, 1), (-3, 1, 2)),
        box((-1, 3, 1), (1, 4, 2)),
    ],
    ids=["behind", "to-the-right", "to-the-left", "above"],
)
async def test_no_rectangle_is_drawn_for_a_box_outside_the_frame(corners: tuple[Point, ...]) -> None:
    assert await drawn(mark_anchor, thing((0, 0, 3), corners)) == ()


@pytest.mark.parametrize(
    ("position", "size", "markers"),
    [
        pytest.param((0.51, 0.23, 2), (512, 512), (Ring(321, 226, 20),), id="4-percent-of-512"),
        # 321.28 * 300/512 = 188.25; 226.56 * 300/512 = 132.75
        pytest.param((0.51, 0.23, 2), (300, 300), (Ring(188, 132, 15),), id="at-least-15-pixels"),
        pytest.param((3, 0, 2), (512, 512), (), id="outside-the-frame"),
    ],
)
async def test_a_ring_stands_for_a_box_without_corners(
    position: Point, size: tuple[int, int], markers: tuple[Ring, ...]
) -> None:
    assert await drawn(mark_anchor, thing(position), size) == markers


async def test_the_camera_of_each_frame_counts() -> None:
    turned = replace(CAMERA, yaw=90)
    # It looks along x now: (2, 0, 0) is in the middle, and (2, 0, 0.99) lies to the left, at 256 - 256 * 0.99/2.
    assert await drawn(mark_observer, thing((2, 0, 0)), camera=turned) == (Disc(256, 256, 11),)
    assert await drawn(mark_observer, thing((2, 0, 0.99)), camera=turned) == (Disc(129, 256, 11),)


@pytest.mark.parametrize("mark", [mark_observer, mark_anchor], ids=lambda mark: mark.name)
async def test_only_originals_that_show_the_object_and_have_a_camera_are_marked(mark: Intervention) -> None:
    situation = situation_of((512, 512), (512, 512), (512, 512), (512, 512))
    depth = replace(situation.frames[0], source="derived", derived_from=("f0",))
    situation = replace(situation, frames=(*situation.frames, depth))
    hint = thing((0, 0, 3), box((-1, -1, 2), (1, 1, 4)), visible_in=("f0", "f2", "f3", "attic"))
    hints = Hints(cameras=dict.fromkeys(("f0", "f1", "f2"), CAMERA), observer=hint, anchor=hint)
    changed = await mark.apply(situation, hints, Workbench())
    assert [len(frame.picture.markers) for frame in changed.frames] == [1, 0, 1, 0, 0]
    assert [frame.id for frame in changed.frames] == [frame.id for frame in situation.frames]


async def test_both_markers_are_drawn_over_each_other_in_order() -> None:
    hint = thing((0, 0, 3), box((-1, -1, 2), (1, 1, 4)))
    hints = Hints(cameras={"f0": CAMERA}, observer=hint, anchor=hint)
    changed = situation_of((512, 512))
    for mark in (mark_observer, mark_anchor):
        changed = await mark.apply(changed, hints, Workbench())
    assert [type(marker).__name__ for marker in changed.frames[0].picture.markers] == ["Disc", "Rectangle"]


async def test_notes_say_what_is_marked(situation: Situation, hints: Hints, script: Make, context: Make) -> None:
    observed = await mark_observer.apply(situation, hints, Workbench())
    boxed = await mark_anchor.apply(situation, hints, Workbench())
    assert hints.anchor is not None
    ringed_hints = replace(hints, anchor=replace(hints.anchor, box_corners=()))
    ringed = await mark_anchor.apply(situation, ringed_hints, Workbench())
    render = context(script()).prompts.render
    said = [render(note.template, dict(note.values)) for one in (observed, boxed, ringed) for note in one.notes]
    assert "red disc marks" in said[0]
    assert "blue rectangle marks" in said[1]
    assert "blue rectangle (or a blue circle) marks" in said[2]
    assert len(said) == 3


@given(
    st.tuples(*[st.floats(-50, 50)] * 3),
    st.tuples(*[st.floats(0.01, 20)] * 3),
    st.sampled_from([(512, 512), (640, 480), (64, 300)]),
)
async def test_a_rectangle_lies_within_its_frame(low: Point, extent: Point, size: tuple[int, int]) -> None:
    high = (low[0] + extent[0], low[1] + extent[1], low[2] + extent[2])
    for marker in await drawn(mark_anchor, thing(low, box(low, high)), size):
        assert isinstance(marker, Rectangle)
        assert 0 <= marker.x0 < marker.x1 <= size[0] - 1
        assert 0 <= marker.y0 < marker.y1 <= size[1] - 1
