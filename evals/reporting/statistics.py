"""Means, differences and tests that one would defend: the unit is the item, the cluster is the scene.

SciPy and statsmodels do the arithmetic; why these methods and not others is told in `docs/statistics.md`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

LEVEL = 0.95
"""Confidence level of all intervals."""

FEW_CLUSTERS = 10
"""Under so many clusters an interval or a p-value is shown with a warning."""

RESAMPLES = 9_999
"""Draws of a sign-flip test; with so few clusters that all sign patterns are no more than these, all are taken."""

_SEED = 20_260_511
"""Seed of the draws, fixed so that a table reads the same tomorrow."""

_ROUNDING = 1e-12
"""Standard errors up to this part of the largest value are rounding errors."""

FloatArray = NDArray[np.float64]
Adjustment = Literal["holm", "benjamini-hochberg"]


@dataclass(frozen=True)
class Mean:
    """A mean, or a difference of means, and its interval.

    Attributes:
        value: The mean; None where there is nothing to average.
        low: Lower end of the interval; None where fewer than two clusters allow none.
        high: Upper end.
        items: Number of items averaged.
        clusters: Number of clusters that they come from.
        design_effect: Variance of the mean over that of as many independent items; None where it is not defined.
        variance: Cluster-robust variance of the mean; None where the interval is.
    """

    value: float | None
    low: float | None
    high: float | None
    items: int
    clusters: int
    design_effect: float | None = None
    variance: float | None = None


NOTHING = Mean(None, None, None, 0, 0)
"""The mean of no items."""


@dataclass(frozen=True)
class Variances:
    """Variance between items and between the repeats of one item, apart; None where the data cannot tell."""

    between_items: float | None
    between_repeats: float | None


def clustered_mean(values: ArrayLike, clusters: Sequence[object]) -> Mean:
    """Averages items and gives the cluster-robust t interval with one degree of freedom less than clusters.

    Args:
        values: (N,) one value an item, its repeats averaged; NaN where an item has none.
        clusters: (N,) the scene of each item.

    Returns:
        The mean over items that have a value.
    """
    numbers, groups = _known(values, clusters)
    if not len(numbers):
        return NOTHING
    if not groups.any():
        return Mean(float(numbers.mean()), None, None, len(numbers), 1)
    return _fit(numbers, np.ones((len(numbers), 1)), groups)


def clustered_mean_of_groups(values: ArrayLike, clusters: Sequence[object], groups: Sequence[object]) -> Mean:
    """Averages the means of groups, each group counting alike, with the cluster-robust t interval of that average.

    Args:
        values: (N,) one value an item, its repeats averaged; NaN where an item has none.
        clusters: (N,) the scene of each item.
        groups: (N,) the group of each item.

    Returns:
        The mean of the means. It has no interval where a group has values from one scene alone: how its mean varies
        from scene to scene cannot be known.
    """
    numbers, scenes = _known(values, clusters)
    if not len(numbers):
        return NOTHING
    _, members = _known(values, groups)
    found = int(members.max()) + 1
    scenes_of = np.zeros((found, int(scenes.max()) + 1), dtype=bool)
    scenes_of[members, scenes] = True
    if scenes_of.sum(axis=1).min() < 2:
        means = np.bincount(members, weights=numbers) / np.bincount(members)
        return Mean(float(means.mean()), None, None, len(numbers), scenes_of.shape[1])
    # With effects that sum to 0 over the groups, the constant is the mean of their means.
    effects = np.eye(found)[members]
    return _fit(numbers, np.column_stack([np.ones(len(numbers)), effects[:, :-1] - effects[:, -1:]]), scenes)


def clustered_difference(
    first: ArrayLike, first_clusters: Sequence[object], second: ArrayLike, second_clusters: Sequence[object]
) -> Mean:
    """Mean of the first minus mean of the second, each over its own items, which may lie in the same scenes.

    Args:
        first: (N,) one value an item; NaN where an item has none.
        first_clusters: (N,) the scene of each.
        second: (M,) the same for the second.
        second_clusters: (M,) the scene of each; equal names are the same scene.

    Returns:
        The difference with its cluster-robust interval; `items` counts those of both.
    """
    both = np.concatenate([np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)])
    is_first = np.repeat([1.0, 0.0], [len(first_clusters), len(second_clusters)])[~np.isnan(both)]
    if is_first.all() or not is_first.any():
        return NOTHING
    numbers, groups = _known(both, [*first_clusters, *second_clusters])
    return _fit(numbers, np.column_stack([is_first, np.ones(len(numbers))]), groups)


def _known(values: ArrayLike, clusters: Sequence[object]) -> tuple[FloatArray, NDArray[np.intp]]:
    """The values that are known, and the number of each one's cluster."""
    numbers = np.asarray(values, dtype=np.float64)
    kept = ~np.isnan(numbers)
    names = np.array([str(cluster) for cluster in clusters])[kept]
    _, groups = np.unique(names, return_inverse=True)
    return numbers[kept], groups


