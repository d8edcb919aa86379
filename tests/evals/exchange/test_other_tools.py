"""Logs of lmms-eval and VLMEvalKit become runs that compare takes; what they lack is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from evals.datasets import open_dataset
from evals.exchange import ExchangeError, ImportOptions, export_run, import_log
from evals.reporting.comparison import compare
from evals.reporting.result import RunResult
from tools.errors import UserError


def samples_file(folder: Path, rows: list[dict[str, Any]], task: str = "sides") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"20260101_000000_samples_{task}.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def a_sample(number: int, **more: Any) -> dict[str, Any]:
    return {
        "doc_id": number,
        "doc": {"room": f"room {number % 3}", "question": "Which side?\nA or B"},
        "target": "A",
        "arguments": [["Which side?", {"max_new_tokens": 16}]],
        "resps": [["A"]],
        "filtered_resps": ["A"],
        "doc_hash": "0",
        **more,
    }


@pytest.mark.parametrize(
    "score",
    [lambda hit: {"exact_match": hit}, lambda hit: {"acc": {"score": hit, "id": 3}}],
    ids=["a number", "an object with a score"],
)
def test_samples_of_lmms_eval_become_a_run_that_compare_takes(score: Any, tmp_path: Path) -> None:
    for graph, hits in (("plain", [1, 0, 1, 0, 1, 0]), ("careful", [1, 1, 1, 1, 1, 0])):
        file = samples_file(tmp_path / "maker__model", [a_sample(n, **score(hit)) for n, hit in enumerate(hits)])
        import_log(file, "lmms-eval", tmp_path / "run", ImportOptions(graph=graph, scene="room"))
    rows = {row["graph"]: row for row in compare([RunResult(tmp_path / "run")], "plain").rows}
    assert rows["plain"]["mean"] == pytest.approx(0.5)
    assert rows["careful"]["difference"] == pytest.approx(1 / 3)
    assert rows["careful"]["model"] == "maker__model"


def test_several_metrics_have_to_be_chosen_from(tmp_path: Path) -> None:
    file = samples_file(tmp_path / "model", [a_sample(0, exact_match=1, f1=0.5)])
    with pytest.raises(ExchangeError, match="exact_match, f1"):
        import_log(file, "lmms-eval", tmp_path / "run", ImportOptions())
    import_log(file, "lmms-eval", tmp_path / "run", ImportOptions(metric="f1"))
    assert RunResult(tmp_path / "run").items()[0].row["answer"] == {"score": 0.5}


def test_replies_about_a_dataset_are_read_and_scored_anew(tmp_path: Path) -> None:
    data = open_dataset(None)
    sample = next(sample for sample in data.samples() if sample.keys["condition"] == "inferred")
    house, pair, direction, _ = sample.id.split("/")
    doc = {"house_id": house, "pair_id": pair, "direction": direction, "type": "a"}
    rows = [
        a_sample(0, doc=doc, resps=[['```json\n{"selected_image": 2, "x": 128, "y": 256}\n```']]),
        a_sample(1, doc={**doc, "pair_id": "Nothing|1"}, resps=[["{}"]]),
    ]
    file = samples_file(tmp_path / "model", rows)
    read = import_log(file, "lmms-eval", tmp_path / "run", ImportOptions(data))
    (item,) = RunResult(tmp_path / "run").items()
    frame = sample.situation.originals[2]
    assert item.sample == sample.id
    assert item.row["answer"] == {"frame": frame.id, "x": 128 / frame.size[0], "y": 256 / frame.size[1]}
    assert any("1 rows fit no sample" in line for line in read.missing)


def test_a_line_that_is_no_sample_is_named(tmp_path: Path) -> None:
    file = samples_file(tmp_path / "model", [a_sample(0, acc=1)])
    file.write_text(file.read_text() + "{broken\n")
    with pytest.raises(ExchangeError, match="line 2"):
        import_log(file, "lmms-eval", tmp_path / "run", ImportOptions())


def test_another_filter_of_the_same_sample_is_no_repeat_of_it(tmp_path: Path) -> None:
    rows = [
        a_sample(0, acc=1, filter="strict"),
        a_sample(0, acc=0, filter="flexible"),
        a_sample(1, acc=1, filter="strict"),
    ]
    read = import_log(samples_file(tmp_path / "model", rows), "lmms-eval", tmp_path / "run", ImportOptions())
    assert [(item.sample, item.repeat, item.answer) for item in read.items] == [
        ("sides/0", 0, {"score": 1.0}),
        ("sides/1", 0, {"score": 1.0}),
    ]
    assert any("only the first" in line for line in read.missing)


@pytest.mark.parametrize(
    ("source", "name", "content"),
    [
        ("lmms-eval", "m_samples_t.jsonl", '{"doc_id": [], "acc": 1, "doc": {"a": {}}, "resps": 3}\n{"doc_id": {}}'),
        ("lmms-eval", "m_samples_t.jsonl", '{"doc_id": 1, "acc": NaN}'),
        ("lmms-eval", "m_samples_t.jsonl", "\xff\xfe"),
        ("lmms-eval", "m_samples_t.jsonl", ""),
        ("inspect", "log.json", '{"eval": {"task": 1, "model": []}, "samples": 3}'),
        ("inspect", "log.json", '{"eval": {"task": "t", "model": "m"}, "samples": [{"id": 1, "scores": 5}]}'),
        ("inspect", "log.json", '{"eval": {"task": "t", "model": "m", "metadata": 4}, "samples": [{"id": 1}]}'),
        ("inspect", "log.json", '{"eval": {"task": "t", "model": "m"}, "samples": [{"id": 1, "input": {"a": 1}}]}'),
        (
            "inspect",
            "log.json",
            '{"eval": {"task": "t", "model": "m", "metadata": {"situate": {"run": {}}}},'
            ' "samples": [{"id": 1, "epoch": 1, "metadata": {"situate": {}}}]}',
        ),
        ("vlmevalkit", "m_t.json", '[{"index": 1, "prediction": "A", "hit": "x"}]'),
        ("vlmevalkit", "m_t.json", "3"),
        ("povbench", "p.json", '{"predictions": [{"pair_id": 1}]}'),
    ],
)
def test_a_log_that_is_not_laid_out_so_ends_in_one_line_and_leaves_no_run(
    source: str, name: str, content: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content.encode("latin-1"))
    options = ImportOptions(data=open_dataset(None) if source == "povbench" else None, model="m")
    with pytest.raises(UserError) as caught:
        import_log(tmp_path / name, source, tmp_path / "run", options)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_an_answer_that_is_no_number_is_refused(tmp_path: Path) -> None:
    own = {"form": "frame_point", "status": "answered", "keys": {"scene": "h"}, "digest": "", "reason": ""}
    own |= {"answer": {"frame": "f", "x": float("nan"), "y": 0.5}, "truth": {"x": 0, "y": 0, "in_frame": True}}
    own["truth"]["frame_correct"] = None  # type: ignore[index]
    run = {"dataset": "d", "conditions": [], "breakdown": None, "models": {}, "graphs": {}}
    log = {
        "status": "success",
        "eval": {"task": "t", "model": "m", "metadata": {"situate": {"run": run}}},
        "samples": [{"id": "s", "epoch": 1, "metadata": {"situate": own}}],
    }
    (tmp_path / "log.json").write_text(json.dumps(log))
    with pytest.raises(ExchangeError, match="cannot be scored"):
        import_log(tmp_path / "log.json", "inspect", tmp_path / "run", ImportOptions())


def result_table(folder: Path, suffix: str, hits: list[int | None]) -> Path:
    table = pd.DataFrame(
        {
            "index": range(len(hits)),
            "question": "Which side?",
            "answer": "A",
            "prediction": "=A1",
            "category": [f"category {number % 2}" for number in range(len(hits))],
            "hit": hits,
        }
    )
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{folder.name}_Sides_result.{suffix}"
    match suffix:
        case "tsv":
            table.to_csv(file, sep="\t", index=False)
        case "csv":
            table.to_csv(file, index=False)
        case "json":
            table.to_json(file, orient="records")
        case "xlsx":
            pytest.importorskip("openpyxl", reason="openpyxl is not installed (pip install 'situate[excel]')")
            table.to_excel(file, index=False)
    return file


@pytest.mark.parametrize("suffix", ["tsv", "csv", "json", "xlsx"])
def test_tables_of_vlmevalkit_become_a_run_that_compare_takes(suffix: str, tmp_path: Path) -> None:
    file = result_table(tmp_path / "Model_7B", suffix, [1, 0, 1, None])
    read = import_log(file, "vlmevalkit", tmp_path / "run", ImportOptions())
    rows = compare([RunResult(tmp_path / "run")], by=["category"]).rows
    assert rows[0]["mean"] == pytest.approx(2 / 3)
    assert (rows[0]["n"], rows[0]["answered"], rows[0]["model"]) == (4, 3, "Model_7B")
    assert {row["value"]: row["mean"] for row in rows[1:]} == pytest.approx({"category 0": 1.0, "category 1": 0.0})
    assert any("cluster of its own" in line for line in read.missing)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("m_d.pkl", "", "of the kind '.pkl' are not read"),
        ("m_d.tsv", "question\n1\n", "no columns index and prediction"),
        ("m_d.csv", "index,prediction\n1,A\n", "the table that its evaluation wrote"),
        ("m_d.json", "{", "cannot be read as a table"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_in_a_line(
    name: str, content: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(ExchangeError, match=message):
        import_log(tmp_path / name, "vlmevalkit", tmp_path / "run", ImportOptions(model="m"))


def test_a_table_whose_name_does_not_tell_the_model_asks_for_it(tmp_path: Path) -> None:
    file = result_table(tmp_path / "Model", "csv", [1]).rename(tmp_path / "other_Sides.csv")
    with pytest.raises(ExchangeError, match="--model NAME"):
        import_log(file, "vlmevalkit", tmp_path / "run", ImportOptions())


def test_the_same_items_are_not_imported_twice(tmp_path: Path) -> None:
    file = result_table(tmp_path / "Model", "csv", [1])
    import_log(file, "vlmevalkit", tmp_path / "run", ImportOptions())
    with pytest.raises(ExchangeError, match="already"):
        import_log(file, "vlmevalkit", tmp_path / "run", ImportOptions())


def test_an_imported_run_is_not_gone_on_with(tmp_path: Path) -> None:
    import evals
    from evals.running.store import StoreError

    import_log(result_table(tmp_path / "Model", "csv", [1]), "vlmevalkit", tmp_path / "run", ImportOptions())
    with pytest.raises(StoreError):
        evals.run("basic", limit=1, out=tmp_path / "run", progress=False)


def test_an_equal_number_of_another_question_is_not_paired(tmp_path: Path) -> None:
    """lmms-eval's `doc_id` and VLMEvalKit's `index` only count: two logs have the same ones for other questions."""
    for folder, question in (("one", "Which side?"), ("other", "Which colour?")):
        rows = [a_sample(n, acc=n % 2, doc={"question": question if n else "In both?"}) for n in range(4)]
        file = samples_file(tmp_path / folder, rows)
        import_log(file, "lmms-eval", tmp_path / "runs" / folder, ImportOptions(model="m"))
        table = pd.read_csv(result_table(tmp_path / folder, "csv", [1, 0, 1, 0]))
        table["question"] = [question if n else "In both?" for n in range(4)]
        table.to_csv(tmp_path / folder / f"{folder}_Sides.csv", index=False)
        options = ImportOptions(model="m", graph="vlm")
        import_log(tmp_path / folder / f"{folder}_Sides.csv", "vlmevalkit", tmp_path / "tables" / folder, options)
    for place in ("runs", "tables"):
        runs = [RunResult(tmp_path / place / folder) for folder in ("one", "other")]
        compared = compare(runs, f"one:{'sides' if place == 'runs' else 'vlm'}")
        assert [(row["pairs"], row["different_content"]) for row in compared.rows if row["pairs"] is not None] == [
            (1, 3)
        ]
        assert any("same id and other content" in note for note in compared.notes)


def test_what_lmms_eval_writes_for_a_picture_does_not_tell_two_samples_apart(tmp_path: Path) -> None:
    for folder, place in (("one", "0x7f01"), ("other", "0x7FAB")):
        doc = {"question": "Which side?", "shown": f"<PIL.PngImageFile size=9x9 at {place}>"}
        rows = [a_sample(n, acc=1, doc=doc, doc_hash=folder) for n in range(2)]
        file = samples_file(tmp_path / folder, rows)
        import_log(file, "lmms-eval", tmp_path / "runs" / folder, ImportOptions(model="m"))
    runs = [RunResult(tmp_path / "runs" / folder) for folder in ("one", "other")]
    assert [row["pairs"] for row in compare(runs, "one:sides").rows] == [None, 2]


def test_samples_whose_question_the_log_does_not_hold_are_said_to_be_paired_by_number(tmp_path: Path) -> None:
    rows = [{"doc_id": number, "acc": 1, "resps": [["A"]]} for number in range(3)]
    read = import_log(samples_file(tmp_path / "model", rows), "lmms-eval", tmp_path / "run", ImportOptions())
    assert any("what 3 items asked" in line and "by number only" in line for line in read.missing)


@pytest.mark.parametrize("suffix", ["tsv", "csv", "json", "xlsx"])
def test_an_index_is_text_and_is_the_same_in_every_kind_of_table(suffix: str, tmp_path: Path) -> None:
    read = import_log(
        result_table(tmp_path / "Model_7B", suffix, [1, 0]), "vlmevalkit", tmp_path / "run", ImportOptions()
    )
    assert [item.sample for item in read.items] == ["Sides/0", "Sides/1"]


def test_whole_numbers_that_a_table_wrote_as_fractions_are_whole_again(tmp_path: Path) -> None:
    file = tmp_path / "m_Sides.csv"
    file.write_text("index,question,prediction,answer,hit\n0.0,q,A,A,1\n12.0,q,A,A,0\n007,q,A,A,0\n1.5,q,A,A,0\n")
    read = import_log(file, "vlmevalkit", tmp_path / "run", ImportOptions(model="m"))
    assert [item.sample for item in read.items] == ["Sides/0", "Sides/12", "Sides/007", "Sides/1.5"]


@pytest.mark.parametrize("suffix", ["tsv", "csv", "json", "xlsx"])
def test_a_row_without_an_index_is_refused_by_its_number(suffix: str, tmp_path: Path) -> None:
    file = result_table(tmp_path / "Model_7B", suffix, [1, 0, 1])
    table = {"tsv": lambda: pd.read_csv(file, sep="\t"), "csv": lambda: pd.read_csv(file)}
    table |= {"json": lambda: pd.read_json(file), "xlsx": lambda: pd.read_excel(file)}
    holed = table[suffix]().astype({"index": object})
    holed.loc[1, "index"] = None
    match suffix:
        case "json":
            holed.to_json(file, orient="records")
        case "xlsx":
            holed.to_excel(file, index=False)
        case _:
            holed.to_csv(file, index=False, sep="\t" if suffix == "tsv" else ",")
    with pytest.raises(ExchangeError, match="row 2 has no index"):
        import_log(file, "vlmevalkit", tmp_path / "run", ImportOptions())


def test_another_name_of_the_model_does_not_change_the_name_of_the_data(tmp_path: Path) -> None:
    file = result_table(tmp_path / "Model_7B", "csv", [1, 0])
    read = import_log(file, "vlmevalkit", tmp_path / "run", ImportOptions(model="mine"))
    assert (read.dataset, read.items[0].model, read.items[0].sample) == ("Sides", "mine", "Sides/0")
    lost = import_log(
        file.rename(tmp_path / "Model_7B_Sides.csv"), "vlmevalkit", tmp_path / "other", ImportOptions(model="mine")
    )
    assert lost.dataset == "Model_7B_Sides"
    assert any("does not begin with the model's" in line for line in lost.missing)


def test_two_imports_that_share_no_sample_are_said_to(tmp_path: Path) -> None:
    for number, first in enumerate((0, 10)):
        rows = [a_sample(first + place, acc=1) for place in range(2)]
        file = samples_file(tmp_path / str(number), rows)
        read = import_log(file, "lmms-eval", tmp_path / "run", ImportOptions(graph=str(number), model="m"))
        assert any("nothing can be paired" in line for line in read.missing) == bool(number)
    assert any("nothing can be paired" in note for note in compare([RunResult(tmp_path / "run")]).notes)


def test_a_sample_without_a_score_is_neither_answered_nor_unanswered(tmp_path: Path) -> None:
    """Scores 1 and 0, two that are none, and an empty reply: 2 of 3 answered, mean 1/2, worst case 1/3."""
    scores: list[Any] = [1, 0, float("nan"), "abc", 1]
    rows = [a_sample(n, acc=score, resps=[["" if n == 4 else "A"]]) for n, score in enumerate(scores)]
    read = import_log(samples_file(tmp_path / "model", rows), "lmms-eval", tmp_path / "run", ImportOptions())
    assert [item.status for item in read.items] == ["answered", "answered", "unscored", "unscored", "empty"]
    assert "2 items without a recorded score, neither answered nor unanswered" in read.missing
    assert "1 item without an answer, whatever the tool scored them" in read.missing
    result = RunResult(tmp_path / "run")
    comparison = compare([result])
    (found,) = comparison.rows
    counts = ("n", "answered", "unanswered", "failed", "unscored")
    assert tuple(found[name] for name in counts) == (5, 2, 1, 0, 2)
    assert (found["mean"], found["response_rate"]) == (pytest.approx(1 / 2), pytest.approx(2 / 3))
    assert (found["worst_case"], found["response_rate_published"]) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert any("No score recorded: 2 of 5 items" in note for note in comparison.notes)
    (shown,) = result.rows()
    assert (shown["unscored"], shown["unanswered"], shown["response_rate"]) == (2, 1, pytest.approx(2 / 3))
    assert "unscored" in result.table(200).splitlines()[0]


def test_an_option_that_was_guessed_for_an_empty_prediction_is_no_answer(tmp_path: Path) -> None:
    table = pd.read_csv(result_table(tmp_path / "Model", "csv", [1, 1, 0]))
    table.loc[1, "prediction"] = ""
    table.to_csv(tmp_path / "Model" / "Model_Sides_result.csv", index=False)
    import_log(tmp_path / "Model" / "Model_Sides_result.csv", "vlmevalkit", tmp_path / "run", ImportOptions())
    (found,) = compare([RunResult(tmp_path / "run")]).rows
    assert (found["mean"], found["response_rate"]) == (pytest.approx(1 / 2), pytest.approx(2 / 3))


def test_a_reply_that_the_log_does_not_hold_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    """Tasks that compare likelihoods have numbers in the place of replies."""
    rows = [a_sample(number, acc=1, resps=[[[-1.5, False]]], filtered_resps=[[-1.5, False]]) for number in range(2)]
    read = import_log(samples_file(tmp_path / "model", rows), "lmms-eval", tmp_path / "run", ImportOptions())
    assert {item.status for item in read.items} == {"answered"}


def test_seconds_that_no_log_tells_are_unknown(tmp_path: Path) -> None:
    file = samples_file(tmp_path / "model", [a_sample(n, acc=1) for n in range(2)])
    import_log(file, "lmms-eval", tmp_path / "run", ImportOptions())
    (found,) = compare([RunResult(tmp_path / "run")]).rows
    assert (found["seconds"], found["calls"]) == (None, 1)


def test_a_number_that_comes_twice_is_said_to_be_a_repeat(tmp_path: Path) -> None:
    rows = [a_sample(0, acc=1), a_sample(1, acc=0), a_sample(1, acc=1)]
    read = import_log(samples_file(tmp_path / "model", rows), "lmms-eval", tmp_path / "run", ImportOptions())
    assert "1 row of samples that came before, taken for repeats of them" in read.missing


@pytest.mark.parametrize("source", ["inspect", "lmms-eval", "vlmevalkit"])
def test_a_folder_is_said_to_be_one(source: str, tmp_path: Path) -> None:
    with pytest.raises(ExchangeError, match=r"is a folder; give (one|its) "):
        import_log(tmp_path, source, tmp_path / "run", ImportOptions(model="m"))


def test_texts_that_a_spreadsheet_would_work_out_are_warned_of(tmp_path: Path) -> None:
    rows = [a_sample(number, acc=1, doc={"room": "=cmd()" if number else "hall"}) for number in range(3)]
    import_log(samples_file(tmp_path / "model", rows), "lmms-eval", tmp_path / "run", ImportOptions())
    written = export_run(RunResult(tmp_path / "run"), "csv", tmp_path / "items.csv")
    assert any(line.startswith("1 text that a spreadsheet takes for a formula") for line in written.notes)
