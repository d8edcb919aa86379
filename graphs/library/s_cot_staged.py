"""Spatial-CoT with one constrained call a step, each seeing what the earlier ones found."""

from dataclasses import replace

from graphs.library.s_cot import s_cot
from graphs.reasoning_graph import ReasoningGraph, reasoning_graph


@reasoning_graph
def s_cot_staged() -> ReasoningGraph:
    """Spatial-CoT with one constrained call a step."""
    return replace(s_cot, mode="staged", beyond_paper=["inferred", "stated", "given"])
