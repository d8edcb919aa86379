"""Compiles a reasoning graph to a LangGraph graph, and runs it on a situation."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Protocol, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from pydantic import BaseModel

from agents.asking import ANSWER, Heard, ask_answer, ask_fused, ask_step
from agents.context import Context
from agents.situation import Situation
from agents.step import Step
from agents.view import View
from graphs.errors import GraphError
from graphs.hints import Hints
from graphs.intervention import Intervention
from graphs.outcome import Event, Given, Outcome
from graphs.reasoning_graph import Branch, ReasoningGraph

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph


class ReasoningState(TypedDict, total=False):
    """What flows along the edges. Pictures are in it by path and hash, never as bytes.

    Attributes:
        situation: What is seen, after the interventions so far.
        findings: Last finding of each step.
        frame: Id of the frame that has been settled on.
        rejected: Ids of the frames that were ruled out.
        attempts: How often each step has been asked, and each way back taken.
        events: All steps as they went.
        heard: The answer, or the reply that ended the work without one.
    """

    situation: Situation
    findings: dict[str, BaseModel]
    frame: str | None
    rejected: tuple[str, ...]
    attempts: dict[str, int]
    events: Annotated[list[Event], operator.add]
    heard: Heard


@dataclass(frozen=True)
class GraphRuntime:
    """LangGraph's runtime context of a compiled reasoning graph; only intervention nodes read the hints."""

    context: Context
    hints: Hints


class Node(Protocol):
    """A node of the compiled graph; LangGraph passes the runtime by its name."""

    async def __call__(self, state: ReasoningState, runtime: Runtime[GraphRuntime]) -> ReasoningState:
        """Returns the keys of the state that it changes."""
        ...


@dataclass(frozen=True)
class CompiledGraph:
    """A reasoning graph, ready to run.

    Attributes:
        graph: The reasoning graph.
        langgraph: What it was compiled to; draw it with `.langgraph.get_graph().draw_mermaid()`.
        only_node: The node of a graph that has one alone; None for all others.
    """

    graph: ReasoningGraph
    langgraph: CompiledStateGraph[ReasoningState, GraphRuntime, ReasoningState, ReasoningState]
    only_node: Node | None = None

    async def run(self, situation: Situation, hints: Hints, context: Context) -> Outcome:
        """Reasons about one situation.

        Args:
            situation: What is seen.
            hints: Privileged facts, for the interventions that declared them.
            context: Models and tools.

        Returns:
            The answer or why there is none, with all findings.

        Raises:
            GraphError: If a step does not fit the form of the answer.
            agents.model.OutsideFailure: If a call failed for an outside reason.
        """
        if not self.graph.fits(situation.form.kind):
            raise GraphError(f"graph {self.graph.name}: its steps do not fit answers of the form {situation.form.kind}")
        start = ReasoningState(situation=situation, findings={}, frame=None, rejected=(), attempts={}, events=[])
        if self.only_node is not None:
            # Between one node's start and end there is nothing to schedule, which would cost more than all prompts.
            changed = await self.only_node(start, Runtime(context=GraphRuntime(context, hints)))
            return _outcome(changed["heard"], changed["findings"], changed["events"])
        limit = 10 + 4 * sum(1 + branch.at_most for branch in self.graph.branches) * (len(self.graph.steps) + 2)
        end = await self.langgraph.ainvoke(
            start,
            {"recursion_limit": limit + len(self.graph.interventions) + len(self.graph.steps)},
            context=GraphRuntime(context, hints),
        )
        return _outcome(end["heard"], end["findings"], end["events"])


def _outcome(heard: Heard, findings: dict[str, BaseModel], events: list[Event]) -> Outcome:
    return Outcome(heard.status, heard.finding, heard.reason, findings, tuple(events))


