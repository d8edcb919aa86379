"""Inspect's logs, opened and written by the real package."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.exchange import ExchangeError, ImportOptions, export_run, import_log
from evals.reporting.comparison import compare
from evals.reporting.result import RunResult

pytest.importorskip("inspect_ai", reason="Inspect is not installed (pip install 'situate[inspect]')")

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalSample,
    EvalSpec,
    read_eval_log,
    write_eval_log,
)
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score

GRADES = ["C", "I", "C", "P", "C", "I"]


def a_log(task: str, grades: list[str]) -> EvalLog:
    samples = [
        EvalSample(
            id=f"question {number}",
            epoch=1,
            input="Which side?",
            target="left",
            output=ModelOutput.from_content("maker/model", f"<i>reply {number}</i>"),
            scores={"match": Score(value=grade, answer="left")},
            metadata={"house": f"house {number % 3}", "text": "long " * 50},
        )
        for number, grade in enumerate(grades)
    ]
    return EvalLog(
        status="success",
        eval=EvalSpec(
            created="2026-01-01T00:00:00+00:00",
            task=task,
            model="maker/model",
            dataset=EvalDataset(name="sides"),
            config=EvalConfig(),
        ),
        samples=samples,
    )


def test_inspect_opens_what_is_exported(run: RunResult, out: Path) -> None:
    frame = run.frame()
    written = export_run(run, "inspect", out)
    assert len(written.files) == 4
    for file in written.files:
        log = read_eval_log(str(file))
        assert log.samples is not None
        assert log.results is not None
        own = frame[(frame["graph"] == log.eval.task) & (frame["model"] == log.eval.model)]
        assert {sample.id for sample in log.samples} == set(own["sample"])
        means = {score.name: score.metrics["mean"].value for score in log.results.scores}
        assert means["l2"] == pytest.approx(own["l2"].mean(), abs=1e-12)
        assert sum(sample.error is not None for sample in log.samples) == (own["status"] == "failed").sum()


def test_an_exported_log_comes_back_as_the_same_items(run: RunResult, out: Path, tmp_path: Path) -> None:
    for file in export_run(run, "inspect", out).files:
        import_log(file, "inspect", tmp_path / "back", ImportOptions())
    before = {(item.sample, item.graph, item.model): item for item in run.items()}
    after = {(item.sample, item.graph, item.model): item for item in RunResult(tmp_path / "back").items()}
    assert before.keys() == after.keys()
    for place, item in before.items():
        assert after[place].status == item.status
        for name in ("answer", "truth", "keys", "digest", "reason"):
            assert (after[place].row.get(name) or None) == (item.row.get(name) or None)
    assert RunResult(tmp_path / "back").rows()[0]["l2"] == pytest.approx(run.rows()[0]["l2"], abs=1e-12)


@pytest.mark.parametrize("suffix", ["json", "eval"])
def test_a_log_of_inspect_becomes_a_run_that_compare_takes(suffix: str, tmp_path: Path) -> None:
    for task, grades in (("plain", GRADES), ("careful", ["C"] * 6)):
        file = tmp_path / f"{task}.{suffix}"
        write_eval_log(a_log(task, grades), str(file))
        read = import_log(file, "inspect", tmp_path / "run", ImportOptions(scene="house"))
    assert any("higher is taken to be better" in line for line in read.missing)
    rows = {row["graph"]: row for row in compare([RunResult(tmp_path / "run")], "plain").rows}
    assert rows["plain"]["mean"] == pytest.approx(3.5 / 6)
    assert rows["careful"]["difference"] == pytest.approx(1 - 3.5 / 6)
    assert rows["careful"]["scenes"] == 3


def test_long_texts_are_no_grouping_keys(tmp_path: Path) -> None:
    write_eval_log(a_log("plain", GRADES), str(tmp_path / "log.json"))
    read = import_log(tmp_path / "log.json", "inspect", tmp_path / "run", ImportOptions())
    assert set(read.items[0].keys) == {"house", "scene"}
    assert any("cluster of its own" in line for line in read.missing)


def test_samples_that_ended_in_an_error_are_failures_and_not_wrong_answers(tmp_path: Path) -> None:
    write_eval_log(a_log("plain", GRADES), str(tmp_path / "log.json"))
    log = json.loads((tmp_path / "log.json").read_text())
    log["samples"][0]["error"] = {"message": "429", "traceback": "", "traceback_ansi": ""}
    log["samples"][1]["scores"]["match"]["reason"] = "refusal"
    (tmp_path / "log.json").write_text(json.dumps(log))
    import_log(tmp_path / "log.json", "inspect", tmp_path / "run", ImportOptions())
    statuses = [item.status for item in RunResult(tmp_path / "run").items()]
    assert statuses == ["failed", "refused", *["answered"] * 4]


@pytest.mark.parametrize(
    ("content", "message"),
    [("[]", "is no log of Inspect"), ("{", "cannot be read as JSON"), ('{"eval": {}}', "is no log of Inspect")],
)
def test_what_is_no_log_is_refused_in_a_line(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "log.json").write_text(content)
    with pytest.raises(ExchangeError, match=message):
        import_log(tmp_path / "log.json", "inspect", tmp_path / "run", ImportOptions())


def test_a_broken_packed_log_is_refused_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "log.eval").write_bytes(b"PK\x03\x04 broken")
    with pytest.raises(ExchangeError, match="copy the file again") as caught:
        import_log(tmp_path / "log.eval", "inspect", tmp_path / "run", ImportOptions())
    assert "\n" not in str(caught.value)


def test_epochs_of_a_log_that_is_read_again_are_repeats(run: RunResult, out: Path, tmp_path: Path) -> None:
    from evals.datasets import open_dataset

    sample = next(item.sample for item in run.items() if item.sample.endswith("inferred"))
    log = a_log("plain", ["C", "C"])
    assert log.samples is not None
    for number, one in enumerate(log.samples):
        one.id, one.epoch = sample, number + 1
        one.output = ModelOutput.from_content("maker/model", '{"selected_image": 0, "x": 1, "y": 1}')
    write_eval_log(log, str(tmp_path / "log.json"))
    import_log(tmp_path / "log.json", "inspect", tmp_path / "run", ImportOptions(open_dataset(None)))
    assert [item.repeat for item in RunResult(tmp_path / "run").items()] == [0, 1]


def test_a_sample_that_stands_twice_is_refused_rather_than_overwritten(tmp_path: Path) -> None:
    log = a_log("plain", ["C", "I"])
    assert log.samples is not None
    log.samples[1].id = log.samples[0].id
    write_eval_log(log, str(tmp_path / "log.json"))
    with pytest.raises(ExchangeError, match="question 0, repeat 1, twice"):
        import_log(tmp_path / "log.json", "inspect", tmp_path / "run", ImportOptions())


def test_the_grade_of_no_answer_is_no_answer(tmp_path: Path) -> None:
    write_eval_log(a_log("plain", ["C", "I", "N", "N"]), str(tmp_path / "log.json"))
    import_log(tmp_path / "log.json", "inspect", tmp_path / "run", ImportOptions())
    (found,) = compare([RunResult(tmp_path / "run")]).rows
    assert (found["answered"], found["unanswered"]) == (2, 2)
    assert (found["mean"], found["worst_case"]) == (pytest.approx(1 / 2), pytest.approx(1 / 4))


def test_time_of_the_model_s_call_is_taken_before_that_of_the_whole_sample(tmp_path: Path) -> None:
    log = a_log("plain", ["C", "I"])
    assert log.samples is not None
    for sample in log.samples:
        sample.total_time, sample.output.time = 9.0, 2.0
    write_eval_log(log, str(tmp_path / "log.json"))
    import_log(tmp_path / "log.json", "inspect", tmp_path / "run", ImportOptions())
    (found,) = compare([RunResult(tmp_path / "run")]).rows
    assert found["seconds"] == pytest.approx(2.0)
    assert [item.row["seconds"] for item in RunResult(tmp_path / "run").items()] == [9.0, 9.0]


def test_what_calls_took_is_the_same_after_a_round_trip(tmp_path: Path) -> None:
    """Two calls an item, of 1.5 and 0.5 seconds, 1,000 and 500 tokens: Inspect's own fields hold the last one alone."""
    import evals
    from agents.model import Reply, Request, Usage

    class Slow:
        name = "slow"
        identity = "slow"
        is_vlm = True

        async def reply(self, request: Request) -> Reply:
            first = len(request.purpose.steps) == 1 and request.purpose.steps[0] != "answer"
            tokens = Usage(1000 if first else 500, None, 10 if first else 30, None)
            return Reply(
                '{"selected_image": 0, "x": 5, "y": 5}', usage=tokens, seconds=1.5 if first else 0.5, cost=0.25
            )

    evals.run(["basic", "s_cot_staged"], model=Slow(), limit=2, out=tmp_path / "run", progress=False)
    export_run(RunResult(tmp_path / "run"), "inspect", tmp_path / "logs")
    for file in sorted((tmp_path / "logs").iterdir()):
        import_log(file, "inspect", tmp_path / "back", ImportOptions())
    names = ("graph", "condition", "seconds", "input_tokens", "output_tokens", "cost")
    before, after = (
        sorted([row[name] for name in names] for row in compare([RunResult(tmp_path / folder)]).rows if row["n"])
        for folder in ("run", "back")
    )
    assert any(row["calls"] and row["calls"] > 1 for row in compare([RunResult(tmp_path / "run")]).rows)
    assert after == before


