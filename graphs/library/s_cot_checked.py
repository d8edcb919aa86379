"""Spatial-CoT that looks again: if the anchor is not in the chosen frame, it chooses another, at most twice."""

from dataclasses import replace

from agents.steps.anchor_localization import AnchorPoint
from graphs.library.s_cot import s_cot
from graphs.reasoning_graph import Branch, ReasoningGraph, reasoning_graph


def anchor_is_missing(found: AnchorPoint) -> bool:
    """Whether the anchor was not found in the chosen frame."""
    return not found.visible


@reasoning_graph
def s_cot_checked() -> ReasoningGraph:
    """Staged Spatial-CoT that chooses another frame, at most twice, when the anchor is not in the chosen one."""
    return replace(
        s_cot,
        mode="staged",
        branches=[Branch("anchor_localization", when=anchor_is_missing, back_to="frame_selection", at_most=2)],
        conditions=["inferred", "stated"],
        beyond_paper=["inferred", "stated"],
    )