def compile_graph(graph: ReasoningGraph, given: Given | None = None) -> CompiledGraph:
    """Compiles a reasoning graph to LangGraph nodes: interventions, steps, answer.

    Args:
        graph: The graph.
        given: Oracle hook; a staged step that it settles is not asked, a fused one is written into the prompt.
    """
    builder = StateGraph(ReasoningState, context_schema=GraphRuntime)
    chain = [intervention.name for intervention in graph.interventions]
    for intervention in graph.interventions:
        builder.add_node(intervention.name, _intervene(intervention))
    only_node: Node | None = None
    if graph.mode == "fused":
        fused = _fused(graph, given)
        builder.add_node(ANSWER, fused)
        only_node = None if chain else fused
    else:
        for step in graph.steps:
            builder.add_node(step.name, _staged(step, graph, given))
        builder.add_node(ANSWER, _answer(graph))
        chain += [step.name for step in graph.steps]
    chain.append(ANSWER)
    if reserved := sorted(set(chain) & set(ReasoningState.__annotations__)):
        raise GraphError(f"graph {graph.name}: no step may be called {reserved[0]!r}; give yours another name")
    builder.add_edge(START, chain[0])
    for here, after in pairwise(chain):
        if not any(step.name == here for step in graph.steps):
            builder.add_edge(here, after)
            continue
        branch = next((branch for branch in graph.branches if branch.after == here), None)
        ways: dict[Hashable, str] = {"go on": after, "give up": END}
        if branch is not None:
            retry = _way_back(branch)
            builder.add_node(retry, _turn_back(branch, graph))
            builder.add_edge(retry, branch.back_to)
            ways["turn back"] = retry
        builder.add_conditional_edges(here, _router(here, branch, graph), ways)
    builder.add_edge(ANSWER, END)
    return CompiledGraph(graph, builder.compile(name=graph.name or "reasoning_graph"), only_node)


def _view(state: ReasoningState, context: Context) -> View:
    view = View.of(state["situation"].originals, context.settings.convention)
    view = replace(view, rejected=frozenset(view.number_of(frame) for frame in state["rejected"]))
    frame = state["frame"]
    return view if frame is None else view.bind(frame)


def _intervene(intervention: Intervention) -> Node:
    async def node(state: ReasoningState, runtime: Runtime[GraphRuntime]) -> ReasoningState:
        hints, workbench = runtime.context.hints, runtime.context.context.workbench
        return {"situation": await intervention.apply(state["situation"], hints, workbench)}

    return node


def _fused(graph: ReasoningGraph, given: Given | None) -> Node:
    async def node(state: ReasoningState, runtime: Runtime[GraphRuntime]) -> ReasoningState:
        context, situation = runtime.context.context, state["situation"]
        view = _view(state, context)
        steps = [step for step in graph.steps if not (step.chooses_frame and view.bound_to is not None)]
        known = _known(steps, graph, given)
        chosen = [known[step.name] for step in steps if step.chooses_frame and step.name in known]
        frame = _frame_of(chosen[-1], view) if chosen else None
        view = view if frame is None else view.bind(frame)
        heard = await ask_fused(graph.name, steps, situation, view, known, context, graph.budget)
        events = [Event(name, 0, "given", "answered", finding) for name, finding in known.items()]
        return {
            "findings": dict(known),
            "frame": frame,
            "events": [*events, _event(ANSWER, 0, heard)],
            "heard": heard,
        }

    return node


def _known(steps: list[Step], graph: ReasoningGraph, given: Given | None) -> dict[str, BaseModel]:
    """The findings that the oracle gives, closed under `requires`: a fact that hangs on an open step is no fact."""
    known: dict[str, BaseModel] = {}
    if given is None:
        return known
    asked = {step.name for step in steps}
    for step in steps:
        finding = given(step.name, known)
        if finding is None:
            continue
        open_steps = [name for name in step.requires if name in asked and name not in known]
        if open_steps:
            raise GraphError(
                f"graph {graph.name}: {step.name} is given but {' and '.join(open_steps)}, which it follows from, "
                "is not; in a fused call give both or neither"
            )
        known[step.name] = finding
    return known


