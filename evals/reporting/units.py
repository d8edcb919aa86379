"""From items and repeats as a run stores them to the units that statistics are about: one row an instance."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evals.reporting.result import RunResult, cells_of
from evals.reporting.summary import ALL, UNSCORED, Cell
from evals.scorers import scorer_of
from tools.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

    from evals.running.store import StoredItem
    from evals.scorers import Scorer


class ComparisonError(UserError):
    """What was asked for cannot be compared."""


@dataclass(frozen=True)
class Variant:
    """What one run holds of one graph with one model in one condition.

    Attributes:
        run: The run's name, unique among those compared.
        cell: Graph, model and condition.
        rows: One row an item and repeat: `sample`, `scene`, `status`, `digest`, `value` (the headline; NaN without an
            answer), `worst` (the same with the worst case in the place of no answer), `responded` (1 or 0), the
            grouping keys as `key_<name>`, and `calls` (keys of the stored calls). `worst` and `responded` are NaN where
            an item failed for an outside reason, which is not the model's failure, or has no recorded score.
    """

    run: str
    cell: Cell
    rows: pd.DataFrame

    @property
    def name(self) -> tuple[str, str, str, str]:
        """Run, graph, model and condition."""
        return self.run, self.cell.graph, self.cell.model, self.cell.condition


@dataclass(frozen=True)
class LoadedRun:
    """A run, read once.

    Attributes:
        name: Its name, unique among those compared.
        result: Where it lies.
        description: What it was made of.
        rows: All its items, as in `Variant.rows`, with `graph`, `model` and `condition`.
        keys: Names of the grouping keys that its items have.
    """

    name: str
    result: RunResult
    description: dict[str, Any]
    rows: pd.DataFrame
    keys: tuple[str, ...]

    @property
    def scorer(self) -> Scorer:
        """The scorer of the run's form."""
        return scorer_of(self.description["form"])

    def variants(self) -> Iterator[Variant]:
        """Its graphs, models and conditions, in the order of its table."""
        for cell in cells_of(self.description):
            rows = self.rows[(self.rows["graph"] == cell.graph) & (self.rows["model"] == cell.model)]
            if cell.condition != ALL:
                rows = rows[rows["key_condition"] == cell.condition]
            yield Variant(self.name, cell, rows)


def load(results: Sequence[RunResult]) -> list[LoadedRun]:
    """Reads runs that are to be compared.

    Raises:
        ComparisonError: If there is none, one holds nothing yet, or they cannot stand in one table.
    """
    if not results:
        raise ComparisonError("no run to compare; give at least one run's folder")
    loaded = [_load(result, name) for result, name in zip(results, _names(results), strict=True)]
    for run in loaded[1:]:
        if run.description["form"] != loaded[0].description["form"]:
            raise ComparisonError(
                f"{run.result.folder}: its answers are of the form {run.description['form']}, those of "
                f"{loaded[0].result.folder} of the form {loaded[0].description['form']}; compare them apart"
            )
    return loaded


def _names(results: Sequence[RunResult]) -> list[str]:
    """Names of runs: the folder's, with as many folders above it as it takes to tell them apart."""
    paths = [result.folder.resolve().parts for result in results]
    if len(set(paths)) < len(paths):
        twice = next(result.folder for place, result in enumerate(results) if paths[place] in paths[:place])
        raise ComparisonError(f"{twice}: is given twice")
    depth = 1
    while len({path[-depth:] for path in paths}) < len(paths):
        depth += 1
    return ["/".join(path[-depth:]) for path in paths]


