"""In which order one thinks: reasoning graphs, interventions, and the builder that compiles to LangGraph."""

from graphs.errors import GraphError
from graphs.hints import Hints, ObjectHint
from graphs.intervention import Intervention, intervention
from graphs.interventions import blind, mark_anchor, mark_observer, random_frame, shuffle_frames
from graphs.reasoning_graph import Branch, ReasoningGraph, reasoning_graph

__all__ = [
    "Branch",
    "GraphError",
    "Hints",
    "Intervention",
    "ObjectHint",
    "ReasoningGraph",
    "blind",
    "intervention",
    "mark_anchor",
    "mark_observer",
    "random_frame",
    "reasoning_graph",
    "shuffle_frames",
]
