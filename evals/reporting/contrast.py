"""One graph held against the baseline on the same instances, and what one row says of a graph on its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from evals.reporting.statistics import (
    NOTHING,
    FloatArray,
    Mean,
    clustered_difference,
    clustered_mean,
    exact_mcnemar,
    sign_flip,
    variances,
)
from evals.reporting.summary import UNSCORED
from evals.reporting.units import paired

if TYPE_CHECKING:
    import pandas as pd

CONTRAST_KEYS = (
    "compared_with",
    "shared",
    "pairs",
    "pair_scenes",
    "unpaired",
    "different_content",
    "difference",
    "difference_low",
    "difference_high",
    "difference_design_effect",
    "test",
    "p",
    "p_adjusted",
    "adjustment",
    "family",
    "p_mcnemar",
    "difference_answered",
    "difference_answered_low",
    "difference_answered_high",
    "difference_worst_case",
    "difference_worst_case_low",
    "difference_worst_case_high",
    "p_worst_case",
    "difference_response_rate",
    "difference_response_rate_low",
    "difference_response_rate_high",
    "p_response_rate",
)
"""Keys of a row that speak of a baseline; None in rows that are held against none."""


def describe(rows: pd.DataFrame, units: pd.DataFrame, breakdown: str | None = None) -> dict[str, Any]:
    """What is said of one graph with one model in one condition or group, on its own.

    Args:
        rows: Its items and repeats, as in `evals.reporting.units.Variant.rows`.
        units: The same, one row an instance.
        breakdown: Grouping key whose values' means are averaged for `mean_over_breakdown`; None for none.

    Returns:
        `n`: items and repeats that ended, of which `answered`, `unanswered`, `failed` and `unscored` are the parts;
        `unknown`: those answered whose headline is not known; `response_rate_low` and `_high`: None where all or none
        were answered, since what does not vary tells nothing of how far it might;
        `instances`: the instances that these belong to; `items`: the instances that the mean is over.
    """
    count = len(rows)
    answered, failed, unscored = (int((rows["status"] == status).sum()) for status in ("answered", "failed", UNSCORED))
    heard = count - failed - unscored
    scenes = list(units["scene"])
    mean, worst = clustered_mean(units["value"], scenes), clustered_mean(units["worst"], scenes)
    response = clustered_mean(units["responded"], scenes)
    apart = variances(rows["value"], list(rows["sample"]))
    return {
        "n": count,
        "answered": answered,
        "unanswered": heard - answered,
        "failed": failed,
        "unscored": unscored,
        "unknown": int((rows["status"].eq("answered") & rows["value"].isna()).sum()),
        "instances": len(units),
        "items": mean.items,
        "scenes": mean.clusters,
        "response_rate": answered / heard if heard else None,
        **_share_ends("response_rate", response),
        "response_rate_published": answered / (count - unscored) if count > unscored else None,
        **_interval("mean", mean),
        "mean_over_breakdown": _mean_over(units, breakdown),
        "design_effect": mean.design_effect,
        "variance_between_items": apart.between_items,
        "variance_between_repeats": apart.between_repeats,
        **_interval("worst_case", worst),
    }


def _mean_over(units: pd.DataFrame, breakdown: str | None) -> float | None:
    """Mean of the means of each value of a key: POVBench's table 1 averages over directions so."""
    if breakdown is None or f"key_{breakdown}" not in units.columns:
        return None
    means = units.groupby(f"key_{breakdown}")["value"].mean().dropna()
    return float(means.mean()) if len(means) else None


def contrast(units: pd.DataFrame, baseline: pd.DataFrame, choices: bool = False) -> dict[str, Any]:
    """Holds a graph against the baseline, graph minus baseline.

    Args:
        units: One row an instance of the graph, as `evals.reporting.units.units_of` gives it.
        baseline: The same of the baseline.
        choices: Whether values may be choices, right or wrong.

    Returns:
        `difference`: over the instances that both answered, with its interval and the p-value of `test`; no test
        without any. `difference_answered`: difference of the two answered-only means, as published; None where no
        instance is shared. `difference_worst_case`: over all shared instances, the worst case in the place of no
        answer. `difference_response_rate`: over all shared instances. `shared`: how many these are; `unpaired`:
        instances that either has and that are not in `pairs`; `different_content`: those of them that have the same
        id and another content.
    """
    shared, differs = paired(units, baseline)
    scenes = list(shared["scene"])
    differences = (shared["value"] - shared["value_base"]).to_numpy(dtype=float)
    worst = (shared["worst"] - shared["worst_base"]).to_numpy(dtype=float)
    responded = (shared["responded"] - shared["responded_base"]).to_numpy(dtype=float)
    mean = clustered_mean(differences, scenes)
    answered = NOTHING
    if len(shared):
        answered = clustered_difference(
            units["value"], list(units["scene"]), baseline["value"], list(baseline["scene"])
        )
    return {
        "shared": len(shared),
        "pairs": mean.items,
        "pair_scenes": mean.clusters,
        "unpaired": len(units.index.union(baseline.index)) - mean.items,
        "different_content": differs,
        **_interval("difference", mean),
        "difference_design_effect": mean.design_effect,
        **_test(shared, differences, scenes, choices),
        **_interval("difference_answered", answered),
        **_interval("difference_worst_case", clustered_mean(worst, scenes)),
        "p_worst_case": sign_flip(worst, scenes),
        **_interval("difference_response_rate", clustered_mean(responded, scenes)),
        "p_response_rate": sign_flip(responded, scenes),
    }


def _test(shared: pd.DataFrame, differences: FloatArray, scenes: Sequence[object], choices: bool) -> dict[str, Any]:
    """McNemar's test where items are right or wrong and each is a scene of its own, else the sign-flip test."""
    both = ~np.isnan(differences)
    if not both.any():
        return {"test": None, "p": None, "p_mcnemar": None}
    first, second = shared["value"].to_numpy()[both], shared["value_base"].to_numpy()[both]
    binary = choices and bool(np.isin(first, (0.0, 1.0)).all() and np.isin(second, (0.0, 1.0)).all())
    p_mcnemar = exact_mcnemar(first, second) if binary else None
    independent = len({scene for scene, kept in zip(scenes, both, strict=True) if kept}) == int(both.sum())
    if binary and independent:
        return {"test": "mcnemar", "p": p_mcnemar, "p_mcnemar": p_mcnemar}
    return {"test": "sign_flip", "p": sign_flip(differences, scenes), "p_mcnemar": p_mcnemar}


def _share_ends(name: str, share: Mean) -> dict[str, float | None]:
    """The interval of a share, which leaves neither end of the scale."""
    # A clustered mean of ones is one but for rounding.
    certain = share.value is not None and min(share.value, 1.0 - share.value) < 1e-9
    if share.low is None or share.high is None or certain:
        return {f"{name}_low": None, f"{name}_high": None}
    return {f"{name}_low": max(0.0, share.low), f"{name}_high": min(1.0, share.high)}


def _interval(name: str, mean: Mean) -> dict[str, float | None]:
    return {name: mean.value, f"{name}_low": mean.low, f"{name}_high": mean.high}
