"""A reasoning graph: in which order one thinks, and nothing else."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from agents.asking import ANSWER
from agents.step import Step
from graphs.errors import GraphError
from graphs.intervention import Intervention

ANSWER_BUDGET = 256
"""Most tokens of a reply that is an answer alone, as in POVBench's runs."""

REASONING_BUDGET = 1024
"""Most tokens of a reply that reasons first, as in POVBench's runs."""


@dataclass(frozen=True)
class Branch:
    """A way back: after a step, return to an earlier one if its finding says so. Only staged graphs can branch.

    Attributes:
        after: Name of the step whose finding decides.
        when: Whether its finding sends reasoning back.
        back_to: Name of the earlier step to return to. If it chooses the frame, the frame that it chose is ruled out.
        at_most: How often an item may go back.
    """

    after: str
    when: Callable[[Any], bool]
    back_to: str
    at_most: int = 1


@dataclass(frozen=True)
class ReasoningGraph:
    """One way of reasoning: interventions, then steps, then the answer that the builder appends.

    Attributes:
        name: Its name; the decorator `reasoning_graph` fills it in.
        steps: Steps in order.
        interventions: What is changed about the situation first, in order.
        mode: `fused` asks for everything in one free call that ends in the final JSON; `staged` makes one constrained
            call a step.
        max_tokens: Most tokens of a reply; None takes 256, or 1,024 where there are steps.
        branches: Ways back; staged graphs only.
        conditions: Conditions of a dataset that it applies to; empty for all. Others are dashes in tables.
        beyond_paper: Of these, the conditions that the paper did not measure it in; labelled in tables.
        summary: One line for listings.
    """

    name: str = ""
    steps: Sequence[Step] = ()
    interventions: Sequence[Intervention] = ()
    mode: Literal["fused", "staged"] = "fused"
    max_tokens: int | None = None
    branches: Sequence[Branch] = ()
    conditions: Sequence[str] = ()
    beyond_paper: Sequence[str] = ()
    summary: str = ""

    def __post_init__(self) -> None:
        for name in ("steps", "interventions", "branches", "conditions", "beyond_paper"):
            value = getattr(self, name)
            if isinstance(value, str) or not isinstance(value, Iterable):
                raise GraphError(f"{_label(self)}: {name} must be a list, not {value!r}")
            object.__setattr__(self, name, tuple(value))
        _check(self)

    @property
    def budget(self) -> int:
        """Most tokens of a reply, unless a run sets its own."""
        return self.max_tokens or (REASONING_BUDGET if self.steps else ANSWER_BUDGET)

    def fits(self, form: str) -> bool:
        """Whether all steps make sense for a kind of form."""
        return all(not step.forms or form in step.forms for step in self.steps)

    def applies_to(self, condition: str | None) -> bool:
        """Whether it applies to a condition of a dataset."""
        return not self.conditions or condition is None or condition in self.conditions

    def after(self, *interventions: Intervention) -> ReasoningGraph:
        """The same graph after more interventions, named with a `+` for each."""
        name = "+".join([self.name, *(intervention.name for intervention in interventions)])
        return replace(self, name=name, interventions=(*self.interventions, *interventions))


def _label(graph: ReasoningGraph) -> str:
    return f"graph {graph.name!r}" if graph.name else "graph"


def _check(graph: ReasoningGraph) -> None:
    label = _label(graph)
    for kind, cls in (("steps", Step), ("interventions", Intervention), ("branches", Branch)):
        for entry in getattr(graph, kind):
            if not isinstance(entry, cls):
                raise GraphError(
                    f"{label}: {kind} must hold {cls.__name__} objects, not {type(entry).__name__} {entry!r}"
                )
    names = [step.name for step in graph.steps]
    for kind, given in (("step", names), ("intervention", [one.name for one in graph.interventions])):
        for name in given:
            if not name.isidentifier() or name.startswith("__"):
                raise GraphError(f"{label}: {kind} {name!r} needs another name; use letters, digits and _")
            if given.count(name) > 1:
                raise GraphError(f"{label}: {kind} {name} appears twice")
    choosing = [step.name for step in graph.steps if step.chooses_frame]
    if len(choosing) > 1:
        raise GraphError(f"{label}: {' and '.join(choosing)} each choose the frame; only one step can")
    if ANSWER in names:
        raise GraphError(f"{label}: the step {ANSWER!r} is appended by the builder; give yours another name")
    clashes = set(names) & {intervention.name for intervention in graph.interventions}
    if clashes:
        raise GraphError(f"{label}: {', '.join(sorted(clashes))} is both a step and an intervention; rename one")
    for place, step in enumerate(graph.steps):
        for required in step.requires:
            if required in names[place + 1 :]:
                raise GraphError(f"{label}: step {step.name} needs {required}, which comes later; put it first")
    if graph.mode not in ("fused", "staged"):
        raise GraphError(f"{label}: mode must be 'fused' or 'staged', not {graph.mode!r}")
    if graph.max_tokens is not None and graph.max_tokens < 1:
        raise GraphError(f"{label}: max_tokens must be positive, not {graph.max_tokens}")
    for branch in graph.branches:
        if graph.mode == "fused":
            raise GraphError(f"{label}: branches need mode='staged'; one fused call cannot turn back")
        if (
            branch.after not in names
            or branch.back_to not in names
            or names.index(branch.back_to) > names.index(branch.after)
        ):
            raise GraphError(
                f"{label}: a branch goes from {branch.after!r} back to {branch.back_to!r}; "
                "both must be among its steps, in the other order"
            )
    afters = [branch.after for branch in graph.branches]
    if len(set(afters)) < len(afters):
        raise GraphError(f"{label}: two branches leave the same step")


def reasoning_graph(make: Callable[[], ReasoningGraph]) -> ReasoningGraph:
    """Makes a graph of a function that returns one; its name and its first line become the graph's."""
    graph = make()
    if not isinstance(graph, ReasoningGraph):
        raise GraphError(f"graph {make.__name__!r}: must return a ReasoningGraph, not {type(graph).__name__}")
    return replace(graph, name=make.__name__, summary=(inspect.getdoc(make) or "").split("\n")[0] or graph.summary)
