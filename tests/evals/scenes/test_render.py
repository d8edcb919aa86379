from collections.abc import Callable

import numpy as np
import pytest

from evals.scenes.explore import exploration_cameras
from evals.scenes.house import House, Item
from evals.scenes.render import EmbreeRenderer
from evals.scenes.scene import scene_of
from evals.scenes.world import World, embree_world
from tools.camera import Camera, box_corners, project


def test_the_same_camera_gives_the_same_bytes_also_from_a_new_renderer(small_house: World) -> None:
    camera = Camera((2.0, 1.4, 2.0), 40.0, 15.0, 90.0, 48, 40)
    first = small_house.renderer.view(camera)
    second = EmbreeRenderer(scene_of(small_house.scene.house, 3)).view(camera)
    assert first.color.shape == (40, 48, 3)
    assert first.color.dtype == np.uint8
    assert np.array_equal(first.color, second.color)
    assert np.array_equal(first.maps.depth, second.maps.depth)


def test_a_things_projected_box_encloses_its_pixels(small_house: World) -> None:
    checked = 0
    for camera in exploration_cameras(small_house.scene, small_house.renderer, small_house.floor, 128, 10):
        maps = small_house.renderer.maps(camera)
        for index, instance in enumerate(small_house.scene.instances):
            rows, columns = np.nonzero(maps.instances == index)
            corners = project(camera, box_corners(instance.center, instance.size))
            if instance.item is None or len(rows) == 0 or not corners.in_front.all():
                continue
            low, high = corners.points.min(axis=0) * 128, corners.points.max(axis=0) * 128
            # A pixel is seen at its middle, so half a pixel of slack is a strict bound.
            assert columns.min() + 0.5 >= low[0] - 1e-3
            assert columns.max() + 0.5 <= high[0] + 1e-3
            assert rows.min() + 0.5 >= low[1] - 1e-3
            assert rows.max() + 0.5 <= high[1] + 1e-3
            checked += 1
    assert checked > 30


def test_depth_and_instances_agree_with_the_boxes(small_house: World) -> None:
    # Every pixel of a thing, put back into the world by its depth, lies in the thing's box.
    camera = exploration_cameras(small_house.scene, small_house.renderer, small_house.floor, 96, 3)[1]
    maps = small_house.renderer.maps(camera)
    rows, columns = np.nonzero(maps.instances >= 0)
    depth = maps.depth[rows, columns].astype(float)
    x = (columns + 0.5 - 48) / camera.focal_length * depth
    y = (48 - rows - 0.5) / camera.focal_length * depth
    points = np.array(camera.position) + np.stack([x, y, depth], axis=1) @ camera.axes
    for point, index in zip(points, maps.instances[rows, columns], strict=True):
        instance = small_house.scene.instances[index]
        if instance.item is not None:
            assert np.all(np.abs(point - instance.center) <= np.array(instance.size) / 2 + 2e-3), instance.id


def test_it_is_darker_under_a_table(square_room: Callable[..., House], empty_room: World) -> None:
    table = Item("DiningTable|2|1", "x", "DiningTable", "room|2", (2.0, 0.375, 2.0), 0.0, (1.5, 0.75, 1.0))
    camera = Camera((2.0, 0.4, 2.0), 0.0, 85.0, 40.0, 24, 24)

    def floor_light(world: World) -> float:
        view = world.renderer.view(camera)
        return float(view.color[view.maps.instances == world.scene.index_of("floor|room|2")].mean())

    assert floor_light(embree_world(square_room((table,)), 0)) < 0.9 * floor_light(empty_room)


def test_outside_is_sky_with_no_depth(empty_room: World) -> None:
    view = EmbreeRenderer(empty_room.scene).view(Camera((2.0, 8.0, 2.0), 0.0, -60.0, 60.0, 16, 16))
    assert (view.maps.instances == -1).all()
    assert (view.maps.depth == 0).all()
    assert view.color.mean() > 100


@pytest.mark.parametrize("side", [16, 33])
def test_pictures_of_any_size_can_be_made(empty_room: World, side: int) -> None:
    assert empty_room.renderer.view(Camera((2, 1, 2), 0, 0, 100, side, side)).color.shape == (side, side, 3)
