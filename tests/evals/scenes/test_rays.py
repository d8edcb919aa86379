import sys

import numpy as np
import pytest

from evals.scenes.errors import RendererMissingError
from evals.scenes.rays import RayCaster, camera_rays, maps_of
from evals.scenes.world import World
from tools.camera import Camera, project

SQUARE = np.array([[[-1, -1, 3], [1, -1, 3], [1, 1, 3]], [[-1, -1, 3], [1, 1, 3], [-1, 1, 3]]], np.float32)


def test_rays_go_through_the_pixels_they_are_named_after() -> None:
    camera = Camera((1.0, 1.5, -2.0), 30.0, 20.0, 100.0, 8, 6)
    points = np.array(camera.position) + 3.0 * camera_rays(camera)
    seen = project(camera, points)
    columns, rows = np.meshgrid(np.arange(8), np.arange(6))
    expected = np.stack([(columns.ravel() + 0.5) / 8, (rows.ravel() + 0.5) / 6], axis=1)
    assert seen.points == pytest.approx(expected, abs=1e-5)
    assert seen.depth == pytest.approx(3.0, abs=1e-5)


def test_a_wall_ahead_has_the_same_planar_depth_everywhere(empty_room: World) -> None:
    # From z = 1 to the wall's face at 4 - 0.06: half of its 0.12 m stands inside the room.
    camera = Camera((2.0, 1.2, 1.0), 0.0, 0.0, 60.0, 32, 32)
    maps = maps_of(empty_room.scene, empty_room.caster, camera)
    ahead = maps.instances == empty_room.scene.index_of("wall|2|1")
    # The upper half, clear of the skirting board.
    assert ahead[6:16].all()
    assert maps.depth[6:16] == pytest.approx(2.94, abs=1e-4)


def test_the_floor_is_as_far_as_trigonometry_says(empty_room: World) -> None:
    # The ray through the picture's middle, 30 degrees down from 0.9 m: 0.9 / sin(30) = 1.8 m.
    camera = Camera((2.0, 0.9, 0.5), 0.0, 30.0, 100.0, 101, 101)
    maps = maps_of(empty_room.scene, empty_room.caster, camera)
    assert maps.instances[50, 50] == empty_room.scene.index_of("floor|room|2")
    assert maps.depth[50, 50] == pytest.approx(1.8, abs=1e-4)
    # Ten pixels below: the direction forward - t up with t = 10 / focal; its height falls by sin 30 + t cos 30 a metre.
    t = 10 / camera.focal_length
    assert maps.depth[60, 50] == pytest.approx(0.9 / (0.5 + t * np.cos(np.radians(30))), abs=1e-4)


def test_hits_name_triangle_and_distance() -> None:
    caster = RayCaster(SQUARE)
    origins = np.array([[0.5, -0.5, 0], [-0.5, 0.5, 0], [5, 5, 0]], np.float32)
    hits = caster.first(origins, np.array([[0, 0, 2]] * 3, np.float32))
    assert hits.found.tolist() == [True, True, False]
    assert hits.triangle[:2].tolist() == [0, 1]
    assert hits.distance[:2] == pytest.approx([1.5, 1.5])
    assert np.isinf(hits.distance[2])


@pytest.mark.parametrize(("reach", "blocked"), [(2.9, False), (3.1, True)])
def test_something_blocks_only_within_reach(reach: float, blocked: bool) -> None:
    origin, ahead = np.zeros((1, 3), np.float32), np.array([[0, 0, 1]], np.float32)
    assert RayCaster(SQUARE).blocked(origin, ahead, reach).tolist() == [blocked]


def test_broadcast_views_can_be_cast() -> None:
    origins = np.broadcast_to(np.zeros(3, np.float32), (4, 3))
    assert RayCaster(SQUARE).first(origins, np.broadcast_to(np.array([0, 0, 1.0]), (4, 3))).found.all()


def test_without_embreex_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "embreex.rtcore_scene", None)
    with pytest.raises(RendererMissingError, match=r"pip install 'situate\[scenes\]'"):
        RayCaster(SQUARE)
