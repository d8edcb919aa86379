"""The registered graphs are those of the papers, each applied where it makes sense."""

from __future__ import annotations

import pytest

from graphs.interventions import mark_anchor, mark_observer
from graphs.library import GRAPHS

S_COT = [
    "frame_selection",
    "observer_grounding",
    "anchor_identification",
    "directional_frame",
    "anchor_localization",
    "scene_inventory",
    "side_identification",
    "target_estimation",
]
EVERYWHERE = ("inferred", "stated", "given")
FRAMES = ("inferred", "stated")


@pytest.mark.parametrize(
    ("name", "mode", "steps", "marks", "budget", "applies", "beyond_paper"),
    [
        ("basic", "fused", [], (), 256, EVERYWHERE, ()),
        (
            "cot",
            "fused",
            ["frame_selection", "observer_grounding", "anchor_identification", "spatial_reasoning"],
            (),
            1024,
            EVERYWHERE,
            ("given",),
        ),
        ("s_cot", "fused", S_COT, (), 1024, EVERYWHERE, ("given",)),
        ("o_plot", "fused", [], (mark_observer,), 256, FRAMES, ()),
        ("oa_plot", "fused", [], (mark_observer, mark_anchor), 256, FRAMES, ()),
        ("s_cot_staged", "staged", S_COT, (), 1024, EVERYWHERE, EVERYWHERE),
        ("s_cot_checked", "staged", S_COT, (), 1024, FRAMES, FRAMES),
    ],
)
def test_a_registered_graph(
    name: str,
    mode: str,
    steps: list[str],
    marks: tuple[object, ...],
    budget: int,
    applies: tuple[str, ...],
    beyond_paper: tuple[str, ...],
) -> None:
    graph = GRAPHS.get(name)
    assert (graph.mode, [step.name for step in graph.steps], graph.interventions) == (mode, steps, marks)
    assert graph.budget == budget
    assert tuple(condition for condition in EVERYWHERE if graph.applies_to(condition)) == applies
    assert graph.beyond_paper == beyond_paper


def test_only_the_checked_graph_turns_back() -> None:
    branching = {graph.name: graph.branches for graph in GRAPHS.all() if graph.branches}
    assert list(branching) == ["s_cot_checked"]
    (branch,) = branching["s_cot_checked"]
    assert (branch.after, branch.back_to, branch.at_most) == ("anchor_localization", "frame_selection", 2)
