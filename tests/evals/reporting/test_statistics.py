"""Means of items with intervals clustered by scene, against arithmetic by hand and the published formula."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from evals.reporting.statistics import Mean, clustered_mean, clustered_mean_of_groups


def test_interval_of_four_items_in_two_scenes_by_hand():
    # Mean (1 + 2 + 3 + 6) / 4 = 3. Residuals -2, -1 | 0, 3, summed by scene -3 | 3, squared and added 18.
    # Variance of the mean: 18 / 4^2 = 1.125, times G / (G - 1) * (N - 1) / (N - 1) = 2, is 2.25; its root is 1.5.
    # The 97.5 % point of t with G - 1 = 1 degree of freedom is tan(0.475 pi) = 12.7062: 3 -+ 19.0593.
    mean = clustered_mean([1, 2, 3, 6], ["a", "a", "b", "b"])
    half = 1.5 * math.tan(0.475 * math.pi)
    assert (mean.value, mean.items, mean.clusters) == (pytest.approx(3), 4, 2)
    assert (mean.low, mean.high) == (pytest.approx(3 - half), pytest.approx(3 + half))
    assert half == pytest.approx(19.0593, abs=1e-4)


def test_interval_of_three_scenes_of_different_size_by_hand():
    # Mean 12 / 6 = 2. Sums of residuals by scene: (0 - 2) = -2; (1 - 2) + (3 - 2) = 0; (1 + 2 + 5) - 6 = 2.
    # Variance: (4 + 0 + 4) / 36 * 3 / 2 = 1 / 3. t with 2 degrees: 0.95 * sqrt(2 / (1 - 0.95^2)) = 4.30265.
    mean = clustered_mean([0, 1, 3, 1, 2, 5], ["a", "b", "b", "c", "c", "c"])
    half = math.sqrt(1 / 3) * 0.95 * math.sqrt(2 / (1 - 0.95**2))
    assert mean.value == pytest.approx(2)
    assert (mean.low, mean.high) == (pytest.approx(2 - half), pytest.approx(2 + half))


def by_formula(values, clusters):
    """The cluster-robust variance of a mean with the small-sample factor G / (G - 1) * (N - 1) / (N - K), K = 1."""
    values, clusters = np.array(values), np.array(clusters)
    names, count, mean = np.unique(clusters), len(values), values.mean()
    meat = sum((values[clusters == name] - mean).sum() ** 2 for name in names)
    variance = meat / count**2 * len(names) / (len(names) - 1) * (count - 1) / (count - 1)
    half = student.ppf(0.975, len(names) - 1) * math.sqrt(variance)
    return mean - half, mean + half


@pytest.mark.parametrize(("scenes", "items"), [(2, 5), (6, 20), (47, 300)])
def test_interval_follows_the_formula(scenes, items):
    random = np.random.default_rng(scenes)
    clusters = [*range(scenes), *random.integers(scenes, size=items - scenes)]
    values = random.normal(size=items) + np.array(clusters) / scenes
    mean = clustered_mean(values, clusters)
    assert (mean.low, mean.high) == pytest.approx(by_formula(values, clusters))
    assert (mean.items, mean.clusters) == (items, scenes)


def test_mean_of_group_means_by_hand():
    # Means of the groups: left (1 + 2 + 3 + 6) / 4 = 3, up (5 + 9) / 2 = 7; their mean is 5.
    # Residuals about them: left a: -2, -1, b: 0, 3; up a: -2, b: 2. Each counts 1 / (2 * size of its group):
    # scene a: -3 / 8 - 2 / 4 = -7 / 8, scene b: 7 / 8. Squared and added 49 / 32, times G / (G - 1) = 2 and
    # (N - 1) / (N - K) = 5 / 4.
    groups = ["left", "left", "left", "left", "up", "up"]
    mean = clustered_mean_of_groups([1, 2, 3, 6, 5, 9], list("aabbab"), groups)
    half = math.sqrt(49 / 32 * 2 * 5 / 4) * math.tan(0.475 * math.pi)
    assert (mean.value, mean.items, mean.clusters) == (pytest.approx(5), 6, 2)
    assert (mean.low, mean.high) == (pytest.approx(5 - half), pytest.approx(5 + half))


def test_mean_of_one_group_is_the_plain_mean():
    values, scenes = [0, 1, 3, 1, 2, 5], list("abbccc")
    grouped, plain = clustered_mean_of_groups(values, scenes, ["left"] * 6), clustered_mean(values, scenes)
    assert (grouped.value, grouped.low, grouped.high) == pytest.approx((plain.value, plain.low, plain.high))


def test_a_group_from_one_scene_leaves_the_mean_of_means_without_interval():
    mean = clustered_mean_of_groups([1, 3, 6, 8], list("abaa"), ["left", "left", "up", "up"])
    assert (mean.value, mean.low, mean.high) == (pytest.approx((2 + 7) / 2), None, None)
    assert clustered_mean_of_groups([float("nan")], ["a"], ["left"]).value is None


def test_items_without_a_value_are_left_out_with_their_scene():
    nan = float("nan")
    assert clustered_mean([1, nan, 2, 3, 6, nan], list("acabbc")) == clustered_mean([1, 2, 3, 6], list("aabb"))


@pytest.mark.parametrize(
    ("values", "scenes", "mean", "items"),
    [([1, 2, 6], "aaa", 3.0, 3), ([1, 2, float("nan")], "aab", 1.5, 2), ([4], "a", 4.0, 1)],
)
def test_one_scene_has_a_mean_and_no_interval(values, scenes, mean, items):
    found = clustered_mean(values, list(scenes))
    assert found.value == pytest.approx(mean)
    assert (found.low, found.high, found.items, found.clusters) == (None, None, items, 1)


@pytest.mark.parametrize("values", [[], [float("nan")] * 3])
def test_nothing_to_average_is_no_mean(values):
    assert clustered_mean(values, ["a"] * len(values)) == Mean(None, None, None, 0, 0)


def test_equal_items_have_an_interval_of_no_width():
    mean = clustered_mean([0.3] * 6, list("aabbcc"))
    assert (mean.value, mean.low, mean.high) == (pytest.approx(0.3), pytest.approx(0.3), pytest.approx(0.3))


@given(
    st.lists(st.tuples(st.floats(0, 2), st.sampled_from("abcd")), min_size=2, max_size=12),
    st.randoms(use_true_random=False),
)
def test_order_of_the_items_does_not_matter_and_the_mean_lies_in_its_interval(items, random):
    shuffled = random.sample(items, len(items))
    one, other = (clustered_mean(*map(list, zip(*rows, strict=True))) for rows in (items, shuffled))
    assert one.value == pytest.approx(other.value)
    if one.low is not None:
        assert (one.low, one.high) == (pytest.approx(other.low), pytest.approx(other.high))
        assert one.low <= one.value + 1e-12
        assert one.high >= one.value - 1e-12
