"""The figures of the papers stand beside what was run, each with its table."""

import json
from typing import Any

import pytest

from evals.reporting.published import FOLDER, published_rows, sources

ALL_CONDITIONS = {"dataset": "povbench", "conditions": ["inferred", "stated", "given"]}


def row(graph: str, model: str, condition: str, metric: str = "l2", **description: Any) -> dict[str, Any]:
    rows = published_rows({**ALL_CONDITIONS, **description}, ["category", "group", "task"])
    (found,) = (
        one
        for one in rows
        if (one["graph"], one["model"], one["condition"], one["metric"]) == (graph, model, condition, metric)
        and one["group"] == "all"
    )
    return found


@pytest.mark.parametrize(
    ("graph", "model", "condition", "mean", "response", "reference"),
    [
        ("basic", "GPT-5.4", "given", 0.189, 0.976, "POVBench, table 1, table 9"),
        ("basic", "Gemma-4", "inferred", 0.463, 0.397, "POVBench, table 1, table 9"),
        ("basic", "Qwen3-VL-8B (Transformer)", "stated", 0.369, 1.0, "POVBench, table 1, table 2, table 9"),
        ("s_cot", "Qwen3-VL-8B (Transformer)", "inferred", 0.294, 0.85, "POVBench, table 2"),
        ("cot", "Qwen3-VL-8B (Transformer)", "stated", 0.333, 0.79, "POVBench, table 2"),
    ],
)
def test_figures_are_those_of_the_paper(
    graph: str, model: str, condition: str, mean: float, response: float, reference: str
) -> None:
    found = row(graph, model, condition)
    assert (found["mean"], found["response_rate_published"], found["reference"]) == (mean, response, reference)
    assert found["source"] == "published"


def test_success_rates_of_real_houses_are_a_metric_of_their_own() -> None:
    assert row("s_cot", "Qwen3-VL-8B (Transformer)", "stated", metric="success_rate")["mean"] == 0.15


def test_a_model_that_a_paper_did_not_measure_has_no_row() -> None:
    rows = published_rows(ALL_CONDITIONS, [])
    assert not [one for one in rows if one["model"] == "RoboPoint" and one["condition"] == "inferred"]


def test_only_conditions_and_groups_that_the_run_shows() -> None:
    rows = published_rows({"dataset": "povbench", "conditions": ["given"]}, [])
    assert {one["condition"] for one in rows} == {"given"}
    choices = {"dataset": "mv_robobench", "conditions": []}
    assert {one["group"] for one in published_rows(choices, [])} == {"all"}
    assert {one["group"] for one in published_rows(choices, ["category"])} == {"all", "category"}


def test_percentages_become_shares() -> None:
    found = row("w depth", "GPT-4.1", "all", "accuracy", dataset="mv_robobench", conditions=[])
    assert found["mean"] == 0.3312


def test_changes_of_the_head_table_follow_from_its_averages() -> None:
    """The paper prints the change of each average in brackets; these are typed from it, not computed."""
    changes = {
        ("w cot", "Qwen2.5-VL-7B"): -0.35,
        ("w text", "Gemma-3-12B"): -2.06,
        ("w vggt", "GPT-4.1"): -1.85,
        ("w depth", "GPT-4.1"): 3.25,
    }
    table = json.loads((FOLDER / "mv_robobench.json").read_text())["tables"][0]
    average = {(one["graph"], one["model"]): one["values"][0] for one in table["rows"]}
    for (graph, model), change in changes.items():
        assert average[graph, model] - average["origin", model] == pytest.approx(change)


@pytest.mark.parametrize("name", sorted(sources()))
def test_every_row_has_a_value_or_a_gap_for_each_column(name: str) -> None:
    for table in json.loads((FOLDER / f"{name}.json").read_text())["tables"]:
        for one in table["rows"]:
            assert len(one["values"]) == len(table["columns"])


def test_data_without_a_paper_has_no_published_rows() -> None:
    assert published_rows({"dataset": "mine", "conditions": []}, []) == []
