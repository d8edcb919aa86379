"""Takes over the score that another tool recorded, for logs whose answers are not there to be scored again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evals.scorer import FloatArray, Metric, scorer


@scorer(
    form="recorded_score",
    headline="score",
    worst=0.0,
    metrics=(Metric("score", "score", "higher", "as the other tool recorded it", choice=True),),
)
def recorded_score(answers: Sequence[Mapping[str, Any]], truths: Sequence[Mapping[str, Any]]) -> dict[str, FloatArray]:
    """Returns recorded scores.

    Args:
        answers: N answers; `score` as it was recorded, higher for the better, 0 for the worst.
        truths: Not used; the other tool had them.

    Returns:
        (N,) column `score`.
    """
    del truths
    return {"score": np.array([answer["score"] for answer in answers], dtype=np.float64)}
