"""Privileged facts about a scene that an intervention may reveal. Agents cannot import this module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.camera import Camera


@dataclass(frozen=True)
class ObjectHint:
    """Where an object of the scene is.

    Attributes:
        id: The simulator's id of the object.
        category: Its type, e.g. `DiningTable`.
        position: (x, y, z) of the object as the simulator gives it, metres, world axes.
        placed_at: (x, y, z) of the object's pivot; the published placement rule takes directions from it, metres.
        box_center: (x, y, z) centre of the axis-aligned bounding box, metres.
        box_size: (x, y, z) size of the box, metres.
        box_corners: (8, 3) corners of the box, metres; empty where the annotations lack them.
        visible_in: Ids of the frames in which the object is really rendered, so not hidden behind walls.
    """

    id: str
    category: str
    position: tuple[float, float, float]
    placed_at: tuple[float, float, float]
    box_center: tuple[float, float, float]
    box_size: tuple[float, float, float]
    box_corners: tuple[tuple[float, float, float], ...] = ()
    visible_in: frozenset[str] = frozenset()

    @property
    def top(self) -> float:
        """Height of the highest corner above the floor in metres; the box centre's where corners are missing."""
        return max((corner[1] for corner in self.box_corners), default=self.box_center[1])


@dataclass(frozen=True)
class Hints:
    """What would nearly give the answer away; only interventions that declare a need receive it.

    Attributes:
        cameras: Camera of each frame, by frame id.
        observer_camera: The camera with which the observer looks at the anchor.
        observer: The object that the observer was busy with.
        anchor: The object that the question names as its landmark.
        surface: What supports the target, in words ("on the floor"); None where nothing is known of it.
    """

    cameras: Mapping[str, Camera] = field(default_factory=dict)
    observer_camera: Camera | None = None
    observer: ObjectHint | None = None
    anchor: ObjectHint | None = None
    surface: str | None = None
