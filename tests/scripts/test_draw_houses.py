import importlib
import json
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tools.camera import Camera, box_corners, project

REPOSITORY = Path(__file__).parents[2]
BUILTIN = REPOSITORY / "evals/datasets/builtin"
HOUSES = ("train_house_90000", "train_house_90001")
SYNONYMS = {
    "ArmChair": "armchair|arm chair|chair|seat",
    "Bed": "bed|mattress",
    "Desk": "desk|table",
    "DiningTable": "table",
    "Dresser": "dresser|drawers?|chest",
    "FloorLamp": "lamps?|light",
    "Fridge": "fridge|refrigerator|freezer",
    "HousePlant": "plants?|potted",
    "Sofa": "sofa|couch|settee",
    "Television": "television|tv|telly",
    "WashingMachine": "washing machine|washer|machine",
}


@pytest.fixture(scope="module")
def script():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(REPOSITORY / "scripts"))
        yield importlib.import_module("draw_houses")


@pytest.fixture(scope="module", params=[0, 1], ids=HOUSES)
def house(request, script):
    return script.HOUSES[request.param]


@pytest.fixture(scope="module")
def scene(script, house):
    return script.build_scene(house)


def shipped(house_name, file):
    return json.loads((BUILTIN / "artifacts" / house_name / file).read_text(encoding="utf-8"))


def shipped_instances():
    for name in HOUSES:
        for pair in shipped(name, f"{name}.json"):
            for direction, judged in pair["stage3"].items():
                yield pair, direction, judged["verdict"] == "appropriate"


def test_shipped_pairs_are_what_the_plans_say_now(script, house):
    assert shipped(house.name, f"{house.name}.json") == script.plan_pairs(house)


def test_shipped_log_is_what_the_cameras_see_now(script, house, scene):
    assert shipped(house.name, "exploration_log.json") == script.exploration_log(house, scene)


def test_visible_types_follow_from_the_visible_objects(house):
    types = {
        frame["image_path"]: sorted({object_id.split("|")[0] for object_id in frame["object_in_frame_hits"]})
        for frame in shipped(house.name, "exploration_log.json")
    }
    assert shipped(house.name, "per_image_visible_objects.json") == types


def test_every_named_picture_is_a_512_pixel_png_and_no_other_is_shipped(house):
    folder = BUILTIN / "artifacts" / house.name
    named = {frame["image_path"] for frame in shipped(house.name, "exploration_log.json")}
    named |= {pair["rgb_path"] for pair in shipped(house.name, f"{house.name}.json")}
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*.png")} == named
    assert {cv2.imread(str(folder / name)).shape for name in named} == {(512, 512, 3)}


def test_folder_stays_under_three_megabytes():
    assert sum(path.stat().st_size for path in BUILTIN.rglob("*") if path.is_file()) < 3_000_000


def test_pixels_of_an_object_lie_inside_its_projected_box(script, house, scene):
    checked = 0
    for camera in [*script.exploration_cameras(house), *(script.observer_camera(house, pair) for pair in house.pairs)]:
        small = replace(camera, width=64, height=64)
        seen = script.cast(scene, small)[1]
        for index, thing in enumerate(house.things):
            rows, columns = np.nonzero((seen >= 0) & (scene.owners[seen] == index))
            corners = project(small, box_corners(thing.center, np.subtract(thing.high, thing.low)))
            if len(rows) and corners.in_front.all():
                pixels = np.stack([columns + 0.5, rows + 0.5], axis=1) / 64
                assert np.all(pixels >= corners.points.min(0) - 1e-4), thing
                assert np.all(pixels <= corners.points.max(0) + 1e-4), thing
                checked += 1
    assert checked > 50


@pytest.mark.parametrize(
    ("shape", "expected"),
    [("box", [4.0, 4.0, np.inf]), ("cylinder", [4.0, 5 - 0.8, np.inf]), ("ellipsoid", [4.0, 5 - 0.8, np.inf])],
)
def test_rays_meet_shapes_where_geometry_says(script, shape, expected):
    # Unit solid around (0, 0, 5), rays along z at x = 0, 0.6, 1.2.
    part = script.Part((-1.0, -1.0, 4.0), (1.0, 1.0, 6.0), "#ffffff", "plain", shape)
    origins = np.array([[0, 0, 0], [0.6, 0, 0], [1.2, 0, 0]], dtype=np.float32)
    directions = np.tile(np.array([0, 0, 1], dtype=np.float32), (3, 1))
    distances = importlib.import_module("house_rays").hit(part, origins, directions)
    np.testing.assert_allclose(distances, expected, atol=1e-5)


def test_same_scene_gives_the_same_picture(script):
    flat = script.HOUSES[0]
    toilet = tuple(thing for thing in flat.things if thing.kind == "Toilet")
    lamp = tuple(thing for thing in flat.things if thing.kind == "CeilingLight" and thing.room == 2)
    bathroom = replace(flat, rooms=flat.rooms[2:], things=(*toilet, *lamp), walls=(), pairs=())
    camera = Camera((7.0, 0.9, 1.2), 90.0, 30.0, 100.0, 64, 64)
    pictures = []
    for _ in range(2):
        scene = script.build_scene(bathroom)
        pictures.append(script.draw(scene, script.bake(scene), camera))
    np.testing.assert_array_equal(*pictures)
    assert pictures[0].std() > 10