def test_a_log_that_broke_off_is_said_to_have(run: RunResult, out: Path, tmp_path: Path) -> None:
    theirs = a_log("plain", GRADES)
    write_eval_log(theirs, str(tmp_path / "theirs.json"))
    ours = export_run(run, "inspect", out, graph="basic", model="moody").files[0]
    for name, file in (("theirs", tmp_path / "theirs.json"), ("ours", ours)):
        file.write_text(json.dumps(json.loads(file.read_text()) | {"status": "error"}))
        read = import_log(file, "inspect", tmp_path / name, ImportOptions())
        assert any("the log broke off (its status is 'error')" in line for line in read.missing)


def test_a_log_of_errors_alone_is_refused_as_such(tmp_path: Path) -> None:
    write_eval_log(a_log("plain", GRADES), str(tmp_path / "log.json"))
    log = json.loads((tmp_path / "log.json").read_text())
    for sample in log["samples"]:
        sample |= {"error": {"message": "429", "traceback": "", "traceback_ansi": ""}, "scores": {}}
    (tmp_path / "log.json").write_text(json.dumps(log))
    with pytest.raises(ExchangeError, match="all of its samples ended in an error"):
        import_log(tmp_path / "log.json", "inspect", tmp_path / "run", ImportOptions())


def test_logs_with_other_questions_under_the_same_ids_are_not_paired(tmp_path: Path) -> None:
    for name, asked in (("one", "Which side?"), ("other", "Which colour?")):
        log = a_log("plain", GRADES)
        assert log.samples is not None
        for sample in log.samples[1:]:
            sample.input = asked
        write_eval_log(log, str(tmp_path / f"{name}.json"))
        import_log(tmp_path / f"{name}.json", "inspect", tmp_path / name, ImportOptions())
    rows = compare([RunResult(tmp_path / "one"), RunResult(tmp_path / "other")], "one:plain").rows
    assert [(row["pairs"], row["different_content"]) for row in rows] == [(None, None), (1, 5)]
