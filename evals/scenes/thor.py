"""AI2-THOR behind the same interface (extra `thor`): Unity makes the pictures, its boxes stand in for the geometry."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from evals.scenes.errors import RendererMissingError, SceneError
from evals.scenes.explore import GRID, SIDE, FreeFloor
from evals.scenes.house import DOOR_CATEGORY, House, Item
from evals.scenes.procthor_writing import house_json
from evals.scenes.rays import Maps, RayCaster
from evals.scenes.render import View
from evals.scenes.scene import Scene, scene_of
from evals.scenes.world import World
from tools.camera import Camera


class Controller(Protocol):
    """The part of `ai2thor.controller.Controller` that is used."""

    last_event: Any

    def step(self, action: dict[str, Any]) -> Any:
        """Performs an action and returns the event."""
        ...

    def stop(self) -> None:
        """Ends Unity."""
        ...


def ai2thor() -> tuple[Any, Any]:
    """AI2-THOR's controller and the platform it runs on.

    Raises:
        RendererMissingError: If ai2thor is not installed.
    """
    try:
        return import_module("ai2thor.controller").Controller, import_module("ai2thor.platform").CloudRendering
    except ImportError as error:
        raise RendererMissingError(f"--renderer thor needs AI2-THOR: pip install 'situate[thor]' ({error})") from error


def start_controller(house: House, side: int = SIDE) -> Controller:
    """Starts Unity with a house in it.

    Raises:
        RendererMissingError: If ai2thor is not installed, or its Unity build cannot be downloaded or started.
    """
    controller, platform = ai2thor()
    try:
        started: Controller = controller(
            scene=house_json(house), platform=platform, width=side, height=side, fieldOfView=100, gridSize=GRID,
            renderDepthImage=True, renderInstanceSegmentation=True, server_start_timeout=120.0,
        )  # fmt: skip
    except Exception as error:  # ai2thor raises bare Exception, ValueError, OSError and requests' errors alike here.
        first = " ".join(str(error).split())[:200] or type(error).__name__
        raise RendererMissingError(
            f"AI2-THOR's Unity build could not be downloaded or started ({first}): it needs the network once and a GPU "
            "with Vulkan; use --renderer embree without them"
        ) from error
    return started


class ThorRenderer:
    """Renders through one third-party camera, so that any height and angle is exact; keeps Unity running."""

    def __init__(self, controller: Controller, scene: Scene) -> None:
        """Adds the camera.

        Args:
            controller: Unity with the house in it.
            scene: Boxes of the same house; instance maps speak of its instances.

        Raises:
            SceneError: If Unity refuses the camera.
        """
        self._controller = controller
        self._index = {instance.id: index for index, instance in enumerate(scene.instances)}
        self._step(
            "AddThirdPartyCamera", position=_xyz((0.0, 1.0, 0.0)), rotation=_xyz((0.0, 0.0, 0.0)), fieldOfView=100
        )

    def view(self, camera: Camera) -> View:
        """Picture, depth and instances for a camera."""
        event = self._looked(camera)
        color = np.ascontiguousarray(np.asarray(event.third_party_camera_frames[-1])[..., :3], dtype=np.uint8)
        if color.shape[:2] != (camera.height, camera.width):
            color = np.asarray(
                cv2.resize(color, (camera.width, camera.height), interpolation=cv2.INTER_AREA), dtype=np.uint8
            )
        return View(color, self._maps(event, camera))

    def maps(self, camera: Camera) -> Maps:
        """Depth and instances for a camera."""
        return self._maps(self._looked(camera), camera)

    def _looked(self, camera: Camera) -> Any:
        # Unity's field of view is vertical, ours horizontal: alike for squares, converted otherwise.
        vertical = 2 * float(np.degrees(np.arctan(np.tan(np.radians(camera.fov) / 2) * camera.height / camera.width)))
        return self._step(
            "UpdateThirdPartyCamera",
            thirdPartyCameraId=0,
            position=_xyz(camera.position),
            rotation=_xyz((camera.horizon, camera.yaw, 0.0)),
            fieldOfView=vertical,
        )

    def _maps(self, event: Any, camera: Camera) -> Maps:
        depth = np.asarray(event.third_party_depth_frames[-1], dtype=np.float32)
        colors = np.asarray(event.third_party_instance_segmentation_frames[-1])[..., :3].astype(np.int32)
        keys = colors[..., 0] * 65536 + colors[..., 1] * 256 + colors[..., 2]
        instances = np.full(keys.shape, -1, dtype=np.int32)
        for color, object_id in event.color_to_object_id.items():
            index = self._index.get(object_id)
            if index is not None:
                instances[keys == int(color[0]) * 65536 + int(color[1]) * 256 + int(color[2])] = index
        rows = np.arange(camera.height) * depth.shape[0] // camera.height
        columns = np.arange(camera.width) * depth.shape[1] // camera.width
        return Maps(depth[np.ix_(rows, columns)], instances[np.ix_(rows, columns)])

    def _step(self, action: str, **arguments: Any) -> Any:
        return _stepped(self._controller, {"action": action, **arguments})


def _stepped(controller: Controller, action: dict[str, Any]) -> Any:
    event = controller.step(action)
    if not event.metadata.get("lastActionSuccess", False):
        raise SceneError(
            f"AI2-THOR refused {action['action']}: {event.metadata.get('errorMessage') or 'no reason given'}"
        )
    return event


def _xyz(vector: tuple[float, float, float]) -> dict[str, float]:
    return {"x": vector[0], "y": vector[1], "z": vector[2]}


def thor_world(house: House, seed: int, controller: Controller | None = None) -> World:
    """A world rendered by AI2-THOR.

    Args:
        house: The house.
        seed: Not used: Unity's materials come from the house file.
        controller: Unity with the house in it; started when not given.

    Raises:
        RendererMissingError: If AI2-THOR is not there, or embreex, which still answers the rays.
        SceneError: If Unity refuses the house.
    """
    controller = controller or start_controller(house)
    measured = replace(house, items=tuple(measured_items(house, controller.last_event.metadata.get("objects", []))))
    scene = scene_of(measured, seed, boxes=True)
    return World(
        scene, ThorRenderer(controller, scene), RayCaster(scene.triangles), reachable_floor(measured, controller)
    )


def measured_items(house: House, objects: list[dict[str, Any]]) -> list[Item]:
    """Things with the boxes that Unity measured.

    Raises:
        SceneError: If an object lacks its box.
    """
    known = {item.id: item for item in house.items}
    items = []
    for thing in objects:
        try:
            object_id, category = str(thing["objectId"]), str(thing["objectType"])
            box = thing["axisAlignedBoundingBox"]
            center, size = (tuple(float(box[part][axis]) for axis in "xyz") for part in ("center", "size"))
        except (KeyError, TypeError, ValueError) as error:
            raise SceneError(
                f"AI2-THOR's object {thing.get('objectId', '?')!r} has no axisAlignedBoundingBox: {error!r}"
            ) from error
        if category in ("Floor", "Wall", "Ceiling", "Window", DOOR_CATEGORY) or min(size) <= 0:
            continue
        before = known.get(object_id)
        room = before.room if before else next((r.id for r in house.rooms if r.contains((center[0], center[2]))), "")
        parents = thing.get("parentReceptacles") or []
        parent = next((p for p in parents if not str(p).startswith("Floor")), "")
        yaw = before.yaw if before else 0.0
        turned = round(yaw / 90) % 2 == 1
        own = (size[2], size[1], size[0]) if turned else (size[0], size[1], size[2])
        items.append(
            Item(
                object_id,
                str(thing.get("assetId", "")),
                category,
                room,
                (center[0], center[1], center[2]),
                round(yaw / 90) * 90.0,
                own,
                str(parent),
            )
        )
    return items


def reachable_floor(house: House, controller: Controller) -> FreeFloor:
    """Where Unity says that its agent can go, joined where two positions are one step apart.

    Raises:
        SceneError: If there is nowhere to go.
    """
    found = _stepped(controller, {"action": "GetReachablePositions"}).metadata.get("actionReturn") or []
    positions: NDArray[np.float64] = np.array(
        sorted({(round(p["x"], 3), round(p["z"], 3)) for p in found}), dtype=np.float64
    )
    if len(positions) == 0:
        raise SceneError("AI2-THOR finds no reachable position: mend the house")
    cells = {tuple(cell): index for index, cell in enumerate(np.round(positions / GRID).astype(int).tolist())}
    pairs = [
        (index, cells[x + dx, z + dz])
        for (x, z), index in cells.items()
        for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1))
        if (x + dx, z + dz) in cells
    ]
    rows, columns = (np.array(side, dtype=np.int64) for side in (zip(*pairs, strict=True) if pairs else ((), ())))
    steps = sparse.csr_matrix((np.full(len(rows), GRID), (rows, columns)), shape=(len(positions), len(positions)))
    start = int(np.argmin(np.linalg.norm(positions - np.array(house.entrance), axis=1)))
    return FreeFloor(positions, start, steps)
