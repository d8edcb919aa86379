"""Compares graphs on the same instances: one row a graph, model and condition, each against the baseline."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evals.reporting.contrast import CONTRAST_KEYS, contrast, describe
from evals.reporting.notes import notes_of
from evals.reporting.published import published_rows
from evals.reporting.statistics import Adjustment, adjusted
from evals.reporting.summary import ALL
from evals.reporting.units import ComparisonError, LoadedRun, Variant, baselines_of, load, units_of
from evals.reporting.usage import call_costs, usage_of
from evals.running.store import Store

if TYPE_CHECKING:
    import pandas as pd

    from evals.reporting.result import RunResult
    from evals.scorers import Metric

Row = dict[str, Any]


@dataclass(frozen=True)
class Comparison:
    """A comparison; print it for its table.

    Attributes:
        rows: One row a run, graph, model, condition and group; plain values under stable keys, see `compare`.
        notes: What must be said beneath the table, a line each: method, counts, what was left out.
        metric: The metric that it goes by.
        runs: Names of the runs compared.
        baseline: The baseline as it was asked for; None without one.
        by: Grouping keys that rows are split by besides the condition.
        breakdown: Grouping key whose values' means are averaged for `mean_over_breakdown`.
    """

    rows: list[Row]
    notes: list[str]
    metric: Metric
    runs: tuple[str, ...]
    baseline: str | None
    by: tuple[str, ...] = ()
    breakdown: str | None = None

    def table(self, width: int = 120) -> str:
        """The table as text, its notes beneath."""
        from evals.reporting.compare_table import as_text

        return as_text(self, width)

    def __str__(self) -> str:
        return self.table()


def compare(
    results: Sequence[RunResult],
    baseline: str | None = None,
    by: Sequence[str] = (),
    explore: bool = False,
    published: bool = False,
) -> Comparison:
    """Compares the graphs of one or more runs, each against the baseline on the same instances.

    Args:
        results: The runs; instances are paired by the sample's id.
        baseline: Name of the graph that the others are held against, or `RUN:GRAPH`; None only describes.
        by: Grouping keys of the data set; besides its own row, each condition gets one row a value of each key.
        explore: Whether to adjust all contrasts, those of groups included, by the false discovery rate instead of
            each model and condition on its own by Holm.
        published: Whether rows of the papers' tables are added; they were not run here.

    Returns:
        The comparison. Keys of a row: `source` (`run` or `published`), `run`, `graph`, `model`, `no_vlm`, `condition`,
        `group` and `value` (the grouping key and its value, else `all`), `applicable`, `beyond_paper`, `is_baseline`,
        `metric`, `reference`; those of `evals.reporting.contrast.describe`; `evals.reporting.contrast.CONTRAST_KEYS`;
        those of `evals.reporting.usage.usage_of`.

    Raises:
        ComparisonError: If a run is empty, runs have different forms, or a name is unknown.
    """
    runs, by = load(results), list(dict.fromkeys(by))
    _check_keys(runs, by)
    variants = [variant for run in runs for variant in run.variants()]
    of_baseline = {} if baseline is None else baselines_of(variants, baseline)
    metric = _headline(runs[0])
    rows = [row for run in runs for row in _rows_of(run, variants, of_baseline, by, metric)]
    _adjust(rows, explore)
    rows.sort(key=_order(rows))
    if published:
        rows += _fill(published_rows(runs[0].description, by), rows)
    return Comparison(
        rows=rows,
        notes=notes_of(rows, runs, metric, baseline, by, explore, published),
        metric=metric,
        runs=tuple(run.name for run in runs),
        baseline=baseline,
        by=tuple(by),
        breakdown=runs[0].description.get("breakdown"),
    )


def _headline(run: LoadedRun) -> Metric:
    return next(metric for metric in run.scorer.metrics if metric.name == run.scorer.headline)


def _check_keys(runs: Sequence[LoadedRun], by: Sequence[str]) -> None:
    """Refuses a grouping key that no run has."""
    known = sorted({key for run in runs for key in run.keys})
    for key in by:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            meant = f"; did you mean {near[0]}?" if near else "."
            raise ComparisonError(f"unknown grouping key {key!r}{meant} The data has: {', '.join(known)}")


def _rows_of(
    run: LoadedRun,
    variants: Sequence[Variant],
    baselines: dict[tuple[str, str, str, str], Variant],
    by: Sequence[str],
    metric: Metric,
) -> Iterator[Row]:
    """The rows of one run."""
    own = [variant for variant in variants if variant.run == run.name]
    with Store.read(run.result.folder) as store:
        costs = call_costs(store, (key for keys in run.rows["calls"] for key in keys))
    for variant in own:
        units = units_of(variant.rows)
        base = baselines.get(variant.name)
        base_units = None if base is None or base.name == variant.name else units_of(base.rows)
        for group, value, part, part_units in _groups(variant.rows, units, by):
            row: Row = {
                "source": "run",
                "run": variant.run,
                "graph": variant.cell.graph,
                "model": variant.cell.model,
                "no_vlm": variant.cell.no_vlm,
                "condition": variant.cell.condition,
                "group": group,
                "value": value,
                "applicable": variant.cell.applicable,
                "beyond_paper": variant.cell.beyond_paper,
                "is_baseline": base is not None and base.name == variant.name,
                "metric": metric.name,
                "reference": None,
                **describe(part, part_units, run.description.get("breakdown") if group == ALL else None),
                **dict.fromkeys(CONTRAST_KEYS),
            }
            if base is not None and base_units is not None and variant.cell.applicable:
                facing = base_units if group == ALL else _of_group(base_units, group, value)
                row |= {"compared_with": _called(base, variant), **contrast(part_units, facing, metric.choice)}
            yield {**row, **usage_of(list(part["calls"]), costs)}


def _of_group(units: pd.DataFrame, group: str, value: str) -> pd.DataFrame:
    """The instances that have a value of a key; none where their run does not have the key."""
    column = f"key_{group}"
    return units[units[column].astype(str) == value] if column in units.columns else units[:0]


def _called(base: Variant, variant: Variant) -> str:
    return base.cell.graph if base.run == variant.run else f"{base.run}:{base.cell.graph}"


def _groups(
    rows: pd.DataFrame, units: pd.DataFrame, by: Sequence[str]
) -> Iterator[tuple[str, str, pd.DataFrame, pd.DataFrame]]:
    """All items of a variant, then those of each value of each key."""
    yield ALL, ALL, rows, units
    for key in by:
        if key == "condition" or f"key_{key}" not in rows.columns:
            continue
        column = f"key_{key}"
        for value in sorted(map(str, units[column].dropna().unique()), key=_natural):
            yield key, value, rows[rows[column].astype(str) == value], units[units[column].astype(str) == value]


def _natural(value: str) -> tuple[bool, float, str]:
    """Orders numbers by size, before words."""
    return (False, float(value), value) if value.isdecimal() else (True, 0.0, value)


def _adjust(rows: Sequence[Row], explore: bool) -> None:
    """Adjusts p-values in place: Holm within each model and condition, or the false discovery rate over everything."""
    families: dict[tuple[str, str], list[Row]] = {}
    method: Adjustment = "benjamini-hochberg" if explore else "holm"
    for row in rows:
        if row["p"] is not None and (explore or row["group"] == ALL):
            families.setdefault(("", "") if explore else (row["model"], row["condition"]), []).append(row)
    for family in families.values():
        for row, p in zip(family, adjusted([row["p"] for row in family], method), strict=True):
            row |= {"p_adjusted": p, "adjustment": method, "family": len(family)}


def _order(rows: Sequence[Row]) -> Callable[[Row], tuple[object, ...]]:
    """Orders rows so that what is compared stands together: by model, condition and group, the baseline first."""
    models = {name: place for place, name in enumerate(dict.fromkeys(row["model"] for row in rows))}
    conditions = {name: place for place, name in enumerate(dict.fromkeys(row["condition"] for row in rows))}
    groups = {name: place for place, name in enumerate(dict.fromkeys(row["group"] for row in rows))}
    return lambda row: (
        models[row["model"]],
        conditions[row["condition"]],
        groups[row["group"]],
        _natural(row["value"]),
        not row["is_baseline"],
    )


def _fill(published: Sequence[Row], rows: Sequence[Row]) -> list[Row]:
    """Published rows with all keys that rows of runs have, None where a paper says nothing."""
    known = {"no_vlm": False, "applicable": True, "beyond_paper": False, "is_baseline": False}
    return [{**dict.fromkeys(rows[0]), **known, **row} for row in published]
