"""O&A-Plot: the observer's position and the anchor are drawn into the frames (POVBench, section 5.4)."""

from graphs.interventions import mark_anchor, mark_observer
from graphs.reasoning_graph import ReasoningGraph, reasoning_graph


@reasoning_graph
def oa_plot() -> ReasoningGraph:
    """Asks for the answer alone, with observer and anchor marked in the frames."""
    return ReasoningGraph(interventions=[mark_observer, mark_anchor], max_tokens=256, conditions=["inferred", "stated"])
