"""One house made ready to be looked at: its scene, what renders it, and where one can walk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from evals.scenes.explore import FreeFloor, free_floor
from evals.scenes.house import House
from evals.scenes.rays import RayCaster
from evals.scenes.render import EmbreeRenderer, Renderer
from evals.scenes.scene import Scene, scene_of


@dataclass(frozen=True, eq=False)
class World:
    """A house with everything that the pipeline asks of it.

    Attributes:
        scene: Geometry, for rays and boxes.
        renderer: Makes pictures and maps.
        caster: Rays against the scene.
        floor: Where the robot can stand.
    """

    scene: Scene
    renderer: Renderer
    caster: RayCaster
    floor: FreeFloor


WorldOf = Callable[[House, int], World]
"""From a house and a seed for its paints to a world."""


def embree_world(house: House, seed: int) -> World:
    """A world rendered with Embree and NumPy.

    Raises:
        RendererMissingError: If embreex is not installed.
        SceneError: If there is no free floor.
    """
    scene = scene_of(house, seed)
    renderer = EmbreeRenderer(scene)
    return World(scene, renderer, renderer.caster, free_floor(house))
