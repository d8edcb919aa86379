"""O-Plot: the observer's position is drawn into the frames (POVBench, section 5.4)."""

from graphs.interventions import mark_observer
from graphs.reasoning_graph import ReasoningGraph, reasoning_graph


@reasoning_graph
def o_plot() -> ReasoningGraph:
    """Asks for the answer alone, with the observer marked in the frames."""
    return ReasoningGraph(interventions=[mark_observer], max_tokens=256, conditions=["inferred", "stated"])
