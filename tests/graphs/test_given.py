"""The oracle hook: what is given is not asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pydantic import BaseModel

from agents import anchor_localization, frame_selection, side_identification
from agents.forms import FramePointAnswer
from agents.situation import Situation
from agents.steps.anchor_localization import AnchorPoint
from agents.steps.frame_selection import ChosenFrame
from agents.steps.observer_grounding import ObserverPose
from agents.steps.side_identification import Side
from agents.wire import FrameUnknownError
from graphs import GraphError, Hints, ReasoningGraph
from graphs.builder import compile_graph
from graphs.library import GRAPHS
from graphs.outcome import Given, Outcome

Make = Callable[..., Any]
FRAME = ChosenFrame(frame="f2")
ANCHOR = AnchorPoint(visible=True, x=0.5, y=0.25)
POSE = ObserverPose(observer="sink", x=None, y=None, facing=90)


def giving(**findings: BaseModel) -> Given:
    return lambda step, found: findings.get(step)


async def run(graph: ReasoningGraph, situation: Situation, context: Any, given: Given) -> Outcome:
    return await compile_graph(graph, given).run(situation, Hints(), context)


class TestStaged:
    async def test_a_given_step_is_not_asked_and_its_finding_is_shown_to_the_later_ones(
        self, situation: Situation, script: Make, context: Make
    ) -> None:
        model = script(answer='{"x": 16, "y": 12}')
        outcome = await run(GRAPHS.get("s_cot_staged"), situation, context(model), giving(anchor_localization=ANCHOR))
        assert "anchor_localization" not in model.asked
        assert len(model.asked) == 8
        assert outcome.findings["anchor_localization"] == ANCHOR
        later = model.requests[model.asked.index("scene_inventory")]
        assert '- Anchor localization: {"visible": true, "x": 32, "y": 12}\n' in later.text
        sources = {event.step: event.source for event in outcome.events}
        assert [name for name, source in sources.items() if source == "given"] == ["anchor_localization"]

    async def test_a_given_frame_settles_the_frame(self, situation: Situation, script: Make, context: Make) -> None:
        model = script(answer='{"x": 16, "y": 12}')
        outcome = await run(GRAPHS.get("s_cot_staged"), situation, context(model), giving(frame_selection=FRAME))
        assert outcome.answer == FramePointAnswer(frame="f2", x=0.25, y=0.25)
        assert {request.pictures for request in model.requests} == {(situation.frames[2].picture,)}

    async def test_the_hook_sees_what_was_found_before(self, situation: Situation, script: Make, context: Make) -> None:
        calls: list[tuple[str, list[str]]] = []

        def note(step: str, found: Mapping[str, BaseModel]) -> None:
            calls.append((step, list(found)))

        model = script(answer='{"x": 16, "y": 12}')
        await run(GRAPHS.get("s_cot_staged"), situation, context(model), note)
        names = [step.name for step in GRAPHS.get("s_cot_staged").steps]
        assert calls == [(name, names[:place]) for place, name in enumerate(names)]

    async def test_when_all_is_given_only_the_answer_is_asked(
        self, situation: Situation, script: Make, context: Make
    ) -> None:
        model = script(answer='{"x": 16, "y": 12}')
        graph = ReasoningGraph(steps=[frame_selection, side_identification], mode="staged")
        given = giving(frame_selection=FRAME, side_identification=Side(side="left"))
        assert (await run(graph, situation, context(model), given)).status == "answered"
        assert model.asked == ["answer"]

    async def test_a_frame_that_is_not_shown_cannot_be_given(
        self, situation: Situation, script: Make, context: Make
    ) -> None:
        with pytest.raises(GraphError, match=r"ChosenFrame settles the frame.*'attic'"):
            await run(
                GRAPHS.get("s_cot_staged"),
                situation,
                context(script()),
                giving(frame_selection=ChosenFrame(frame="attic")),
            )


class TestFused:
    async def test_what_is_given_is_written_into_the_prompt_as_certain(
        self, situation: Situation, script: Make, context: Make
    ) -> None:
        model = script()
        outcome = await run(
            GRAPHS.get("s_cot"), situation, context(model), giving(side_identification=Side(side="on top"))
        )
        (request,) = model.requests
        assert 'What is known for certain:\n- Side identification: {"side": "on top"}\n' in request.text
        assert "side_identification" not in request.purpose.steps
        assert request.purpose.findings == {"side_identification": Side(side="on top")}
        assert [(event.step, event.source) for event in outcome.events] == [
            ("side_identification", "given"),
            ("answer", "model"),
        ]
        assert outcome.findings == {"side_identification": Side(side="on top")}

    async def test_a_given_frame_settles_the_frame_of_facts_and_answer(
        self, situation: Situation, script: Make, context: Make
    ) -> None:
        model = script(answer='{"x": 16, "y": 12}')
        given = giving(frame_selection=FRAME, anchor_localization=ANCHOR)
        outcome = await run(GRAPHS.get("s_cot"), situation, context(model), given)
        assert outcome.answer == FramePointAnswer(frame="f2", x=0.25, y=0.25)
        (request,) = model.requests
        assert (
            "What is known for certain:\n"
            '- Frame selection: {"selected_image": 2}\n'
            '- Anchor localization: {"visible": true, "x": 32, "y": 12}\n'
        ) in request.text
        assert "Point in Image 2" in request.text
        assert "pixels of Image 2" in request.text
        assert request.text.endswith('{"x": <whole number 0-63>, "y": <whole number 0-47>}')
        assert len(request.pictures) == 3

    @pytest.mark.parametrize(
        ("given", "missing"),
        [
            (giving(anchor_localization=ANCHOR), "anchor_localization is given but frame_selection"),
            (giving(observer_grounding=POSE), "observer_grounding is given but frame_selection"),
            (
                giving(frame_selection=FRAME, target_estimation=ANCHOR),
                "target_estimation is given but anchor_localization and side_identification",
            ),
        ],
    )
    async def test_a_fact_that_hangs_on_an_open_step_is_an_error(
        self, given: Given, missing: str, situation: Situation, script: Make, context: Make
    ) -> None:
        model = script()
        with pytest.raises(GraphError, match=missing):
            await run(GRAPHS.get("s_cot"), situation, context(model), given)
        assert not model.requests

    async def test_facts_about_the_one_frame_hang_on_no_choice(
        self, one_frame: Situation, script: Make, context: Make
    ) -> None:
        model = script(answer='{"x": 16, "y": 12}')
        outcome = await run(GRAPHS.get("s_cot"), one_frame, context(model), giving(anchor_localization=ANCHOR))
        assert outcome.answer == FramePointAnswer(frame="f0", x=0.25, y=0.25)
        assert '- Anchor localization: {"visible": true, "x": 32, "y": 12}\n' in model.requests[0].text

    async def test_a_point_without_a_frame_is_an_error(self, situation: Situation, script: Make, context: Make) -> None:
        graph = ReasoningGraph(steps=[anchor_localization, side_identification])
        with pytest.raises(FrameUnknownError):
            await run(graph, situation, context(script()), giving(anchor_localization=ANCHOR))

    async def test_without_a_hook_nothing_is_known(self, situation: Situation, script: Make, context: Make) -> None:
        model = script()
        await compile_graph(GRAPHS.get("s_cot")).run(situation, Hints(), context(model))
        assert "known for certain" not in model.requests[0].text
