"""Baseline, no VLM: the centre of the anchor, in the frame that shows the pair best; it ignores the relation."""

from collections.abc import Mapping, Sequence

import numpy as np

from agents.frame import Frame
from evals.model_source import ModelError, sample_model
from evals.models._best_frame import best_frame
from evals.models._guess import Guesser
from evals.sample import Sample
from tools.camera import project


@sample_model()
def anchor(sample: Sample, options: Mapping[str, float | str], seed: str) -> Guesser:  # noqa: ARG001
    """Points at the centre of the anchor in the best frame; reads the hints, ignores the relation."""
    hints = sample.hints
    if hints.anchor is None:
        raise ModelError("model 'anchor' needs to know where the anchor is, which this dataset does not tell")
    center = hints.anchor.box_center

    def choose(random: np.random.Generator, frames: Sequence[Frame]) -> Frame:
        best = best_frame(frames, hints, [center])
        return frames[int(random.integers(len(frames)))] if best is None else best

    def point(random: np.random.Generator, frame: Frame) -> tuple[float, float]:  # noqa: ARG001
        place = project(hints.cameras[frame.id], [center]) if frame.id in hints.cameras else None
        if place is None or not place.in_front[0]:
            return (0.5, 0.5)
        return (float(place.points[0, 0]), float(place.points[0, 1]))

    return Guesser("anchor", f"anchor@{sample.id}#{seed}", seed, point=point, choose=choose)
