"""A user's own compiled LangGraph graph runs on the same situations and is read alike."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from pydantic import BaseModel

from agents.context import Context, Settings
from agents.forms import FramePointAnswer
from agents.model import Message, OutsideFailure, Purpose, Request, Sampling, Text
from agents.situation import Situation
from agents.view import View
from graphs import GraphError, Hints
from graphs.bare import BareGraph
from graphs.loading import load_graph

Make = Callable[..., Any]
POINT = FramePointAnswer(frame="f1", x=0.25, y=0.25)


class State(TypedDict, total=False):
    situation: Situation
    answer: Any


def graph_of(node: Callable[..., Any], state: type = State, context: type | None = Context) -> BareGraph:
    builder = StateGraph(state, context_schema=context)  # type: ignore[type-var]
    builder.add_node("think", node)
    builder.add_edge(START, "think")
    builder.add_edge("think", END)
    graph = load_graph(builder.compile())
    assert isinstance(graph, BareGraph)
    return graph


def leaving(answer: Any) -> BareGraph:
    return graph_of(lambda state: {"answer": answer})


class Other(BaseModel):
    x: float


@pytest.mark.parametrize(
    ("answer", "status", "reason"),
    [
        ('I see it: {"selected_image": 1, "x": 16, "y": 12}', "answered", ""),
        ({"selected_image": 1, "x": 16, "y": "12"}, "answered", ""),
        ({"selected_image": "Image 1", "x": 16.0, "y": 12, "why": "there"}, "answered", ""),
        (POINT, "answered", ""),
        ("I cannot tell.", "unreadable", "no complete JSON object"),
        ("", "empty", "the reply is empty"),
        (None, "empty", "the reply is empty"),
        ({"x": 1, "y": 2}, "unreadable", "selected_image is not the number of an image"),
        ({}, "unreadable", "selected_image is not the number of an image"),
        ({"selected_image": 1, "x": math.nan, "y": 2}, "unreadable", "x is not a finite number"),
        (FramePointAnswer(frame="attic", x=0.5, y=0.5), "unreadable", "there is no frame 'attic'"),
        (FramePointAnswer(frame="f1", x=math.nan, y=0.5), "unreadable", "x is not a finite number"),
        (FramePointAnswer(frame="f1", x=0.5, y=-math.inf), "unreadable", "y is not a finite number"),
    ],
)
async def test_an_answer_may_be_text_an_object_or_canonical(
    answer: Any, status: str, reason: str, situation: Situation, script: Make, context: Make
) -> None:
    outcome = await leaving(answer).run(situation, Hints(), context(script()))
    assert (outcome.status, outcome.answer) == (status, POINT if status == "answered" else None)
    assert outcome.reason.startswith(reason)
    assert [(event.step, event.status, event.finding) for event in outcome.events] == [
        ("answer", status, outcome.answer)
    ]


async def test_a_canonical_answer_is_kept_to_the_last_digit(situation: Situation, script: Make, context: Make) -> None:
    exact = FramePointAnswer(frame="f0", x=1 / 3, y=0.1 + 0.2)
    assert (await leaving(exact).run(situation, Hints(), context(script()))).answer == exact


@pytest.mark.parametrize(("answer", "kind"), [(3, "int"), ([1, 2], "list"), (Other(x=1), "Other"), (b"{}", "bytes")])
async def test_any_other_answer_is_the_authors_mistake(
    answer: Any, kind: str, situation: Situation, script: Make, context: Make
) -> None:
    with pytest.raises(GraphError, match=f"'answer' must be text, an object or a FramePointAnswer, not {kind}"):
        await leaving(answer).run(situation, Hints(), context(script()))


class Elsewhere(TypedDict, total=False):
    situation: Situation
    reply: str


async def test_a_graph_that_leaves_no_answer_is_the_authors_mistake(
    situation: Situation, script: Make, context: Make
) -> None:
    graph = graph_of(lambda state: {"reply": "left"}, Elsewhere)
    with pytest.raises(GraphError, match="its final state has no key 'answer'"):
        await graph.run(situation, Hints(), context(script()))


async def test_models_and_settings_come_through_the_runtime_context(
    situation: Situation, script: Make, context: Make
) -> None:
    async def think(state: State, runtime: Runtime[Context]) -> State:
        item = runtime.context
        purpose = Purpose(("answer",), View.of(state["situation"].originals), FramePointAnswer, state["situation"].form)
        message = Message("user", (Text(f"Where is it? {state['situation'].question}"),))
        request = Request((message,), Sampling(64), None, item.repeat, purpose)
        return {"answer": (await item.model().reply(request)).text}

    model = script(answer='{"selected_image": 1, "x": 16, "y": 12}\nfinal {"selected_image": 1, "x": 99, "y": 12}')
    outcome = await graph_of(think).run(
        situation, Hints(), context(model, repeat=3, settings=Settings(reading="published"))
    )
    assert outcome.answer == POINT
    assert model.requests[0].text == f"Where is it? {situation.question}"
    assert model.requests[0].repeat == 3


async def test_a_graph_without_a_context_schema_runs_too(situation: Situation, script: Make, context: Make) -> None:
    graph = graph_of(lambda state: {"answer": POINT}, context=None)
    assert (await graph.run(situation, Hints(), context(script()))).answer == POINT


async def test_a_graph_with_one_frame_just_points(one_frame: Situation, script: Make, context: Make) -> None:
    outcome = await leaving('{"x": 16, "y": 12}').run(one_frame, Hints(), context(script()))
    assert outcome.answer == FramePointAnswer(frame="f0", x=0.25, y=0.25)


async def test_its_own_mistakes_and_outside_failures_are_not_swallowed(
    situation: Situation, script: Make, context: Make
) -> None:
    def broken(state: State) -> State:
        raise ZeroDivisionError("oh")

    async def cut_off(state: State) -> State:
        raise OutsideFailure("429")

    with pytest.raises(ZeroDivisionError):
        await graph_of(broken).run(situation, Hints(), context(script()))
    with pytest.raises(OutsideFailure):
        await graph_of(cut_off).run(situation, Hints(), context(script()))
