"""Withhold every picture: what can be answered from the text alone (MV-RoboBench's blind row)."""

from dataclasses import replace

from agents.situation import Situation
from agents.workbench import Workbench
from graphs.hints import Hints
from graphs.intervention import intervention


@intervention()
def blind(situation: Situation, hints: Hints, workbench: Workbench) -> Situation:  # noqa: ARG001
    """Withholds every picture; the text, the number of frames and their sizes stay."""
    withheld = tuple(replace(frame, withheld=True) for frame in situation.frames)
    return replace(situation, frames=withheld).with_note("interventions/blind.j2")
