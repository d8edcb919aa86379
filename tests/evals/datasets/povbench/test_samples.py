"""What a sample of POVBench shows, what it keeps back, and what it is held against."""

from __future__ import annotations

import json

import pytest

from evals.dataset_kind import DatasetError
from evals.datasets.povbench import povbench

FIRST = "train_house_05305/Desk|5|9__ArmChair|2|7/front"
TELEVISION = "train_house_05305/CounterTop|6|9__Television|1|2"


def opened(root):
    dataset = povbench.open(root)
    return dataset, {sample.id: sample for sample in dataset.samples()}


def digests(root):
    return {sample.id: sample.digest for sample in povbench.open(root).samples()}


def test_a_folder_is_recognised_by_its_files(root, tmp_path):
    assert povbench.recognises(root)
    assert not povbench.recognises(root / "artifacts" / "train_house_05305" / "exploration_images")
    assert not povbench.recognises(tmp_path / "missing")


def test_inferred_and_stated_show_the_numbered_frames_and_given_the_observers_view(root):
    _, samples = opened(root)
    frames = [f"exploration_images/frame_{number:03}.png" for number in range(6)]
    for condition, words in [
        ("inferred", "While writing letters, I noticed the book in front of the arm chair."),
        ("stated", "While writing letters at the desk, I noticed the book in front of the arm chair."),
    ]:
        situation = samples[f"{FIRST}/{condition}"].situation
        assert [frame.id for frame in situation.frames] == frames
        assert situation.question == words
    given = samples[f"{FIRST}/given"].situation
    assert [frame.id for frame in given.frames] == ["img_from_observer/pair_00.png"]
    assert given.question == "The book was in front of the arm chair."
    assert (situation.task, situation.form.kind) == ("situated_target", "frame_point")
    assert (given.task, given.form.kind) == ("situated_target_observer_view", "frame_point")


def test_cameras_are_privileged(root):
    _, samples = opened(root)
    for sample in samples.values():
        assert all(frame.camera is None for frame in sample.situation.frames)
        assert set(sample.hints.cameras) == {frame.id for frame in sample.situation.frames}


def test_keys_group_an_instance_over_its_conditions(root):
    _, samples = opened(root)
    assert samples[f"{FIRST}/stated"].keys == {
        "scene": "train_house_05305",
        "pair": "Desk|5|9__ArmChair|2|7",
        "direction": "front",
        "condition": "stated",
        "instance": FIRST,
        "observer_category": "Desk",
        "anchor_category": "ArmChair",
    }


def test_a_plan_of_the_house_tells_the_number_of_its_rooms(root, folder):
    (folder / "house.json").write_text('{"rooms": [{}, {}, {}]}')
    dataset, samples = opened(root)
    counts = {sample.keys["scene"]: sample.keys.get("room_count") for sample in samples.values()}
    assert counts[folder.name] == "3"
    assert set(counts.values()) == {"3", None}
    assert not dataset.problems


@pytest.mark.parametrize("text", ["{", "[]", '{"rooms": 3}'])
def test_a_broken_plan_costs_the_grouping_alone(text, root, folder):
    (folder / "house.json").write_text(text)
    dataset, samples = opened(root)
    assert len(samples) == 78
    assert not any("room_count" in sample.keys for sample in samples.values())
    (problem,) = dataset.problems
    assert (problem.file, problem.fatal) == (f"artifacts/{folder.name}/house.json", False)


def test_order_is_house_condition_pair_and_direction_as_in_the_files(root):
    _, samples = opened(root)
    order = list(samples)
    assert len(order) == 78
    assert order[:5] == [
        f"{FIRST}/inferred",
        "train_house_05305/Desk|5|9__ArmChair|2|7/up/inferred",
        "train_house_05305/Desk|5|9__ArmChair|2|7/right/inferred",
        "train_house_05305/Desk|5|9__ArmChair|2|7/left/inferred",
        f"{TELEVISION}/front/inferred",
    ]
    blocks = list(dict.fromkeys((sample.keys["scene"], sample.keys["condition"]) for sample in samples.values()))
    assert blocks == [
        (house, condition)
        for house in ("train_house_05305", "train_house_07017")
        for condition in ("inferred", "stated", "given")
    ]


def test_hints_say_where_objects_are_and_in_which_frames_they_are_rendered(root, change_log):
    def show(log):
        log[2]["object_in_frame_hits"] = ["Desk|5|9", "ArmChair|2|7"]
        log[4]["object_in_frame_hits"] = ["ArmChair|2|7"]

    change_log(show)
    _, samples = opened(root)
    hints = samples[f"{FIRST}/inferred"].hints
    assert (hints.observer.id, hints.observer.category) == ("Desk|5|9", "Desk")
    assert hints.observer.visible_in == {"exploration_images/frame_002.png"}
    assert hints.anchor.visible_in == {"exploration_images/frame_002.png", "exploration_images/frame_004.png"}
    assert hints.anchor.position == pytest.approx((4.836005860683118, 0.36, 3.3651863796257926))
    assert hints.anchor.placed_at == pytest.approx((4.836005860683118, 0.0, 3.3651863796257926))
    assert hints.anchor.top == pytest.approx(0.9)
    assert hints.observer_camera.yaw == pytest.approx(128.10111316641522)
    assert hints.cameras["exploration_images/frame_001.png"].yaw == 315


def test_under_given_the_observers_view_shows_the_anchor_and_says_nothing_of_the_observer(root):
    _, samples = opened(root)
    hints = samples[f"{FIRST}/given"].hints
    assert hints.anchor.visible_in == {"img_from_observer/pair_00.png"}
    assert hints.observer.visible_in == frozenset()
    assert hints.cameras == {"img_from_observer/pair_00.png": hints.observer_camera}


