"""The figures of the report as numbers: bars with intervals, and maps of errors. The template draws them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from evals.reporting.comparison import Comparison
from evals.reporting.summary import ALL
from evals.reporting.table import number

CELLS = 31
"""Cells of an error map a side; odd, so that one of them is the centre."""


@dataclass(frozen=True)
class Bar:
    """A bar with its interval; positions in percent of the panel's width.

    Attributes:
        graph: Name of the graph.
        place: Number of the graph, which gives its colour and letter.
        text: The mean and its interval as the table writes them.
        row: Number of the row in the comparison.
        mean: Length of the bar; None where there is nothing to show.
        low: Lower end of the interval; None where there is none.
        high: Upper end; may pass 100.
    """

    graph: str
    place: int
    text: str
    row: int
    mean: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Panel:
    """The bars of a model in a condition.

    Attributes:
        model: Name of the model.
        no_vlm: Whether it is no vision-language model.
        condition: The condition; `all` where the data have none.
        groups: Bars by value of the breakdown; `all` stands for the whole condition.
        largest: The value at the panel's right end.
    """

    model: str
    no_vlm: bool
    condition: str
    groups: Mapping[str, Sequence[Bar]]
    largest: str


@dataclass(frozen=True)
class ErrorMap:
    """Where answers fall around their targets.

    Attributes:
        graph: Name of the graph.
        place: Number of the graph.
        model: Name of the model.
        no_vlm: Whether it is no vision-language model.
        cells: (column, row, opacity) of the cells that are not empty; row 0 is the top.
        count: Number of answers.
    """

    graph: str
    place: int
    model: str
    no_vlm: bool
    cells: Sequence[tuple[int, int, float]]
    count: int


def bar_panels(comparison: Comparison, breakdown: str | None, names: Sequence[str]) -> list[Panel]:
    """Bars of the comparison's means, a panel a model and condition, all to one scale from 0.

    Args:
        comparison: The comparison.
        breakdown: Grouping key whose values stand apart; None for none.
        names: Names of the graphs in their order.
    """
    rows = [(place, row) for place, row in enumerate(comparison.rows) if row["source"] == "run" and row["applicable"]]
    largest = _scale([row for _, row in rows])
    graphs = {name: place for place, name in enumerate(names)}
    panels: dict[tuple[str, str], dict[str, list[tuple[int, Mapping[str, Any]]]]] = {}
    for place, row in rows:
        if row["group"] in (ALL, breakdown):
            groups = panels.setdefault((row["model"], row["condition"]), {})
            groups.setdefault(row["value"], []).append((place, row))
    return [
        Panel(
            model=model,
            no_vlm=any(row["no_vlm"] for _, row in groups[ALL]),
            condition=condition,
            groups={
                value: [
                    _bar(place, row, graphs[row["graph"]], comparison.metric.format, largest)
                    for place, row in sorted(groups[value], key=lambda one: graphs[one[1]["graph"]])
                ]
                for value in sorted(groups, key=lambda value: value == ALL)
            },
            largest=number(largest, comparison.metric.format),
        )
        for (model, condition), groups in panels.items()
    ]


def _scale(rows: Sequence[Mapping[str, Any]]) -> float:
    """The largest value of the panels; intervals of few scenes may pass it, so that the bars stay readable."""
    means = max((row["mean"] for row in rows if row["mean"] is not None), default=0.0)
    highs = max((row["mean_high"] for row in rows if row["mean_high"] is not None), default=means)
    largest = min(max(highs, means), 1.6 * means)
    return largest if largest > 0 else 1.0


def _bar(place: int, row: Mapping[str, Any], graph: int, form: str, largest: float) -> Bar:
    def percent(value: float | None) -> float | None:
        return None if value is None else round(100 * max(value / largest, 0.0), 2)

    mean, low, high = row["mean"], row["mean_low"], row["mean_high"]
    text = number(mean, form) if low is None else f"{number(mean, form)} [{number(low, form)}, {number(high, form)}]"
    return Bar(row["graph"], graph, text, place, percent(mean), percent(low), percent(high))


def error_maps(items: pd.DataFrame, graphs: Sequence[str], models: Mapping[str, Mapping[str, Any]]) -> list[ErrorMap]:
    """Maps of predicted minus true point, clamped as the scorer does; empty for answers that are no points.

    All conditions fall into one map.

    Args:
        items: One row an item and repeat, as `RunResult.frame` gives it.
        graphs: Names of the graphs in their order.
        models: What is known of the models by name, in their order.
    """
    needed = ("answer_x", "answer_y", "truth_x", "truth_y")
    if not set(needed) <= set(items.columns) or "answer_z" in items.columns:
        return []
    points = items[items["answer_x"].notna() & items["truth_x"].notna()]
    maps = []
    for (model, graph), part in points.groupby(["model", "graph"], sort=False):
        x, y, true_x, true_y = (np.clip(part[name].to_numpy(dtype=float), 0, 1) for name in needed)
        counts, _, _ = np.histogram2d(y - true_y, x - true_x, bins=CELLS, range=[[-1, 1], [-1, 1]])
        opacity = np.sqrt(counts / counts.max())
        cells = [
            (int(column), int(row), round(float(opacity[row, column]), 3)) for row, column in np.argwhere(counts > 0)
        ]
        place, no_vlm = list(graphs).index(str(graph)), not models[str(model)]["is_vlm"]
        maps.append(ErrorMap(str(graph), place, str(model), no_vlm, cells, len(part)))
    return sorted(maps, key=lambda one: (list(models).index(one.model), one.place))
