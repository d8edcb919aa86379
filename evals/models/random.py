"""Baseline, no VLM: a random point of a random frame."""

from collections.abc import Mapping

from evals.model_source import sample_model
from evals.models._guess import Guesser
from evals.sample import Sample


@sample_model()
def random(sample: Sample, options: Mapping[str, float | str], seed: str) -> Guesser:  # noqa: ARG001
    """Points at a random place in a frame drawn at random."""
    return Guesser(
        "random",
        f"random@{sample.id}#{seed}",
        seed,
        point=lambda random, frame: (float(random.random()), float(random.random())),  # noqa: ARG005
    )