def test_surface_is_a_hint_only_where_it_was_judged_appropriate(root):
    _, samples = opened(root)
    assert samples[f"{TELEVISION}/front/given"].hints.surface == "on the Floor next to it"
    assert samples[f"{TELEVISION}/up/given"].hints.surface is None


def test_an_empty_surface_is_not_known_though_the_position_is_worked_out_with_the_anchors_top(root, change_pairs):
    def empty(pairs):
        pairs[0]["stage3"]["front"]["surface"] = ""

    change_pairs(empty)
    dataset, samples = opened(root)
    truth = dataset.truth_for(f"{FIRST}/given", {"frame": "img_from_observer/pair_00.png"})
    assert samples[f"{FIRST}/given"].hints.surface is None
    assert truth["surface_known"] is False
    # The arm chair is 0.9 m high; the placement itself says 0.2 m.
    assert truth["position"][1] == pytest.approx(1.1)


def test_truth_tells_whether_the_frame_shows_both_objects(root, change_log):
    def show(log):
        log[1]["object_in_frame_hits"] = ["Desk|5|9", "ArmChair|2|7"]
        log[2]["object_in_frame_hits"] = ["ArmChair|2|7"]
        del log[3]["object_in_frame_hits"]

    change_log(show)
    dataset, _ = opened(root)
    found = [
        dataset.truth_for(f"{FIRST}/stated", {"frame": f"exploration_images/frame_{number:03}.png"})["frame_correct"]
        for number in (1, 2, 3)
    ]
    assert found == [True, False, None]
    assert dataset.truth_for(f"{FIRST}/given", {"frame": "img_from_observer/pair_00.png"})["frame_correct"] is None


def test_behind_the_camera_the_truth_is_the_middle(golden):
    dataset, _ = opened(golden / "dataset")
    behind = dataset.truth_for(f"{FIRST}/inferred", {"frame": "exploration_images/frame_005.png"})
    assert (behind["x"], behind["y"], behind["behind"], behind["in_frame"]) == (0.5, 0.5, True, False)
    before = dataset.truth_for(f"{FIRST}/given", {"frame": "img_from_observer/pair_00.png"})
    assert (before["behind"], before["in_frame"]) == (False, True)


@pytest.mark.parametrize(
    ("sample_id", "frame"),
    [
        ("train_house_05305/nobody/front/given", "img_from_observer/pair_00.png"),
        (f"{FIRST}/given", "exploration_images/frame_000.png"),
        (f"{FIRST}/inferred", "exploration_images/frame_006.png"),
        (f"{FIRST}/inferred", None),
        (f"{FIRST}/inferred", 0),
    ],
)
def test_truth_of_an_unknown_sample_or_frame_is_an_error(golden, sample_id, frame):
    dataset = povbench.open(golden / "dataset")
    with pytest.raises(DatasetError, match=r"has no (sample|frame)"):
        dataset.truth_for(sample_id, {"frame": frame, "x": 0.5, "y": 0.5})


def test_truth_is_plain_json(golden):
    dataset, samples = opened(golden / "dataset")
    for sample_id, sample in samples.items():
        json.dumps(dataset.truth_for(sample_id, {"frame": sample.situation.frames[0].id}), allow_nan=False)


def test_digests_differ_and_stay_the_same_when_read_again(root):
    first = digests(root)
    assert len(set(first.values())) == 78
    assert first == digests(root)


def recolour(folder):
    picture = folder / "exploration_images" / "frame_003.png"
    picture.write_bytes((folder / "exploration_images" / "frame_004.png").read_bytes())


def test_digest_changes_with_a_frame_for_all_who_see_it(root, folder):
    before = digests(root)
    recolour(folder)
    changed = {sample_id for sample_id, digest in digests(root).items() if digest != before[sample_id]}
    assert changed == {
        sample_id
        for sample_id in before
        if sample_id.startswith("train_house_05305") and not sample_id.endswith("given")
    }


def test_digest_changes_with_the_sentence_of_that_instance_alone(root, change_pairs):
    before = digests(root)

    def reword(pairs):
        pairs[0]["stage5"]["front"]["type_b"] = "Other words."

    change_pairs(reword)
    assert {sample_id for sample_id, digest in digests(root).items() if digest != before[sample_id]} == {
        f"{FIRST}/stated"
    }


def test_digest_changes_with_the_annotation_of_that_direction(root, change_pairs):
    before = digests(root)

    def move(pairs):
        pairs[0]["stage3"]["front"]["surface"] = "on the rug"

    change_pairs(move)
    assert {sample_id for sample_id, digest in digests(root).items() if digest != before[sample_id]} == {
        f"{FIRST}/{condition}" for condition in ("inferred", "stated", "given")
    }


def test_digest_changes_with_the_log(root, change_log):
    before = digests(root)

    def turn(log):
        log[0]["camera"]["cam_yaw"] += 1

    change_log(turn)
    after = digests(root)
    assert after[f"{FIRST}/inferred"] != before[f"{FIRST}/inferred"]
    assert after[f"{FIRST}/given"] == before[f"{FIRST}/given"]


def test_loading_does_not_read_pictures_beyond_their_headers(root, folder):
    picture = folder / "exploration_images" / "frame_000.png"
    picture.write_bytes(picture.read_bytes()[:64])
    dataset = povbench.open(root)
    assert dataset.problems == ()
    assert len(dataset.instances) == 78