@pytest.mark.parametrize(
    ("house_name", "kind", "brighter", "darker"),
    [(HOUSES[0], "Sofa", "blue", "red"), (HOUSES[1], "Sofa", "red", "blue"), (HOUSES[1], "Rug", "blue", "red")],
)
def test_shipped_pictures_show_objects_where_the_cameras_say(script, house_name, kind, brighter, darker):
    channels = {"blue": 0, "green": 1, "red": 2}
    house = script.HOUSES[HOUSES.index(house_name)]
    scene, index = script.build_scene(house), house.index_of(kind)
    for entry, camera in zip(
        shipped(house_name, "exploration_log.json"), script.exploration_cameras(house), strict=True
    ):
        if house.object_ids[index] in entry["object_in_frame_hits"]:
            seen = script.cast(scene, camera)[1]
            picture = cv2.imread(str(BUILTIN / "artifacts" / house_name / entry["image_path"])).astype(float)
            mean = picture[(seen >= 0) & (scene.owners[seen] == index)].mean(0)
            assert mean[channels[brighter]] > mean[channels[darker]] + 10, entry["image_path"]


def test_observer_stands_outside_all_boxes_and_sees_the_anchor(script, house, scene):
    for pair in house.pairs:
        camera = script.observer_camera(house, pair)
        inside = [
            thing.kind
            for thing in house.things
            if all(a < v < b for a, v, b in zip(thing.low, camera.position, thing.high, strict=True))
        ]
        assert not inside
        assert house.object_ids[house.index_of(pair.anchor)] in script.visible_objects(house, scene, camera)


def test_targets_are_in_the_observer_view_and_in_a_frame_with_observer_and_anchor():
    for pair, direction, fits in shipped_instances():
        if fits:
            target = [list(pair["placements"][direction]["position"].values())]
            assert project(camera_of(pair), target).in_frame.all()
            both = {pair["object_observer"]["objectId"], pair["object_landmark"]["objectId"]}
            frames = [
                f for f in shipped(pair["house_id"], "exploration_log.json") if both <= set(f["object_in_frame_hits"])
            ]
            assert any(project(camera_of(f), target).in_frame.all() for f in frames), (pair["pair_id"], direction)


def camera_of(entry):
    camera = entry["camera"]
    size = (camera["screen_width"], camera["screen_height"])
    return Camera(tuple(camera["cam_pos"]), camera["cam_yaw"], camera["cam_horizon"], camera["fov"], *size)


def test_position_follows_the_published_rule_by_hand():
    # Sofa box x 0.05..0.95, z 3.6..5.6, top 0.84; observer at (4.97, 5.0): front = (4.47, 0.4) / 4.48786.
    pair = next(p for p, _, _ in shipped_instances() if p["pair_id"].startswith("Television"))
    placed = {direction: tuple(entry["position"].values()) for direction, entry in pair["placements"].items()}
    reach = 0.45 / 0.99602
    assert placed["front"] == pytest.approx(
        (0.5 + (reach + 0.2) * 0.99602, 0.2, 4.6 + (reach + 0.2) * 0.08913), abs=1e-4
    )
    assert placed["up"] == pytest.approx((0.5, 1.04, 4.6))
    # The observer looks along -x, so that the right-hand side is +z.
    side = 1.0 / 0.99602
    assert placed["right"] == pytest.approx((0.5 - (side + 0.2) * 0.08913, 0.2, 4.6 + (side + 0.2) * 0.99602), abs=1e-4)


def test_only_fitting_directions_have_sentences_and_both_kinds_exist():
    fitting = [fits for _, _, fits in shipped_instances()]
    assert 40 <= sum(fitting) < len(fitting)
    for pair, direction, fits in shipped_instances():
        texts = [*pair["stage5"][direction].values(), pair["stage6"][direction]["type_c"]]
        assert [bool(text) for text in texts] == [fits] * 3


def test_inferred_sentences_never_name_the_observer_object():
    for pair, direction, fits in shipped_instances():
        # What follows the activity names the anchor, which may share a word with the observer object.
        activity = pair["stage5"][direction]["type_a"].split(", I ")[0]
        assert fits == bool(activity)
        assert not re.search(rf"\b({SYNONYMS[pair['observer_type']]})\b", activity, re.IGNORECASE), activity


def test_stated_sentences_name_the_observer_object():
    named = {
        "ArmChair": "armchair",
        "Sofa": "sofa|couch",
        "Television": "television|tv",
        "Fridge": "fridge|refrigerator",
    }
    for pair, direction, fits in shipped_instances():
        words = named.get(pair["observer_type"], SYNONYMS[pair["observer_type"]])
        activity = pair["stage5"][direction]["type_b"].split(", I ")[0]
        assert not fits or re.search(rf"\b({words})\b", activity, re.IGNORECASE), activity
