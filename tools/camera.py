"""Pinhole cameras in the simulator's world, and where points fall in their pictures.

World axes are Unity's, left-handed: x right, y up, z forward at yaw 0; metres. Pictures have their origin at the top
left, x to the right and y down. The convention is that of POVBench's release (AI2-THOR).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

BEHIND_CAMERA = 1e-6
"""Depth in metres up to which a point counts as behind the camera, as in POVBench's scorer."""


@dataclass(frozen=True)
class Camera:
    """A pinhole camera without lens distortion, its principal point in the middle of the picture.

    Attributes:
        position: (x, y, z) of the optical centre, metres, world axes.
        yaw: Rotation about the world's y axis, degrees; 0 looks along +z, 90 along +x.
        horizon: Tilt, degrees; positive looks down.
        fov: Horizontal field of view, degrees, in (0, 180).
        width: Width of the picture, pixels.
        height: Height of the picture, pixels.
    """

    position: tuple[float, float, float]
    yaw: float
    horizon: float
    fov: float
    width: int
    height: int

    @property
    def focal_length(self) -> float:
        """Focal length in pixels, the same for both axes."""
        return self.width / 2 / float(np.tan(np.radians(self.fov) / 2))

    @property
    def axes(self) -> FloatArray:
        """(3, 3) unit vectors in world axes, one a row: right, up, forward."""
        yaw, horizon = np.radians([self.yaw, self.horizon])
        right = (np.cos(yaw), 0.0, -np.sin(yaw))
        up = (np.sin(yaw) * np.sin(horizon), np.cos(horizon), np.cos(yaw) * np.sin(horizon))
        forward = (np.sin(yaw) * np.cos(horizon), -np.sin(horizon), np.cos(yaw) * np.cos(horizon))
        return np.array([right, up, forward], dtype=np.float64)

    @property
    def intrinsics(self) -> FloatArray:
        """(3, 3) matrix from OpenCV camera axes (x right, y down, z forward) to homogeneous pixels."""
        focal = self.focal_length
        return np.array([[focal, 0, self.width / 2], [0, focal, self.height / 2], [0, 0, 1]], dtype=np.float64)

    @property
    def extrinsics(self) -> FloatArray:
        """(3, 4) `camera_from_world` matrix to OpenCV camera axes (x right, y down, z forward), metres.

        World axes are left-handed, so the 3x3 part has determinant -1 and is a reflection, not a rotation.
        """
        rotation = self.axes * np.array([[1.0], [-1.0], [1.0]])
        return np.hstack([rotation, -rotation @ np.array(self.position)[:, None]])


@dataclass(frozen=True)
class Projection:
    """Where world points fall in a picture.

    Attributes:
        points: (N, 2) x and y in fractions of the picture's width and height, not clamped; NaN behind the camera.
        depth: (N,) planar depth in metres; negative behind the camera.
        in_front: (N,) whether the point lies in front of the camera.
        in_frame: (N,) whether it lies in front of the camera and inside the picture's edges.
    """

    points: FloatArray
    depth: FloatArray
    in_front: BoolArray
    in_frame: BoolArray


def project(camera: Camera, points: ArrayLike) -> Projection:
    """Projects world points into a camera's picture.

    Args:
        camera: The camera.
        points: (N, 3) world points, metres.

    Returns:
        The projection of all N points.

    Raises:
        ValueError: If `points` is not (N, 3).
    """
    world = np.asarray(points, dtype=np.float64)
    if world.ndim != 2 or world.shape[1] != 3:
        raise ValueError(f"points must have the shape (N, 3), not {world.shape}")
    right, up, depth = camera.axes @ (world - np.array(camera.position)).T
    in_front = depth > BEHIND_CAMERA
    focal = camera.focal_length
    safe_depth = np.where(in_front, depth, np.nan)
    fractions = np.stack(
        [
            (focal * right / safe_depth + camera.width / 2) / camera.width,
            (camera.height / 2 - focal * up / safe_depth) / camera.height,
        ],
        axis=1,
    )
    with np.errstate(invalid="ignore"):
        in_frame = in_front & np.all((fractions >= 0) & (fractions <= 1), axis=1)
    return Projection(points=fractions, depth=depth, in_front=in_front, in_frame=in_frame)


def box_corners(center: ArrayLike, size: ArrayLike) -> FloatArray:
    """Returns the (8, 3) corners of an axis-aligned box from its (3,) centre and (3,) size, metres."""
    signs = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    corners: FloatArray = np.asarray(center, dtype=np.float64) + signs * np.asarray(size, dtype=np.float64)
    return corners
