"""Means with intervals that one would defend: the unit is the item, the cluster is the scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

LEVEL = 0.95
"""Confidence level of all intervals."""


@dataclass(frozen=True)
class Mean:
    """A mean and its interval.

    Attributes:
        value: The mean; None where there is nothing to average.
        low: Lower end of the interval; None where fewer than two clusters allow none.
        high: Upper end.
        items: Number of items averaged.
        clusters: Number of clusters that they come from.
    """

    value: float | None
    low: float | None
    high: float | None
    items: int
    clusters: int


def clustered_mean(values: ArrayLike, clusters: Sequence[object]) -> Mean:
    """Averages items and gives the cluster-robust t interval with one degree of freedom less than clusters.

    Args:
        values: (N,) one value an item, its repeats averaged; NaN where an item has none.
        clusters: (N,) the scene of each item.

    Returns:
        The mean over items that have a value.
    """
    numbers = np.asarray(values, dtype=np.float64)
    kept = ~np.isnan(numbers)
    if not kept.any():
        return Mean(None, None, None, 0, 0)
    _, groups = np.unique(np.array([str(cluster) for cluster in clusters])[kept], return_inverse=True)
    count, found = int(kept.sum()), int(groups.max()) + 1
    if found < 2:
        return Mean(float(numbers[kept].mean()), None, None, count, found)
    # Imported here because it takes a second and most commands print no interval.
    from statsmodels.regression.linear_model import OLS

    fit = OLS(numbers[kept], np.ones(count)).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    low, high = fit.conf_int(alpha=1 - LEVEL)[0]
    return Mean(float(fit.params[0]), float(low), float(high), count, found)
