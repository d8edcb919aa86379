"""Predictions files: their variants, what counts as unanswered, and what is refused."""

from __future__ import annotations

import json
import math

import pytest

from evals.dataset_kind import DatasetError
from evals.datasets.povbench.predictions import score_predictions

HOUSE = "train_house_05305"
PAIR = "Desk|5|9__ArmChair|2|7"
FRAME = "exploration_images/frame_003.png"
RIGHT = {"house_id": HOUSE, "pair_id": PAIR, "direction": "right", "type": "c", "predicted_x": 256, "predicted_y": 128}
CHOSEN = {**RIGHT, "type": "a", "predicted_image": FRAME}


@pytest.fixture
def score(golden, tmp_path):
    """Scores rows, or a whole file's content."""

    def score(content, root=None):
        file = tmp_path / "predictions.json"
        file.write_text(json.dumps(content))
        return score_predictions(file, root or golden / "dataset")

    return score


def whole(golden, expected):
    return score_predictions(golden / "predictions.json", golden / "dataset")["summary"]


def test_a_plain_list_scores_as_the_object_around_it(golden, expected, rows, score):
    assert score(rows)["summary"] == whole(golden, expected)


def shards(folder, rows):
    for number in range(3):
        part = {"vlm": "fixture", "screen_width": 512, "screen_height": 512, "predictions": rows[number::3]}
        (folder / f"predictions_{number}.json").write_text(json.dumps(part))


def house_lists(folder, rows):
    for house in {row["house_id"] for row in rows}:
        part = [row for row in rows if row["house_id"] == house]
        (folder / f"{house}.json").write_text(json.dumps(part))


def house_lists_without_ids(folder, rows):
    for house in {row["house_id"] for row in rows}:
        part = [{k: v for k, v in row.items() if k != "house_id"} for row in rows if row["house_id"] == house]
        (folder / f"{house}.json").write_text(json.dumps(part))


def with_results_beside(folder, rows):
    shards(folder, rows)
    (folder / "meta.json").write_text("{")
    (folder / "eval_results.json").write_text("[1]")


@pytest.mark.parametrize("write", [shards, house_lists, house_lists_without_ids, with_results_beside])
def test_a_folder_of_parts_scores_as_the_whole(golden, expected, rows, tmp_path, write):
    write(tmp_path, rows)
    result = score_predictions(tmp_path, golden / "dataset")
    assert result["problems"] == []
    summary = whole(golden, expected)
    for group in ("overall", *(("per_type", kind) for kind in "abc")):
        got, wanted = (
            (part[group] if isinstance(group, str) else part[group[0]][group[1]])
            for part in (result["summary"], summary)
        )
        assert got == pytest.approx(wanted)


def test_an_instance_counts_once_though_the_authors_merge_leaves_it_twice(golden, expected, rows, tmp_path):
    shards(tmp_path, rows)
    house_lists(tmp_path, rows)
    result = score_predictions(tmp_path, golden / "dataset")
    assert result["summary"]["overall"] == pytest.approx(whole(golden, expected)["overall"])
    assert len(result["problems"]) == 2
    assert (
        "train_house_05305.json: 36 predictions are for instances that came before, 0 of them" in result["problems"][0]
    )


def test_of_two_predictions_for_an_instance_the_first_counts_and_the_difference_is_told(score):
    result = score([RIGHT, {**RIGHT, "predicted_x": 0}])
    assert [row["predicted_x"] for row in result["evaluations"]] == [256]
    assert "1 of them with other values" in result["problems"][0]


def test_other_files_in_a_folder_are_passed_over_and_told(golden, tmp_path):
    (tmp_path / "predictions.json").write_text(json.dumps([RIGHT]))
    (tmp_path / "settings.json").write_text("{}")
    result = score_predictions(tmp_path, golden / "dataset")
    assert result["summary"]["n_ok"] == 1
    assert result["problems"] == ["settings.json: holds no predictions; passed over"]


STATUSES = [
    ("no x", {**RIGHT, "predicted_x": None}, "no_prediction", 0),
    ("x not there", {key: value for key, value in RIGHT.items() if key != "predicted_x"}, "no_prediction", 0),
    ("NaN", {**RIGHT, "predicted_y": float("nan")}, "no_prediction", 1),
    ("Infinity", {**RIGHT, "predicted_x": float("inf")}, "no_prediction", 1),
    ("number in a text", {**RIGHT, "predicted_x": "256"}, "no_prediction", 1),
    ("true", {**RIGHT, "predicted_x": True}, "no_prediction", 1),
    ("house unknown", {**RIGHT, "house_id": "train_house_1"}, "entry_not_found", 1),
    ("pair unknown", {**RIGHT, "pair_id": "Bed|1__Sofa|2"}, "entry_not_found", 1),
    ("direction unknown", {**RIGHT, "direction": "behind"}, "placement_not_found", 1),
    ("no frame", {**CHOSEN, "predicted_image": None}, "no_selected_image", 0),
    ("frame not there", {**RIGHT, "type": "b"}, "no_selected_image", 0),
    ("frame unknown", {**CHOSEN, "predicted_image": "exploration_images/frame_030.png"}, "image_not_in_log", 1),
    ("frame a number", {**CHOSEN, "predicted_image": 3}, "image_not_in_log", 1),
]


