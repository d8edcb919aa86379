"""The figures of the authors' own scorer on a small data set, from both sides: predictions files and single truths."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import pytest

from evals.datasets.povbench import povbench
from evals.datasets.povbench.predictions import score_predictions

CONDITION = {"a": "inferred", "b": "stated", "c": "given"}


def same(got, wanted, path=""):
    """Every key and every number of `wanted` is in `got`; more keys are welcome."""
    if isinstance(wanted, dict):
        for key, value in wanted.items():
            assert key in got, f"{path}.{key}"
            same(got[key], value, f"{path}.{key}")
    elif isinstance(wanted, list):
        assert len(got) == len(wanted), path
        for index, value in enumerate(wanted):
            same(got[index], value, f"{path}[{index}]")
    elif isinstance(wanted, float):
        assert got == pytest.approx(wanted, rel=0, abs=1e-9), path
    else:
        assert got == wanted, path


def test_predictions_score_as_with_the_authors_scorer(golden, expected):
    result = score_predictions(golden / "predictions.json", golden / "dataset")
    same(result, expected)
    assert result["problems"] == []
    assert result["metadata"]["vlm"] == "fixture"


def move_pairs_to_the_root(root: Path) -> None:
    for file in root.glob("artifacts/*/train_house_*.json"):
        file.rename(root / file.name)


def move_everything_to_the_root(root: Path) -> None:
    move_pairs_to_the_root(root)
    for folder in (root / "artifacts").iterdir():
        shutil.move(folder, root / folder.name)


def drop_house_ids(root: Path) -> None:
    for file in root.glob("artifacts/*/train_house_*.json"):
        pairs = json.loads(file.read_text())
        for pair in pairs:
            del pair["house_id"]
        file.write_text(json.dumps(pairs))


def drop_pictures(root: Path) -> None:
    for picture in root.rglob("*.png"):
        picture.unlink()


@pytest.mark.parametrize(
    "vary",
    [move_pairs_to_the_root, move_everything_to_the_root, drop_house_ids, drop_pictures],
    ids=lambda f: f.__name__,
)
def test_variants_of_the_layout_score_the_same(root, golden, expected, vary):
    vary(root)
    same(score_predictions(golden / "predictions.json", root), expected)


@pytest.mark.parametrize(
    "vary", [move_pairs_to_the_root, move_everything_to_the_root, drop_house_ids], ids=lambda f: f.__name__
)
def test_variants_of_the_layout_hold_the_same_samples(root, golden, vary):
    whole = [sample.id for sample in povbench.open(root).samples()]
    vary(root)
    dataset = povbench.open(root)
    assert [sample.id for sample in dataset.samples()] == whole
    assert dataset.problems == ()


def test_a_house_that_has_pairs_in_both_places_is_read_from_the_root(root):
    inner = root / "artifacts" / "train_house_05305" / "train_house_05305.json"
    pairs = json.loads(inner.read_text())
    (root / inner.name).write_text(json.dumps(pairs[:1]))
    ids = [sample.id for sample in povbench.open(root).samples()]
    assert sum(name.startswith("train_house_05305") for name in ids) == 12
    assert sum(name.startswith("train_house_07017") for name in ids) == 42


def test_truth_of_each_chosen_frame_is_the_one_that_the_authors_scorer_used(golden, expected, rows):
    dataset = povbench.open(golden / "dataset")
    compared = 0
    for evaluation, row in zip(expected["evaluations"], rows, strict=True):
        if evaluation["status"] != "ok":
            continue
        sample_id = f"{row['house_id']}/{row['pair_id']}/{row['direction']}/{CONDITION[row['type']]}"
        frame = row.get("predicted_image") or dataset.instances[sample_id].pair.raw["rgb_path"]
        truth = dataset.truth_for(sample_id, {"frame": frame, "x": 0.5, "y": 0.5})
        same(truth, evaluation["gt_position_2d"])
        assert truth["in_frame"] is evaluation["gt_in_frame"]
        assert truth["surface_known"] is evaluation["gt_surface_corrected"]
        same(truth["position"], list(evaluation["gt_position_3d"].values()))
        compared += 1
    assert compared == 67


def test_means_over_directions_weigh_each_direction_the_same(golden, expected):
    summary = score_predictions(golden / "predictions.json", golden / "dataset")["summary"]
    rows = [row for row in expected["evaluations"] if row["status"] == "ok" and row["type"] == "b"]
    means = []
    for direction in ("right", "left", "front", "up"):
        errors = [row["error_l2"] for row in rows if row["direction"] == direction]
        means.append(sum(errors) / len(errors))
    assert summary["per_type"]["b"]["mean_of_direction_means"] == pytest.approx(sum(means) / 4)
    assert summary["per_type"]["b"]["mean_of_direction_means"] != pytest.approx(summary["per_type"]["b"]["mean_l2"])


def test_what_is_reported_besides_follows_from_the_published_rows(golden, expected, rows):
    overall = score_predictions(golden / "predictions.json", golden / "dataset")["summary"]["overall"]
    answered = [
        (row, prediction)
        for row, prediction in zip(expected["evaluations"], rows, strict=True)
        if row["status"] == "ok"
    ]
    inside = [row["error_l2"] for row, _ in answered if row["gt_in_frame"]]
    assert overall["mean_l2_in_frame"] == pytest.approx(sum(inside) / len(inside))
    assert overall["hit_0.2"] == pytest.approx(sum(row["error_l2"] <= 0.2 for row, _ in answered) / len(answered))
    outside = [not (0 <= p["predicted_x"] < 512 and 0 <= p["predicted_y"] < 512) for _, p in answered]
    assert overall["out_of_range"] == pytest.approx(sum(outside) / len(outside))
    assert overall["mean_x"] == pytest.approx(sum(row["error_x"] for row, _ in answered) / len(answered))
    assert overall["n_instances"] == 78
    assert math.isclose(overall["response_rate_of_instances"], 67 / 78)


def test_share_of_frames_that_show_both_objects_follows_from_the_log(golden, expected, rows):
    overall = score_predictions(golden / "predictions.json", golden / "dataset")["summary"]["overall"]
    logs = {}
    for house in ("train_house_05305", "train_house_07017"):
        log = json.loads((golden / "dataset" / "artifacts" / house / "exploration_log.json").read_text())
        logs[house] = {entry["image_path"]: entry["object_in_frame_hits"] for entry in log}
    shown = []
    for evaluation, row in zip(expected["evaluations"], rows, strict=True):
        if evaluation["status"] == "ok" and row["type"] != "c":
            hits = logs[row["house_id"]][row["predicted_image"]]
            # In this data set a pair's id is made of the ids of its two objects.
            shown.append(all(name in hits for name in row["pair_id"].split("__")))
    assert 0 < sum(shown) < len(shown)
    assert overall["frame_correct"] == pytest.approx(sum(shown) / len(shown))
