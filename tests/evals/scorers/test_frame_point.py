"""Scores of points in frames, against hand calculation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.scorers.frame_point import frame_point


def truth(x, y, in_frame=True, frame_correct=None):
    return {"x": x, "y": y, "in_frame": in_frame, "frame_correct": frame_correct}


def score(answer, wanted):
    columns = frame_point.score([dict(zip("xy", answer, strict=True))], [wanted])
    return {name: column[0] for name, column in columns.items()}


@pytest.mark.parametrize(
    ("answer", "target", "l2", "abs_x", "abs_y"),
    [
        ((0.5, 0.5), (0.5, 0.5), 0.0, 0.0, 0.0),
        ((0.8, 0.9), (0.5, 0.5), 0.5, 0.3, 0.4),
        ((1.5, 0.5), (0.5, 0.5), 0.5, 0.5, 0.0),
        ((-3.0, -3.0), (1.0, 1.0), math.sqrt(2), 1.0, 1.0),
        ((0.5, 0.5), (1.7, 0.5), 0.5, 0.5, 0.0),
    ],
)
def test_distance_is_between_clamped_points(answer, target, l2, abs_x, abs_y):
    scores = score(answer, truth(*target))
    assert (scores["l2"], scores["abs_x"], scores["abs_y"]) == pytest.approx((l2, abs_x, abs_y))


@pytest.mark.parametrize(
    ("distance", "hits"), [(0.0, (1, 1, 1)), (0.05, (1, 1, 1)), (0.06, (0, 1, 1)), (0.15, (0, 0, 1)), (0.21, (0, 0, 0))]
)
def test_a_hit_lies_within_its_distance(distance, hits):
    scores = score((distance, 0.0), truth(0.0, 0.0))
    assert (scores["hit_0.05"], scores["hit_0.1"], scores["hit_0.2"]) == hits


@pytest.mark.parametrize(
    ("answer", "outside"),
    [((0.0, 0.0), 0), ((0.999, 0.999), 0), ((1.0, 0.5), 1), ((0.5, 1.0), 1), ((-0.001, 0.5), 1), ((0.5, 7.0), 1)],
)
def test_an_answer_is_out_of_range_on_either_axis(answer, outside):
    assert score(answer, truth(0.5, 0.5))["out_of_range"] == outside


def test_a_target_out_of_frame_has_no_distance_in_the_frame():
    inside, outside = score((0.5, 0.5), truth(0.5, 0.7)), score((0.5, 0.5), truth(0.5, 1.0, in_frame=False))
    assert (inside["l2_in_frame"], inside["in_frame"]) == (pytest.approx(0.2), 1)
    assert (math.isnan(outside["l2_in_frame"]), outside["in_frame"]) == (True, 0)
    assert outside["l2"] == pytest.approx(0.5)


@pytest.mark.parametrize(("correct", "value"), [(True, 1.0), (False, 0.0), (None, math.nan)])
def test_frame_correct_says_nothing_where_nothing_was_chosen(correct, value):
    assert score((0.5, 0.5), truth(0.5, 0.5, frame_correct=correct))["frame_correct"] == pytest.approx(
        value, nan_ok=True
    )


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_is_refused_on_both_sides(bad):
    with pytest.raises(ValueError, match="NaN or infinite"):
        score((bad, 0.5), truth(0.5, 0.5))
    with pytest.raises(ValueError, match="NaN or infinite"):
        score((0.5, 0.5), truth(0.5, bad))


def test_answers_and_truths_must_pair_up():
    with pytest.raises(ValueError, match="1 answers cannot be held against 2 truths"):
        frame_point.score([{"x": 0, "y": 0}], [truth(0, 0), truth(0, 0)])


def test_the_columns_are_the_metrics_also_of_nothing():
    columns = frame_point.score([], [])
    assert sorted(columns) == sorted(metric.name for metric in frame_point.metrics)
    assert {column.shape for column in columns.values()} == {(0,)}


def test_the_headline_is_the_published_distance():
    assert (frame_point.form, frame_point.name, frame_point.headline) == ("frame_point", "frame_point", "l2")
    assert frame_point.lower_is_better
    assert frame_point.worst == pytest.approx(math.sqrt(2))


points = st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5), st.floats(0, 1), st.floats(0, 1)), max_size=5)


@given(points)
def test_columns_hold_one_item_after_the_other_within_their_range(items):
    columns = frame_point.score([{"x": x, "y": y} for x, y, *_ in items], [truth(x, y) for *_, x, y in items])
    for index, (x, y, target_x, target_y) in enumerate(items):
        alone = score((x, y), truth(target_x, target_y))
        for name, column in columns.items():
            np.testing.assert_equal(column[index], alone[name])
        assert 0 <= alone["l2"] <= frame_point.worst
        assert alone["l2"] <= math.dist((x, y), (target_x, target_y)) + 1e-12
