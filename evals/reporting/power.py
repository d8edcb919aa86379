"""How many scenes a difference needs, and which differences a run could have found.

The method is that of the comparison: paired differences of instances, clustered by scene. Their robust variance, scaled
to one scene, is taken from the run; the power of the t test on so many scenes follows from the noncentral t
distribution. The reasons are told in `docs/statistics.md`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from evals.reporting.statistics import FEW_CLUSTERS, LEVEL, clustered_mean
from evals.reporting.units import ComparisonError, Variant, baselines_of, load, paired, units_of

if TYPE_CHECKING:
    from evals.reporting.result import RunResult

_MOST_SCENES = 1_000_000

_SAME = 1e-12
"""Differences up to this are rounding errors."""

_CERTAIN = 300.0
"""Standard errors of a difference that no test of at least `_fewest` scenes misses; SciPy gives up far beyond."""


@dataclass(frozen=True)
class Power:
    """What a run can and could find; print `rows` and `notes`.

    Attributes:
        rows: One row a graph, model and condition, keys as `power_of` says.
        notes: What must be said beneath, a line each.
    """

    rows: list[dict[str, Any]]
    notes: list[str]


def power_of(
    result: RunResult, effect: float, baseline: str | None = None, alpha: float = 0.05, wanted: float = 0.8
) -> Power:
    """Says, for each graph of a run against the baseline, what a difference of a given size would take.

    Args:
        result: The run, or a pilot of it.
        effect: Difference of the headline that is to be found, in its units, above 0.
        baseline: Graph that the others are held against; None takes `basic` if it was run, else the first graph.
        alpha: Level of the test, two-sided, for the whole family; each contrast gets its share.
        wanted: Power that is wanted.

    Returns:
        Rows of `graph`, `model`, `condition`, `compared_with`, `pairs`, `scenes`, `items_per_scene`, `scene_sd`
        (standard deviation of what one scene tells of the difference), `contrasts` and `alpha` (of one contrast),
        `effect`, `power` (of this run), `detectable` (smallest difference found with the wanted power),
        `scenes_needed`, with `_low` and `_high` from the uncertainty of the variance, and `items_needed`.

    Raises:
        ComparisonError: If the run is empty, a number is out of range, or nothing can be held against the baseline.
    """
    if not (effect > 0 and math.isfinite(effect)):
        raise ComparisonError(f"--effect must be above 0, in units of the headline, not {effect}")
    if not 0 < alpha < 1 or not alpha < wanted < 1:
        raise ComparisonError(
            f"--alpha must lie between 0 and 1 and --power between it and 1, not {alpha} and {wanted}"
        )
    (run,) = load([result])
    variants = [variant for variant in run.variants() if variant.cell.applicable and len(variant.rows)]
    graphs = list(dict.fromkeys(variant.cell.graph for variant in variants))
    chosen = baseline or ("basic" if "basic" in graphs else graphs[0])
    found = baselines_of(variants, chosen)
    alone = len(graphs) == 1
    rows = list(_rows(variants, found, effect, alpha, wanted, alone))
    places = list(dict.fromkeys((one.cell.model, one.cell.condition) for one in run.variants()))
    rows.sort(key=lambda row: places.index((row["model"], row["condition"])))
    return Power(rows, _notes(rows, chosen, run.scorer.headline, effect, alpha, wanted, alone))


def _rows(
    variants: Sequence[Variant],
    baselines: dict[tuple[str, str, str, str], Variant],
    effect: float,
    alpha: float,
    wanted: float,
    alone: bool,
) -> Iterator[dict[str, Any]]:
    for variant in variants:
        base = baselines.get(variant.name)
        if base is None or (base.name == variant.name and not alone):
            continue
        family = [
            one
            for one in variants
            if one.cell.model == variant.cell.model and one.cell.condition == variant.cell.condition
        ]
        contrasts = max(1, len(family) - 1)
        units = units_of(variant.rows)
        if alone:
            differences, scenes = units["value"].to_numpy(dtype=float), list(units["scene"])
        else:
            shared, _ = paired(units, units_of(base.rows))
            differences, scenes = (shared["value"] - shared["value_base"]).to_numpy(dtype=float), list(shared["scene"])
        mean = clustered_mean(differences, scenes)
        row: dict[str, Any] = {
            "graph": variant.cell.graph,
            "model": variant.cell.model,
            "condition": variant.cell.condition,
            "compared_with": None if alone else base.cell.graph,
            "pairs": mean.items,
            "scenes": mean.clusters,
            "items_per_scene": mean.items / mean.clusters if mean.clusters else None,
            "contrasts": contrasts,
            "alpha": alpha / contrasts,
            "effect": effect,
        }
        variance = None
        if mean.variance is not None and np.nanmax(np.abs(differences)) > _SAME:
            # Without a second graph its errors are taken to be as large as, and independent of, the first one's.
            variance = mean.variance * mean.clusters * (2 if alone else 1)
        yield row | _predicted(variance, mean.clusters, row["items_per_scene"], effect, alpha / contrasts, wanted)


def _predicted(
    variance: float | None, scenes: int, items: float | None, effect: float, alpha: float, wanted: float
) -> dict[str, Any]:
    """The figures that follow from the variance of one scene."""
    names = ("scene_sd", "power", "detectable", "scenes_needed", "scenes_needed_low", "scenes_needed_high")
    if variance is None or items is None:
        return dict.fromkeys((*names, "items_needed"))
    from scipy.stats import chi2

    if variance == 0:
        fewest = _fewest(alpha)
        figures = (0.0, float(scenes >= fewest), 0.0 if scenes >= fewest else None, fewest, fewest, fewest)
        return {**dict(zip(names, figures, strict=True)), "items_needed": math.ceil(fewest * items)}
    spread = math.sqrt(variance)
    tail = (1 - LEVEL) / 2
    bounds = [
        math.sqrt(variance * (scenes - 1) / float(chi2.ppf(quantile, scenes - 1))) for quantile in (1 - tail, tail)
    ]
    needed = scenes_needed(effect, spread, alpha, wanted)
    return {
        "scene_sd": spread,
        "power": power_at(effect, spread, scenes, alpha),
        "detectable": detectable(spread, scenes, alpha, wanted),
        "scenes_needed": needed,
        "scenes_needed_low": scenes_needed(effect, bounds[0], alpha, wanted),
        "scenes_needed_high": scenes_needed(effect, bounds[1], alpha, wanted),
        "items_needed": None if needed is None else math.ceil(needed * items),
    }


def power_at(effect: float, spread: float, scenes: int, alpha: float) -> float:
    """Probability that a difference is found at a level.

    Args:
        effect: The true difference.
        spread: Standard deviation of what one scene tells of it, above 0.
        scenes: Number of scenes.
        alpha: Level of the two-sided test.

    Returns:
        The power; 0 where so few scenes have no sign pattern rare enough for the level.
    """
    from scipy.stats import f, ncf

    if scenes < _fewest(alpha):
        return 0.0
    if effect / spread * math.sqrt(scenes) > _CERTAIN:
        return 1.0
    # The square of a noncentral t is a noncentral F, which SciPy computes where its noncentral t gives up.
    critical = f.isf(alpha, 1, scenes - 1)
    return float(ncf.sf(critical, 1, scenes - 1, scenes * (effect / spread) ** 2))


def detectable(spread: float, scenes: int, alpha: float, wanted: float) -> float | None:
    """The smallest difference that is found with the wanted power; None where no difference is."""
    from scipy.optimize import brentq

    if scenes < _fewest(alpha):
        return None
    high = spread
    while power_at(high, spread, scenes, alpha) < wanted:
        high *= 2
    return float(brentq(lambda effect: power_at(effect, spread, scenes, alpha) - wanted, 0.0, high, xtol=1e-9))


def scenes_needed(effect: float, spread: float, alpha: float, wanted: float) -> int | None:
    """The smallest number of scenes with which a difference is found with the wanted power; None above a million."""
    return _smallest(lambda scenes: power_at(effect, spread, scenes, alpha) >= wanted, _fewest(alpha))


def _smallest(enough: Callable[[int], bool], fewest: int) -> int | None:
    """The smallest number that is enough, by doubling and halving; what is enough stays so for larger numbers."""
    low, high = fewest - 1, fewest
    while not enough(high):
        low, high = high, 2 * high
        if high > _MOST_SCENES:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _fewest(alpha: float) -> int:
    """Scenes under which the sign-flip test cannot reach the level: it has 2 to the scenes minus 1 patterns a side."""
    return max(2, math.ceil(1 - math.log2(alpha)))


def _notes(
    rows: Sequence[dict[str, Any]],
    baseline: str,
    headline: str,
    effect: float,
    alpha: float,
    wanted: float,
    alone: bool,
) -> list[str]:
    if not rows:
        return [f"Nothing is held against {baseline}: no other graph has its model and condition."]
    notes = [f"Differences of {headline}, graph minus {baseline}, paired on the instances that both answered."]
    if alone:
        notes = [
            f"Only {baseline} was run: the other graph is taken to vary as much and independently; a pilot with both "
            "graphs usually needs fewer scenes."
        ]
    contrasts = sorted({row["contrasts"] for row in rows})
    told = " to ".join(str(count) for count in dict.fromkeys([*contrasts[:1], *contrasts[1:][-1:]]))
    noun = "contrast" if told == "1" else "contrasts"
    notes += [
        f"scenes needed [95 %], instances: to find a difference of {effect:g} with power {wanted:g}; the interval is "
        "the uncertainty of the variance, and as many instances a scene as here are supposed.",
        "scenes, power, finds: what this run has, how likely it finds that difference, the smallest it finds so.",
        f"Two-sided test at {alpha:g} shared by {told} {noun} (Bonferroni's share: Holm finds no less); variance "
        "between scenes from this run, noncentral t with one degree of freedom less than scenes.",
    ]
    if min(row["scenes"] for row in rows) < FEW_CLUSTERS:
        notes.append(f"WARNING: under {FEW_CLUSTERS} scenes tell little about a variance; take the upper end.")
    if barred := [row for row in rows if row["scenes"] < _fewest(row["alpha"])]:
        least = max(_fewest(row["alpha"]) for row in barred)
        notes.append(f"power 0: with under {least} scenes the sign-flip test has no pattern rare enough for its level.")
    if any(row["scene_sd"] == 0 for row in rows):
        notes.append(
            "Some differences are the same in every scene: sd a scene is 0, and the fewest scenes that the test allows "
            "find any."
        )
    if any(row["scene_sd"] is None for row in rows):
        notes.append("Some graphs do not differ anywhere, or share one scene only: no variance to predict from.")
    return notes
