"""`evals.run` in Python: a graph made here, a model, some data, and what comes back."""

from __future__ import annotations

import asyncio
import shutil
import warnings
from pathlib import Path
from typing import Any, TypedDict

import pandas as pd
import pytest
from langgraph.graph import END, START, StateGraph

import evals
from agents import anchor_localization, frame_selection, side_identification, target_estimation
from agents.model import Reply, Request
from evals.datasets import open_dataset
from evals.models.scripted import Line, Scripted
from graphs import ReasoningGraph, intervention, mark_anchor
from graphs.errors import GraphError
from tools.errors import UserError

GOLDEN = Path(__file__).parents[1] / "golden" / "povbench" / "dataset"

GRAPH = ReasoningGraph(
    "s_cot_marked",
    interventions=[mark_anchor],
    steps=[frame_selection, anchor_localization, side_identification, target_estimation],
    mode="staged",
)


class State(TypedDict, total=False):
    situation: Any
    answer: Any


class Corner:
    """A model of one's own."""

    name = "corner"
    identity = "corner-1"
    is_vlm = True

    async def reply(self, request: Request) -> Reply:
        return Reply('{"selected_image": 0, "x": 0, "y": 0}')


def test_a_graph_made_here_runs_and_prints_its_table(tmp_path):
    result = evals.run(GRAPH, limit=3, out=tmp_path / "run", progress=False)
    assert isinstance(result, evals.RunResult)
    frame = result.frame()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) == 9
    assert {"sample", "scene", "condition", "direction", "graph", "model", "status", "l2"} <= set(frame.columns)
    assert set(frame["graph"]) == {"s_cot_marked"}
    assert (frame["l2"] <= 1e-9).all()
    assert (frame["calls"] == [4 if condition == "given" else 5 for condition in frame["condition"]]).all()
    text = str(result)
    assert text.startswith("condition ")
    assert "graph: s_cot_marked\nmodel: reference (no VLM)" in text


async def test_it_runs_where_an_event_loop_is_running_already(tmp_path):
    assert asyncio.get_running_loop()
    result = evals.run(GRAPH, limit=2, conditions=["stated"], out=tmp_path / "run", progress=False)
    assert list(result.frame()["status"]) == ["answered"] * 2
    again = evals.run(GRAPH, limit=3, conditions=["stated"], out=tmp_path / "run", progress=False)
    assert len(again.frame()) == 3


def test_several_graphs_and_models_stand_side_by_side(tmp_path):
    result = evals.run(
        ["basic", GRAPH],
        model=["center", Corner()],
        data=str(GOLDEN),
        conditions=["given"],
        repeats=2,
        limit=3,
        out=tmp_path / "run",
        progress=False,
    )
    cells = [
        (row["graph"], row["model"], row["n"], row["no_vlm"]) for row in result.rows() if row["breakdown"] == "all"
    ]
    assert cells[:2] == [("basic", "center", 6, True), ("basic", "corner", 6, False)]
    assert [cell[:2] for cell in cells[2:]] == [("s_cot_marked", "center"), ("s_cot_marked", "corner")]
    corner = result.frame().query("graph == 'basic' and model == 'corner'")
    assert list(corner["answer_x"]) == [0.0] * 6


def test_a_bare_langgraph_graph_runs_too(tmp_path):
    async def think(state: State) -> State:
        return {"answer": '{"x": 128, "y": 256}'}

    builder = StateGraph(State)
    builder.add_node("think", think)
    builder.add_edge(START, "think")
    builder.add_edge("think", END)
    result = evals.run(builder.compile(), conditions=["given"], limit=2, out=tmp_path / "run", progress=False)
    assert list(zip(result.frame()["answer_x"], result.frame()["answer_y"], strict=True)) == [(0.25, 0.5)] * 2


def test_an_open_dataset_is_taken_as_it_is(tmp_path):
    dataset = open_dataset(GOLDEN)
    result = evals.run("basic", data=dataset, conditions=["given"], limit=1, out=tmp_path / "run", progress=False)
    assert len(result.frame()) == 1


def test_a_larger_limit_extends_a_run_and_asks_nothing_twice(tmp_path):
    scripted = Scripted([Line('{"x": 1, "y": 1}')])
    for limit in (1, 3):
        result = evals.run(
            "basic", model=scripted, conditions=["given"], limit=limit, out=tmp_path / "run", progress=False
        )
        assert len(result.frame()) == limit


def test_without_a_folder_one_is_made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = evals.run("basic", conditions=["given"], limit=1, progress=False)
    assert result.folder.parent == Path("runs")
    assert result.folder.name.endswith("-basic")


def test_faults_of_the_data_are_warned_of(tmp_path):
    data = Path(shutil.copytree(GOLDEN, tmp_path / "data"))
    (data / "artifacts" / "train_house_05305" / "train_house_05305.json").write_text("[")
    with pytest.warns(UserWarning, match="1 faults in the data, the first: artifacts/train_house_05305"):
        result = evals.run("basic", data=data, conditions=["given"], out=tmp_path / "run", progress=False)
    assert len(result.frame()) == 14
    assert "Faults in the data: 1;" in str(result)


def test_sound_data_are_not_warned_of(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        evals.run("basic", data=GOLDEN, conditions=["given"], limit=1, out=tmp_path / "run", progress=False)


MISTAKES = [
    ({"graph": []}, "no graph"),
    ({"graph": 42}, "a int is neither a ReasoningGraph nor a compiled LangGraph graph"),
    ({"graph": "s_coot"}, "did you mean s_cot"),
    ({"model": 42}, "a int is no model"),
    ({"model": "refrence"}, "did you mean reference?"),
    ({"data": "nowhere"}, "nowhere: no such folder"),
    ({"conditions": ["inferd"]}, "did you mean inferred?"),
    ({"limit": 0}, "limit must be at least 1"),
    ({"repeats": 0}, "repeats must be at least 1"),
]


@pytest.mark.parametrize(("wrong", "message"), MISTAKES)
def test_mistakes_are_errors_with_the_cure(wrong, message, tmp_path):
    arguments = {"graph": "basic", "out": tmp_path / "run", "progress": False, **wrong}
    with pytest.raises(UserError, match=message):
        evals.run(arguments.pop("graph"), **arguments)
    assert not (tmp_path / "run").exists()


def test_a_graph_that_raises_is_an_error_that_shows_where(tmp_path):
    @intervention()
    def broken(situation, hints, workbench):
        raise RuntimeError("no idea")

    with pytest.raises(GraphError, match=r"(?s)graph mine raises on .*test_api\.py.*RuntimeError: no idea"):
        evals.run(ReasoningGraph("mine", interventions=[broken]), limit=1, out=tmp_path / "run", progress=False)
