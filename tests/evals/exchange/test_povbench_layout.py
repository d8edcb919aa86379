"""The authors' predictions layout: out and back, and scored as their own scorer does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.dataset_kind import DatasetError
from evals.datasets import BUILT_IN, open_dataset
from evals.datasets.povbench.predictions import score_predictions
from evals.exchange import ExchangeError, ImportOptions, export_run, import_log
from evals.reporting.result import RunResult

GOLDEN = Path(__file__).parents[2] / "golden" / "povbench"
KINDS = {"a": "inferred", "b": "stated", "c": "given"}


def test_what_is_exported_scores_as_the_run_did(run: RunResult, out: Path) -> None:
    frame = run.frame()
    written = export_run(run, "povbench", out)
    assert len(written.files) == 4
    for file in written.files:
        about = json.loads(file.read_text())["metadata"]
        own = frame[(frame["graph"] == about["graph"]) & (frame["model"] == about["vlm"])]
        summary = score_predictions(file, BUILT_IN)["summary"]
        for kind, group in summary["per_type"].items():
            condition = own[own["condition"] == KINDS[kind]]
            answered = condition[condition["status"] == "answered"]
            assert (group["n_total"], group["n"]) == (len(condition), len(answered))
            assert group["n_failed"] == (condition["status"] == "failed").sum()
            assert group["mean_l2"] == pytest.approx(answered["l2"].mean(), abs=1e-9)
            assert group["mean_abs_x"] == pytest.approx(answered["abs_x"].mean(), abs=1e-9)


def test_what_is_exported_comes_back_as_the_same_items(run: RunResult, out: Path, tmp_path: Path) -> None:
    data = open_dataset(None)
    for file in export_run(run, "povbench", out).files:
        import_log(file, "povbench", tmp_path / "back", ImportOptions(data))
    before = {(item.sample, item.graph, item.model): item for item in run.items()}
    after = {(item.sample, item.graph, item.model): item for item in RunResult(tmp_path / "back").items()}
    assert before.keys() == after.keys()
    assert {item.status for item in after.values()} == {"answered", "unreadable", "failed"}
    for place, item in before.items():
        assert (after[place].status == "answered") == (item.status == "answered"), place
        assert (after[place].status == "failed") == (item.status == "failed"), place
        if item.status == "answered":
            assert after[place].row["answer"]["frame"] == item.row["answer"]["frame"]
            assert after[place].row["answer"]["x"] == pytest.approx(item.row["answer"]["x"], abs=1e-12)
            assert after[place].row["truth"] == item.row["truth"]


def test_a_model_that_is_no_vlm_stays_labelled(run: RunResult, out: Path, tmp_path: Path) -> None:
    for file in export_run(run, "povbench", out, model="reference?frame=0.3&facing=30&anchor=0.05").files:
        import_log(file, "povbench", tmp_path / "back", ImportOptions(open_dataset(None)))
    assert all(row["no_vlm"] for row in RunResult(tmp_path / "back").rows())


def test_the_authors_own_predictions_become_a_run_with_the_figures_of_their_scorer(tmp_path: Path) -> None:
    import_log(
        GOLDEN / "predictions.json", "povbench", tmp_path / "run", ImportOptions(open_dataset(GOLDEN / "dataset"))
    )
    expected = json.loads((GOLDEN / "expected.json").read_text())["summary"]["per_type"]
    frame = RunResult(tmp_path / "run").frame()
    for kind, condition in KINDS.items():
        answered = frame[(frame["condition"] == condition) & (frame["status"] == "answered")]
        assert len(answered) == expected[kind]["n"]
        assert answered["l2"].mean() == pytest.approx(expected[kind]["mean_l2"], abs=1e-9)


def test_an_export_with_other_data_than_the_run_s_is_refused(run: RunResult, out: Path) -> None:
    with pytest.raises(ExchangeError, match="--data the folder that the run was made on"):
        export_run(run, "povbench", out, GOLDEN / "dataset")


def test_predictions_without_data_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ExchangeError, match="--data"):
        import_log(GOLDEN / "predictions.json", "povbench", tmp_path / "run", ImportOptions())


def test_a_file_that_holds_no_predictions_is_refused(tmp_path: Path) -> None:
    (tmp_path / "log.json").write_text("{}")
    with pytest.raises(DatasetError):
        import_log(tmp_path / "log.json", "povbench", tmp_path / "run", ImportOptions(open_dataset(None)))


def test_a_row_about_no_instance_is_left_out_and_said(tmp_path: Path) -> None:
    content = json.loads((GOLDEN / "predictions.json").read_text())
    content["predictions"][0]["pair_id"] = "Nothing|1__Nowhere|2"
    (tmp_path / "log.json").write_text(json.dumps(content))
    read = import_log(
        tmp_path / "log.json", "povbench", tmp_path / "run", ImportOptions(open_dataset(GOLDEN / "dataset"))
    )
    assert any("without a usable instance in the data: 1 row (" in line for line in read.missing)


def test_a_folder_of_exports_comes_back_with_every_graph_and_model(run: RunResult, out: Path, tmp_path: Path) -> None:
    export_run(run, "povbench", out)
    import_log(out, "povbench", tmp_path / "back", ImportOptions(open_dataset(None)))
    after = {(item.sample, item.graph, item.model, item.repeat) for item in RunResult(tmp_path / "back").items()}
    assert after == {(item.sample, item.graph, item.model, item.repeat) for item in run.items()}
    assert not any("the first of each counts" in line for line in RunResult(tmp_path / "back").description()["remarks"])


def test_shards_of_the_authors_scripts_are_still_one_run(tmp_path: Path) -> None:
    content = json.loads((GOLDEN / "predictions.json").read_text())
    rows = content["predictions"]
    (tmp_path / "log").mkdir()
    for number, part in enumerate((rows[::2], rows[1::2])):
        (tmp_path / "log" / f"worker_{number}.json").write_text(json.dumps({**content, "predictions": part}))
    read = import_log(tmp_path / "log", "povbench", tmp_path / "run", ImportOptions(open_dataset(GOLDEN / "dataset")))
    assert len(read.items) == len(rows)
    assert {item.graph for item in read.items} == {"log"}


def test_exports_of_several_graphs_do_not_become_one_by_a_name(run: RunResult, out: Path, tmp_path: Path) -> None:
    export_run(run, "povbench", out)
    with pytest.raises(ExchangeError, match="twice; import its parts one by one"):
        import_log(out, "povbench", tmp_path / "back", ImportOptions(open_dataset(None), graph="all"))
    assert not (tmp_path / "back").exists()


def test_exports_and_files_of_the_authors_in_one_folder_are_refused(run: RunResult, out: Path, tmp_path: Path) -> None:
    export_run(run, "povbench", out)
    (out / "theirs.json").write_text((GOLDEN / "predictions.json").read_text())
    with pytest.raises(ExchangeError, match=r"theirs\.json: does not name its graph"):
        import_log(out, "povbench", tmp_path / "back", ImportOptions(open_dataset(None)))
