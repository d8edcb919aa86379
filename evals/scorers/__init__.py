"""Scorers, one for each form of an answer: arithmetic on arrays."""

from agents.registry import Registry
from evals.scorer import Metric, Scorer

SCORERS = Registry("scorer", "evals.scorers", Scorer, "situate.scorers")


def scorer_of(form: str) -> Scorer:
    """The scorer of a kind of form."""
    return SCORERS.get(form)


__all__ = ["SCORERS", "Metric", "Scorer", "scorer_of"]
