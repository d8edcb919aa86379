"""What can be put up with in a data set: flaws that cost no instance are warnings, and what is allowed is silent."""

from __future__ import annotations

import pytest

from evals.datasets.povbench import povbench

HOUSE = "train_house_05305"
PAIRS = f"artifacts/{HOUSE}/{HOUSE}.json"
LOG = f"artifacts/{HOUSE}/exploration_log.json"
FRAMES = f"artifacts/{HOUSE}/exploration_images"
FIRST = "pair Desk|5|9__ArmChair|2|7"
BOX = "object_landmark.raw_metadata.axisAlignedBoundingBox"

# Name, what is done (see `harm`), how many frames are left to be shown, and what the warning says.
WARNINGS = [
    ("other house id", ("put", "house_id", "train_house_1"), 6, FIRST, "house_id", "the file's name counts"),
    (
        "anchor type missing",
        ("drop", "landmark_type"),
        6,
        "landmark_type",
        "is missing",
        "the object's own type counts",
    ),
    ("corners missing", ("drop", f"{BOX}.cornerPoints"), 6, "cornerPoints", "box's centre counts as its top"),
    ("corners empty", ("put", f"{BOX}.cornerPoints", []), 6, "cornerPoints", "box's centre counts as its top"),
    ("size missing", ("drop", f"{BOX}.size"), 6, "axisAlignedBoundingBox.size", "box without extent"),
    ("centre missing", ("drop", f"{BOX}.center"), 6, "axisAlignedBoundingBox.center", "the object's position counts"),
    ("verdict missing", ("drop", "stage3.right"), 6, "stage3.right.verdict", "the placement counts as it stands"),
    ("surface missing", ("drop", "stage3.right.surface"), 6, "stage3.right.surface", "the anchor's top counts"),
    (
        "frame without a picture",
        ("remove", f"{FRAMES}/frame_002.png"),
        5,
        LOG,
        "frame_002.png",
        "has no picture",
        "download",
    ),
    ("picture not in the log", ("drop_log", "2"), 5, f"{FRAMES}/frame_002.png", "no usable entry", "add"),
    ("frame logged twice", ("repeat_frame",), 6, LOG, "frame_000.png", "is logged twice", "delete one"),
    (
        "frame's camera broken",
        ("put_log", "1.camera.cam_yaw", None),
        5,
        "frame exploration_images/frame_001.png: camera.cam_yaw",
        "is missing",
        "the frame is left out",
    ),
    ("log entry no object", ("put_log", "6", 3), 6, LOG, "entry 6", "must be an object, not 3"),
    ("hits missing", ("drop_log", "1.object_in_frame_hits"), 6, "object_in_frame_hits", "is missing"),
    ("hits a text", ("put_log", "1.object_in_frame_hits", "Bed"), 5, "object_in_frame_hits", "a list"),
    ("frame no picture", ("write", f"{FRAMES}/frame_001.png", b"GIF89a"), 5, f"{FRAMES}/frame_001.png", "is no PNG"),
    ("frame a link out", ("link_out", f"{FRAMES}/frame_001.png"), 5, f"{FRAMES}/frame_001.png", "lies outside"),
    ("frame of another shape", ("paint", f"{FRAMES}/frame_001.png", (64, 48)), 5, "is 64x48", "camera says 512x512"),
    (
        "frame scaled down",
        ("paint", f"{FRAMES}/frame_001.png", (64, 64)),
        6,
        "is 64x64",
        "used, as the shape is the same",
    ),
    ("too many frames", ("add_frames",), 30, FRAMES, "holds 33 frames", "the first 30 by name are used"),
]


@pytest.mark.parametrize(
    ("flaw", "frames", "pieces"), [(row[1], row[2], row[3:]) for row in WARNINGS], ids=[row[0] for row in WARNINGS]
)
def test_what_costs_no_instance_is_a_warning(root, harm, flaw, frames, pieces):
    harm(*flaw)
    dataset = povbench.open(root)
    samples = list(dataset.samples())
    assert len(samples) == 78
    assert len(samples[0].situation.frames) == frames
    assert any(all(piece in str(problem) for piece in pieces) for problem in dataset.problems), dataset.problems
    assert not any(problem.fatal for problem in dataset.problems)


SILENT = [
    ("sentence empty", ("put", "stage5.up.type_a", ""), 1),
    ("sentence null", ("put", "stage5.up.type_a", None), 1),
    ("sentence absent", ("drop", "stage6.up.type_c"), 1),
    ("direction absent", ("drop", "stage5.up"), 2),
    ("depth map beside the frames", ("paint", f"{FRAMES}/frame_001_depth.png", (8, 8)), 0),
    ("depth map in the log", ("put_log", "6", {"image_path": "exploration_images/frame_001_depth.png"}), 0),
    ("position as a list", ("put", "placements.right.position", [1, 2, 3]), 0),
]


@pytest.mark.parametrize(("change", "fewer"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_what_the_layout_allows_is_no_problem(root, harm, change, fewer):
    harm(*change)
    dataset = povbench.open(root)
    assert dataset.problems == ()
    samples = list(dataset.samples())
    assert len(samples) == 78 - fewer
    assert len(samples[0].situation.frames) == 6


def test_a_scaled_frame_has_a_camera_of_its_size_and_the_same_truth(root, harm):
    answer = {"frame": "exploration_images/frame_003.png", "x": 0.5, "y": 0.5}
    sample_id = f"{HOUSE}/CounterTop|6|9__Television|1|2/right/inferred"
    before = povbench.open(root).truth_for(sample_id, answer)
    harm("paint", f"{FRAMES}/frame_003.png", (64, 64))
    dataset = povbench.open(root)
    camera = next(iter(dataset.samples())).hints.cameras["exploration_images/frame_003.png"]
    assert (camera.width, camera.height) == (64, 64)
    after = dataset.truth_for(sample_id, answer)
    assert (after["x"], after["y"]) == pytest.approx((before["x"], before["y"]))
    assert 0 < before["y"] < 1


def test_an_observer_camera_above_the_anchor_is_remarked_on(root, change_pairs):
    def move(pairs):
        position = pairs[0]["object_landmark"]["position"]
        pairs[0]["camera"]["cam_pos"] = [position["x"], 1.55, position["z"]]

    change_pairs(move)
    lines = [str(problem) for problem in povbench.open(root).problems]
    assert len(lines) == 3
    assert all("camera.cam_pos: is straight above the anchor" in line for line in lines)
