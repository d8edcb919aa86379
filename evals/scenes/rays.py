"""Ray casting with Embree (package `embreex`, extra `scenes`), and a camera's rays."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evals.scenes.errors import RendererMissingError
from evals.scenes.scene import Scene
from tools.camera import Camera

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int32]

FAR = 1e4


@dataclass(frozen=True, eq=False)
class Hits:
    """What each of N rays meets first.

    Attributes:
        triangle: (N,) index of the triangle, -1 for none.
        distance: (N,) in lengths of the ray's direction; infinite for none.
        u: (N,) weight of the triangle's second corner.
        v: (N,) weight of its third corner.
    """

    triangle: IntArray
    distance: FloatArray
    u: FloatArray
    v: FloatArray

    @property
    def found(self) -> NDArray[np.bool_]:
        """(N,) whether there is anything."""
        return self.triangle >= 0


def embree() -> tuple[Any, Any]:
    """Embree's modules for scenes and for meshes.

    Raises:
        RendererMissingError: If embreex is not installed.
    """
    try:
        return import_module("embreex.rtcore_scene"), import_module("embreex.mesh_construction")
    except ImportError as error:
        raise RendererMissingError(
            "Rendering houses needs embreex: pip install 'situate[scenes]' (wheels for Linux x86-64, Windows and "
            f"macOS arm64; elsewhere use --renderer thor). Python said: {error}"
        ) from error


class RayCaster:
    """Answers rays against one set of triangles; holds Embree's tree over them."""

    def __init__(self, triangles: FloatArray) -> None:
        """Builds the tree.

        Args:
            triangles: (F, 3, 3) corners, metres.

        Raises:
            RendererMissingError: If embreex is not installed.
        """
        scenes, meshes = embree()
        self._scene = scenes.EmbreeScene()
        self._mesh = meshes.TriangleMesh(self._scene, np.ascontiguousarray(triangles, dtype=np.float32))

    def first(self, origins: FloatArray, directions: FloatArray) -> Hits:
        """What (N, 3) rays from (N, 3) origins meet first."""
        found = self._scene.run(_rows(origins), _rows(directions), output=1)
        triangle = np.asarray(found["primID"], dtype=np.int32)
        distance = np.where(triangle >= 0, found["tfar"], np.float32(np.inf)).astype(np.float32)
        return Hits(triangle, distance, np.asarray(found["u"]), np.asarray(found["v"]))

    def blocked(
        self, origins: FloatArray, directions: FloatArray, reach: FloatArray | float = FAR
    ) -> NDArray[np.bool_]:
        """(N,) whether anything lies on a ray before `reach` lengths of its direction."""
        limits = np.broadcast_to(np.asarray(reach, dtype=np.float32), (len(origins),))
        found = self._scene.run(_rows(origins), _rows(directions), query="OCCLUDED", dists=_rows(limits))
        return np.asarray(found) >= 0


def _rows(values: FloatArray) -> FloatArray:
    # Embree's wrapper wants memory that it could write to, which broadcast views are not.
    rows: FloatArray = np.require(values, np.float32, ["C", "W"])
    return rows


def camera_rays(camera: Camera, offset: tuple[float, float] = (0.5, 0.5)) -> FloatArray:
    """Directions through every pixel, of which the part along the optical axis has length 1.

    So the distance of a hit, in lengths of its ray, is its planar depth in metres.

    Args:
        camera: The camera.
        offset: Where in the pixel the ray passes; (0.5, 0.5) is its centre.

    Returns:
        (H * W, 3) in world axes, row by row.
    """
    x = (np.arange(camera.width) + offset[0] - camera.width / 2) / camera.focal_length
    y = (camera.height / 2 - np.arange(camera.height) - offset[1]) / camera.focal_length
    right, up, forward = camera.axes
    rays = x[None, :, None] * right + y[:, None, None] * up + forward
    flat: FloatArray = rays.reshape(-1, 3).astype(np.float32)
    return flat


@dataclass(frozen=True, eq=False)
class Maps:
    """What is where in a picture.

    Attributes:
        depth: (H, W) planar depth, metres; 0 where nothing is hit.
        instances: (H, W) index into the scene's instances, -1 for none.
    """

    depth: FloatArray
    instances: IntArray

    def pixels_of(self, index: int) -> int:
        """Number of pixels that show an instance."""
        return int(np.count_nonzero(self.instances == index))

    def counts(self, instances: int) -> NDArray[np.int64]:
        """(instances,) pixels that show each of them."""
        return np.bincount(self.instances[self.instances >= 0].ravel(), minlength=instances)


def maps_of(scene: Scene, caster: RayCaster, camera: Camera) -> Maps:
    """Depth and instances for a camera, without colours."""
    directions = camera_rays(camera)
    origins = np.broadcast_to(np.array(camera.position, dtype=np.float32), directions.shape)
    return as_maps(scene, caster.first(origins, directions), camera)


def as_maps(scene: Scene, hits: Hits, camera: Camera) -> Maps:
    """Turns the hits of `camera_rays` into maps."""
    shape = (camera.height, camera.width)
    depth = np.where(hits.found, hits.distance, np.float32(0)).astype(np.float32)
    owner = np.where(hits.found, scene.owner[np.maximum(hits.triangle, 0)], -1).astype(np.int32)
    return Maps(depth.reshape(shape), owner.reshape(shape))
