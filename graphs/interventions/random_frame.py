"""Leave one frame, drawn at random: what choosing the right frame is worth."""

from dataclasses import replace

from agents.situation import Situation
from agents.workbench import Workbench
from graphs.hints import Hints
from graphs.intervention import intervention


@intervention()
def random_frame(situation: Situation, hints: Hints, workbench: Workbench) -> Situation:  # noqa: ARG001
    """Leaves one frame, drawn at random for each item and repeat; the choice of a frame drops out."""
    kept = situation.originals[int(workbench.random("random_frame").integers(len(situation.originals)))]
    derived = tuple(frame for frame in situation.frames if frame.source == "derived" and kept.id in frame.derived_from)
    return replace(situation, frames=(kept, *derived))
