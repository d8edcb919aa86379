"""Scorers, one for each form of an answer: arithmetic on arrays."""

from agents.registry import Registry
from evals.scorer import Metric, Scorer

SCORERS = Registry("scorer", "evals.scorers", Scorer, "situate.scorers")

__all__ = ["SCORERS", "Metric", "Scorer"]
