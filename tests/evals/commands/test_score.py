"""`evals score`: the output of the authors' scripts, scored on the command line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from scipy.stats import t as student

GOLDEN = Path(__file__).parents[2] / "golden" / "povbench"
PREDICTIONS = GOLDEN / "predictions.json"


def same(got, wanted, place="$"):
    """Every key and every number of `wanted` is in `got`; more keys are welcome."""
    if isinstance(wanted, dict):
        for key, value in wanted.items():
            assert key in got, f"{place}.{key}"
            same(got[key], value, f"{place}.{key}")
    elif isinstance(wanted, list):
        assert len(got) == len(wanted), place
        for index, value in enumerate(wanted):
            same(got[index], value, f"{place}[{index}]")
    elif isinstance(wanted, float):
        assert got == pytest.approx(wanted, rel=0, abs=1e-9), place
    else:
        assert got == wanted, place


def test_json_holds_the_figures_of_the_authors_own_scorer(command, data):
    ended = command("score", PREDICTIONS, "--data", data, "--format", "json")
    assert (ended.code, ended.err) == (0, "")
    same(ended.json, json.loads((GOLDEN / "expected.json").read_text()))


def test_csv_holds_a_row_a_group_with_the_same_figures(command, data):
    expected = json.loads((GOLDEN / "expected.json").read_text())["summary"]
    rows = list(csv.DictReader(io.StringIO(command("score", PREDICTIONS, "--data", data, "--format", "csv").out)))
    groups = {row["group"]: row for row in rows}
    assert next(iter(groups)) == "all"
    wanted = {"all": expected["overall"]}
    wanted |= {f"type {kind}": group for kind, group in expected["per_type"].items()}
    wanted |= {f"direction {name}": group for name, group in expected["per_direction"].items()}
    assert set(groups) == set(wanted)
    for name, group in wanted.items():
        assert {key: float(groups[name][key]) for key in group} == pytest.approx(group, rel=0, abs=1e-9)


def test_table_rounds_the_same_figures(command, data):
    expected = json.loads((GOLDEN / "expected.json").read_text())["summary"]
    lines = command("score", PREDICTIONS, "--data", data).out.splitlines()
    for name, group in [("all", expected["overall"]), *((f"type {k}", g) for k, g in expected["per_type"].items())]:
        (line,) = [line for line in lines if line.startswith(f"{name} ")]
        cells = line.removeprefix(name).split()
        assert cells[:2] == [str(group["n_total"]), str(group["n"])]
        assert f"{group['response_rate']:.1%}" == cells[3]
        assert f"{group['mean_l2']:.3f}" == cells[4]
        # Between them stands the interval, as `[low,` and `high]`.
        assert f"{group['std_l2']:.3f}" == cells[7]


def test_means_have_an_interval_clustered_by_house(command, data):
    report = command("score", PREDICTIONS, "--data", data, "--format", "json").json
    answered = [row for row in report["evaluations"] if row["status"] == "ok"]
    overall = report["summary"]["overall"]
    houses = {row["house_id"] for row in answered}
    mean = sum(row["error_l2"] for row in answered) / len(answered)
    # The cluster-robust variance of a mean with its small-sample factor; t with one degree less than houses.
    sums = [sum(row["error_l2"] - mean for row in answered if row["house_id"] == house) for house in houses]
    variance = sum(one**2 for one in sums) / len(answered) ** 2 * len(houses) / (len(houses) - 1)
    half = student.ppf(0.975, len(houses) - 1) * variance**0.5
    assert overall["n_houses"] == len(houses)
    assert (overall["mean_l2_low"], overall["mean_l2_high"]) == pytest.approx((mean - half, mean + half))
    in_frame = [row for row in answered if row["gt_in_frame"]]
    assert overall["mean_l2_in_frame_n"] == len(in_frame)
    text = command("score", PREDICTIONS, "--data", data).out
    assert f"{mean:.3f} [{mean - half:.3f}, {mean + half:.3f}]" in text
    assert f"95 % t intervals clustered by house ({len(houses)} houses" in text
    assert "a failed request counts as a non-response" in text


def test_one_house_has_no_interval_and_that_is_said(command, data, tmp_path):
    rows = json.loads(PREDICTIONS.read_text())
    content = rows if isinstance(rows, list) else rows["predictions"]
    content[:] = [row for row in content if row["house_id"] == "train_house_07017"]
    (tmp_path / "one.json").write_text(json.dumps(rows))
    report = command("score", "one.json", "--data", data, "--format", "json").json
    assert report["summary"]["overall"]["mean_l2_low"] is None
    assert "no interval can be made of 1 house" in command("score", "one.json", "--data", data).out


def test_predictions_for_other_data_are_said_and_end_with_two(command):
    ended = command("score", PREDICTIONS)
    assert ended.code == 2
    assert (
        "the data set has no pair 'Desk|5|9__ArmChair|2|7' in 'train_house_05305'; give the one of the run"
        in ended.said[0]
    )
    assert len(ended.said) == 21
    assert ended.said[-1].endswith("more problems (--format json has them all)")
    assert "the data set has no pair" not in ended.out
    assert command("score", PREDICTIONS, "--format", "json").json["summary"]["n_ok"] == 0


def test_a_broken_house_leaves_the_others_scored_and_ends_with_two(command, data, house):
    (house / "train_house_05305.json").write_text("[")
    ended = command("score", PREDICTIONS, "--data", data, "--format", "json")
    assert ended.code == 2
    assert any("train_house_05305.json: is not complete JSON" in line for line in ended.said)
    expected = json.loads((GOLDEN / "expected.json").read_text())["evaluations"]
    answered = [row for row in expected if row["house_id"] == "train_house_07017" and row["status"] == "ok"]
    assert ended.json["summary"]["n_ok"] == len(answered)


def test_what_is_merely_passed_over_is_said_and_no_failure(command, data, tmp_path):
    folder = tmp_path / "predictions"
    folder.mkdir()
    (folder / "predictions_0.json").write_bytes(PREDICTIONS.read_bytes())
    (folder / "settings.json").write_text("{}")
    ended = command("score", folder, "--data", data)
    assert (ended.code, ended.said) == (0, ["settings.json: holds no predictions; passed over"])


BAD = [
    ("missing.json", None, "missing.json: is missing; give a predictions file"),
    ("bad.json", "[{", "bad.json: is not complete JSON"),
    ("bad.json", "[]", "bad.json: holds no predictions"),
    ("bad.json", "3", "bad.json: must hold a list of predictions"),
    ("bad.json", '[{"pair_id": "a"}]', 'bad.json: predictions[0].type: is missing, "a", "b" or "c" is needed'),
]


@pytest.mark.parametrize(("name", "content", "message"), BAD)
def test_what_is_no_predictions_file_is_said_in_one_line(name, content, message, command, data, tmp_path):
    if content is not None:
        (tmp_path / name).write_text(content)
    ended = command("score", name, "--data", data)
    assert (ended.code, ended.out) == (2, "")
    (line,) = ended.said
    assert message in line


def test_a_row_cannot_steer_the_terminal(command, data, tmp_path):
    row = {"house_id": "h\x1b[31m\u202e", "pair_id": "p\x1b[31m", "direction": "left\x1b[31m", "type": "a"}
    (tmp_path / "rows.json").write_text(json.dumps([{**row, "predicted_x": 1, "predicted_y": 1}]))
    for output in ("table", "csv"):
        ended = command("score", "rows.json", "--data", data, "--format", output)
        assert not set("\x1b\u202e") & set(ended.out + ended.err)