def _fit(numbers: FloatArray, design: FloatArray, groups: NDArray[np.intp]) -> Mean:
    """Least squares; the first coefficient with its cluster-robust interval."""
    # Imported here because it takes a second and most commands print no interval.
    from scipy.stats import t
    from statsmodels.regression.linear_model import OLS

    count, found = len(numbers), int(groups.max()) + 1
    model = OLS(numbers, design)
    if found < 2 or count <= design.shape[1]:
        return Mean(float(model.fit().params[0]), None, None, count, found)
    plain = model.fit()
    robust = plain.get_robustcov_results(cov_type="cluster", groups=groups, use_t=True)
    # Where nothing varies both come out as rounding errors, on either side of 0.
    least = (_ROUNDING * float(np.abs(numbers).max())) ** 2
    variance, ordinary = (0.0 if (one := float(fit.cov_params()[0, 0])) <= least else one for fit in (robust, plain))
    half = float(t.ppf((1 + LEVEL) / 2, found - 1)) * math.sqrt(variance)
    value = float(plain.params[0])
    effect = variance / ordinary if ordinary > 0 else None
    return Mean(value, value - half, value + half, count, found, effect, variance)


def sign_flip(differences: ArrayLike, clusters: Sequence[object]) -> float | None:
    """Two-sided p-value of no difference: the sign of each scene's summed differences is as good as tossed.

    Args:
        differences: (N,) one paired difference an item; NaN where there is none.
        clusters: (N,) the scene of each item.

    Returns:
        The p-value; None where fewer than two scenes have a difference to test.
    """
    from scipy.stats import permutation_test

    numbers, groups = _known(differences, clusters)
    if not len(numbers) or int(groups.max()) < 1:
        return None
    sums = np.bincount(groups, weights=numbers)
    # Scenes without any difference tell nothing, and leaving them out keeps small tests exact.
    sums = sums[~np.isclose(sums, 0.0, atol=1e-12)]
    if len(sums) < 2:
        return 1.0
    result = permutation_test(
        (sums,), _sum, permutation_type="samples", n_resamples=RESAMPLES, vectorized=True, rng=_SEED
    )
    return float(result.pvalue)


def _sum(sample: FloatArray, axis: int = -1) -> FloatArray:
    total: FloatArray = np.sum(sample, axis=axis)
    return total


def exact_mcnemar(first: ArrayLike, second: ArrayLike) -> float | None:
    """Two-sided exact p-value of no difference between paired right-or-wrong items that are independent.

    Args:
        first: (N,) 1 where the first was right, else 0.
        second: (N,) the same for the second.

    Returns:
        The p-value; None where there is no item.
    """
    from statsmodels.stats.contingency_tables import mcnemar

    right, other = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    if not len(right):
        return None
    table = [
        [int((right & other).sum()), int((right & ~other).sum())],
        [int((~right & other).sum()), int((~right & ~other).sum())],
    ]
    return float(mcnemar(table, exact=True).pvalue)


def adjusted(p_values: Sequence[float | None], method: Adjustment) -> list[float | None]:
    """Adjusts the p-values of one family; those that are None are no tests and stay None."""
    from statsmodels.stats.multitest import multipletests

    known = [p for p in p_values if p is not None]
    if not known:
        return list(p_values)
    corrected = iter(multipletests(known, method="holm" if method == "holm" else "fdr_bh")[1])
    return [None if p is None else float(next(corrected)) for p in p_values]


def variances(values: ArrayLike, items: Sequence[object]) -> Variances:
    """Splits the variance of repeated items: one-way analysis of variance with the item as the random effect.

    Args:
        values: (N,) one value an item and repeat; NaN where there is none.
        items: (N,) the item of each.

    Returns:
        Both variances; without repeats only what lies between items, repeats included.
    """
    numbers, groups = _known(values, items)
    if not len(numbers) or int(groups.max()) < 1:
        return Variances(None, None)
    sizes = np.bincount(groups).astype(np.float64)
    means = np.bincount(groups, weights=numbers) / sizes
    count, found = len(numbers), len(sizes)
    if count == found:
        return Variances(float(numbers.var(ddof=1)), None)
    within = float(((numbers - means[groups]) ** 2).sum()) / (count - found)
    between = float((sizes * (means - numbers.mean()) ** 2).sum()) / (found - 1)
    typical = (count - float((sizes**2).sum()) / count) / (found - 1)
    return Variances(max(0.0, (between - within) / typical), within)
