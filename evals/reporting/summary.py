"""Rows of a table: what each graph scored, a condition and a direction at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evals.reporting.statistics import NOTHING, clustered_mean, clustered_mean_of_groups

if TYPE_CHECKING:
    import pandas as pd

    from evals.scorers import Scorer

UNANSWERED = ("truncated", "refused", "empty", "unreadable")
"""Statuses of items that the model did not answer readably, each a share of its own in a row."""

UNSCORED = "unscored"
"""Status of an imported item of which the other tool recorded no score: nobody knows whether it was answered."""

ALL = "all"
"""Stands for a key that a row does not split by."""


@dataclass(frozen=True)
class Cell:
    """A graph with a model in one condition, and whether the graph applies there.

    Attributes:
        graph: Name of the graph.
        model: Name of the model.
        no_vlm: Whether the model is no vision-language model.
        condition: The condition; `all` where the data has none.
        applicable: Whether the graph applies to the condition.
        beyond_paper: Whether the paper did not measure the graph in it.
    """

    graph: str
    model: str
    no_vlm: bool
    condition: str
    applicable: bool
    beyond_paper: bool


def summarise(
    items: pd.DataFrame, cells: Sequence[Cell], scorer: Scorer, breakdown: str | None
) -> list[dict[str, Any]]:
    """Summarises items into rows with stable keys.

    Args:
        items: One row an item and repeat, as `RunResult.frame` gives it.
        cells: What to show, in order.
        scorer: Scorer of the items' form.
        breakdown: Grouping key that each condition is split by (POVBench: `direction`); None for none.

    Returns:
        For each cell a row over all of it, then one for each value of the breakdown. `n` is the number of items and
        repeats that ended; `response_rate`, `truncated`, `refused`, `empty` and `unreadable` are shares of those that
        neither failed for outside reasons nor are `unscored`, and add up to 1, `in_reasoning` is the share answered in
        the reasoning alone; `<metric>`, `<metric>_low` and `<metric>_high` are means over items and their intervals,
        `<metric>_n` is the number of items that have the metric; `mean_over_breakdown` weighs the breakdown's values
        alike; `<headline>_std` is the population standard deviation over answered items and repeats, as POVBench
        reports it.
    """
    rows = []
    for cell in cells:
        chosen = items[(items["graph"] == cell.graph) & (items["model"] == cell.model)]
        if cell.condition != ALL:
            chosen = chosen[chosen["condition"] == cell.condition]
        values = sorted(chosen[breakdown].unique()) if breakdown and cell.applicable else []
        parts = [_row(chosen[chosen[breakdown] == value], cell, scorer, str(value)) for value in values]
        whole = _row(chosen, cell, scorer, ALL)
        whole |= _balanced(chosen, scorer.headline, breakdown if values else None)
        rows += [whole, *({**part, **_balanced(chosen, scorer.headline, None)} for part in parts)]
    return rows


def _averaged(items: pd.DataFrame, columns: Mapping[str, str]) -> pd.DataFrame:
    """Answered items, their repeats averaged."""
    return items[items["status"] == "answered"].groupby("sample", sort=False).agg(dict(columns))


def _balanced(items: pd.DataFrame, headline: str, breakdown: str | None) -> dict[str, float | None]:
    """The mean of the breakdown's means, and its interval."""
    mean = NOTHING
    if breakdown:
        averaged = _averaged(items, {"scene": "first", breakdown: "first", headline: "mean"})
        mean = clustered_mean_of_groups(
            averaged[headline].to_numpy(), list(averaged["scene"]), list(averaged[breakdown])
        )
    name = "mean_over_breakdown"
    return {name: mean.value, f"{name}_low": mean.low, f"{name}_high": mean.high}


def _row(items: pd.DataFrame, cell: Cell, scorer: Scorer, breakdown: str) -> dict[str, Any]:
    answered = int((items["status"] == "answered").sum())
    failed, unscored = (int((items["status"] == status).sum()) for status in ("failed", UNSCORED))
    count = len(items)
    heard = count - failed - unscored
    row: dict[str, Any] = {
        "graph": cell.graph,
        "model": cell.model,
        "no_vlm": cell.no_vlm,
        "condition": cell.condition,
        "breakdown": breakdown,
        "applicable": cell.applicable,
        "beyond_paper": cell.beyond_paper,
        "n": count,
        "answered": answered,
        "unanswered": heard - answered,
        "failed": failed,
        "unscored": unscored,
        "unrecorded": int(((items["status"] == "answered") & (items["calls"] == 0)).sum()) if count else 0,
        "response_rate": answered / heard if heard else None,
        **{status: _share(items["status"] == status, heard) for status in UNANSWERED},
        "in_reasoning": _share(items["in_reasoning"], heard),
        "response_rate_published": answered / (count - unscored) if count > unscored else None,
    }
    averaged = _averaged(items, {"scene": "first", **{metric.name: "mean" for metric in scorer.metrics}})
    row |= {"items": len(averaged), "scenes": int(averaged["scene"].nunique())}
    for metric in scorer.metrics:
        mean = clustered_mean(averaged[metric.name].to_numpy(), list(averaged["scene"]))
        row |= {metric.name: mean.value, f"{metric.name}_low": mean.low, f"{metric.name}_high": mean.high}
        row[f"{metric.name}_n"] = mean.items
    scores = items.loc[items["status"] == "answered", scorer.headline]
    row[f"{scorer.headline}_std"] = float(scores.std(ddof=0)) if scores.notna().any() else None
    return row


def _share(chosen: pd.Series[bool], of: int) -> float | None:
    return float(chosen.sum()) / of if of else None


def overall_rows(rows: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The rows that are not split by the breakdown."""
    return (row for row in rows if row["breakdown"] == ALL)
