"""A house as triangles: what a ray meets, which thing that belongs to, and how it looks there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evals.scenes.furniture import Part, Style, build
from evals.scenes.house import DOOR_CATEGORY, House, Item, Vector, door_items
from evals.scenes.materials import Material
from evals.scenes.mesh import box, rotation
from evals.scenes.shell import shell_parts

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int32]


@dataclass(frozen=True)
class Instance:
    """Something that can be seen by name.

    Attributes:
        id: Object id, or `floor|…`, `wall|…`, `ceiling|…`.
        category: Object type; `Floor`, `Wall` or `Ceiling` for the shell.
        item: The thing itself, None for the shell.
        center: (x, y, z) of the middle of its axis-aligned box, metres.
        size: Size of that box, metres.
    """

    id: str
    category: str
    item: Item | None
    center: Vector
    size: Vector

    @property
    def top(self) -> float:
        """Height of the box's upper side, metres."""
        return self.center[1] + self.size[1] / 2


@dataclass(frozen=True, eq=False)
class Scene:
    """Triangles with their owners.

    Attributes:
        house: The house that it shows.
        triangles: (F, 3, 3) corners, metres, world axes.
        normals: (F, 3, 3) unit vectors at the corners.
        owner: (F,) index into `instances`.
        surface: (F,) index into `materials`.
        instances: What can be seen by name.
        materials: Surfaces.
        turns: (I, 3, 3) rotation from an instance's own axes to the world's.
        origins: (I, 3) position of its own origin, metres.
        spans: (I, 3) its size in its own axes, metres.
    """

    house: House
    triangles: FloatArray
    normals: FloatArray
    owner: IntArray
    surface: IntArray
    instances: tuple[Instance, ...]
    materials: tuple[Material, ...]
    turns: FloatArray
    origins: FloatArray
    spans: FloatArray

    def index_of(self, object_id: str) -> int:
        """Position of an object in `instances`.

        Raises:
            KeyError: If nothing has that id.
        """
        for index, instance in enumerate(self.instances):
            if instance.id == object_id:
                return index
        raise KeyError(object_id)


@dataclass(frozen=True, eq=False)
class _Owned:
    """Parts of one instance with the transform from its own axes."""

    id: str
    category: str
    item: Item | None
    parts: Sequence[Part]
    yaw: float
    origin: Vector
    span: Vector


def scene_of(house: House, seed: int = 0, shell: bool = True, boxes: bool = False) -> Scene:
    """Builds the triangles of a house.

    Args:
        house: The house.
        seed: Chooses floors and wall paints.
        shell: False leaves floors, walls and ceilings out.
        boxes: True makes every thing a plain box, for houses of which only boxes are known.

    Returns:
        The scene; doorways are instances of their own.
    """
    things = (*door_items(house.doors), *house.items)
    owned = [_boxed(item) if boxes and item.category != DOOR_CATEGORY else _owned(item, house) for item in things]
    for door in house.doors:
        if door.closed:
            owned.append(_leaf(door.id, door.middle, door.start, door.end, door.high))
    for window in house.windows:
        owned.append(_window(window.id, window.middle, window.start, window.end, window.low, window.high))
    if shell:
        for shell_id, parts in shell_parts(house, seed).items():
            kind = shell_id.split("|", 1)[0].capitalize()
            owned.append(_Owned(shell_id, kind, None, parts, 0.0, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)))
    return _assembled(house, owned)


def _owned(item: Item, house: House) -> _Owned:
    cutouts: tuple[tuple[float, float], ...] = ()
    if item.category == "CounterTop":
        cutouts = tuple(_seen_from(item, other.position) for other in house.items if _let_in(other, item))
    parts = build(item.category, item.size, item.seed, cutouts)
    x, _, z = item.position
    return _Owned(item.id, item.category, item, parts, item.yaw, (x, item.bottom, z), item.size)


def _boxed(item: Item) -> _Owned:
    x, _, z = item.position
    parts = [Part(box(*item.size), Style(item.seed).fabric())]
    return _Owned(item.id, item.category, item, parts, item.yaw, (x, item.bottom, z), item.size)


