"""The built-in houses with the models that come along: what a first run, without data and without a key, prints."""

from __future__ import annotations

import json

import pytest

import evals
from evals.datasets import BUILT_IN, open_dataset
from graphs.library import GRAPHS


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """All graphs with the reference, the README's one on all instances; the shortest with the baselines."""
    folder = tmp_path_factory.mktemp("runs")
    evals.run([graph.name for graph in GRAPHS.all()], limit=8, out=folder / "exact", progress=False)
    exact = evals.run("s_cot", out=folder / "exact", progress=False)
    guessed = evals.run("basic", model=["anchor", "center", "random"], out=folder / "guessed", progress=False)
    return exact.frame(), guessed.frame()


def test_there_are_three_houses_without_a_fault_and_all_conditions_and_directions():
    dataset = open_dataset(None)
    assert list(dataset.problems) == []
    keys = [sample.keys for sample in dataset.samples()]
    assert len({key["scene"] for key in keys}) == 3
    instances = [{key["instance"] for key in keys if key["condition"] == name} for name in dataset.conditions]
    assert instances[0] == instances[1] == instances[2]
    assert {key["direction"] for key in keys} == {"left", "right", "front", "up"}


def shown_together():
    """Each pair of the built-in houses with whether some frame shows both its objects, from the files themselves."""
    found = {}
    for folder in (BUILT_IN / "artifacts").iterdir():
        log = json.loads((folder / "exploration_log.json").read_text())
        for pair in json.loads((folder / f"{folder.name}.json").read_text()):
            both = set(pair["pair_id"].split("__"))
            name = f"{folder.name}/{pair['pair_id']}"
            found[name] = any(both <= set(frame["object_in_frame_hits"]) for frame in log)
    return found


def test_reference_without_noise_makes_no_error_with_any_graph(result):
    exact, _ = result
    assert set(exact["graph"]) == {graph.name for graph in GRAPHS.all()}
    assert set(exact["status"]) == {"answered"}
    assert exact["truth_surface_known"].all()
    assert exact["truth_behind"].mean() < 0.1
    assert exact["l2"].max() <= 1e-9
    shared = (exact["scene"] + "/" + exact["pair"]).map(shown_together())
    assert shared.mean() > 0.8
    assert exact.loc[shared, "frame_correct"].dropna().eq(1).all()
    # A target on top of something near may lie above the frame that shows both objects; the reference says so.
    assert (exact["out_of_range"] <= 1 - exact["in_frame"]).all()


def test_every_graph_runs_on_the_conditions_that_it_applies_to(result):
    exact, _ = result
    for graph in GRAPHS.all():
        expected = graph.conditions or ("inferred", "stated", "given")
        counts = exact[exact["graph"] == graph.name].groupby("condition").size().to_dict()
        assert counts == dict.fromkeys(expected, 41 if graph.name == "s_cot" else 8)


def test_baselines_err_and_the_one_that_knows_the_anchor_errs_least(result):
    _, guessed = result
    mean = guessed.groupby(["condition", "model"])["l2"].mean()
    assert set(guessed["status"]) == {"answered"}
    for condition in ("inferred", "stated"):
        assert 0.02 < mean[condition, "anchor"] < mean[condition, "center"] < mean[condition, "random"]
    # An observer looks at the anchor's centre, which is why both say the same of that view.
    assert 0.02 < mean["given", "anchor"] < mean["given", "random"]
    assert mean["given", "anchor"] == pytest.approx(mean["given", "center"], abs=1e-3)
