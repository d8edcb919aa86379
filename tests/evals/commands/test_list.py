"""`evals list`: what is there by name, for people and for programs."""

from __future__ import annotations

import csv
import io
import json

import pytest

# Some names that the issue promises, and the keys of a row.
KINDS = {
    "graphs": (
        {"basic", "cot", "s_cot", "o_plot", "oa_plot", "s_cot_staged", "s_cot_checked"},
        {"name", "summary", "mode", "interventions", "steps", "conditions", "beyond_paper", "forms", "max_tokens"},
    ),
    "steps": (
        {
            "frame_selection",
            "observer_grounding",
            "anchor_identification",
            "directional_frame",
            "anchor_localization",
            "scene_inventory",
            "side_identification",
            "target_estimation",
        },
        {"name", "summary", "finds", "requires", "forms", "sees", "role"},
    ),
    "interventions": (
        {"mark_observer", "mark_anchor", "blind", "shuffle_frames", "random_frame"},
        {"name", "summary", "hints"},
    ),
    "models": ({"reference", "center", "random", "anchor", "scripted"}, {"name", "summary", "vlm", "options"}),
    "datasets": ({"povbench"}, {"name", "summary"}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_everything_is_listed_with_a_summary_in_all_formats(kind, command):
    names, keys = KINDS[kind]
    listed = command("list", kind, "--format", "json").json
    assert names <= {row["name"] for row in listed}
    assert all(set(row) >= keys and row["summary"].endswith((".", ")")) for row in listed)
    text = command("list", kind)
    assert (text.code, text.err) == (0, "")
    for row in listed:
        assert f"\n{row['name']}" in f"\n{text.out}"
        assert row["summary"] in text.out
    rows = list(csv.DictReader(io.StringIO(command("list", kind, "--format", "csv").out)))
    assert [row["name"] for row in rows] == [row["name"] for row in listed]
    for row, wanted in zip(rows, listed, strict=True):
        for key, value in wanted.items():
            assert row[key] == (json.dumps(value) if isinstance(value, (list, dict)) else str(value))


def test_graphs_say_steps_budget_and_where_they_apply(command):
    graphs = {row["name"]: row for row in command("list", "graphs", "--format", "json").json}
    assert graphs["s_cot"]["steps"][0] == "frame_selection"
    assert len(graphs["s_cot"]["steps"]) == 8
    assert {name: graphs[name]["max_tokens"] for name in ("basic", "o_plot", "oa_plot", "cot", "s_cot")} == {
        "basic": 256,
        "o_plot": 256,
        "oa_plot": 256,
        "cot": 1024,
        "s_cot": 1024,
    }
    assert graphs["oa_plot"]["interventions"] == ["mark_observer", "mark_anchor"]
    assert graphs["oa_plot"]["conditions"] == ["inferred", "stated"]
    assert graphs["s_cot"]["beyond_paper"] == ["given"]


def test_models_that_are_no_vlm_are_labelled(command):
    text = command("list", "models").out
    for name in ("reference", "center", "random", "anchor", "scripted"):
        assert f"{name} (no VLM): " in text
    assert "    options: frame=0.0, facing=0.0, anchor=0.0" in text


def test_another_kind_is_refused_with_the_kinds_that_are(command):
    ended = command("list", "graph")
    assert ended.code == 2
    assert "graphs" in ended.err
