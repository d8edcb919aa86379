"""A staged graph may turn back, a bounded number of times, and never to a frame that was ruled out."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from agents import anchor_localization, frame_selection, observer_grounding, side_identification, target_estimation
from agents.forms import FramePointAnswer
from agents.situation import Situation
from agents.steps.anchor_localization import AnchorPoint
from agents.steps.frame_selection import ChosenFrame
from graphs import Branch, Hints, ReasoningGraph
from graphs.builder import compile_graph
from graphs.library import GRAPHS
from graphs.outcome import Outcome

Make = Callable[..., Any]
HIDDEN = '{"visible": false, "x": null, "y": null}'
SEEN = '{"visible": true, "x": 32, "y": 24}'
ANSWER = '{"x": 16, "y": 12}'


def frame(number: int) -> str:
    return f'{{"selected_image": {number}}}'


async def run(graph: ReasoningGraph, situation: Situation, context: Any, given: Any = None) -> Outcome:
    return await compile_graph(graph, given).run(situation, Hints(), context)


@pytest.fixture
def checked() -> ReasoningGraph:
    return GRAPHS.get("s_cot_checked")


def chosen_frames(outcome: Outcome) -> list[str]:
    return [event.finding.frame for event in outcome.events if isinstance(event.finding, ChosenFrame)]


async def test_an_anchor_that_is_seen_sends_nothing_back(
    checked: ReasoningGraph, situation: Situation, script: Make, context: Make
) -> None:
    model = script(answer=ANSWER)
    outcome = await run(checked, situation, context(model))
    assert model.asked == [step.name for step in checked.steps] + ["answer"]
    assert outcome.answer == FramePointAnswer(frame="f1", x=0.25, y=0.25)


async def test_a_missing_anchor_makes_it_choose_another_frame_and_think_again(
    checked: ReasoningGraph, situation: Situation, script: Make, context: Make
) -> None:
    model = script(frame_selection=[frame(1), frame(2)], anchor_localization=[HIDDEN, SEEN], answer=ANSWER)
    outcome = await run(checked, situation, context(model))
    names = [step.name for step in checked.steps]
    until = names[: names.index("anchor_localization") + 1]
    assert model.asked == [*until, *names, "answer"]
    assert outcome.answer == FramePointAnswer(frame="f2", x=0.25, y=0.25)
    assert outcome.findings["anchor_localization"] == AnchorPoint(visible=True, x=0.5, y=0.5)
    assert [event.attempt for event in outcome.events] == [0] * 5 + [1] * 5 + [0] * 4


async def test_a_frame_that_was_ruled_out_is_neither_offered_nor_read(
    checked: ReasoningGraph, situation: Situation, script: Make, context: Make
) -> None:
    model = script(frame_selection=[frame(1), frame(1)], anchor_localization=HIDDEN)
    outcome = await run(checked, situation, context(model))
    first, second = (request for request in model.requests if request.purpose.steps == ("frame_selection",))
    assert "Ruled out" not in first.text
    assert "Ruled out, because the landmark could not be found there: Image 1." in second.text
    assert second.text.endswith('{"selected_image": 0 or 2}')
    assert len(second.pictures) == 3
    assert [bool(re.fullmatch(second.constraint.regex, frame(number))) for number in range(3)] == [True, False, True]
    assert second.constraint.schema["properties"]["selected_image"]["enum"] == [0, 2]
    assert second.purpose.findings == {}
    assert (outcome.status, outcome.reason) == ("unreadable", "frame_selection: selected_image was ruled out before: 1")


async def test_it_looks_again_at_most_twice_and_then_goes_on_with_what_it_has(
    checked: ReasoningGraph, situation: Situation, script: Make, context: Make
) -> None:
    more = replace(situation.frames[0], id="f3"), replace(situation.frames[0], id="f4")
    situation = replace(situation, frames=(*situation.frames, *more))
    model = script(frame_selection=[frame(4), frame(3), frame(2), frame(1)], anchor_localization=HIDDEN, answer=ANSWER)
    outcome = await run(checked, situation, context(model))
    assert chosen_frames(outcome) == ["f4", "f3", "f2"]
    assert outcome.answer == FramePointAnswer(frame="f2", x=0.25, y=0.25)
    assert outcome.findings["anchor_localization"] == AnchorPoint(visible=False, x=None, y=None)


async def test_it_stops_when_no_frame_is_left(
    checked: ReasoningGraph, situation: Situation, script: Make, context: Make
) -> None:
    situation = replace(situation, frames=situation.frames[:2])
    model = script(frame_selection=[frame(1), frame(0)], anchor_localization=HIDDEN, answer=ANSWER)
    outcome = await run(checked, situation, context(model))
    assert chosen_frames(outcome) == ["f1", "f0"]
    assert outcome.answer == FramePointAnswer(frame="f0", x=0.25, y=0.25)
    assert '"selected_image": 0}' in model.requests[5].text


async def test_it_has_nothing_to_choose_where_there_is_one_frame(
    checked: ReasoningGraph, one_frame: Situation, script: Make, context: Make
) -> None:
    model = script(anchor_localization=HIDDEN, answer=ANSWER)
    outcome = await run(checked, one_frame, context(model))
    assert model.asked.count("anchor_localization") == 1
    assert outcome.status == "answered"


async def test_a_step_that_cannot_be_read_after_turning_back_ends_the_item(
    checked: ReasoningGraph, situation: Situation, script: Make, context: Make
) -> None:
    model = script(frame_selection=[frame(1), "none of them"], anchor_localization=HIDDEN)
    outcome = await run(checked, situation, context(model))
    assert (outcome.status, model.asked[-1]) == ("unreadable", "frame_selection")
    assert outcome.reason.startswith("frame_selection:")


async def test_a_frame_that_an_oracle_settled_is_not_ruled_out(
    checked: ReasoningGraph, situation: Situation, script: Make, context: Make
) -> None:
    model = script(anchor_localization=HIDDEN, answer=ANSWER)
    outcome = await run(
        checked,
        situation,
        context(model),
        given=lambda step, findings: ChosenFrame(frame="f2") if step == "frame_selection" else None,
    )
    assert model.asked.count("anchor_localization") == 1
    assert outcome.answer == FramePointAnswer(frame="f2", x=0.25, y=0.25)


def is_left(found: Any) -> bool:
    return bool(found.side == "left")


def is_hidden(found: Any) -> bool:
    return not found.visible


LEFT, RIGHT = '{"side": "left"}', '{"side": "right"}'


async def test_two_ways_back_to_one_step_are_counted_apart(situation: Situation, script: Make, context: Make) -> None:
    graph = ReasoningGraph(
        steps=[frame_selection, anchor_localization, side_identification],
        branches=[
            Branch("anchor_localization", is_hidden, "frame_selection", at_most=1),
            Branch("side_identification", is_left, "frame_selection", at_most=1),
        ],
        mode="staged",
    )
    model = script(
        frame_selection=[frame(0), frame(1), frame(2)],
        side_identification=[LEFT, LEFT],
        anchor_localization=[SEEN, HIDDEN, HIDDEN],
        answer=ANSWER,
    )
    outcome = await run(graph, situation, context(model))
    # Back from the side, then back from the anchor, which had been asked before but had not sent it back yet.
    assert chosen_frames(outcome) == ["f0", "f1", "f2"]
    assert model.asked.count("side_identification") == 2
    assert outcome.answer == FramePointAnswer(frame="f2", x=0.25, y=0.25)


@pytest.mark.parametrize("at_most", [0, 1, 10])
async def test_a_way_back_to_itself_asks_as_often_as_allowed(
    at_most: int, situation: Situation, script: Make, context: Make
) -> None:
    graph = ReasoningGraph(
        steps=[side_identification],
        branches=[Branch("side_identification", is_left, "side_identification", at_most)],
        mode="staged",
    )
    model = script(side_identification=LEFT)
    outcome = await run(graph, situation, context(model))
    assert model.asked.count("side_identification") == at_most + 1
    assert outcome.status == "answered"


async def test_turning_back_past_the_choice_of_a_frame_opens_it_again(
    situation: Situation, script: Make, context: Make
) -> None:
    graph = ReasoningGraph(
        steps=[side_identification, frame_selection, anchor_localization, target_estimation],
        branches=[Branch("anchor_localization", is_hidden, "side_identification")],
        mode="staged",
    )
    model = script(frame_selection=[frame(1), frame(2)], anchor_localization=[HIDDEN, SEEN], answer=ANSWER)
    outcome = await run(graph, situation, context(model))
    assert chosen_frames(outcome) == ["f1", "f2"]
    choices = [request for request in model.requests if request.purpose.steps == ("frame_selection",)]
    # The frame was not what it turned back for, so the first one may be chosen once more.
    assert [request.text.rpartition("\n")[2] for request in choices] == ['{"selected_image": <whole number 0-2>}'] * 2


async def test_a_way_back_within_the_chosen_frame_keeps_it(situation: Situation, script: Make, context: Make) -> None:
    graph = ReasoningGraph(
        steps=[frame_selection, observer_grounding, anchor_localization],
        branches=[Branch("anchor_localization", is_hidden, "observer_grounding")],
        mode="staged",
    )
    model = script(anchor_localization=[HIDDEN, SEEN], answer=ANSWER)
    outcome = await run(graph, situation, context(model))
    assert model.asked == [
        "frame_selection",
        "observer_grounding",
        "anchor_localization",
        "observer_grounding",
        "anchor_localization",
        "answer",
    ]
    assert outcome.answer == FramePointAnswer(frame="f1", x=0.25, y=0.25)
    assert list(model.requests[3].purpose.findings) == ["frame_selection"]