def _staged(step: Step, graph: ReasoningGraph, given: Given | None) -> Node:
    async def node(state: ReasoningState, runtime: Runtime[GraphRuntime]) -> ReasoningState:
        context, situation = runtime.context.context, state["situation"]
        view = _view(state, context)
        if step.chooses_frame and len(view.frames) == 1:
            return {}
        attempt = state["attempts"].get(step.name, 0)
        finding = given(step.name, state["findings"]) if given else None
        if finding is not None:
            heard, source = Heard("answered", finding), "given"
        else:
            heard = await ask_step(step, situation, view, state["findings"], context, graph.budget)
            source = "model"
        event = Event(step.name, attempt, source, heard.status, heard.finding, heard.reason)  # type: ignore[arg-type]
        changed = ReasoningState(attempts={**state["attempts"], step.name: attempt + 1}, events=[event])
        if heard.finding is None:
            changed["heard"] = replace(heard, reason=f"{step.name}: {heard.reason}")
            return changed
        changed["findings"] = {**state["findings"], step.name: heard.finding}
        if step.chooses_frame:
            changed["frame"] = _frame_of(heard.finding, view)
        return changed

    return node


def _answer(graph: ReasoningGraph) -> Node:
    async def node(state: ReasoningState, runtime: Runtime[GraphRuntime]) -> ReasoningState:
        context = runtime.context.context
        heard = await ask_answer(state["situation"], _view(state, context), state["findings"], context, graph.budget)
        return {"heard": heard, "events": [_event(ANSWER, 0, heard)]}

    return node


def _router(here: str, branch: Branch | None, graph: ReasoningGraph) -> Callable[[ReasoningState], str]:
    def route(state: ReasoningState) -> str:
        if "heard" in state:
            return "give up"
        finding = state["findings"].get(here)
        if branch is None or finding is None or not branch.when(finding):
            return "go on"
        frames_left = len(state["situation"].originals) - len(state["rejected"]) - 1
        may_turn = (
            state["attempts"].get(_way_back(branch), 0) < branch.at_most
            and (frames_left > 0 or not _chooses([branch.back_to], graph))
            # What an oracle settled would only be settled the same way again.
            and not any(event.step == branch.back_to and event.source == "given" for event in state["events"])
        )
        return "turn back" if may_turn else "go on"

    return route


def _turn_back(branch: Branch, graph: ReasoningGraph) -> Node:
    names = [step.name for step in graph.steps]
    forgotten = names[names.index(branch.back_to) : names.index(branch.after) + 1]

    async def node(state: ReasoningState, runtime: Runtime[GraphRuntime]) -> ReasoningState:  # noqa: ARG001
        kept = {name: finding for name, finding in state["findings"].items() if name not in forgotten}
        turns = state["attempts"].get(_way_back(branch), 0) + 1
        changed = ReasoningState(findings=kept, attempts={**state["attempts"], _way_back(branch): turns})
        frame = state["frame"]
        if _chooses([branch.back_to], graph) and frame is not None:
            changed["rejected"] = (*state["rejected"], frame)
        if _chooses(forgotten, graph):
            changed["frame"] = None
        return changed

    return node


def _way_back(branch: Branch) -> str:
    """Name of the node that turns back."""
    return f"{branch.after}_back_to_{branch.back_to}"


def _chooses(names: list[str], graph: ReasoningGraph) -> bool:
    return any(step.name in names and step.chooses_frame for step in graph.steps)


def _frame_of(finding: BaseModel, view: View) -> str:
    frame = getattr(finding, "frame", None)
    if frame not in [shown.id for shown in view.frames]:
        raise GraphError(
            f"{type(finding).__name__} settles the frame, so its field `frame` must hold the id of one, not {frame!r}"
        )
    return str(frame)


def _event(step: str, attempt: int, heard: Heard) -> Event:
    return Event(step, attempt, "model", heard.status, heard.finding, heard.reason)
