"""Markers have the published colours, widths and radii, pixel by pixel."""

from __future__ import annotations

import numpy as np
import pytest

from tools.markers import Disc, Marker, Rectangle, RGBImage, Ring, canonical_text, disc_radius, draw, ring_radius

RED, WHITE, BLUE, GREY = (255, 0, 0), (255, 255, 255), (0, 0, 255), (90, 90, 90)
FAR = 2**40


def grey(width: int = 60, height: int = 40) -> RGBImage:
    return np.full((height, width, 3), GREY, dtype=np.uint8)


def within(radius: int, x: int, y: int, width: int = 60, height: int = 40) -> np.ndarray:
    rows, columns = np.mgrid[:height, :width]
    return np.asarray((columns - x) ** 2 + (rows - y) ** 2 <= radius**2)


@pytest.mark.parametrize(
    ("size", "disc", "ring"),
    [
        ((512, 512), 11, 20),
        ((640, 480), 10, 19),
        ((480, 640), 10, 19),
        ((1000, 2000), 22, 40),
        ((1920, 1080), 23, 43),
        ((363, 900), 8, 15),
        ((64, 64), 8, 15),
    ],
)
def test_radii_follow_the_short_side(size: tuple[int, int], disc: int, ring: int) -> None:
    assert disc_radius(size) == disc
    assert ring_radius(size) == ring


@pytest.mark.parametrize(("x", "y", "radius"), [(30, 20, 8), (3, 2, 11), (59, 39, 8)])
def test_a_disc_is_red_with_a_white_rim_of_two_pixels(x: int, y: int, radius: int) -> None:
    expected = grey()
    expected[within(radius, x, y)] = WHITE
    expected[within(radius - 2, x, y)] = RED
    np.testing.assert_array_equal(draw(grey(), [Disc(x, y, radius)]), expected)


@pytest.mark.parametrize(("x", "y", "radius"), [(30, 20, 15), (0, 0, 15), (58, 5, 20)])
def test_a_ring_is_three_blue_pixels_wide_and_empty(x: int, y: int, radius: int) -> None:
    expected = grey()
    expected[within(radius, x, y) & ~within(radius - 3, x, y)] = BLUE
    np.testing.assert_array_equal(draw(grey(), [Ring(x, y, radius)]), expected)


def test_a_rectangle_is_three_blue_pixels_wide_inside_its_corners() -> None:
    expected = grey()
    expected[5:21, 10:41] = BLUE
    expected[8:18, 13:38] = GREY
    np.testing.assert_array_equal(draw(grey(), [Rectangle(10, 5, 40, 20)]), expected)


def test_a_rectangle_along_the_edges_is_seen_whole() -> None:
    expected = grey()
    expected[:] = BLUE
    expected[3:37, 3:57] = GREY
    np.testing.assert_array_equal(draw(grey(), [Rectangle(0, 0, 59, 39)]), expected)


@pytest.mark.parametrize(
    ("marker", "blue_pixels"),
    [
        (Rectangle(10, 10, 10, 10), 1),
        (Rectangle(10, 10, 13, 10), 4),
        (Rectangle(10, 10, 14, 14), 25),
        (Rectangle(10, 10, 16, 16), 48),
        (Rectangle(-10, 30, 70, 50), 3 * 60),
        (Ring(20, 20, 0), 1),
        (Ring(20, 20, 1), 5),
    ],
)
def test_small_and_cut_off_outlines_keep_what_can_be_seen(marker: Marker, blue_pixels: int) -> None:
    assert int((draw(grey(), [marker]) == BLUE).all(axis=2).sum()) == blue_pixels


@pytest.mark.parametrize(
    "marker",
    [Disc(FAR, -FAR, 11), Disc(5, FAR, 11), Ring(-FAR, 3, 20), Disc(-20, 10, 8), Rectangle(FAR, FAR, FAR + 9, FAR + 9)],
)
def test_a_marker_outside_the_picture_leaves_it_alone(marker: Marker) -> None:
    np.testing.assert_array_equal(draw(grey(), [marker]), grey())


def test_later_markers_cover_earlier_ones() -> None:
    disc, box = Disc(12, 12, 8), Rectangle(12, 4, 40, 30)
    assert tuple(draw(grey(), [disc, box])[12, 12]) == BLUE
    assert tuple(draw(grey(), [box, disc])[12, 12]) == RED


def test_the_picture_that_was_given_stays_as_it_was() -> None:
    pixels = grey()
    pixels.flags.writeable = False
    drawn = draw(pixels, [Disc(30, 20, 8)])
    np.testing.assert_array_equal(pixels, grey())
    assert drawn is not pixels
    assert draw(pixels, []) is not pixels


def test_a_view_with_reversed_channels_can_be_drawn_on() -> None:
    assert tuple(draw(grey()[:, :, ::-1], [Disc(30, 20, 8)])[20, 30]) == RED


@pytest.mark.parametrize("shape", [(10, 10), (10, 10, 4), (10, 10, 1)])
def test_pictures_that_are_not_rgb_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"\(H, W, 3\)"):
        draw(np.zeros(shape, dtype=np.uint8), [])


def test_markers_that_draw_differently_have_different_texts() -> None:
    several: list[tuple[Marker, ...]] = [
        (),
        (Disc(1, 2, 3),),
        (Ring(1, 2, 3),),
        (Disc(12, 3, 4),),
        (Disc(1, 23, 4),),
        (Disc(1, 2, 3), Ring(1, 2, 3)),
        (Ring(1, 2, 3), Disc(1, 2, 3)),
        (Rectangle(1, 2, 3, 4),),
    ]
    assert len({canonical_text(markers) for markers in several}) == len(several)
