"""`evals show`: a run's table again, or one instance of it."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def run(command):
    return command("run", "--graph", "basic", "--model", "reference", "--model", "center", "--limit", 3, "--out", "run")


def test_a_run_shows_its_table_again(run, command):
    assert command("show", "run").out == run.out


def test_an_instance_shows_prompt_reply_and_score(run, command):
    ids = {row["sample"] for row in command("show", "run", one_id(command), "--format", "json").json}
    (sample,) = ids
    text = command("show", "run", sample)
    assert text.code == 0
    for part in (
        f"━━ {sample}",
        "── call 1: answer (reference, no VLM)",
        "[picture run/pictures/",
        "── findings",
        "── score",
        "l2: ",
    ):
        assert part in text.out
    # In the head of each of the two items, and where the second's request is said to be the first's.
    assert text.out.count("(no VLM)") == 3
    assert text.out.count(", no VLM)") == 2


def one_id(command):
    """The id of some instance in Given, which a part that fits several names."""
    return command("show", "run", "/given").said[0].partition("some: ")[2].split(", ")[0]


def test_an_instance_can_be_narrowed_to_a_graph_and_a_model(run, command):
    shown = command("show", "run", one_id(command), "--model", "center", "--graph", "basic", "--format", "json").json
    assert [(record["model"], record["no_vlm"]) for record in shown] == [("center", True)]


def test_a_table_can_be_narrowed_to_a_graph_and_a_model(run, command):
    rows = command("show", "run", "--model", "center", "--format", "json").json["rows"]
    assert {(row["graph"], row["model"]) for row in rows} == {("basic", "center")}
    text = command("show", "run", "--graph", "basic", "--model", "center")
    assert (text.code, "model: center (no VLM)" in text.out) == (0, True)


def test_an_instance_can_be_narrowed_to_a_repeat(run, command):
    shown = command("show", "run", one_id(command), "--repeat", 0, "--format", "json").json
    assert {record["repeat"] for record in shown} == {0}
    ended = command("show", "run", one_id(command), "--repeat", 7)
    assert ended.code == 2
    assert "was not run so" in ended.err
    assert "repeats 0 to 0" in ended.err


REFUSED = [
    (["run", "--graph", "basicc"], "unknown graph of run 'basicc': did you mean basic?"),
    (["run", "--model", "centre"], "unknown model of run 'centre': did you mean center?"),
    (["run", "--repeat", "0"], "a table holds all repeats; --repeat goes with the id of an instance"),
    (["nowhere"], "nowhere: holds no run; give the folder that `evals run` named"),
    (["run", "zzz"], "'zzz' fits no item of run; some: "),
    (["run", "/inferred"], "'/inferred' fits 3 items of run; some: "),
    (["run", "/inferred", "--format", "csv"], "'/inferred' fits 3 items"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_what_is_not_there_is_said_in_one_line(arguments, message, run, command):
    ended = command("show", *arguments)
    assert (ended.code, ended.out) == (2, "")
    (line,) = ended.said
    assert line.startswith(f"error: {message}")


def test_one_instance_is_no_table(run, command):
    ended = command("show", "run", one_id(command), "--format", "csv")
    assert (ended.code, ended.out) == (2, "")
    assert ended.said == ["error: one instance is no table; --format takes table or json here"]


def test_a_file_that_is_no_store_is_said(tmp_path, command):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.sqlite").write_text("no database at all, but long enough to be taken for one\n" * 20)
    ended = command("show", "run")
    assert (ended.code, ended.out) == (2, "")
    (line,) = ended.said
    assert "run.sqlite" in line
    assert "is not a run's store" in line


def test_json_of_an_instance_is_plain(run, command):
    record = command("show", "run", one_id(command), "--model", "reference", "--format", "json").json[0]
    assert json.dumps(record, allow_nan=False)
    assert record["scores"]["l2"] <= 1e-9
    assert record["scores"]["frame_correct"] is None
