from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from evals.scenes.errors import SceneError
from evals.scenes.explore import (
    GRID,
    RADIUS,
    check_camera,
    clear_of_things,
    exploration_cameras,
    free_floor,
    route,
    seen_from,
    seen_objects,
)
from evals.scenes.generate import generate_house
from evals.scenes.house import House, Item
from evals.scenes.world import World, embree_world
from tools.camera import Camera

WALL_FACE = 0.06
SAFE = Item("Safe|3|0", "x", "Safe", "room|3", (4.5, 0.25, 1.5), 0.0, (0.5, 0.5, 0.5))


def test_positions_keep_their_distance_from_walls_and_things(two_room_house: Callable[..., House]) -> None:
    positions = free_floor(two_room_house((SAFE,))).positions
    assert positions.min() >= WALL_FACE + RADIUS
    assert positions[:, 1].max() <= 3 - WALL_FACE - RADIUS
    beside = np.maximum(np.abs(positions - np.array([4.5, 1.5])) - 0.25, 0)
    assert np.hypot(beside[:, 0], beside[:, 1]).min() > RADIUS


def test_positions_are_on_the_grid_and_joined_by_steps_of_one_cell(two_room_house: Callable[..., House]) -> None:
    floor = free_floor(two_room_house((SAFE,)))
    assert np.allclose(floor.positions / GRID, np.round(floor.positions / GRID))
    i, j = floor.steps.nonzero()
    assert np.linalg.norm(floor.positions[i] - floor.positions[j], axis=1) == pytest.approx(GRID)


@pytest.mark.parametrize(("closed", "farthest"), [(False, 5.75), (True, 2.75)])
def test_only_an_open_doorway_leads_on(two_room_house: Callable[..., House], closed: bool, farthest: float) -> None:
    assert free_floor(two_room_house((SAFE,), closed)).positions[:, 0].max() == farthest


def test_a_room_full_of_furniture_has_no_free_floor(square_room: Callable[..., House]) -> None:
    block = Item("Bed|2|0", "x", "Bed", "room|2", (2.0, 0.5, 2.0), 0.0, (3.8, 1.0, 3.8))
    with pytest.raises(SceneError, match="no free floor"):
        free_floor(square_room((block,)))


def test_a_house_too_small_to_stand_in_is_refused(square_room: Callable[..., House]) -> None:
    with pytest.raises(SceneError, match="no free floor"):
        free_floor(square_room(size=0.4))


def test_low_rugs_and_hanging_cabinets_are_not_in_the_way(square_room: Callable[..., House]) -> None:
    rug = Item("Rug|2|0", "Rug", "Rug", "room|2", (2.0, 0.006, 2.0), 0.0, (1.0, 0.012, 1.0))
    high = Item("WallCabinet|2|1", "x", "WallCabinet", "room|2", (2.0, 1.8, 2.0), 0.0, (1.0, 0.6, 1.0))
    low = Item("Safe|2|2", "x", "Safe", "room|2", (2.0, 0.25, 2.0), 0.0, (1.0, 0.5, 1.0))
    point = np.array([[2.0, 2.0]])
    assert clear_of_things(square_room((rug, high)), point, RADIUS).tolist() == [True]
    assert clear_of_things(square_room((low,)), point, RADIUS).tolist() == [False]


@pytest.mark.parametrize("most", [5, 12, 30])
def test_a_route_starts_near_the_entrance_and_spreads_out(most: int) -> None:
    house = generate_house(1, 0, 6)
    floor = free_floor(house)
    stops, spacing = route(floor, most)
    assert 0.5 * most <= len(stops) <= most
    assert len(set(stops)) == len(stops)
    gaps = np.linalg.norm(floor.positions[stops][:, None] - floor.positions[stops][None], axis=2)
    assert gaps[np.triu_indices(len(stops), 1)].min() >= spacing - 1e-9
    assert stops[0] == floor.start


