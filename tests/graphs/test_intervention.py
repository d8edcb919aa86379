"""Hints reach an intervention that declared them, and nobody else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from agents.context import Context
from agents.forms import FramePointAnswer
from agents.situation import Situation
from agents.workbench import Workbench
from graphs import GraphError, Hints, Intervention, ObjectHint, ReasoningGraph, blind, intervention, mark_anchor
from graphs.builder import compile_graph
from graphs.interventions import INTERVENTIONS, mark_observer
from graphs.library import GRAPHS
from graphs.loading import load_graph
from tools.camera import Camera

Make = Callable[..., Any]
Reachable = Callable[[Any], Iterator[Any]]
PRIVILEGED = (Hints, ObjectHint, Camera)


@pytest.mark.parametrize(
    ("needs", "seen"),
    [
        ((), set()),
        (("observer",), {"observer"}),
        (("cameras", "anchor"), {"cameras", "anchor"}),
        (("surface", "observer_camera"), {"surface", "observer_camera"}),
    ],
)
async def test_an_intervention_sees_the_hints_that_it_declared_and_no_others(
    needs: tuple[str, ...], seen: set[str], situation: Situation, hints: Hints
) -> None:
    received: list[Hints] = []

    @intervention(needs=needs)
    def look(situation: Situation, hints: Hints, workbench: Workbench) -> Situation:
        received.append(hints)
        return situation

    assert await look.apply(situation, hints, Workbench()) == situation
    assert {name for name, value in vars(received[0]).items() if value} == seen


@pytest.mark.parametrize("name", ["basic", "s_cot", "s_cot_staged", "o_plot", "oa_plot"])
async def test_hints_never_reach_a_model(
    name: str, situation: Situation, hints: Hints, script: Make, context: Make, reachable: Reachable
) -> None:
    graph = GRAPHS.get(name)
    model = script() if graph.mode == "fused" else script(answer='{"x": 1, "y": 2}')
    outcome = await compile_graph(graph).run(situation, hints, context(model))
    assert outcome.status == "answered"
    for thing in reachable([model.requests, outcome]):
        assert not isinstance(thing, PRIVILEGED), thing


class State(TypedDict, total=False):
    situation: Situation
    answer: Any


async def test_hints_never_reach_a_bare_graph(
    situation: Situation, hints: Hints, script: Make, context: Make, reachable: Reachable
) -> None:
    held: list[Any] = []

    def look(state: State, runtime: Runtime[Context]) -> State:
        held.append((state, runtime.context, runtime))
        return {"answer": FramePointAnswer(frame="f0", x=0.5, y=0.5)}

    builder = StateGraph(State, context_schema=Context)
    builder.add_node("look", look)
    builder.add_edge(START, "look")
    builder.add_edge("look", END)
    item = context(script())
    outcome = await load_graph(builder.compile()).run(situation, hints, item)  # type: ignore[union-attr]
    assert outcome.status == "answered"
    state, given, _ = held[0]
    assert state == {"situation": situation}
    assert given is item
    for thing in reachable(held):
        assert not isinstance(thing, PRIVILEGED), thing


def test_the_walk_through_objects_would_find_hints(hints: Hints, reachable: Reachable) -> None:
    def node() -> Hints:
        return hints

    assert any(isinstance(thing, Hints) for thing in reachable({"x": [node]}))
    assert any(isinstance(thing, Camera) for thing in reachable({"x": [node]}))


@pytest.mark.parametrize(
    ("hints", "missing"),
    [(Hints(), "cameras and anchor"), (Hints(cameras={"f0": Camera((0, 0, 0), 0, 0, 90, 64, 48)}), "to know anchor,")],
)
async def test_a_dataset_that_does_not_tell_what_is_needed_is_an_error(
    hints: Hints, missing: str, situation: Situation
) -> None:
    with pytest.raises(GraphError, match=f"intervention mark_anchor needs.*{missing}"):
        await mark_anchor.apply(situation, hints, Workbench())
    assert mark_anchor.missing(hints) == [name for name in ("cameras", "anchor") if name in missing]


async def test_an_intervention_that_leaves_no_original_frame_is_an_error(situation: Situation) -> None:
    @intervention()
    def wipe(situation: Situation, hints: Hints, workbench: Workbench) -> Situation:
        return replace(situation, frames=())

    with pytest.raises(GraphError, match="intervention wipe left no original frame"):
        await wipe.apply(situation, Hints(), Workbench())


def test_the_decorator_names_the_intervention_after_the_function() -> None:
    @intervention(needs=("cameras",), revision="3")
    def add_fog(situation: Situation, hints: Hints, workbench: Workbench) -> Situation:
        """Draws fog.

        Lots of it.
        """
        return situation

    assert isinstance(add_fog, Intervention)
    assert (add_fog.name, add_fog.summary, add_fog.needs, add_fog.revision) == (
        "add_fog",
        "Draws fog.",
        ("cameras",),
        "3",
    )
    assert add_fog.template == "interventions/add_fog.j2"


def test_a_hint_that_does_not_exist_cannot_be_declared() -> None:
    with pytest.raises(GraphError, match="no such hints: truth; there are cameras, observer_camera, observer, anchor"):
        intervention(needs=("truth", "anchor"))


@pytest.mark.parametrize("needs", [lambda situation, hints, workbench: situation, "cameras"])
def test_a_decorator_without_its_brackets_is_told_how_it_is_written(needs: Any) -> None:
    with pytest.raises(GraphError, match=r"write @intervention\(\)"):
        intervention(needs)


async def test_an_intervention_may_be_async_and_use_the_workbench(situation: Situation) -> None:
    @intervention()
    async def dim(situation: Situation, hints: Hints, workbench: Workbench) -> Situation:
        count = await workbench.once("count", lambda: 2)
        return replace(situation, frames=situation.frames[:count])

    assert len((await dim.apply(situation, Hints(), Workbench())).frames) == 2


async def test_an_intervention_that_returns_no_situation_is_an_error(
    situation: Situation, script: Make, context: Make
) -> None:
    @intervention()
    def forgetful(situation: Situation, hints: Hints, workbench: Workbench) -> Any:
        replace(situation, question="?")

    with pytest.raises(GraphError, match="intervention forgetful must return a Situation, not NoneType"):
        await compile_graph(ReasoningGraph(interventions=[forgetful])).run(situation, Hints(), context(script()))


async def test_an_interventions_own_mistake_is_not_swallowed(situation: Situation, script: Make, context: Make) -> None:
    @intervention()
    def broken(situation: Situation, hints: Hints, workbench: Workbench) -> Situation:
        raise ZeroDivisionError("oh")

    with pytest.raises(ZeroDivisionError):
        await compile_graph(ReasoningGraph(interventions=[broken])).run(situation, Hints(), context(script()))


def test_every_intervention_carries_the_name_of_its_file() -> None:
    assert [one.name for one in INTERVENTIONS.all()] == INTERVENTIONS.names()
    assert set(INTERVENTIONS.names()) == {"blind", "mark_anchor", "mark_observer", "random_frame", "shuffle_frames"}
    assert all(one.summary for one in INTERVENTIONS.all())


def test_only_the_markers_need_hints() -> None:
    needing = {one.name: one.needs for one in INTERVENTIONS.all() if one.needs}
    assert needing == {"mark_anchor": ("cameras", "anchor"), "mark_observer": ("cameras", "observer")}
    assert mark_observer.missing(Hints()) == ["cameras", "observer"]
    assert blind.missing(Hints()) == []
