"""What is said to a model, in which order and words, and what becomes of its reply."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from agents.asking import Heard, ask_answer, ask_fused, ask_step, templates_of
from agents.context import Context, RoleError, Settings
from agents.forms import FramePointAnswer
from agents.frame import Frame
from agents.model import Image, OutsideFailure, Reply, Request, Sampling, Text
from agents.situation import Situation
from agents.step import Findings
from agents.steps import STEPS, anchor_localization, frame_selection, observer_grounding, side_identification
from agents.steps.anchor_identification import AnchorName
from agents.steps.anchor_localization import AnchorPoint
from agents.steps.frame_selection import ChosenFrame
from agents.steps.scene_inventory import InventoryItem, SceneInventory
from agents.steps.side_identification import Side
from agents.view import View
from agents.wire import FrameUnknownError
from prompts.errors import PromptError
from prompts.loader import TEMPLATES, Prompts
from tools.coordinates import PIXELS, Convention

MakeContext = Callable[..., Context]
MakeScript = Callable[..., Any]

ANSWER = '{"selected_image": 1, "x": 32, "y": 12}'
CHOSEN = '{"selected_image": 1}'


def parts_of(request: Request, frames: tuple[Frame, ...]) -> list[str]:
    """What a request says, a picture by the id of its frame, the long text last as `...`."""
    names = {frame.picture: frame.id for frame in frames}
    (message,) = request.messages
    assert message.role == "user"
    *leading, last = message.parts
    assert isinstance(last, Text)
    return [part.text if isinstance(part, Text) else f"<{names[part.picture]}>" for part in leading] + ["..."]


async def fused(situation: Situation, context: Context, given: Findings | None = None, **kinds: Any) -> Heard:
    view = kinds.pop("view", View.of(situation.originals, context.settings.convention))
    steps = kinds.pop("steps", [])
    return await ask_fused(kinds.pop("graph", "mine"), steps, situation, view, given or {}, context, 1024)


class TestPictures:
    async def test_come_first_each_after_its_label(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        model = script(answer=ANSWER)
        await fused(situation, context(model))
        assert parts_of(model.requests[0], situation.frames) == [
            "Image 0:", "<f0>", "Image 1:", "<f1>", "Image 2:", "<f2>", "...",
        ]  # fmt: skip

    async def test_have_no_number_when_there_is_but_one(
        self, one_frame: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        model = script(answer='{"x": 1, "y": 2}')
        await fused(one_frame, context(model))
        assert parts_of(model.requests[0], one_frame.frames) == ["<f0>", "..."]

    async def test_carry_the_captions_of_the_dataset(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        first, *others = situation.frames
        situation = replace(situation, frames=(replace(first, caption="head view"), *others))
        model = script(answer=ANSWER)
        await fused(situation, context(model))
        assert parts_of(model.requests[0], situation.frames)[:3] == ["Image 0: head view", "<f0>", "Image 1:"]

    async def test_lead_equally_for_two_questions_about_the_same_frames(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        model = script(answer=ANSWER, frame_selection=CHOSEN)
        await fused(situation, context(model))
        await fused(replace(situation, question="It lay on the table."), context(model), steps=[frame_selection])
        await ask_step(frame_selection, situation, View.of(situation.originals), {}, context(model), 256)
        leading = [request.messages[0].parts[:-1] for request in model.requests]
        assert leading[0] == leading[1] == leading[2]
        assert len({request.text for request in model.requests}) == 3

    async def test_are_only_the_chosen_one_for_a_step_that_sees_no_more(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        model = script(anchor_localization='{"visible": true, "x": 1, "y": 2}', answer='{"x": 1, "y": 2}')
        view = View.of(situation.originals).bind("f2")
        await ask_step(anchor_localization, situation, view, {}, context(model), 256)
        await ask_answer(situation, view, {}, context(model), 256)
        for request in model.requests:
            assert parts_of(request, situation.frames) == ["Image 2:", "<f2>", "..."]
            assert "Image 2 of 3" in request.text

    async def test_are_all_for_a_step_that_sees_all_even_when_one_is_chosen(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        model = script(side_identification='{"side": "left"}')
        look_round = replace(side_identification, sees="all")
        await ask_step(look_round, situation, View.of(situation.originals).bind("f2"), {}, context(model), 256)
        assert len(model.requests[0].pictures) == 3

    async def test_derived_frames_follow_without_a_number(
        self, situation: Situation, script: MakeScript, context: MakeContext, make_frames: Callable[..., Any]
    ) -> None:
        depth = [
            replace(frame, id=f"depth of {frame.id}", source="derived", derived_from=(frame.id,), caption="Depth:")
            for frame in situation.frames[:2]
        ]
        between = replace(depth[0], id="between", derived_from=("f1", "f2"), caption="View between:")
        situation = replace(situation, frames=(*situation.frames, *depth, between))
        model = script(answer=ANSWER, anchor_localization='{"visible": true, "x": 1, "y": 2}')
        await fused(situation, context(model))
        for name in ("f0", "f1", "f2"):
            view = View.of(situation.originals).bind(name)
            await ask_step(anchor_localization, situation, view, {}, context(model), 256)
        captions = [
            [part.text for part in request.messages[0].parts[:-1] if isinstance(part, Text)]
            for request in model.requests
        ]
        assert captions == [
            ["Image 0:", "Image 1:", "Image 2:", "Depth:", "Depth:", "View between:"],
            ["Image 0:", "Depth:"],
            ["Image 1:", "Depth:", "View between:"],
            ["Image 2:", "View between:"],
        ]
        assert "The 3 images above, Image 0 to Image 2," in model.requests[0].text

    async def test_are_left_out_with_their_labels_when_withheld(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        withheld = replace(situation, frames=tuple(replace(frame, withheld=True) for frame in situation.frames))
        model = script(answer=ANSWER)
        heard = await fused(withheld, context(model))
        assert heard.finding == FramePointAnswer(frame="f1", x=0.5, y=0.25)
        assert parts_of(model.requests[0], situation.frames) == ["..."]
        assert '"selected_image": <whole number 0-2>' in model.requests[0].text


class TestWords:
    async def test_of_a_fused_call_hold_all_steps_in_order_and_end_in_the_form_of_the_answer(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        model = script(answer=ANSWER)
        await fused(situation, context(model), steps=[frame_selection, anchor_localization, side_identification])
        text = model.requests[0].text
        assert re.findall(r"^Step (\d)\. ([^:]+):", text, re.MULTILINE) == [
            ("1", "Frame selection"),
            ("2", "Anchor localization"),
            ("3", "Side identification"),
            ("4", "Conclusion"),
        ]
        assert "final JSON alone on the last line" in text
        assert text.endswith(
            '{"selected_image": <whole number 0-2>, "x": <whole number 0-63>, "y": <whole number 0-47>}'
        )
        assert situation.question in text

    async def test_of_a_fused_call_without_steps_ask_for_nothing_but_the_answer(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        model = script(answer=ANSWER)
        await fused(situation, context(model))
        text = model.requests[0].text
        assert "Reply with that JSON only" in text
        assert "Step 1" not in text
        assert "reasoning" not in text

    async def test_of_a_staged_call_hold_one_step_and_what_was_found(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        model = script(anchor_localization='{"visible": true, "x": 16, "y": 24}')
        findings = {
            "frame_selection": ChosenFrame(frame="f1"),
            "anchor_identification": AnchorName(anchor="Bett für „Gäste“"),
            "scene_inventory": SceneInventory(objects=[InventoryItem(name="lamp", relation="on top", x=1 / 3, y=0.5)]),
        }
        view = View.of(situation.originals).bind("f1")
        heard = await ask_step(anchor_localization, situation, view, findings, context(model), 256)
        assert heard == Heard("answered", AnchorPoint(visible=True, x=0.25, y=0.5))
        text = model.requests[0].text
        assert '- Frame selection: {"selected_image": 1}\n' in text
        assert '- Anchor identification: {"anchor": "Bett für „Gäste“"}\n' in text
        assert '{"objects": [{"name": "lamp", "relation": "on top", "x": 21.33, "y": 24}]}' in text
        assert "Anchor localization: Estimate the point" in text
        assert "Side identification" not in text
        assert text.endswith(
            '{"visible": true or false, "x": <whole number 0-63> or null, "y": <whole number 0-47> or null}'
        )

    async def test_of_the_answer_after_stages_show_all_findings(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        model = script(answer='{"x": 32, "y": 12}')
        findings = {"frame_selection": ChosenFrame(frame="f1"), "side_identification": Side(side="on top")}
        view = View.of(situation.originals).bind("f1")
        heard = await ask_answer(situation, view, findings, context(model), 256)
        assert heard.finding == FramePointAnswer(frame="f1", x=0.5, y=0.25)
        text = model.requests[0].text
        assert '- Side identification: {"side": "on top"}' in text
        assert "Point in Image 1" in text
        assert text.endswith('{"x": <whole number 0-63>, "y": <whole number 0-47>}')

    async def test_call_given_findings_certain_and_do_not_ask_for_them(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        model = script(answer=ANSWER)
        steps = [side_identification, frame_selection]
        await fused(situation, context(model), {"side_identification": Side(side="left")}, steps=steps)
        text = model.requests[0].text
        assert 'What is known for certain:\n- Side identification: {"side": "left"}\n' in text
        assert "Step 1. Frame selection" in text
        assert "Side identification:" not in text.replace("- Side identification:", "")
        assert model.requests[0].purpose.steps == ("frame_selection", "answer")

    async def test_name_the_frames_that_were_ruled_out(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        model = script(frame_selection=CHOSEN)
        view = replace(View.of(situation.originals), rejected=frozenset({0}))
        await ask_step(frame_selection, situation, view, {}, context(model), 256)
        text = model.requests[0].text
        assert "could not be found there: Image 0." in text
        assert text.endswith('{"selected_image": 1 or 2}')

    async def test_say_what_an_intervention_changed_before_the_question(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        noted = situation.with_note("interventions/mark_observer.j2").with_note(
            "interventions/mark_anchor.j2", {"ring": True}
        )
        model = script(answer=ANSWER, side_identification='{"side": "left"}')
        await fused(noted, context(model))
        await ask_step(side_identification, noted, View.of(noted.originals), {}, context(model), 256)
        await ask_answer(noted, View.of(noted.originals), {}, context(model), 256)
        for request in model.requests:
            red, blue = request.text.index("red disc"), request.text.index("(or a blue circle)")
            assert red < blue < request.text.index(noted.question)

    @pytest.mark.parametrize(
        ("convention", "words"),
        [
            (PIXELS, "pixels of the chosen image, which is 64 wide and 48 high"),
            (Convention("thousand", 1000), "on a scale from 0 to 1000 on both axes of the chosen image"),
        ],
    )
    async def test_say_how_points_are_written(
        self, situation: Situation, script: MakeScript, context: MakeContext, convention: Convention, words: str
    ) -> None:
        model = script(answer=ANSWER)
        await fused(situation, context(model, settings=Settings(convention=convention)))
        assert words in model.requests[0].text

    async def test_say_the_size_of_each_frame_where_they_differ(
        self,
        situation: Situation,
        script: MakeScript,
        context: MakeContext,
        make_frames: Callable[..., tuple[Frame, ...]],
    ) -> None:
        mixed = replace(situation, frames=make_frames((64, 48), (32, 80)))
        model = script(
            answer='{"selected_image": 1, "x": 16, "y": 20}', anchor_localization='{"visible": false, "x": 1, "y": 2}'
        )
        heard = await fused(mixed, context(model))
        await ask_step(anchor_localization, mixed, View.of(mixed.originals).bind("f1"), {}, context(model), 256)
        choosing, bound = (request.text for request in model.requests)
        assert heard.finding == FramePointAnswer(frame="f1", x=0.5, y=0.25)
        assert "Image 0 is 64 wide and 48 high; Image 1 is 32 wide and 80 high" in choosing
        assert "from 0 to 63" not in choosing
        assert "pixels of Image 1, which is 32 wide and 80 high" in bound
        assert bound.endswith('"x": <whole number 0-31> or null, "y": <whole number 0-79> or null}')

    async def test_say_nothing_of_points_where_none_is_asked_for(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        model = script(side_identification='{"side": "left"}')
        await ask_step(side_identification, situation, View.of(situation.originals), {}, context(model), 256)
        assert "pixels" not in model.requests[0].text

    async def test_of_the_observers_view_name_no_image_number(
        self, one_frame: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        model = script(answer='{"x": 32, "y": 12}')
        heard = await fused(one_frame, context(model), steps=[observer_grounding, anchor_localization])
        assert heard.finding == FramePointAnswer(frame="f0", x=0.5, y=0.25)
        assert not re.search(r"Image \d|selected_image|number of the image|[Cc]hoose", model.requests[0].text)

    async def test_are_the_users_where_a_file_holds_the_whole_prompt(
        self, tmp_path: Path, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        words = (
            "{% for frame in frames %}{{ frame.label }} {% endfor %}| {{ question }} | {{ shape }} | "
            "{{ steps|map(attribute='title')|join(', ') }} | {{ max_x }}"
        )
        (tmp_path / "words" / "graphs").mkdir(parents=True)
        (tmp_path / "words" / "graphs" / "mine.j2").write_text(words)
        prompts = Prompts(tmp_path / "words")
        model = script(answer=ANSWER)
        for graph in ("mine", "mine+blind", "another"):
            await fused(situation, context(model, prompts=prompts), graph=graph, steps=[frame_selection])
        own, controlled, other = (request.messages[0].parts[-1] for request in model.requests)
        assert isinstance(own, Text)
        assert own.text == (
            f"Image 0 Image 1 Image 2 | {situation.question} | "
            '{"selected_image": <whole number 0-2>, "x": <whole number 0-63>, "y": <whole number 0-47>} | '
            "Frame selection | 63"
        )
        assert controlled == own
        assert other != own

    async def test_that_lack_a_variable_are_the_authors_mistake(
        self, tmp_path: Path, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        (tmp_path / "words" / "graphs").mkdir(parents=True)
        (tmp_path / "words" / "graphs" / "mine.j2").write_text("{{ task }} {{ anchor_position }}")
        with pytest.raises(PromptError, match=r"mine\.j2: 'anchor_position' is undefined.*question, shape"):
            await fused(situation, context(script(answer=ANSWER), prompts=Prompts(tmp_path / "words")))


@pytest.mark.parametrize("task", ["situated_target", "situated_target_observer_view"])
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("convention", [PIXELS, Convention("thousand", 1000)], ids=lambda one: one.name)
async def test_every_template_can_be_filled_for_every_step(
    task: str,
    count: int,
    convention: Convention,
    situation: Situation,
    script: MakeScript,
    context: MakeContext,
) -> None:
    situation = replace(situation, task=task, frames=situation.frames[:count])
    settings = Settings(convention=convention)
    steps = STEPS.all()
    model = script(answer="", **{step.name: "" for step in steps})
    for view in (View.of(situation.originals, convention), View.of(situation.originals, convention).bind("f0")):
        await fused(situation, context(model, settings=settings), steps=steps, view=view)
        await ask_answer(situation, view, {}, context(model, settings=settings), 256)
    for step in steps:
        if not step.chooses_frame:
            await ask_step(step, situation, view, {}, context(model, settings=settings), 256)
        elif count > 1:
            await ask_step(
                step, situation, View.of(situation.originals, convention), {}, context(model, settings=settings), 256
            )
    for request in model.requests:
        # No blank left by a missing part, no trace of the template language.
        assert not re.search(r"\n\n\n|  |[{]%|[{][{]|None|\bin \.", request.text), request.text
    for step in steps:
        assert (TEMPLATES / step.template).is_file()


def test_every_built_in_template_belongs_to_something(situation: Situation) -> None:
    used = {
        name
        for task in ("situated_target", "situated_target_observer_view")
        for name in templates_of("mine", STEPS.all(), replace(situation, task=task))
    }
    there = {path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.j2")}
    assert {name for name in there - used if not name.startswith(("interventions/", "scenes/"))} == set()
    assert used - there == {"graphs/mine.j2"}


class TestConstraint:
    async def test_is_there_for_a_staged_call_and_matches_what_the_prompt_shows(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        model = script(frame_selection=CHOSEN, answer=ANSWER)
        await ask_step(frame_selection, situation, View.of(situation.originals), {}, context(model), 256)
        await ask_answer(situation, View.of(situation.originals), {}, context(model), 256)
        for request, text in zip(model.requests, (CHOSEN, ANSWER), strict=True):
            assert request.constraint is not None
            assert re.fullmatch(request.constraint.regex, text)
            assert request.constraint.schema["additionalProperties"] is False
            assert list(request.constraint.schema["properties"]) == list(json.loads(text))

    async def test_is_absent_from_a_fused_call_that_reasons_freely(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        model = script(answer=ANSWER)
        await fused(situation, context(model), steps=[frame_selection])
        assert model.requests[0].constraint is None


class TestSampling:
    async def test_follows_the_graphs_budget_and_the_runs_settings(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        model = script(answer=ANSWER, frame_selection=CHOSEN)
        chosen = Settings(temperature=0.5, seed=40, reasoning_effort="low")
        for settings in (Settings(), chosen, replace(chosen, max_tokens=77)):
            await fused(situation, context(model, repeat=2, settings=settings))
        view = View.of(situation.originals)
        await ask_step(frame_selection, situation, view, {}, context(model, repeat=1, settings=chosen), 256)
        await ask_answer(situation, view, {}, context(model, repeat=0, settings=chosen), 300)
        assert [(request.sampling, request.repeat) for request in model.requests] == [
            (Sampling(1024), 2),
            (Sampling(1024, 0.5, 42, "low"), 2),
            (Sampling(77, 0.5, 42, "low"), 2),
            (Sampling(256, 0.5, 41, "low"), 1),
            (Sampling(300, 0.5, 40, "low"), 0),
        ]

    async def test_tells_models_that_are_no_vlm_what_the_request_is_for(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        model = script(anchor_localization='{"visible": true, "x": 1, "y": 2}')
        view = View.of(situation.originals).bind("f1")
        findings: dict[str, BaseModel] = {"frame_selection": ChosenFrame(frame="f1")}
        await ask_step(anchor_localization, situation, view, findings, context(model), 256)
        purpose = model.requests[0].purpose
        assert (purpose.steps, purpose.view, purpose.finds) == (("anchor_localization",), view, AnchorPoint)
        assert (purpose.form, purpose.findings) == (situation.form, findings)


class TestRole:
    async def test_decides_which_model_a_staged_step_asks(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        reasoner, describer = script(), script(side_identification='{"side": "left"}')
        step = replace(side_identification, role="describer")
        both = context(reasoner, roles={"describer": describer})
        assert (await ask_step(step, situation, View.of(situation.originals), {}, both, 256)).finding == Side(
            side="left"
        )
        assert not reasoner.requests

    async def test_that_nobody_fills_is_the_users_mistake(
        self, situation: Situation, script: MakeScript, context: MakeContext
    ) -> None:
        step = replace(side_identification, role="describer")
        with pytest.raises(RoleError, match=r"'describer'.*only reasoner"):
            await ask_step(step, situation, View.of(situation.originals), {}, context(script()), 256)


@pytest.mark.parametrize(
    ("reply", "status", "reason"),
    [
        (Reply(ANSWER), "answered", ""),
        (Reply(f"{ANSWER} and so", finish_reason="length"), "answered", ""),
        (Reply(ANSWER, finish_reason="content_filter"), "answered", ""),
        (Reply("left of the bed"), "unreadable", "no complete JSON object with selected_image, x, y"),
        (Reply('{"selected_image": 7, "x": 1, "y": 1}'), "unreadable", "selected_image is out of range: 7 of 3"),
        (Reply('{"selected_image": 1, "x": NaN, "y": 1}'), "unreadable", "x is not a finite number: NaN"),
        (Reply(f"<think>{ANSWER}"), "unreadable", "no complete JSON object"),
        (Reply(""), "empty", "the reply is empty"),
        (Reply(" \n"), "empty", "the reply is empty"),
        (Reply("", reasoning=ANSWER), "answered", "the answer stands in the reasoning alone"),
        (Reply("", reasoning=ANSWER, finish_reason="length"), "truncated", "the reply was cut off"),
        (Reply("", reasoning="Let me see"), "empty", "the reply is empty"),
        (Reply("no", reasoning=ANSWER), "unreadable", "no complete JSON object"),
        (Reply('{"selected_image": 1, "x": 3', finish_reason="length"), "truncated", "the reply was cut off"),
        (Reply("", reasoning="Let me see", finish_reason="length"), "truncated", "the reply was cut off"),
        (Reply("I can't help with that.", finish_reason="refusal"), "refused", "the model refused"),
        (Reply("", finish_reason="content_filter"), "refused", "the model refused"),
    ],
    ids=lambda value: repr(value)[:60],
)
async def test_what_became_of_a_request(
    reply: Reply, status: str, reason: str, situation: Situation, script: MakeScript, context: MakeContext
) -> None:
    model = script(answer=reply, frame_selection=reply)
    heard = await fused(situation, context(model))
    assert heard.status == status
    assert heard.reason.startswith(reason)
    assert (heard.finding is not None) == (status == "answered")
    assert (await ask_answer(situation, View.of(situation.originals), {}, context(model), 256)) == heard


@pytest.mark.parametrize(("reading", "x"), [("strict", 90), ("published", 30)])
async def test_the_answer_is_read_as_the_run_says(
    reading: Any, x: int, situation: Situation, script: MakeScript, context: MakeContext
) -> None:
    text = '{"selected_image": 0, "x": 30, "y": 12}\nfinal:\n{"selected_image": 0, "x": 90, "y": 12}'
    model = script(answer=text)
    for ask in (
        fused(situation, context(model, settings=Settings(reading=reading))),
        ask_answer(
            situation, View.of(situation.originals), {}, context(model, settings=Settings(reading=reading)), 256
        ),
    ):
        assert (await ask).finding == FramePointAnswer(frame="f0", x=x / 64, y=0.25)


async def test_a_failure_outside_the_model_is_not_an_answer(
    situation: Situation, script: MakeScript, context: MakeContext
) -> None:
    model = script(answer=OutsideFailure("429"), frame_selection=OutsideFailure("429"))
    with pytest.raises(OutsideFailure):
        await fused(situation, context(model))
    with pytest.raises(OutsideFailure):
        await ask_step(frame_selection, situation, View.of(situation.originals), {}, context(model), 256)


async def test_a_step_that_points_cannot_be_asked_before_a_frame_is_chosen(
    situation: Situation, script: MakeScript, context: MakeContext
) -> None:
    model = script()
    with pytest.raises(FrameUnknownError, match=r"AnchorPoint.*frame_selection"):
        await ask_step(anchor_localization, situation, View.of(situation.originals), {}, context(model), 256)
    assert not model.requests


async def test_pictures_are_not_read_in_order_to_ask(
    situation: Situation, script: MakeScript, context: MakeContext
) -> None:
    for frame in situation.frames:
        frame.picture.path.unlink()
    model = script(answer=ANSWER)
    assert (await fused(situation, context(model))).status == "answered"
    assert all(isinstance(part, Text | Image) for part in model.requests[0].messages[0].parts)