def test_larger_houses_are_photographed_at_larger_distances() -> None:
    small, large = (route(free_floor(generate_house(1, 0, rooms)))[1] for rooms in (1, 8))
    assert small < large


def test_frames_are_taken_as_in_the_paper(small_house: World) -> None:
    cameras = exploration_cameras(small_house.scene, small_house.renderer, small_house.floor, most=6)
    assert 3 <= len(cameras) <= 6
    for camera in cameras:
        assert (camera.position[1], camera.horizon, camera.fov, camera.width, camera.height) == (0.9, 30, 100, 512, 512)


def test_what_stands_behind_a_wall_is_not_seen(two_room_house: Callable[..., House]) -> None:
    camera = Camera((1.0, 0.9, 0.5), 72.0, 15.0, 60.0, 128, 128)
    for closed, seen in ((False, True), (True, False)):
        world = embree_world(two_room_house((SAFE,), closed), 0)
        assert ("Safe|3|0" in seen_objects(world.scene, world.renderer.maps(camera))) == seen


def test_frames_of_any_size_see_what_the_published_size_shows(square_room: Callable[..., House]) -> None:
    # 1.5 cm wide and 1.5 m ahead, with a focal length of 256 pixels: about 2.5 columns of 512, far under one of 32.
    rod = Item("FloorLamp|2|0", "x", "Ottoman", "room|2", (2.01, 1.0, 2.0), 0.0, (0.015, 1.6, 0.015))
    world = embree_world(square_room((rod,)), 0)
    small = Camera((2.0, 0.9, 0.5), 0.0, 0.0, 90.0, 32, 32)
    maps = world.renderer.maps(replace(small, width=512, height=512))
    assert maps.pixels_of(world.scene.index_of(rod.id)) > 400
    assert seen_objects(world.scene, maps) == [rod.id]
    assert seen_from(world.scene, world.renderer, small, world.renderer.maps(small)) == [rod.id]


def test_a_few_pixels_do_not_count_as_seen(square_room: Callable[..., House]) -> None:
    safe = Item("Safe|2|0", "x", "Safe", "room|2", (2.0, 0.25, 3.5), 0.0, (0.5, 0.5, 0.5))
    world = embree_world(square_room((safe,)), 0)
    camera = Camera((2.0, 0.9, 0.5), 0.0, 10.0, 60.0, 64, 64)
    pixels = world.renderer.maps(camera).pixels_of(world.scene.index_of("Safe|2|0"))
    # 200 pixels of 512 x 512 are 3.125 of 64 x 64.
    assert pixels > 4
    assert seen_objects(world.scene, world.renderer.maps(camera)) == ["Safe|2|0"]
    hidden = world.renderer.maps(camera)
    mask = hidden.instances == world.scene.index_of("Safe|2|0")
    few = hidden.instances.copy()
    few[np.nonzero(mask)[0][2:], np.nonzero(mask)[1][2:]] = -1
    assert seen_objects(world.scene, replace(hidden, instances=few)) == []


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ((9.0, 1.0, 2.0), "outside every room"),
        ((2.0, 3.5, 2.0), "outside every room"),
        ((2.0, 0.5, 2.0), "inside a wall or a thing"),
    ],
)
def test_a_camera_in_a_wall_or_a_thing_is_refused(
    square_room: Callable[..., House], position: tuple[float, float, float], message: str
) -> None:
    block = Item("Ottoman|2|0", "Ottoman", "Ottoman", "room|2", (2.0, 0.5, 2.0), 0.0, (0.09, 1.0, 0.09))
    world = embree_world(square_room((block,)), 0)
    with pytest.raises(SceneError, match=message):
        check_camera(world.scene, world.renderer, Camera(position, 0.0, 0.0, 100.0, 64, 64))
    check_camera(world.scene, world.renderer, Camera((1.0, 1.5, 1.0), 0.0, 0.0, 100.0, 64, 64))
