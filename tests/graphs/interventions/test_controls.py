"""Controls withhold, shuffle or draw lots, and leave the rest alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from agents import frame_selection, side_identification
from agents.forms import FramePointAnswer
from agents.frame import Frame
from agents.situation import Situation
from agents.workbench import Workbench
from graphs import Hints, ReasoningGraph, blind, mark_observer, random_frame, shuffle_frames
from graphs.builder import compile_graph
from graphs.library import GRAPHS

Make = Callable[..., Any]
SEEDS = [str(number) for number in range(60)]


@pytest.fixture
def derived(situation: Situation) -> Situation:
    """The situation with a depth map of `f1` and a view between `f0` and `f1`."""
    depth = replace(situation.frames[1], id="depth", source="derived", derived_from=("f1",))
    between = replace(situation.frames[1], id="between", source="derived", derived_from=("f0", "f1"))
    return replace(situation, frames=(*situation.frames, depth, between))


def ids(frames: tuple[Frame, ...]) -> list[str]:
    return [frame.id for frame in frames]


class TestBlind:
    async def test_withholds_every_picture_and_nothing_else(self, derived: Situation) -> None:
        changed = await blind.apply(derived, Hints(), Workbench())
        assert all(frame.withheld for frame in changed.frames)
        assert ids(changed.frames) == ids(derived.frames)
        assert changed.question == derived.question
        assert [frame.size for frame in changed.frames] == [frame.size for frame in derived.frames]

    async def test_is_said_and_can_be_answered(self, situation: Situation, script: Make, context: Make) -> None:
        model = script()
        outcome = await compile_graph(GRAPHS.get("basic").after(blind)).run(situation, Hints(), context(model))
        assert outcome.answer == FramePointAnswer(frame="f1", x=0.25, y=0.25)
        assert model.requests[0].pictures == ()
        assert "withheld" in model.requests[0].text
        assert "Image 0:" not in model.requests[0].text


class TestShuffle:
    async def test_is_a_permutation_of_the_originals(self, derived: Situation) -> None:
        orders = []
        for seed in SEEDS:
            changed = await shuffle_frames.apply(derived, Hints(), Workbench(seed=seed))
            assert sorted(ids(changed.originals)) == ["f0", "f1", "f2"]
            assert ids(changed.frames)[3:] == ["depth", "between"]
            orders.append(tuple(ids(changed.originals)))
        # All six orders, none of them much more often than the others.
        assert len(set(orders)) == 6
        assert max(Counter(orders).values()) <= 25

    async def test_is_the_same_for_the_same_item_and_another_for_the_next(self, situation: Situation) -> None:
        async def order(seed: str) -> list[str]:
            return ids((await shuffle_frames.apply(situation, Hints(), Workbench(seed=seed))).frames)

        assert [await order(seed) for seed in SEEDS] == [await order(seed) for seed in SEEDS]

    async def test_adds_no_note(self, situation: Situation) -> None:
        assert (await shuffle_frames.apply(situation, Hints(), Workbench())).notes == ()

    async def test_leaves_markers_with_their_frames(self, situation: Situation, hints: Hints) -> None:
        marked = await mark_observer.apply(situation, hints, Workbench())
        for seed in SEEDS[:6]:
            changed = await shuffle_frames.apply(marked, Hints(), Workbench(seed=seed))
            assert {frame.id: len(frame.picture.markers) for frame in changed.frames} == {"f0": 1, "f1": 1, "f2": 0}

    async def test_an_answer_means_the_frame_that_was_shown_under_its_number(
        self, situation: Situation, script: Make, context: Make
    ) -> None:
        by_picture = {frame.picture: frame.id for frame in situation.frames}
        answered = set()
        graph = compile_graph(GRAPHS.get("basic").after(shuffle_frames))
        for seed in SEEDS[:12]:
            model = script(answer='{"selected_image": 2, "x": 16, "y": 12}')
            outcome = await graph.run(situation, Hints(), context(model, seed=seed))
            assert isinstance(outcome.answer, FramePointAnswer)
            assert outcome.answer.frame == by_picture[model.requests[0].pictures[2]]
            answered.add(outcome.answer.frame)
        assert answered == {"f0", "f1", "f2"}


class TestRandomFrame:
    async def test_leaves_one_original_and_what_was_derived_from_it(self, derived: Situation) -> None:
        left = Counter()
        for seed in SEEDS:
            changed = await random_frame.apply(derived, Hints(), Workbench(seed=seed))
            left[tuple(ids(changed.frames))] += 1
        assert set(left) == {("f0", "between"), ("f1", "depth", "between"), ("f2",)}
        assert min(left.values()) >= 8

    async def test_drops_the_choice_of_a_frame_and_keeps_the_frames_name(
        self, situation: Situation, script: Make, context: Make
    ) -> None:
        answered = set()
        steps = [frame_selection, side_identification]
        graph = compile_graph(ReasoningGraph(steps=steps, interventions=[random_frame], mode="staged"))
        for seed in SEEDS[:12]:
            model = script(answer='{"x": 16, "y": 12}')
            outcome = await graph.run(situation, Hints(), context(model, seed=seed))
            assert isinstance(outcome.answer, FramePointAnswer)
            assert model.asked == ["side_identification", "answer"]
            answered.add(outcome.answer.frame)
        assert answered == {"f0", "f1", "f2"}

    async def test_of_one_frame_is_that_frame(self, one_frame: Situation) -> None:
        assert await random_frame.apply(one_frame, Hints(), Workbench()) == one_frame
