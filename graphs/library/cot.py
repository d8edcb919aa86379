"""Chain of thought: reason freely, then answer (POVBench, section 5.4)."""

from agents import anchor_identification, frame_selection, observer_grounding, spatial_reasoning
from graphs.reasoning_graph import ReasoningGraph, reasoning_graph


@reasoning_graph
def cot() -> ReasoningGraph:
    """Reasons freely about frame, observer, anchor and place before it answers."""
    return ReasoningGraph(
        steps=[frame_selection, observer_grounding, anchor_identification, spatial_reasoning],
        max_tokens=1024,
        beyond_paper=["given"],
    )
