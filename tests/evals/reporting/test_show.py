"""One instance of a run: how it is found, and what is shown of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from evals.reporting.result import RunResult
from evals.reporting.show import ShowError, as_records, as_text, find_items
from evals.running.store import Store


@pytest.fixture(scope="module")
def ids(run):
    return sorted({item.sample for item in run.items()})


@pytest.fixture(scope="module")
def inferred(ids):
    """An instance that all models answered."""
    return next(name for name in ids if re.search(r"/(right|up)/inferred$", name))


def shown(run, *wanted):
    return as_text(as_records(run, find_items(run, *wanted)))


def test_an_item_is_found_by_its_id_or_by_a_part_that_fits_one_alone(run, ids):
    whole = find_items(run, ids[0])
    part = ids[0].split("/", 1)[1]
    assert find_items(run, part) == whole
    assert {item.sample for item in whole} == {ids[0]}


def test_all_graphs_models_and_repeats_are_found_and_can_be_narrowed(run, inferred):
    found = find_items(run, inferred)
    assert len(found) == 2 * 3 * 2
    one = find_items(run, inferred, "o_plot", "center")
    assert [(item.graph, item.model, item.repeat) for item in one] == [("o_plot", "center", 0), ("o_plot", "center", 1)]


def test_a_part_that_fits_several_names_some_of_them(run, ids):
    with pytest.raises(ShowError) as error:
        find_items(run, "/inferred")
    fitting = [name for name in ids if "/inferred" in name]
    assert f"'/inferred' fits {len(fitting)} items of {run.folder}" in str(error.value)
    assert str(error.value).count("/inferred") >= 6
    assert "\n" not in str(error.value)


def test_a_part_that_fits_none_names_the_nearest(run, inferred):
    misspelt = inferred.replace("inferred", "infered")
    with pytest.raises(ShowError) as error:
        find_items(run, misspelt)
    assert f"{misspelt!r} fits no item of {run.folder}" in str(error.value)
    assert inferred in str(error.value)


def test_a_graph_that_was_not_run_on_it_names_those_that_were(run, inferred):
    with pytest.raises(ShowError, match="it was run as o_plot with center, o_plot with moody, o_plot with reference"):
        find_items(run, inferred, graph="cot")
    given = inferred.replace("inferred", "given")
    with pytest.raises(ShowError, match="it was run as s_cot with center") as error:
        find_items(run, given, graph="o_plot")
    assert "o_plot with" not in str(error.value)


def test_a_run_without_items_says_so(tmp_path):
    Store.create(tmp_path / "run").close()
    with pytest.raises(ShowError, match="no item has ended yet"):
        find_items(RunResult(tmp_path / "run"), "any")


def test_text_holds_prompt_pictures_reply_findings_and_score(run, inferred):
    text = shown(run, inferred, "o_plot", "reference?anchor=0.1")
    (item, _) = find_items(run, inferred, "o_plot", "reference?anchor=0.1")
    assert f"━━ {inferred}\ngraph o_plot, model reference?anchor=0.1 (no VLM), repeat 0: answered" in text
    assert "── call 1: answer (reference?anchor=0.1, no VLM)" in text
    # The sentence stands in the prompt, and a red disc is spoken of and drawn.
    assert "I noticed the" in text
    assert "red" in text
    pictures = re.findall(r"\[picture (.+)\]", text)
    assert len(pictures) == 6
    assert all(Path(picture).read_bytes().startswith(b"\x89PNG") for picture in pictures)
    assert '── reply 1 (stop)\n{"selected_image": ' in text
    assert f"answer: {json.dumps(item.row['answer'])}" in text
    assert f"truth:  {json.dumps(item.row['truth'])}" in text
    assert re.search(r"^l2: 0\.\d{4}$", text, re.MULTILINE)
    assert re.search(r"^frame_correct: [01]\.0000$", text, re.MULTILINE)


def test_text_holds_a_finding_a_step_of_a_staged_graph(tmp_path):
    import evals

    run = evals.run("s_cot_checked", limit=1, conditions=["stated"], out=tmp_path / "run", progress=False)
    text = shown(run, "stated")
    findings = text.partition("── findings\n")[2].partition("\n\n")[0].splitlines()
    assert [line.partition(":")[0] for line in findings] == [
        "frame_selection",
        "observer_grounding",
        "anchor_identification",
        "directional_frame",
        "anchor_localization",
        "scene_inventory",
        "side_identification",
        "target_estimation",
        "answer",
    ]
    assert re.search(r'side_identification: {"side": "(left|right|front|on top)"}', text)
    assert text.count("── call ") == text.count("── reply ") == 9


def test_a_request_that_was_shown_is_not_shown_again(run, inferred):
    text = shown(run, inferred, "s_cot", "center")
    assert text.count("I noticed the") == 1
    assert "[the same request as call 1 of s_cot with center (no VLM)]" in text
    assert text.count("── reply 1") == 2


def test_reasons_of_failures_and_of_unread_replies_are_shown(run, ids):
    front = next(name for name in ids if "/front/" in name)
    left = next(name for name in ids if "/left/" in name)
    unread, failed = shown(run, front, "s_cot", "moody"), shown(run, left, "s_cot", "moody")
    assert "repeat 0: unreadable\nreason: no complete JSON object" in unread
    assert "I had rather not say." in unread
    assert "answer: null" in unread
    assert "repeat 0: failed\nreason: OutsideFailure: 503: come back later" in failed
    assert "── call" not in failed
    assert "answer: null" in failed


def test_a_models_text_cannot_steer_the_terminal(run, inferred):
    text = shown(run, inferred, "s_cot", "moody")
    assert "\x1b" not in text
    assert "reasoning: the middle \\x1b[2J is safe" in text
    assert "model moody, repeat" in text


def test_records_are_plain_json_with_calls_and_scores(run, inferred):
    records = as_records(run, find_items(run, inferred, "s_cot"))
    assert json.loads(json.dumps(records, allow_nan=False)) == records
    assert {record["model"]: record["no_vlm"] for record in records} == {
        "reference?anchor=0.1": True,
        "center": True,
        "moody": False,
    }
    for record in records:
        assert record["sample"] == inferred
        (call,) = record["calls"]
        assert call["request"]["steps"][-1] == "answer"
        assert call["reply"]["text"]
        assert 0 <= record["scores"]["l2"] <= 2**0.5
        files = [part["file"] for part in call["request"]["messages"][0]["parts"] if "picture" in part]
        assert len(files) == 6
        assert all(Path(file).is_file() for file in files)


def test_a_picture_that_was_deleted_is_named_by_its_hash(tmp_path):
    import evals

    run = evals.run("basic", limit=1, conditions=["given"], out=tmp_path / "run", progress=False)
    (picture,) = (tmp_path / "run" / "pictures").iterdir()
    picture.unlink()
    assert f"[picture {picture.stem}]" in shown(run, "given")
