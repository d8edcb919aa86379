"""Baseline, no VLM: the middle of a frame that is drawn at random."""

from collections.abc import Mapping

from evals.model_source import sample_model
from evals.models._guess import Guesser
from evals.sample import Sample


@sample_model()
def center(sample: Sample, options: Mapping[str, float | str], seed: str) -> Guesser:  # noqa: ARG001
    """Points at the middle of a frame drawn at random."""
    return Guesser("center", f"center@{sample.id}#{seed}", seed, point=lambda random, frame: (0.5, 0.5))  # noqa: ARG005