@pytest.mark.parametrize(("row", "status", "told"), [row[1:] for row in STATUSES], ids=[row[0] for row in STATUSES])
def test_what_cannot_be_scored_is_unanswered_with_the_published_status(score, row, status, told):
    result = score([row, {**RIGHT, "direction": "left"}])
    assert result["evaluations"][0]["status"] == status
    assert (result["summary"]["n_ok"], result["summary"]["total"]) == (1, 2)
    assert len(result["problems"]) == told
    assert all(line.startswith("predictions.json: predictions[0]: ") for line in result["problems"])
    json.dumps(result, allow_nan=False)


def test_a_row_for_a_frame_that_is_not_there_still_holds_the_position(score):
    evaluation = score([{**CHOSEN, "predicted_image": None}])["evaluations"][0]
    assert evaluation["gt_position_3d"]["y"] == pytest.approx(1.1)
    assert "gt_position_2d" not in evaluation


def test_positions_that_the_data_do_not_give_leave_a_row_unanswered(score, root, change_pairs):
    def empty(pairs):
        pairs[0]["placements"]["right"]["position"] = None
        pairs[0]["placements"]["left"] = None
        pairs[1]["camera"]["fov"] = 0

    change_pairs(empty)
    television = {**RIGHT, "pair_id": "CounterTop|6|9__Television|1|2"}
    result = score([RIGHT, {**RIGHT, "direction": "left"}, television], root)
    assert [row["status"] for row in result["evaluations"]] == [
        "no_gt_position",
        "placement_not_found",
        "no_observer_camera",
    ]
    assert any("camera.fov" in line for line in result["problems"])


def test_a_broken_log_leaves_its_rows_unanswered(score, root, folder):
    (folder / "exploration_log.json").unlink()
    result = score([CHOSEN, RIGHT], root)
    assert [row["status"] for row in result["evaluations"]] == ["image_not_in_log", "ok"]
    assert any("exploration_log.json: is missing" in line for line in result["problems"])


def test_a_group_without_answers_has_no_means(score):
    group = score([{**RIGHT, "predicted_x": None}])["summary"]["per_type"]["c"]
    assert (group["n"], group["n_total"], group["response_rate"]) == (0, 1, 0.0)
    assert [group[name] for name in ("mean_l2", "std_l2", "mean_x", "mean_y", "pct_in_frame")] == [None] * 5


def test_requests_that_failed_outside_are_told_from_replies_that_could_not_be_read(score):
    unread = {**RIGHT, "predicted_x": None, "parse_error": "failed to parse JSON"}
    failed = {**RIGHT, "predicted_x": None, "parse_error": "429 Too Many Requests", "direction": "left"}
    overall = score([unread, failed, {**RIGHT, "direction": "front"}])["summary"]["overall"]
    assert (overall["n"], overall["n_total"], overall["n_failed"]) == (1, 3, 1)
    assert overall["response_rate"] == pytest.approx(1 / 3)
    assert overall["response_rate_without_failed"] == pytest.approx(1 / 2)


def test_several_points_count_by_the_centroid_of_the_clamped_points(score):
    # In fractions (0.5, 0.25), (1, 1) once clamped, and (0, 0.25): centroid (0.5, 0.5).
    points = [[256, 128], [1024, 600], [-5, 128]]
    row = score([{**RIGHT, "predicted_points": points}])["evaluations"][0]
    target = row["gt_position_2d"]
    distances = [math.dist((target["x"], target["y"]), point) for point in [(0.5, 0.25), (1, 1), (0, 0.25)]]
    assert row["n_points"] == 3
    assert row["error_l2"] == row["error_l2_mean"] == pytest.approx(math.dist((target["x"], target["y"]), (0.5, 0.5)))
    assert row["error_l2_min"] == pytest.approx(min(distances))
    assert row["error_x"] == pytest.approx(0.5 - target["x"])
    assert row["error_y"] == pytest.approx(0.25 - target["y"])


def test_the_closest_point_is_clamped_too(score):
    row = score([{**RIGHT, "predicted_points": [[5000, 5000]]}])["evaluations"][0]
    target = row["gt_position_2d"]
    assert row["error_l2_min"] == row["error_l2"] == pytest.approx(math.dist((target["x"], target["y"]), (1, 1)))


def test_instances_are_counted_of_the_types_in_the_file(score):
    summary = score([RIGHT])["summary"]
    # The data set has 26 directions, 8 of them to the right.
    assert summary["overall"]["n_instances"] == summary["per_type"]["c"]["n_instances"] == 26
    assert summary["per_direction"]["right"]["n_instances"] == 8


