"""Cameras see what the release's formulas and OpenCV say they see."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tools.camera import BEHIND_CAMERA, Camera, box_corners, project


def camera(
    position: tuple[float, float, float] = (0, 0, 0),
    yaw: float = 0,
    horizon: float = 0,
    fov: float = 90,
    width: int = 512,
    height: int = 512,
) -> Camera:
    return Camera(position, yaw, horizon, fov, width, height)


# With a field of view of 90 degrees the focal length is half the width, so fractions can be worked out in one's head.
@pytest.mark.parametrize(
    ("seen_by", "point", "expected", "depth"),
    [
        (camera(), (0, 0, 2), (0.5, 0.5), 2),
        (camera(), (1, 0, 2), (0.75, 0.5), 2),
        (camera(), (-1, 0, 2), (0.25, 0.5), 2),
        (camera(), (0, 1, 2), (0.5, 0.25), 2),
        (camera(), (0, -1, 2), (0.5, 0.75), 2),
        (camera(position=(3, 1.5, -4)), (4, 1.5, -2), (0.75, 0.5), 2),
        (camera(yaw=90), (2, 0, 0), (0.5, 0.5), 2),
        (camera(yaw=90), (2, 0, -1), (0.75, 0.5), 2),
        (camera(yaw=180), (-1, 0, -2), (0.75, 0.5), 2),
        (camera(yaw=-90), (-2, 0, 1), (0.75, 0.5), 2),
        (camera(horizon=45), (0, -1, 1), (0.5, 0.5), 2**0.5),
        (camera(horizon=-45), (0, 1, 1), (0.5, 0.5), 2**0.5),
        (camera(horizon=30), (0, -1, 3**0.5), (0.5, 0.5), 2),
        (camera(yaw=90, horizon=45), (1, -1, 0), (0.5, 0.5), 2**0.5),
        (camera(yaw=90, horizon=45), (1, -1, -(2**0.5)), (1.0, 0.5), 2**0.5),
        (camera(width=640, height=480), (0, 1, 1), (0.5, -1 / 6), 1),
        (camera(width=640, height=480), (0.5, -0.25, 1), (0.75, 2 / 3), 1),
        (camera(fov=60), (3**-0.5, 0, 1), (1.0, 0.5), 1),
    ],
)
def test_a_point_falls_where_it_was_worked_out_by_hand(
    seen_by: Camera, point: tuple[float, float, float], expected: tuple[float, float], depth: float
) -> None:
    projection = project(seen_by, [point])
    np.testing.assert_allclose(projection.points, [expected], atol=1e-12)
    np.testing.assert_allclose(projection.depth, [depth])
    assert projection.in_front.tolist() == [True]


def test_a_camera_that_looks_down_shows_level_things_higher() -> None:
    level = [(0.0, 0.0, 2.0)]
    assert project(camera(horizon=20), level).points[0, 1] < 0.5 < project(camera(horizon=-20), level).points[0, 1]


def test_a_camera_that_turns_right_shows_things_further_left() -> None:
    ahead = [(0.0, 0.0, 2.0)]
    assert project(camera(yaw=20), ahead).points[0, 0] < 0.5 < project(camera(yaw=-20), ahead).points[0, 0]


@pytest.mark.parametrize(
    ("point", "in_front", "in_frame"),
    [
        ((0, 0, 1), True, True),
        ((0.99, -0.99, 1), True, True),
        ((1.01, 0, 1), True, False),
        ((0, -1.01, 1), True, False),
        ((0, 0, -1), False, False),
        ((0, 0, 0), False, False),
        ((0, 0, BEHIND_CAMERA), False, False),
        ((0, 0, 2 * BEHIND_CAMERA), True, True),
        ((float("nan"), 0, 1), False, False),
    ],
)
def test_points_behind_the_camera_and_beyond_the_edges_are_told_apart(
    point: tuple[float, float, float], in_front: bool, in_frame: bool
) -> None:
    projection = project(camera(), [point])
    assert projection.in_front.tolist() == [in_front]
    assert projection.in_frame.tolist() == [in_frame]
    assert bool(np.isnan(projection.points).all()) is not in_front


@pytest.mark.parametrize("points", [(0, 0, 1), [], [(0, 1)], np.zeros((2, 4))])
def test_points_of_another_shape_are_refused(points: object) -> None:
    with pytest.raises(ValueError, match=r"\(N, 3\)"):
        project(camera(), np.asarray(points))


def test_no_points_are_projected_to_none() -> None:
    assert project(camera(), np.zeros((0, 3))).points.shape == (0, 2)


angles = st.floats(-360, 360)
metres = st.floats(-20, 20)
cameras = st.builds(
    Camera,
    position=st.tuples(metres, metres, metres),
    yaw=angles,
    horizon=st.floats(-90, 90),
    fov=st.floats(20, 140),
    width=st.integers(64, 2000),
    height=st.integers(64, 2000),
)


@given(cameras, st.tuples(metres, metres, metres))
def test_projection_agrees_with_opencv(seen_by: Camera, point: tuple[float, float, float]) -> None:
    projection = project(seen_by, [point])
    assume(projection.depth[0] > 0.05)
    # OpenCV knows right-handed worlds only: mirror the world's y axis, which makes the extrinsics a rotation.
    mirror = np.diag([1.0, -1.0, 1.0])
    rotation, _ = cv2.Rodrigues(seen_by.extrinsics[:, :3] @ mirror)
    pixels, _ = cv2.projectPoints(
        (mirror @ np.array(point))[None], rotation, seen_by.extrinsics[:, 3], seen_by.intrinsics, None
    )
    expected = pixels[0, 0] / (seen_by.width, seen_by.height)
    np.testing.assert_allclose(projection.points[0], expected, rtol=1e-6, atol=1e-6)


@given(cameras)
def test_axes_are_an_orthonormal_frame_of_a_left_handed_world(seen_by: Camera) -> None:
    right, up, forward = seen_by.axes
    np.testing.assert_allclose(seen_by.axes @ seen_by.axes.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(np.cross(right, up), forward, atol=1e-12)
    assert right[1] == 0


@given(cameras)
def test_the_optical_centre_is_the_origin_of_camera_axes(seen_by: Camera) -> None:
    origin = seen_by.extrinsics @ np.array([*seen_by.position, 1])
    np.testing.assert_allclose(origin, 0, atol=1e-9)


def test_a_box_has_its_eight_corners() -> None:
    corners = {tuple(corner) for corner in box_corners((1, 2, 3), (2, 4, 6)).tolist()}
    assert corners == set(itertools.product((0.0, 2.0), (0.0, 4.0), (0.0, 6.0)))
