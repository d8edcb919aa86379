"""Graphs that do not apply are dashes; what is mistyped is an error; what never ran leaves no row."""

from dataclasses import replace
from pathlib import Path

import pytest

from agents import Situation, Workbench
from agents.registry import UnknownNameError
from evals.reporting.result import RunResult
from evals.running.session import execute, make_plan
from graphs import Hints, ReasoningGraph, intervention
from graphs.errors import GraphError
from graphs.library.s_cot import s_cot


def run(folder: Path, *graphs: object, conditions: list[str] | None = None) -> RunResult:
    plan = make_plan(graphs, ["center"], None, conditions or ["inferred"], limit=2)
    execute(plan, folder, lambda _: None)
    return RunResult(folder)


def test_graph_that_applies_nowhere_is_a_row_of_dashes_with_a_note(tmp_path: Path) -> None:
    result = run(tmp_path, "o_plot", conditions=["given"])
    assert [(row["graph"], row["applicable"], row["n"]) for row in result.rows()] == [("o_plot", False, 0)]
    lines = result.table().splitlines()
    assert lines[1].split()[:4] == ["Given", "–", "–", "–"]
    assert "–: the graph does not apply to the condition." in lines
    assert "graph: o_plot" in lines


def test_mistyped_condition_of_a_graph_is_an_error_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"graph mine: condition 'Infered': did you mean inferred\?"):
        run(tmp_path, ReasoningGraph("mine", conditions=["Infered"]))
    assert len(run(tmp_path, ReasoningGraph("mine", conditions=["inferred"])).items()) == 2


def unfit(name: str = "unfit") -> ReasoningGraph:
    """A graph whose first step is for answers that are a choice."""
    step = replace(s_cot.steps[0], forms=("choice",))
    return replace(s_cot, name=name, steps=[step, *s_cot.steps[1:]])


def test_steps_that_do_not_fit_the_data_are_a_dash_beside_graphs_that_fit(tmp_path: Path) -> None:
    result = run(tmp_path, "basic", unfit())
    assert [(row["graph"], row["applicable"]) for row in result.rows() if row["breakdown"] == "all"] == [
        ("basic", True),
        ("unfit", False),
    ]
    assert "unfit: its steps do not fit answers of the form frame_point." in result.table()


def test_steps_of_no_graph_that_fit_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match=r"graph unfit: its steps do not fit .* graphs that do: .*basic"):
        run(tmp_path, unfit(), unfit("too"))
    assert not list(tmp_path.iterdir())


def test_graph_that_raises_at_once_leaves_no_row(tmp_path: Path) -> None:
    @intervention()
    def broken(situation: Situation, hints: Hints, workbench: Workbench) -> Situation:
        raise RuntimeError("no idea")

    with pytest.raises(GraphError, match="no idea"):
        run(tmp_path, ReasoningGraph("bad", interventions=[broken]))
    assert RunResult(tmp_path).table() == "no item has ended yet"
    assert {row["graph"] for row in run(tmp_path, "basic").rows()} == {"basic"}


def test_rows_stand_in_the_order_in_which_graphs_were_given(tmp_path: Path) -> None:
    run(tmp_path, "cot")
    result = run(tmp_path, "s_cot", "basic")
    assert list(result.description()["graphs"]) == ["cot", "s_cot", "basic"]
