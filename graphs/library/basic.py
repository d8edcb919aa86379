"""The baseline: no reasoning is asked for (POVBench, section 5.1; MV-RoboBench, origin)."""

from graphs.reasoning_graph import ReasoningGraph, reasoning_graph


@reasoning_graph
def basic() -> ReasoningGraph:
    """Asks for the answer alone."""
    return ReasoningGraph(max_tokens=256)
