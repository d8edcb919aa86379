"""Spatial-CoT: reason in the observer's frame, step by step (POVBench, section 5.4 and appendix B.5)."""

from agents import (
    anchor_identification,
    anchor_localization,
    directional_frame,
    frame_selection,
    observer_grounding,
    scene_inventory,
    side_identification,
    target_estimation,
)
from graphs.reasoning_graph import ReasoningGraph, reasoning_graph


@reasoning_graph
def s_cot() -> ReasoningGraph:
    """Reasons in the observer's frame step by step, in one call."""
    return ReasoningGraph(
        steps=[
            frame_selection,
            observer_grounding,
            anchor_identification,
            directional_frame,
            anchor_localization,
            scene_inventory,
            side_identification,
            target_estimation,
        ],
        max_tokens=1024,
        beyond_paper=["given"],
    )
