"""Each fault of a data set is named in one line, and costs no more than the instances that need what is broken."""

from __future__ import annotations

import pytest

from evals.dataset_kind import DatasetError
from evals.datasets.povbench import povbench

HOUSE = "train_house_05305"
PAIRS = f"artifacts/{HOUSE}/{HOUSE}.json"
LOG = f"artifacts/{HOUSE}/exploration_log.json"
FRAMES = f"artifacts/{HOUSE}/exploration_images"
VIEW = f"artifacts/{HOUSE}/img_from_observer/pair_00.png"
FIRST = "pair Desk|5|9__ArmChair|2|7"
BOX = "object_landmark.raw_metadata.axisAlignedBoundingBox"

# Name, what is done (see `harm`; `put` and `drop` mean the first pair, whose four directions are all appropriate),
# how many of the 78 instances are lost, and what the problem says.
BREAKS = [
    # The file of pairs as a whole: 12 directions under three conditions.
    ("pairs truncated", ("truncate", PAIRS), 36, PAIRS, "is not complete JSON", "download it again"),
    ("pairs missing", ("remove", PAIRS), 36, PAIRS, "is missing", "download"),
    ("pairs of another type", ("write", PAIRS, b"{}"), 36, PAIRS, "must hold a list of pairs", "download"),
    ("pairs not UTF-8", ("write", PAIRS, b"\xff\xfe["), 36, PAIRS, "is not JSON in UTF-8", "download"),
    ("pairs nested too deep", ("write", PAIRS, b"[" * 100000), 36, PAIRS, "is not JSON", "download"),
    ("pairs a link out of the folder", ("link_out", PAIRS), 36, PAIRS, "is a link out of", "put a copy"),
    # One pair: four directions.
    ("entry no object", ("put", "", "a pair"), 12, PAIRS, "entry 0", 'must be an object, not "a pair"', "correct"),
    ("pair_id missing", ("drop", "pair_id"), 12, "entry 0: pair_id", "is missing", "correct"),
    ("pair_id not in one line", ("put", "pair_id", "a\nb"), 12, "pair_id", "one line", "correct"),
    ("pair_id no Unicode", ("put", "pair_id", "\ud800"), 12, "pair_id", "Unicode", "correct"),
    ("pair_id twice", ("repeat_pair_id",), 12, FIRST, "pair_id", "twice", "rename or delete entry 1"),
    (
        "anchor missing",
        ("drop", "object_landmark"),
        12,
        FIRST,
        "object_landmark",
        "is missing",
        "instances are left out",
    ),
    ("anchor no object", ("put", "object_landmark", 3), 12, "object_landmark", "must be an object, not 3"),
    ("anchor without id", ("drop", "object_landmark.objectId"), 12, "object_landmark.objectId", "is missing"),
    (
        "anchor at NaN",
        ("put", "object_landmark.position.x", float("nan")),
        12,
        f"{FIRST}: object_landmark.position.x",
        "must be a number from -1e+06 to 1e+06, not NaN",
    ),
    ("anchor far away", ("put", "object_landmark.position.x", 1e300), 12, "position.x", "not 1e+300"),
    ("anchor too large a number", ("put", "object_landmark.position.x", 10**400), 12, "position.x", "not 1000"),
    ("box inside out", ("put", f"{BOX}.size.z", -1.0), 12, "axisAlignedBoundingBox.size", "without negative sides"),
    ("corner of two numbers", ("put", f"{BOX}.cornerPoints.3", [1, 2]), 12, "cornerPoints[3]", "not a list of 2"),
    ("corners no list", ("put", f"{BOX}.cornerPoints", "8"), 12, "cornerPoints", 'must be a list, not "8"'),
    ("placements a text", ("put", "placements", "none"), 12, "placements", 'must be an object, not "none"'),
    ("raw metadata a list", ("put", "object_landmark.raw_metadata", []), 12, "raw_metadata", "must be an object"),
    ("placements missing", ("drop", "placements"), 12, "placements.right", "is missing", "clear the sentences"),
    ("verdicts no object", ("put", "stage3", []), 12, "stage3", "must be an object, not a list of 0"),
    # Inferred and stated of one pair need its observer object.
    ("observer missing", ("drop", "object_observer"), 8, FIRST, "object_observer", "inferred and stated instances"),
    ("observer type a number", ("put", "object_observer.raw_metadata.objectType", 1), 8, "objectType", "not 1"),
    # Given needs the observer's camera and picture.
    ("field of view 0", ("put", "camera.fov", 0), 4, f"{FIRST}: camera.fov", "from 1 to 179, not 0", "given"),
    ("field of view 180", ("put", "camera.fov", 180), 4, "camera.fov", "not 180"),
    ("yaw infinite", ("put", "camera.cam_yaw", float("inf")), 4, "camera.cam_yaw", "not Infinity"),
    ("yaw true", ("put", "camera.cam_yaw", True), 4, "camera.cam_yaw", "not true"),
    ("horizon missing", ("drop", "camera.cam_horizon"), 4, "camera.cam_horizon", "is missing"),
    ("width a text", ("put", "camera.screen_width", "512"), 4, "camera.screen_width", 'not "512"'),
    ("height 0", ("put", "camera.screen_height", 0), 4, "camera.screen_height", "whole number of pixels"),
    ("width half a pixel", ("put", "camera.screen_width", 511.5), 4, "camera.screen_width", "not 511.5"),
    ("view missing from the pair", ("drop", "rgb_path"), 4, FIRST, "rgb_path", "is missing", "given instances"),
    ("view a number", ("put", "rgb_path", 7), 4, "rgb_path", "must be a text, not 7"),
    (
        "view climbs out",
        ("put", "rgb_path", "../../x.png"),
        4,
        "rgb_path",
        "must stay in the house's folder",
        "correct",
    ),
    ("view absolute", ("put", "rgb_path", "/etc/x.png"), 4, "rgb_path", "must stay in the house's folder", "correct"),
    (
        "view not on disk",
        ("remove", VIEW),
        4,
        FIRST,
        "rgb_path: 'img_from_observer/pair_00.png' does not exist",
        "given",
    ),
    ("view a link out", ("link_out", VIEW), 4, "rgb_path", "lies outside", "given"),
    ("view no picture", ("write", VIEW, b"no picture"), 4, "rgb_path", "is no PNG", "given"),
    (
        "view of another shape",
        ("paint", VIEW, (512, 384)),
        4,
        "is 512x384 while its camera says 512x512",
        "screen_width",
    ),
    # Where the camera stands is also needed for every position that is worked out, but not on top.
    (
        "camera nowhere",
        ("drop", "camera.cam_pos"),
        10,
        FIRST,
        "camera.cam_pos",
        "is missing",
        "given instances and those",
    ),
    ("camera missing", ("drop", "camera"), 10, FIRST, "camera.cam_pos", "is missing"),
    ("camera a list", ("put", "camera", [1]), 10, FIRST, "camera", "must be an object, not a list of 1"),
    # One direction under three conditions.
    ("placement missing", ("drop", "placements.right"), 3, FIRST, "placements.right", "is missing", "as published"),
    ("position missing", ("put", "placements.right.position", None), 3, "placements.right.position", "right instances"),
    ("placement a number", ("put", "placements.right", 1), 3, "placements.right", "must be an object, not 1"),
    ("verdict true", ("put", "stage3.right.verdict", True), 3, "stage3.right.verdict", "must be a text, not true"),
    ("surface a number", ("put", "stage3.right.surface", 1), 3, "stage3.right.surface", "must be a text, not 1"),
    # One sentence.
    ("sentence a number", ("put", "stage5.up.type_a", 7), 1, FIRST, "stage5.up.type_a", "must be a text, not 7"),
    ("sentence blank", ("put", "stage6.up.type_c", "  "), 1, "stage6.up.type_c", "must be a text", "instance is"),
    (
        "direction unknown",
        ("put", "stage5.behind", {"type_a": "x"}),
        0,
        'stage5."behind"',
        "no direction",
        "right, left",
    ),
    ("sentences no object", ("put", "stage5", "none"), 8, "stage5", 'must be an object, not "none"', "left out"),
    # Inferred and stated of a house need its log and its frames.
    ("log missing", ("remove", LOG), 24, LOG, "is missing", "inferred and stated instances are left out"),
    ("log truncated", ("truncate", LOG), 24, LOG, "is not complete JSON", "download it again"),
    ("log of another type", ("write", LOG, b'"log"'), 24, LOG, "must hold a list of frames", "download"),
    ("no frames", ("empty_frames",), 24, FRAMES, "holds no frame that could be used", "download"),
    ("empty log", ("write", LOG, b"[]"), 24, FRAMES, "holds no frame that could be used", "download"),
]


@pytest.mark.parametrize(
    ("fault", "lost", "pieces"), [(row[1], row[2], row[3:]) for row in BREAKS], ids=[row[0] for row in BREAKS]
)
def test_a_fault_is_named_and_costs_only_the_instances_that_need_it(root, harm, fault, lost, pieces):
    harm(*fault)
    dataset = povbench.open(root)
    assert len(list(dataset.samples())) == 78 - lost
    fatal = [str(problem) for problem in dataset.problems if problem.fatal]
    assert any(all(piece in line for piece in pieces) for line in fatal), fatal
    assert all("\n" not in line for line in fatal)


@pytest.mark.parametrize(
    ("place", "pieces"),
    [
        ("nowhere", ("nowhere", "there is no such folder", "give the folder")),
        ("meta.json", ("meta.json", "is not a folder", "give the folder")),
        (FRAMES, ("exploration_images", "holds no train_house_*.json", "give the folder")),
    ],
)
def test_without_a_house_there_is_no_data_set(root, place, pieces):
    with pytest.raises(DatasetError) as raised:
        povbench.open(root / place)
    assert all(piece in str(raised.value) for piece in pieces)
