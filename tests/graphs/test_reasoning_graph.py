"""A reasoning graph says in which order one thinks, and refuses what makes no sense when it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from agents import anchor_localization, frame_selection, observer_grounding, side_identification, target_estimation
from agents.step import Step
from graphs import (
    Branch,
    GraphError,
    ReasoningGraph,
    blind,
    mark_anchor,
    mark_observer,
    random_frame,
    reasoning_graph,
    shuffle_frames,
)
from graphs.builder import compile_graph
from tools.errors import UserError

STEPS = [frame_selection, anchor_localization, target_estimation]


def never(finding: object) -> bool:
    return False


BACK = Branch("anchor_localization", never, "frame_selection")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: ReasoningGraph("mine", steps=["frame_selection"]),
            "graph 'mine': steps must hold Step objects, not str",
        ),
        (lambda: ReasoningGraph("mine", steps=[mark_anchor]), "steps must hold Step objects, not Intervention"),
        (
            lambda: ReasoningGraph("mine", interventions=[frame_selection]),
            "interventions must hold Intervention objects",
        ),
        (lambda: ReasoningGraph("mine", branches=[never], mode="staged"), "branches must hold Branch objects"),
        (lambda: ReasoningGraph("mine", steps=frame_selection), "steps must be a list, not Step"),
        (lambda: ReasoningGraph("mine", conditions="given"), "conditions must be a list, not 'given'"),
        (lambda: ReasoningGraph("mine", beyond_paper="given"), "beyond_paper must be a list, not 'given'"),
        (lambda: ReasoningGraph(steps=[*STEPS, frame_selection]), "graph: step frame_selection appears twice"),
        (lambda: ReasoningGraph(interventions=[blind, blind]), "intervention blind appears twice"),
        (
            lambda: ReasoningGraph(steps=[replace(side_identification, name="answer")]),
            "'answer' is appended by the builder",
        ),
        (
            lambda: ReasoningGraph(steps=[replace(side_identification, name="two words")]),
            "step 'two words' needs another name",
        ),
        (lambda: ReasoningGraph(steps=[replace(side_identification, name="a|b")]), "step 'a|b' needs another name"),
        (lambda: ReasoningGraph(steps=[replace(side_identification, name="")]), "step '' needs another name"),
        (
            lambda: ReasoningGraph(steps=[replace(side_identification, name="__end__")]),
            "step '__end__' needs another name",
        ),
        (
            lambda: ReasoningGraph(interventions=[replace(blind, name="<lambda>")]),
            "intervention '<lambda>' needs another name",
        ),
        (
            lambda: ReasoningGraph(steps=[replace(side_identification, name="blind")], interventions=[blind]),
            "blind is both a step and an intervention",
        ),
        (
            lambda: ReasoningGraph(steps=[anchor_localization, frame_selection]),
            "step anchor_localization needs frame_selection, which comes later",
        ),
        (
            lambda: ReasoningGraph(steps=[frame_selection, replace(frame_selection, name="frame_check")]),
            "frame_selection and frame_check each choose the frame",
        ),
        (lambda: ReasoningGraph(mode="both"), "mode must be 'fused' or 'staged', not 'both'"),
        (lambda: ReasoningGraph(max_tokens=0), "max_tokens must be positive, not 0"),
        (lambda: ReasoningGraph(max_tokens=-5), "max_tokens must be positive, not -5"),
        (lambda: ReasoningGraph(steps=STEPS, branches=[BACK]), "branches need mode='staged'"),
        (
            lambda: ReasoningGraph(
                steps=STEPS, branches=[Branch("anchor_localization", never, "target_estimation")], mode="staged"
            ),
            "both must be among its steps, in the other order",
        ),
        (
            lambda: ReasoningGraph(
                steps=STEPS, branches=[Branch("scene_inventory", never, "frame_selection")], mode="staged"
            ),
            "from 'scene_inventory' back to 'frame_selection'; both must be among its steps",
        ),
        (
            lambda: ReasoningGraph(
                steps=STEPS, branches=[BACK, replace(BACK, back_to="anchor_localization")], mode="staged"
            ),
            "two branches leave the same step",
        ),
    ],
)
def test_what_makes_no_sense_is_an_error_when_the_graph_is_made(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(GraphError) as caught:
        make()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, UserError)


@pytest.mark.parametrize("name", ["frame", "findings", "heard", "events", "situation"])
def test_a_step_cannot_carry_a_name_of_the_builders_state(name: str) -> None:
    graph = ReasoningGraph("mine", steps=[replace(side_identification, name=name)], mode="staged")
    with pytest.raises(GraphError, match=f"graph mine: no step may be called '{name}'"):
        compile_graph(graph)


def test_a_step_may_require_what_the_graph_does_not_have() -> None:
    assert ReasoningGraph(steps=[observer_grounding]).steps == (observer_grounding,)


def test_a_step_may_return_to_itself() -> None:
    assert ReasoningGraph(
        steps=STEPS, branches=[Branch("anchor_localization", never, "anchor_localization")], mode="staged"
    )


def test_the_decorator_names_the_graph_after_the_function_and_keeps_its_first_line() -> None:
    @reasoning_graph
    def my_own() -> ReasoningGraph:
        """Thinks twice.

        And then again.
        """
        return ReasoningGraph(steps=STEPS, max_tokens=99)

    assert (my_own.name, my_own.summary, my_own.max_tokens) == ("my_own", "Thinks twice.", 99)
    assert my_own.steps == tuple(STEPS)


def test_the_decorator_refuses_a_function_that_returns_no_graph() -> None:
    with pytest.raises(GraphError, match="graph 'forgetful': must return a ReasoningGraph, not NoneType"):

        @reasoning_graph
        def forgetful() -> Any:
            ReasoningGraph(steps=STEPS)


def test_a_mistake_inside_the_decorated_function_is_told() -> None:
    with pytest.raises(GraphError, match="appears twice"):

        @reasoning_graph
        def wrong() -> ReasoningGraph:
            return ReasoningGraph(steps=[frame_selection, frame_selection])


def test_controls_compose_with_a_graph_and_show_in_its_name() -> None:
    graph = ReasoningGraph("o_plot", interventions=[mark_observer], conditions=["inferred"], max_tokens=12)
    composed = graph.after(shuffle_frames, blind)
    assert composed.name == "o_plot+shuffle_frames+blind"
    assert composed.interventions == (mark_observer, shuffle_frames, blind)
    assert (composed.conditions, composed.budget) == (("inferred",), 12)
    assert graph.interventions == (mark_observer,)
    assert composed.after(random_frame).name == "o_plot+shuffle_frames+blind+random_frame"


@pytest.mark.parametrize(
    ("graph", "budget"),
    [
        (ReasoningGraph(), 256),
        (ReasoningGraph(interventions=[mark_anchor]), 256),
        (ReasoningGraph(steps=STEPS), 1024),
        (ReasoningGraph(steps=STEPS, max_tokens=300), 300),
        (ReasoningGraph(max_tokens=2048), 2048),
    ],
)
def test_budgets_are_those_of_the_paper_unless_set(graph: ReasoningGraph, budget: int) -> None:
    assert graph.budget == budget


def test_a_graph_says_which_forms_its_steps_fit() -> None:
    assert ReasoningGraph(steps=STEPS).fits("frame_point")
    assert not ReasoningGraph(steps=STEPS).fits("choice")
    assert ReasoningGraph(steps=[side_identification]).fits("choice")
    assert ReasoningGraph().fits("anything")


def test_a_graph_says_to_which_conditions_it_applies() -> None:
    everywhere, somewhere = ReasoningGraph(), ReasoningGraph(conditions=["inferred"])
    assert [everywhere.applies_to(condition) for condition in ("inferred", "given", None)] == [True, True, True]
    assert [somewhere.applies_to(condition) for condition in ("inferred", "given", None)] == [True, False, True]


def test_a_list_given_to_a_graph_cannot_change_it_later() -> None:
    steps: list[Step] = [frame_selection]
    graph = ReasoningGraph(steps=steps)
    steps.append(anchor_localization)
    assert graph.steps == (frame_selection,)
