"""What a scorer has to offer, and the decorator that offers it. Scorers are arithmetic on arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Score = Callable[[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]], dict[str, FloatArray]]
"""Canonical answers and the truths that they are held against, item by item, to columns with one value an item."""


@dataclass(frozen=True)
class Metric:
    """A column of scores, and how a table shows its mean.

    Attributes:
        name: Name of the column.
        label: What stands above it in a table.
        better: Which values are better; None where neither is.
        unit: What its numbers are in, in words.
        format: Format specification of its mean, e.g. `.3f` or `.1%`.
        choice: Whether its values may be choices, 1 for right and 0 for wrong, which have a test of their own.
    """

    name: str
    label: str
    better: Literal["lower", "higher"] | None
    unit: str
    format: str = ".3f"
    choice: bool = False


@dataclass(frozen=True)
class Scorer:
    """The scorer of one form of an answer.

    Attributes:
        form: Kind of the form, e.g. `frame_point`.
        name: Registered name, the name of the function that scores.
        score: Scores answered items; NaN where a column says nothing of an item.
        headline: Name of the column that comparisons go by.
        lower_is_better: Whether smaller values of the headline are better.
        worst: The headline of an unanswered item, where a statistic takes the worst case.
        metrics: The columns, in the order in which tables show them.
    """

    form: str
    name: str
    score: Score
    headline: str
    lower_is_better: bool
    worst: float
    metrics: tuple[Metric, ...]


def scorer(*, form: str, headline: str, worst: float, metrics: tuple[Metric, ...]) -> Callable[[Score], Scorer]:
    """Turns a function that scores into the `Scorer` of a form.

    Args:
        form: Kind of the form.
        headline: Name of the metric that comparisons go by; it must be lower or higher for the better.
        worst: The headline of an unanswered item in the worst case.
        metrics: The columns that the function returns.

    Returns:
        The decorator.

    Raises:
        ValueError: If the headline is no metric, or neither direction of it is better.
    """
    direction = {metric.name: metric.better for metric in metrics}.get(headline)
    if direction is None:
        raise ValueError(f"the headline {headline!r} must be a metric of which lower or higher is better")

    def register(score: Score) -> Scorer:
        return Scorer(
            form=form,
            name=getattr(score, "__name__", form),
            score=_of_known(score, metrics),
            headline=headline,
            lower_is_better=direction == "lower",
            worst=worst,
            metrics=metrics,
        )

    return register


def _of_known(score: Score, metrics: tuple[Metric, ...]) -> Score:
    """Has only answers scored whose truth is known; the columns of all others are NaN."""

    def score_known(answers: Sequence[Mapping[str, Any]], truths: Sequence[Mapping[str, Any]]) -> dict[str, FloatArray]:
        unknown = np.array([truth.get("known") is False for truth in truths], dtype=bool)
        if len(answers) != len(truths) or not unknown.any():
            return score(answers, truths)
        columns = {metric.name: np.full(len(truths), np.nan) for metric in metrics}
        if not unknown.all():
            places = [int(place) for place in np.flatnonzero(~unknown)]
            scored = score([answers[place] for place in places], [truths[place] for place in places])
            for name, values in scored.items():
                columns[name][places] = values
        return columns

    return score_known
