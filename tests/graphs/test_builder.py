"""A reasoning graph compiled to LangGraph: fused in one call, staged in one call a step."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from agents import anchor_localization, frame_selection, side_identification, target_estimation
from agents.context import Context, Settings
from agents.forms import FramePointAnswer
from agents.model import OutsideFailure, Reply
from agents.situation import Situation
from agents.steps.frame_selection import ChosenFrame
from agents.steps.target_estimation import TargetPoint
from agents.wire import FrameUnknownError
from graphs import GraphError, Hints, ReasoningGraph, blind, mark_anchor, mark_observer, shuffle_frames
from graphs.builder import GraphRuntime, ReasoningState, compile_graph
from graphs.library import GRAPHS
from graphs.outcome import Event, Outcome
from prompts.loader import Prompts
from tools.pictures import EncodedPicture

Make = Callable[..., Any]
STAGED_ANSWER = '{"x": 16, "y": 12}'
ANSWER = FramePointAnswer(frame="f1", x=0.25, y=0.25)


async def run(graph: ReasoningGraph, situation: Situation, context: Context, hints: Hints | None = None) -> Outcome:
    return await compile_graph(graph).run(situation, hints or Hints(), context)


class TestFused:
    async def test_is_one_call_that_holds_all_steps(self, situation: Situation, script: Make, context: Make) -> None:
        model = script()
        outcome = await run(GRAPHS.get("s_cot"), situation, context(model))
        assert (outcome.status, outcome.answer) == ("answered", ANSWER)
        assert [request.purpose.steps for request in model.requests] == [
            (
                "frame_selection",
                "observer_grounding",
                "anchor_identification",
                "directional_frame",
                "anchor_localization",
                "scene_inventory",
                "side_identification",
                "target_estimation",
                "answer",
            )
        ]
        assert outcome.events == (Event("answer", 0, "model", "answered", ANSWER),)
        assert outcome.findings == {}

    async def test_without_steps_asks_for_the_answer_alone(
        self, situation: Situation, script: Make, context: Make
    ) -> None:
        model = script()
        assert (await run(ReasoningGraph(), situation, context(model))).answer == ANSWER
        assert model.requests[0].purpose.steps == ("answer",)
        assert model.requests[0].sampling.max_tokens == 256

    async def test_drops_the_choice_of_a_frame_where_there_is_but_one(
        self, one_frame: Situation, script: Make, context: Make
    ) -> None:
        model = script(answer=STAGED_ANSWER)
        outcome = await run(GRAPHS.get("s_cot"), one_frame, context(model))
        assert outcome.answer == FramePointAnswer(frame="f0", x=0.25, y=0.25)
        assert model.requests[0].purpose.steps[0] == "observer_grounding"
        assert "Frame selection" not in model.requests[0].text

    async def test_that_cannot_be_read_says_why(self, situation: Situation, script: Make, context: Make) -> None:
        outcome = await run(GRAPHS.get("s_cot"), situation, context(script(answer=Reply("So", finish_reason="length"))))
        assert (outcome.status, outcome.answer) == ("truncated", None)
        assert outcome.reason.startswith("the reply was cut off")
        assert [(event.step, event.status) for event in outcome.events] == [("answer", "truncated")]


class TestStaged:
    async def test_is_one_call_a_step_each_seeing_what_was_found(
        self, situation: Situation, script: Make, context: Make
    ) -> None:
        model = script(answer=STAGED_ANSWER)
        outcome = await run(GRAPHS.get("s_cot_staged"), situation, context(model))
        assert (outcome.status, outcome.answer) == ("answered", ANSWER)
        assert model.asked == [step.name for step in GRAPHS.get("s_cot_staged").steps] + ["answer"]
        seen = [list(request.purpose.findings) for request in model.requests]
        assert seen == [model.asked[:place] for place in range(9)]
        assert [event.step for event in outcome.events] == model.asked
        assert {event.source for event in outcome.events} == {"model"}
        assert outcome.findings["frame_selection"] == ChosenFrame(frame="f1")
        assert outcome.findings["target_estimation"] == TargetPoint(x=0.25, y=0.25)
        assert all(request.constraint is not None for request in model.requests)

    async def test_shows_only_the_chosen_frame_once_it_is_chosen(
        self, situation: Situation, script: Make, context: Make
    ) -> None:
        model = script(answer=STAGED_ANSWER)
        await run(GRAPHS.get("s_cot_staged"), situation, context(model))
        first, *later = model.requests
        assert len(first.pictures) == 3
        assert {request.pictures for request in later} == {(situation.frames[1].picture,)}

    async def test_drops_the_choice_of_a_frame_where_there_is_but_one(
        self, one_frame: Situation, script: Make, context: Make
    ) -> None:
        model = script(answer=STAGED_ANSWER)
        outcome = await run(GRAPHS.get("s_cot_staged"), one_frame, context(model))
        assert outcome.answer == FramePointAnswer(frame="f0", x=0.25, y=0.25)
        assert "frame_selection" not in model.asked
        assert len(model.asked) == 8
        assert "frame_selection" not in outcome.findings
        assert not any("selected_image" in request.text for request in model.requests)

    @pytest.mark.parametrize(
        ("reply", "status", "reason"),
        [
            (Reply("I do not see a bed."), "unreadable", "anchor_localization: no complete JSON object"),
            (Reply('{"visible": "maybe", "x": 1, "y": 1}'), "unreadable", "anchor_localization: visible is none of"),
            (Reply(""), "empty", "anchor_localization: the reply is empty"),
            (Reply('{"visible": tr', finish_reason="length"), "truncated", "anchor_localization: the reply was cut"),
            (Reply("No.", finish_reason="refusal"), "refused", "anchor_localization: the model refused"),
        ],
    )
    async def test_ends_with_the_step_that_cannot_be_read_and_names_it(
        self, reply: Reply, status: str, reason: str, situation: Situation, script: Make, context: Make
    ) -> None:
        model = script(anchor_localization=reply)
        outcome = await run(GRAPHS.get("s_cot_staged"), situation, context(model))
        assert (outcome.status, outcome.answer) == (status, None)
        assert outcome.reason.startswith(reason)
        assert model.asked[-1] == "anchor_localization"
        assert len(model.asked) == 5
        assert list(outcome.findings) == model.asked[:-1]
        assert (outcome.events[-1].step, outcome.events[-1].status) == ("anchor_localization", status)

    async def test_whose_answer_cannot_be_read_keeps_its_findings(
        self, situation: Situation, script: Make, context: Make
    ) -> None:
        outcome = await run(GRAPHS.get("s_cot_staged"), situation, context(script(answer="somewhere")))
        assert (outcome.status, outcome.answer, len(outcome.findings)) == ("unreadable", None, 8)

    async def test_with_a_point_before_its_frame_is_the_authors_mistake(
        self, situation: Situation, script: Make, context: Make
    ) -> None:
        with pytest.raises(FrameUnknownError, match="AnchorPoint"):
            await run(ReasoningGraph(steps=[anchor_localization], mode="staged"), situation, context(script()))


@pytest.mark.parametrize("name", ["s_cot", "s_cot_staged"])
async def test_a_failure_outside_the_model_is_raised(
    name: str, situation: Situation, script: Make, context: Make
) -> None:
    model = script(answer=OutsideFailure("429"))
    with pytest.raises(OutsideFailure, match="429"):
        await run(GRAPHS.get(name), situation, context(model))


async def test_a_graph_refuses_a_form_that_its_steps_do_not_fit(
    situation: Situation, script: Make, context: Make
) -> None:
    choosy = ReasoningGraph("choosy", steps=[replace(side_identification, forms=("choice",))])
    with pytest.raises(GraphError, match=r"graph choosy.*frame_point"):
        await run(choosy, situation, context(script()))


async def test_interventions_come_first_and_in_order(
    situation: Situation, hints: Hints, script: Make, context: Make
) -> None:
    model = script()
    graph = ReasoningGraph(interventions=[mark_observer, mark_anchor, blind])
    await run(graph, situation, context(model), hints)
    text = model.requests[0].text
    assert text.index("red disc") < text.index("blue rectangle") < text.index("withheld") < text.index("sink")
    assert model.requests[0].pictures == ()


@pytest.mark.parametrize("name", GRAPHS.names())
async def test_every_registered_graph_answers(
    name: str, situation: Situation, hints: Hints, script: Make, context: Make
) -> None:
    graph = GRAPHS.get(name)
    answer = STAGED_ANSWER if graph.mode == "staged" else '{"selected_image": 1, "x": 16, "y": 12}'
    outcome = await run(graph, situation, context(script(answer=answer)), hints)
    assert (outcome.status, outcome.answer) == ("answered", ANSWER)


async def test_a_shuffled_answer_is_about_the_frame_that_was_shown_under_its_number(
    situation: Situation, script: Make, context: Make
) -> None:
    for seed in "0123":
        for name, answer in (("basic", '{"selected_image": 1, "x": 16, "y": 12}'), ("s_cot_staged", STAGED_ANSWER)):
            model = script(answer=answer)
            outcome = await run(GRAPHS.get(name).after(shuffle_frames), situation, context(model, seed=seed))
            assert outcome.answer is not None
            shown = model.requests[0].pictures[1]
            assert [frame.id for frame in situation.frames if frame.picture == shown] == [outcome.answer.frame]


async def test_settings_reach_every_call(situation: Situation, script: Make, context: Make) -> None:
    model = script(answer=STAGED_ANSWER)
    await run(GRAPHS.get("s_cot_staged"), situation, context(model, repeat=2, settings=Settings(max_tokens=9, seed=5)))
    assert {(request.sampling.max_tokens, request.sampling.seed, request.repeat) for request in model.requests} == {
        (9, 7, 2)
    }


async def test_the_state_holds_no_bytes(
    situation: Situation,
    hints: Hints,
    script: Make,
    context: Make,
    reachable: Callable[[Any], Iterator[Any]],
) -> None:
    graph = replace(GRAPHS.get("s_cot_staged"), interventions=[mark_observer, mark_anchor])
    runtime = GraphRuntime(context(script(answer=STAGED_ANSWER)), hints)
    await runtime.context.workbench.encoded(situation.frames[0].picture)
    start = ReasoningState(situation=situation, findings={}, frame=None, rejected=(), attempts={}, events=[])
    states = [
        state
        async for state in compile_graph(graph).langgraph.astream(
            start, {"recursion_limit": 50}, context=runtime, stream_mode="values"
        )
    ]
    assert len(states) == 12
    for thing in reachable(states):
        assert not isinstance(thing, bytes | bytearray | memoryview | np.ndarray | EncodedPicture), thing


async def test_many_situations_run_at_the_same_time(situation: Situation, script: Make, context: Make) -> None:
    compiled = compile_graph(GRAPHS.get("s_cot_staged"))
    models = [script(answer=f'{{"x": {number}, "y": 0}}') for number in range(8)]
    outcomes = await asyncio.gather(*(compiled.run(situation, Hints(), context(model)) for model in models))
    assert [outcome.answer.x * 64 for outcome in outcomes if outcome.answer] == list(range(8))


def nodes_of(graph: ReasoningGraph) -> list[str]:
    """Nodes of the drawing, in order of the first edge that leads to them."""
    drawing = compile_graph(graph).langgraph.get_graph().draw_mermaid()
    return re.findall(r"^\t(\w+)[(\[]", drawing, re.MULTILINE)


def test_a_graph_can_be_drawn_with_its_interventions_steps_and_ways_back() -> None:
    staged = GRAPHS.get("s_cot_checked").after(blind)
    assert nodes_of(staged) == [
        "__start__",
        "blind",
        *(step.name for step in staged.steps),
        "answer",
        "anchor_localization_back_to_frame_selection",
        "__end__",
    ]
    assert nodes_of(ReasoningGraph(steps=[frame_selection, target_estimation])) == ["__start__", "answer", "__end__"]


async def test_a_whole_prompt_of_the_users_serves_a_graph_and_its_controls(
    tmp_path: Any, situation: Situation, script: Make, context: Make
) -> None:
    (tmp_path / "words" / "graphs").mkdir(parents=True)
    (tmp_path / "words" / "graphs" / "s_cot.j2").write_text("The paper's own words. {{ notes|join(' ') }}")
    prompts = Prompts(tmp_path / "words")
    model = script()
    for graph in (GRAPHS.get("s_cot"), GRAPHS.get("s_cot").after(blind), GRAPHS.get("cot")):
        await run(graph, situation, context(model, prompts=prompts))
    own, controlled, other = (request.messages[0].parts[-1].text for request in model.requests)
    assert own == "The paper's own words."
    assert controlled.startswith("The paper's own words. The images themselves are withheld")
    assert "paper" not in other


async def test_a_step_that_settles_the_frame_must_say_which(situation: Situation, script: Make, context: Make) -> None:
    wrong = replace(side_identification, chooses_frame=True)
    with pytest.raises(GraphError, match="Side settles the frame, so its field `frame` must hold the id"):
        await run(ReasoningGraph(steps=[wrong], mode="staged"), situation, context(script()))
