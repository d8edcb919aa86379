"""The AI2-THOR path against a stand-in for Unity: its real build is not run by these tests."""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from evals.scenes.errors import RendererMissingError, SceneError
from evals.scenes.generate import generate_house
from evals.scenes.house import House
from evals.scenes.thor import measured_items, start_controller, thor_world
from tools.camera import Camera

SOFA = {
    "objectId": "Sofa|2|1",
    "objectType": "Sofa",
    "assetId": "Sofa_207_1",
    "parentReceptacles": ["Floor"],
    "axisAlignedBoundingBox": {"center": {"x": 2.0, "y": 0.4, "z": 1.0}, "size": {"x": 1.9, "y": 0.8, "z": 0.9}},
}


class StandIn:
    """Answers as ai2thor 5.0.0's Controller does, and remembers what it was asked."""

    def __init__(self, refuses: str = "") -> None:
        self.refuses = refuses
        self.actions: list[dict[str, Any]] = []
        self.last_event = self._event([])

    def _event(self, returned: Any, ok: bool = True) -> Any:
        color = np.zeros((8, 8, 4), np.uint8)
        color[..., 0] = 200
        masks = np.zeros((8, 8, 3), np.uint8)
        masks[2:4, 1:7] = (10, 20, 30)
        metadata = {
            "lastActionSuccess": ok,
            "errorMessage": "" if ok else "too high",
            "actionReturn": returned,
            "objects": [SOFA],
        }
        return SimpleNamespace(
            metadata=metadata,
            third_party_camera_frames=[color],
            third_party_depth_frames=[np.full((8, 8), 2.5, np.float32)],
            third_party_instance_segmentation_frames=[masks],
            color_to_object_id={(10, 20, 30): "Sofa|2|1", (1, 1, 1): "Lamp|9"},
        )

    def step(self, action: dict[str, Any]) -> Any:
        self.actions.append(action)
        returned = (
            [{"x": x * 0.25, "y": 0.9, "z": 1.0} for x in (4, 5, 6, 9)]
            if action["action"] == "GetReachablePositions"
            else None
        )
        return self._event(returned, ok=action["action"] != self.refuses)

    def stop(self) -> None:
        self.actions.append({"action": "stop"})


@pytest.fixture(scope="module")
def house() -> House:
    return generate_house(1, 0, 1)


def test_pictures_and_maps_come_from_the_third_party_camera(house: House) -> None:
    unity = StandIn()
    world = thor_world(house, 0, unity)
    view = world.renderer.view(Camera((1.0, 0.9, 2.0), 45.0, 30.0, 100.0, 8, 8))
    assert [action["action"] for action in unity.actions] == [
        "GetReachablePositions",
        "AddThirdPartyCamera",
        "UpdateThirdPartyCamera",
    ] or [action["action"] for action in unity.actions] == [
        "AddThirdPartyCamera",
        "GetReachablePositions",
        "UpdateThirdPartyCamera",
    ]
    moved = unity.actions[-1]
    assert moved["position"] == {"x": 1.0, "y": 0.9, "z": 2.0}
    assert moved["rotation"] == {"x": 30.0, "y": 45.0, "z": 0.0}
    assert moved["fieldOfView"] == pytest.approx(100.0)
    assert view.color.shape == (8, 8, 3)
    assert view.maps.depth == pytest.approx(2.5)
    assert view.maps.pixels_of(world.scene.index_of("Sofa|2|1")) == 12


def test_the_field_of_view_becomes_vertical_for_wide_pictures(house: House) -> None:
    unity = StandIn()
    renderer = thor_world(house, 0, unity).renderer
    renderer.maps(Camera((1.0, 0.9, 2.0), 0.0, 0.0, 90.0, 16, 8))
    # tan(45) * 8 / 16 = 0.5; twice its arc tangent is 53.13 degrees.
    assert unity.actions[-1]["fieldOfView"] == pytest.approx(53.1301, abs=1e-3)


def test_smaller_maps_are_sampled_from_unitys(house: House) -> None:
    world = thor_world(house, 0, StandIn())
    maps = world.renderer.maps(Camera((1.0, 0.9, 2.0), 0.0, 0.0, 100.0, 4, 4))
    assert maps.depth.shape == (4, 4)
    assert maps.pixels_of(world.scene.index_of("Sofa|2|1")) == 3


def test_unitys_boxes_are_the_geometry(house: House) -> None:
    world = thor_world(house, 0, StandIn())
    sofa = world.scene.instances[world.scene.index_of("Sofa|2|1")]
    assert sofa.center == (2.0, 0.4, 1.0)
    assert sofa.size == pytest.approx((1.9, 0.8, 0.9))
    down = np.array([[0, -1, 0]], np.float32)
    hit = world.caster.first(np.array([[2.0, 2.0, 1.0]], np.float32), down)
    assert 2.0 - float(hit.distance[0]) == pytest.approx(0.8, abs=1e-4)


def test_the_walk_keeps_to_unitys_positions(house: House) -> None:
    floor = thor_world(house, 0, StandIn()).floor
    assert floor.positions[:, 0].tolist() == [1.0, 1.25, 1.5, 2.25]
    assert floor.steps.toarray().sum() == pytest.approx(4 * 0.25)


@pytest.mark.parametrize("action", ["AddThirdPartyCamera", "GetReachablePositions"])
def test_a_refusal_of_unity_is_passed_on(house: House, action: str) -> None:
    with pytest.raises(SceneError, match=f"refused {action}: too high"):
        thor_world(house, 0, StandIn(refuses=action))


def test_an_object_without_a_box_is_a_clear_error(house: House) -> None:
    with pytest.raises(SceneError, match=r"'Mug\|1' has no axisAlignedBoundingBox"):
        measured_items(house, [{"objectId": "Mug|1", "objectType": "Mug"}])


def test_without_ai2thor_the_error_says_what_to_install(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ai2thor.controller", None)
    with pytest.raises(RendererMissingError, match=r"pip install 'situate\[thor\]'"):
        start_controller(house)


def test_where_unity_cannot_be_had_one_line_says_so(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {}

    def controller(**settings: Any) -> None:
        asked.update(settings)
        raise ValueError("Invalid commit_id: f08\n no build exists")

    fake, platform = ModuleType("ai2thor.controller"), ModuleType("ai2thor.platform")
    fake.Controller, platform.CloudRendering = controller, "CloudRendering"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ai2thor", ModuleType("ai2thor"))
    monkeypatch.setitem(sys.modules, "ai2thor.controller", fake)
    monkeypatch.setitem(sys.modules, "ai2thor.platform", platform)
    with pytest.raises(RendererMissingError, match="could not be downloaded or started") as caught:
        start_controller(house)
    assert "\n" not in str(caught.value)
    assert (asked["width"], asked["height"], asked["renderDepthImage"], asked["renderInstanceSegmentation"]) == (
        512,
        512,
        True,
        True,
    )
    assert {"rooms", "walls", "doors", "windows", "objects"} <= set(asked["scene"])