def _let_in(sink: Item, counter: Item) -> bool:
    """Whether a sink hangs in a counter's top."""
    if sink.category != "Sink" or sink.size[1] > 0.5 or not sink.bottom < counter.top <= sink.top + 0.02:
        return False
    low_x, low_z, high_x, high_z = counter.footprint()
    return low_x < sink.position[0] < high_x and low_z < sink.position[2] < high_z


def _seen_from(item: Item, position: Vector) -> tuple[float, float]:
    """(x, z) of a world position in an item's own axes."""
    local = rotation(item.yaw).T @ (np.array(position) - np.array(item.position))
    return float(local[0]), float(local[2])


def _wall_yaw(start: tuple[float, float], end: tuple[float, float]) -> float:
    return float(np.degrees(np.arctan2(-(end[1] - start[1]), end[0] - start[0])))


def _leaf(
    door_id: str, middle: tuple[float, float], start: tuple[float, float], end: tuple[float, float], high: float
) -> _Owned:
    width = float(np.hypot(end[0] - start[0], end[1] - start[1]))
    size = (width, high, 0.1)
    item = Item(
        f"{door_id}|leaf",
        "DoorLeaf",
        "DoorLeaf",
        "",
        (middle[0], high / 2, middle[1]),
        _wall_yaw(start, end),
        size,
        decor=True,
    )
    return _Owned(
        door_id, "Doorway", None, build("DoorLeaf", size, item.seed), item.yaw, (middle[0], 0.0, middle[1]), size
    )


def _window(
    window_id: str,
    middle: tuple[float, float],
    start: tuple[float, float],
    end: tuple[float, float],
    low: float,
    high: float,
) -> _Owned:
    size = (float(np.hypot(end[0] - start[0], end[1] - start[1])) + 0.06, high - low + 0.06, 0.16)
    return _Owned(
        window_id,
        "Window",
        None,
        build("Window", size, 1),
        _wall_yaw(start, end),
        (middle[0], low - 0.03, middle[1]),
        size,
    )


def _assembled(house: House, owned: Sequence[_Owned]) -> Scene:
    materials: dict[Material, int] = {}
    order: dict[str, int] = {}
    merged: list[_Owned] = []
    triangles, normals, owner, surface = [], [], [], []
    transforms: list[tuple[NDArray[np.float64], Vector, Vector]] = []
    instances: list[Instance] = []
    corners: dict[int, list[NDArray[np.float64]]] = {}
    for thing in owned:
        index = order.setdefault(thing.id, len(order))
        turn = rotation(thing.yaw)
        if index == len(merged):
            merged.append(thing)
            transforms.append((turn, thing.origin, thing.span))
            corners[index] = []
        for part in thing.parts:
            world = part.mesh.vertices @ turn.T + np.array(thing.origin)
            corners[index].append(world)
            triangles.append(world[part.mesh.faces])
            normals.append((part.mesh.normals @ turn.T)[part.mesh.faces])
            count = len(part.mesh.faces)
            owner.append(np.full(count, index))
            surface.append(np.full(count, materials.setdefault(part.material, len(materials))))
    for index, thing in enumerate(merged):
        points = np.concatenate(corners[index]) if corners[index] else np.zeros((1, 3))
        low, high = points.min(axis=0), points.max(axis=0)
        if thing.item is not None:
            # The published box of a thing is exact, not the float32 hull of its triangles.
            center, size = thing.item.position, thing.item.box_size
        else:
            middle, extent = (low + high) / 2, high - low
            center = (float(middle[0]), float(middle[1]), float(middle[2]))
            size = (float(extent[0]), float(extent[1]), float(extent[2]))
        instances.append(Instance(thing.id, thing.category, thing.item, center, size))
    return Scene(
        house,
        np.concatenate(triangles).astype(np.float32),
        np.concatenate(normals).astype(np.float32),
        np.concatenate(owner).astype(np.int32),
        np.concatenate(surface).astype(np.int32),
        tuple(instances),
        tuple(materials),
        np.array([turn for turn, _, _ in transforms], dtype=np.float32),
        np.array([origin for _, origin, _ in transforms], dtype=np.float32),
        np.array([span for _, _, span in transforms], dtype=np.float32),
    )
