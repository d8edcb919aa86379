"""Coordinates keep their meaning whatever convention they are written in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.coordinates import PIXELS, Convention, from_native, largest, to_native

THOUSANDTHS = Convention("0-1000", scale=1000)
PERCENT = Convention("percent", scale=100, decimals=1)
FRACTIONS = Convention("fractions", scale=1, decimals=3)


@pytest.mark.parametrize(
    ("convention", "fraction", "side", "written"),
    [
        (PIXELS, 0.5, 512, 256),
        (PIXELS, 0.25, 640, 160),
        (PIXELS, 1.5, 100, 150),
        (THOUSANDTHS, 0.5, 512, 500),
        (THOUSANDTHS, -0.1, 512, -100),
        (PERCENT, 0.125, 512, 12.5),
        (FRACTIONS, 0.125, 512, 0.125),
    ],
)
def test_a_fraction_is_written_as_the_convention_says(
    convention: Convention, fraction: float, side: int, written: float
) -> None:
    assert to_native(fraction, side, convention) == pytest.approx(written)
    assert from_native(written, side, convention) == pytest.approx(fraction)


@given(
    fraction=st.floats(-10, 10),
    side=st.integers(1, 10_000),
    convention=st.sampled_from([PIXELS, THOUSANDTHS, PERCENT, FRACTIONS]),
)
def test_what_is_written_reads_back(fraction: float, side: int, convention: Convention) -> None:
    assert from_native(to_native(fraction, side, convention), side, convention) == pytest.approx(fraction, abs=1e-12)


@pytest.mark.parametrize(
    ("convention", "side", "expected"),
    [(PIXELS, 512, 511), (PIXELS, 1, 0), (THOUSANDTHS, 512, 1000), (FRACTIONS, 9, 1)],
)
def test_the_largest_coordinate_asked_for_is_the_last_pixel_or_the_scale(
    convention: Convention, side: int, expected: float
) -> None:
    assert largest(side, convention) == expected
