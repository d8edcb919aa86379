"""Means, intervals and tests, held against examples worked by hand; the working stands beside each."""

import numpy as np
import pytest

from evals.reporting.contrast import _share_ends
from evals.reporting.statistics import (
    adjusted,
    clustered_difference,
    clustered_mean,
    exact_mcnemar,
    sign_flip,
    variances,
)


def test_mean_of_items_has_an_interval_over_scenes() -> None:
    # Mean 16/5. Residuals sum to -2.4, -0.4 and 2.8 a scene: squares 13.76, over 5², times C/(C-1) = 3/2: 0.8256.
    # As independent items: s² = 14.8/4, over 5: 0.74. t with 2 degrees of freedom, from a printed table: 4.302653.
    mean = clustered_mean([1, 3, 2, 4, 6], ["a", "a", "b", "b", "c"])
    assert mean.value == pytest.approx(3.2)
    assert mean.variance == pytest.approx(0.8256)
    assert mean.low == pytest.approx(3.2 - 4.302653 * 0.8256**0.5, rel=1e-5)
    assert mean.high == pytest.approx(3.2 + 4.302653 * 0.8256**0.5, rel=1e-5)
    assert mean.design_effect == pytest.approx(0.8256 / 0.74)
    assert (mean.items, mean.clusters) == (5, 3)


def test_difference_of_means_knows_that_both_come_from_the_same_scenes() -> None:
    # 2 - 0. A scene's share of the difference: -1/2 and +1/2: squares 0.5, times C/(C-1) = 2 and (N-1)/(N-2) = 3/2.
    difference = clustered_difference([1, 3], ["a", "b"], [0, 0], ["a", "b"])
    assert difference.value == pytest.approx(2.0)
    assert difference.variance == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("values", "scenes", "expected"),
    [
        ([], [], None),
        ([np.nan, np.nan], ["a", "b"], None),
        ([1.0, 3.0, np.nan], ["a", "a", "b"], 2.0),
    ],
    ids=["nothing", "no value", "one scene with values"],
)
def test_interval_is_not_made_up(values: list[float], scenes: list[str], expected: float | None) -> None:
    mean = clustered_mean(values, scenes)
    assert mean.value == (None if expected is None else pytest.approx(expected))
    assert (mean.low, mean.high, mean.variance, mean.design_effect) == (None, None, None, None)


@pytest.mark.parametrize(
    ("differences", "scenes", "expected"),
    [
        # Sums 1, 2, 3: of 8 sign patterns only the two extreme ones reach 6.
        ([1, 1, 1, 1.5, 1.5], ["a", "b", "b", "c", "c"], 2 / 8),
        # Sums 3, 2, -1 add up to 4: 6 and 4 are reached by two patterns on each side.
        ([3, 2, -1], ["a", "b", "c"], 4 / 8),
        # Scenes without a difference tell nothing: the same as the first.
        ([1, 2, 3, 0, 0], ["a", "b", "c", "d", "e"], 2 / 8),
        ([0, 0, 0], ["a", "b", "c"], 1.0),
        # One scene only differs: either sign is as likely.
        ([5, 0, 0], ["a", "b", "c"], 1.0),
        ([1, 2], ["a", "a"], None),
        ([], [], None),
    ],
)
def test_sign_flip_counts_the_sign_patterns_of_scene_sums(
    differences: list[float], scenes: list[str], expected: float | None
) -> None:
    assert sign_flip(differences, scenes) == (None if expected is None else pytest.approx(expected))


def test_sign_flip_of_many_scenes_is_drawn_and_the_same_tomorrow() -> None:
    differences = np.random.default_rng(0).normal(0.3, 1, 40)
    first = sign_flip(differences, range(40))
    assert first == sign_flip(differences, range(40))
    # The t test, an outside yardstick, agrees with so many scenes up to the error of 9,999 draws.
    from scipy.stats import ttest_1samp

    assert first == pytest.approx(ttest_1samp(differences, 0).pvalue, abs=0.02)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        # 6 against 1 of the items that differ: twice the chance of at most 1 head in 7 tosses, 2 * (1 + 7) / 128.
        ([1] * 6 + [0] + [1] * 5, [0] * 6 + [1] + [1] * 5, 0.125),
        # 10 against 0: 2 / 1024.
        ([1] * 10, [0] * 10, 2 / 1024),
        ([1, 0], [1, 0], 1.0),
        ([], [], None),
    ],
)
def test_mcnemar_is_exact(first: list[int], second: list[int], expected: float | None) -> None:
    assert exact_mcnemar(first, second) == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        # 3 * 0.01; 2 * 0.03; 1 * 0.04, but never less than the one before.
        ("holm", [0.03, None, 0.06, 0.06]),
        # 0.01 * 3 / 1; 0.03 * 3 / 2, but never more than the one after; 0.04 * 3 / 3.
        ("benjamini-hochberg", [0.03, None, 0.04, 0.04]),
    ],
)
def test_families_are_adjusted_without_what_was_not_tested(method: str, expected: list[float | None]) -> None:
    found = adjusted([0.01, None, 0.04, 0.03], method)  # type: ignore[arg-type]
    assert found == [None if p is None else pytest.approx(p) for p in expected]


def test_variance_between_items_and_between_repeats_are_told_apart() -> None:
    # Items 1, 3 and 5, 7. Within: 4 * 1² over 4 - 2 = 2. Between means: 2 * (2² + 2²) over 1 = 16; (16 - 2) / 2 = 7.
    apart = variances([1, 3, 5, 7], ["a", "a", "b", "b"])
    assert (apart.between_items, apart.between_repeats) == (pytest.approx(7), pytest.approx(2))


def test_without_repeats_only_the_variance_of_items_is_known() -> None:
    assert variances([1, 3], ["a", "b"]).between_repeats is None


def test_intervals_and_tests_keep_their_promise_on_clustered_data() -> None:
    """A quick look with a fixed seed; 2,000 draws stand in docs/statistics.md."""
    random = np.random.default_rng(11)
    scenes = np.repeat(np.arange(10), 20)
    draws, covered, rejected = 200, 0, 0
    for _ in range(draws):
        differences = random.normal(0, 0.1, 10)[scenes] + random.normal(0, 0.15, len(scenes))
        mean = clustered_mean(differences, list(scenes))
        assert mean.low is not None
        assert mean.high is not None
        covered += mean.low <= 0 <= mean.high
        rejected += (sign_flip(differences, list(scenes)) or 0) <= 0.05
    # Three standard errors of 200 draws about 95 %, and the bound on false alarms.
    assert 0.90 <= covered / draws <= 0.99
    assert rejected <= 19


@pytest.mark.parametrize("sizes", [(14, 13, 14), (12, 14), (7, 7, 7, 6)])
@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_share_of_all_or_none_has_no_interval(sizes: tuple[int, ...], share: float) -> None:
    scenes = [f"scene {number}" for number, size in enumerate(sizes) for _ in range(size)]
    mean = clustered_mean([share] * len(scenes), scenes)
    assert _share_ends("rate", mean) == {"rate_low": None, "rate_high": None}