def _load(result: RunResult, name: str) -> LoadedRun:
    import numpy as np
    import pandas as pd

    description, items = result.description(), result.items()
    if not items:
        raise ComparisonError(f"{result.folder}: no item has ended yet; run it first (evals run --out)")
    if why := description.get("no_truth"):
        raise ComparisonError(f"{result.folder}: {why}; look at them with evals show {result.folder} ITEM")
    forms = sorted({item.row["form"] for item in items})
    if len(forms) > 1:
        raise ComparisonError(
            f"{result.folder}: holds answers of the forms {', '.join(forms)}, whose scores have no common measure; run "
            "them into folders of their own"
        )
    scorer = scorer_of(forms[0])
    rows = pd.DataFrame([_flat(item) for item in items])
    value = np.full(len(items), np.nan)
    answered = [place for place, item in enumerate(items) if item.status == "answered" and item.row.get("answer")]
    scored = scorer.score(
        [items[place].row["answer"] for place in answered], [items[place].row["truth"] for place in answered]
    )
    value[answered] = scored[scorer.headline]
    outside = rows["status"].isin(("failed", UNSCORED)).to_numpy()
    responded = (rows["status"] == "answered").to_numpy()
    rows["value"] = value
    rows["worst"] = np.where(outside, np.nan, np.where(responded, value, scorer.worst))
    rows["responded"] = np.where(outside, np.nan, responded.astype(float))
    keys = tuple(sorted({key for item in items for key in item.row["keys"]}))
    return LoadedRun(name, result, description, rows, keys)


def _flat(item: StoredItem) -> dict[str, Any]:
    return {
        "sample": item.sample,
        "scene": item.row["keys"]["scene"],
        "graph": item.graph,
        "model": item.model,
        "repeat": item.repeat,
        "status": item.status,
        "digest": item.row.get("digest"),
        "calls": item.row["calls"],
        **{f"key_{name}": value for name, value in item.row["keys"].items()},
    }


def units_of(rows: pd.DataFrame) -> pd.DataFrame:
    """Averages the repeats of each instance.

    Args:
        rows: As in `Variant.rows`.

    Returns:
        One row an instance, its id as the index: `scene`, `digest`, `value`, `worst`, `responded`, `key_...`.
    """
    kept = {column: "first" for column in rows.columns if column in ("scene", "digest") or column.startswith("key_")}
    averaged = dict.fromkeys(("value", "worst", "responded"), "mean")
    return rows.groupby("sample", sort=True).agg({**kept, **averaged})


def paired(units: pd.DataFrame, baseline: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """Joins instances with those of the baseline by their ids.

    Returns:
        One row a shared instance, columns of the baseline with `_base` behind their names; and how many instances were
        left out because they have the same id and other content.
    """
    shared = units.merge(baseline, left_index=True, right_index=True, suffixes=("", "_base"))
    known = shared["digest"].notna() & shared["digest_base"].notna()
    differs = known & (shared["digest"] != shared["digest_base"])
    return shared[~differs], int(differs.sum())


def baselines_of(variants: Sequence[Variant], baseline: str) -> dict[tuple[str, str, str, str], Variant]:
    """The variant that each variant is held against: of its own run if that has the baseline, else of the first.

    Args:
        variants: All that there is.
        baseline: A graph's name, or `RUN:GRAPH`.

    Returns:
        Baselines by the name of what is held against them, the baselines themselves among these; nothing where no
        baseline has the model and the condition.

    Raises:
        ComparisonError: If there is no such graph.
    """
    named = [variant for variant in variants if baseline in (variant.cell.graph, f"{variant.run}:{variant.cell.graph}")]
    if not named:
        graphs = sorted({variant.cell.graph for variant in variants})
        near = difflib.get_close_matches(baseline, graphs, n=1)
        meant = f"; did you mean {near[0]}?" if near else "."
        raise ComparisonError(f"unknown baseline {baseline!r}{meant} The runs have the graphs: {', '.join(graphs)}")
    found = {}
    for variant in variants:
        fitting = [
            one
            for one in named
            if one.cell.model == variant.cell.model
            and one.cell.condition == variant.cell.condition
            and one.cell.applicable
        ]
        own = [one for one in fitting if one.run == variant.run]
        if fitting:
            found[variant.name] = (own or fitting)[0]
    return found