def test_each_part_of_a_folder_is_read_in_its_own_size(golden, tmp_path):
    doubled = {**CHOSEN, "type": "b", "predicted_x": 512, "predicted_y": 256}
    for number, (row, size) in enumerate([(CHOSEN, 512), (doubled, 1024)]):
        part = {"screen_width": size, "screen_height": size, "predictions": [row]}
        (tmp_path / f"predictions_{number}.json").write_text(json.dumps(part))
    first, second = score_predictions(tmp_path, golden / "dataset")["evaluations"]
    assert second["error_l2"] == pytest.approx(first["error_l2"])


@pytest.mark.parametrize(
    ("points", "count", "told"),
    [
        (None, None, 0),
        ([], None, 0),
        ("here", None, 1),
        ([[256, 128], [float("nan"), 1], [1], "x", [True, 1]], 1, 4),
        ([[256, 128, 0.9]], 1, 0),
    ],
)
def test_points_that_are_none_are_left_out_and_told(score, points, count, told):
    result = score([{**RIGHT, "predicted_points": points}])
    row = result["evaluations"][0]
    assert row.get("n_points") == count
    assert row["error_l2"] == pytest.approx(math.hypot(row["error_x"], row["error_y"]))
    assert len(result["problems"]) == told


@pytest.mark.parametrize(
    "around",
    [{"screen_width": 1024, "screen_height": 1024}, {"metadata": {"screen_width": 1024, "screen_height": 1024}}],
)
def test_pixels_of_a_frame_are_in_the_size_that_the_file_states(score, around):
    doubled = {**CHOSEN, "predicted_x": 512, "predicted_y": 256}
    large = score({**around, "predictions": [doubled]})["evaluations"][0]
    assert large["error_l2"] == pytest.approx(score([CHOSEN])["evaluations"][0]["error_l2"])


def test_pixels_under_given_are_in_the_size_of_the_observers_camera(score, root, change_pairs):
    def enlarge(pairs):
        pairs[0]["camera"].update(screen_width=1024, screen_height=1024)

    before = score([RIGHT])["evaluations"][0]
    change_pairs(enlarge)
    after = score([{**RIGHT, "predicted_x": 512, "predicted_y": 256}], root)["evaluations"][0]
    assert after["error_l2"] == pytest.approx(before["error_l2"])


def test_junk_in_what_is_only_repeated_stays_plain_json(score):
    junk = {**RIGHT, "predicted_x": None, "parse_error": [float("nan")], "sentence": {}, "predicted_image": [1]}
    result = score([junk, {**CHOSEN, "predicted_image": [float("nan")]}])
    json.dumps(result, allow_nan=False)
    assert [row["status"] for row in result["evaluations"]] == ["no_prediction", "image_not_in_log"]


def test_raw_text_is_never_read(score):
    row = score([{**RIGHT, "raw_response": '{"x": 1, "y": 2}'}])["evaluations"][0]
    assert (row["predicted_x"], row["predicted_y"]) == (256, 128)


REFUSED = [
    ("empty", b"", "is not complete JSON"),
    ("truncated", b'{"predictions": [{"pair_id": "x"', "is not complete JSON"),
    ("text", b'"predictions"', "must hold a list of predictions"),
    ("no predictions", b'{"vlm": "x"}', "predictions: is missing"),
    ("predictions no list", b'{"predictions": {}}', "predictions: must be a list"),
    ("no rows", b"[]", "holds no predictions"),
    ("row no object", b"[3]", "predictions[0]: must be an object, not 3"),
    ("no pair", json.dumps([{**RIGHT, "pair_id": None}]).encode(), "predictions[0].pair_id: is missing"),
    ("no house", json.dumps([{**RIGHT, "house_id": None}]).encode(), "predictions[0].house_id: is missing"),
    ("no direction", json.dumps([{**RIGHT, "direction": 1}]).encode(), "predictions[0].direction: must be a text"),
    (
        "other type",
        json.dumps([RIGHT, {**RIGHT, "type": "d"}]).encode(),
        'predictions[1].type: must be "a", "b" or "c"',
    ),
    (
        "width 0",
        b'{"screen_width": 0, "screen_height": 512, "predictions": []}',
        "screen_width: must be a whole number",
    ),
    ("height missing", b'{"screen_width": 512, "predictions": []}', "screen_height: is missing"),
]


@pytest.mark.parametrize(("data", "piece"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_broken_file_is_refused_by_name(golden, tmp_path, data, piece):
    file = tmp_path / "mine.json"
    file.write_bytes(data)
    for given in (file, tmp_path):
        if piece.startswith("predictions: is missing") and given is tmp_path:
            continue
        with pytest.raises(DatasetError) as raised:
            score_predictions(given, golden / "dataset")
        assert str(given) in str(raised.value)
        assert piece in str(raised.value)
        assert "\n" not in str(raised.value)


def test_missing_predictions_and_missing_data_are_refused(golden, tmp_path):
    with pytest.raises(DatasetError, match="is missing; give a predictions file"):
        score_predictions(tmp_path / "nothing.json", golden / "dataset")
    with pytest.raises(DatasetError, match="there is no such folder"):
        score_predictions(golden / "predictions.json", tmp_path / "nothing")
