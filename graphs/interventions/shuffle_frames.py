"""Show the frames in another order: what the order of exploration is worth."""

from dataclasses import replace

from agents.situation import Situation
from agents.workbench import Workbench
from graphs.hints import Hints
from graphs.intervention import intervention


@intervention()
def shuffle_frames(situation: Situation, hints: Hints, workbench: Workbench) -> Situation:  # noqa: ARG001
    """Numbers the frames in a random order, drawn anew for each item and repeat."""
    originals = situation.originals
    order = workbench.random("shuffle_frames").permutation(len(originals))
    derived = tuple(frame for frame in situation.frames if frame.source == "derived")
    return replace(situation, frames=(*(originals[place] for place in order), *derived))
