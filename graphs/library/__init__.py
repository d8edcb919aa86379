"""Reasoning graphs, one file each, found by name."""

from agents.registry import Registry
from graphs.reasoning_graph import ReasoningGraph

GRAPHS = Registry("graph", "graphs.library", ReasoningGraph, "situate.graphs")

__all__ = ["GRAPHS"]
