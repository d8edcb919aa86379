"""Where the target falls in a frame, as POVBench's scorer has it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evals.datasets.povbench.fields import Point
from tools.camera import Camera, project


@dataclass(frozen=True)
class ProjectedTarget:
    """The target in one frame.

    Attributes:
        x: Fraction of the frame's width, clamped to [0, 1]; 0.5 behind the camera, as published.
        y: Fraction of the frame's height, clamped to [0, 1]; 0.5 behind the camera.
        in_frame: Whether it lies in front of the camera and within the frame before clamping.
        behind: Whether it lies behind the camera.
    """

    x: float
    y: float
    in_frame: bool
    behind: bool


def project_target(camera: Camera, position: Point) -> ProjectedTarget:
    """Projects the target into the frame of a camera (section 4.3; behind the camera: the release).

    Args:
        camera: The camera that took the frame.
        position: (x, y, z) of the target's centre, metres.

    Returns:
        Where it falls.
    """
    projection = project(camera, [position])
    if not projection.in_front[0]:
        return ProjectedTarget(0.5, 0.5, in_frame=False, behind=True)
    x, y = np.clip(projection.points[0], 0.0, 1.0)
    return ProjectedTarget(float(x), float(y), in_frame=bool(projection.in_frame[0]), behind=False)
