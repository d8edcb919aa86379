"""Which of the four relations are possible for a pair, on which surface, and why not (POVBench, section 4.3, B.4).

By default geometry judges: rays find what is really under the place. Positions follow the published rule, so that any
scorer of POVBench arrives at the same ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evals.datasets.povbench.placement import FLAT_TOPPED, RELATIONS, Relation, names_anchor, target_position
from evals.scenes.house import DOOR_CATEGORY, House, Item, Vector
from evals.scenes.names import surface_word
from evals.scenes.rays import RayCaster
from evals.scenes.scene import Instance, Scene
from evals.scenes.target_objects import TARGETS
from graphs.hints import ObjectHint
from tools.camera import Camera, box_corners, project

HALF = 0.2
"""Half the side of the cube that stands for the target, metres."""

CORE = 0.1
"""Half the side of the part of the cube that must be supported, metres."""

SLACK = 0.05
"""How far a cube may reach into a wall, metres: real targets are smaller than it."""

STEEPEST = 0.08
"""Largest difference in height under the core, metres."""

DEEPEST = 0.6
"""Largest drop in metres from the anchor's top to what carries a target that is on top of it (a chair's seat)."""

FARTHEST_TOP = 0.05
"""Largest difference in metres between what is really under a target and where the published rule puts its underside;
not for what is on top, where the rule's height is all there is."""

RESTING = 0.03
"""How far things may stick out of a surface before they are in the way of what stands on it, metres."""

NEAREST = 0.4
"""Least horizontal distance in metres between the observer's eyes and the target."""

LEAST_VISIBLE, CLEARLY_VISIBLE = 0.34, 0.7
"""Shares of a target's sample points that must be, and should be, in sight of the observer; its middle always must."""

Reason = Literal[
    "wall", "outside", "other_room", "no_support", "uneven", "occupied", "inside_something", "no_room_above",
    "surface_height", "no_target_for_surface", "observer_there", "hidden", "judged_implausible",
]  # fmt: skip


@dataclass(frozen=True)
class Placement:
    """A direction in which the target can stand.

    Attributes:
        relation: The direction.
        position: (x, y, z) of the cube's middle by the published rule, metres.
        surface: What carries it, in words ("on the dining table").
        surface_category: Object type of the surface, `Floor` for the floor.
        surface_id: Id of the object that carries it, empty for the floor.
        surface_height: Real height of what is under it, metres.
        on_anchor: Whether it is beside the anchor's middle on the anchor itself.
        visible: Share of its sample points that the observer sees past all things.
        in_view: Whether its middle falls into the observer's picture.
    """

    relation: Relation
    position: Vector
    surface: str
    surface_category: str
    surface_id: str
    surface_height: float
    on_anchor: bool
    visible: float
    in_view: bool


@dataclass(frozen=True)
class Rejection:
    """A direction in which it cannot, and why."""

    relation: Relation
    reason: Reason


@dataclass(frozen=True)
class _Support:
    owner: Instance
    height: float


def hint_of(instance: Instance) -> ObjectHint:
    """The object as POVBench's annotations describe it; its pivot is the middle of its box."""
    corners = tuple((float(x), float(y), float(z)) for x, y, z in box_corners(instance.center, instance.size))
    return ObjectHint(
        instance.id, instance.category, instance.center, instance.center, instance.center, instance.size, corners
    )


def judge_directions(
    scene: Scene,
    caster: RayCaster,
    anchor: Instance,
    camera: Camera,
    prefer_anchor: bool,
    judged: Mapping[str, str | None] | None = None,
) -> list[Placement | Rejection]:
    """Judges all four directions of a pair.

    Args:
        scene: The house.
        caster: Rays against the scene.
        anchor: The anchor object.
        camera: The observer's camera.
        prefer_anchor: Where left and right are possible on a flat anchor and beside it, which is tried first.
        judged: What a model said: direction to surface phrase, None for implausible; geometry alone judges when None.

    Returns:
        One placement or rejection for each direction.
    """
    return [_judge(scene, caster, anchor, camera, relation, prefer_anchor, judged) for relation in RELATIONS]


def _judge(
    scene: Scene,
    caster: RayCaster,
    anchor: Instance,
    camera: Camera,
    relation: Relation,
    prefer_anchor: bool,
    judged: Mapping[str, str | None] | None,
) -> Placement | Rejection:
    if judged is not None:
        phrase = judged.get(relation)
        if not phrase:
            return Rejection(relation, "judged_implausible")
        return _checked(
            scene, caster, anchor, camera, relation, phrase, _on_anchor(anchor, relation, phrase), trusted=True
        )
    flat = relation in ("left", "right") and anchor.category in FLAT_TOPPED
    tries = ([True, False] if prefer_anchor else [False, True]) if flat else [relation == "up"]
    first: Rejection | None = None
    for on_anchor in tries:
        phrase = f"on the {surface_word(anchor.category)}" if on_anchor else "on the floor"
        result = _checked(scene, caster, anchor, camera, relation, phrase, on_anchor, trusted=False)
        if isinstance(result, Placement):
            return result
        first = first or result
    return first or Rejection(relation, "no_support")


def _on_anchor(anchor: Instance, relation: Relation, phrase: str) -> bool:
    return relation == "up" or (
        relation != "front" and anchor.category in FLAT_TOPPED and names_anchor(phrase, anchor.category)
    )


def _checked(
    scene: Scene,
    caster: RayCaster,
    anchor: Instance,
    camera: Camera,
    relation: Relation,
    phrase: str,
    on_anchor: bool,
    trusted: bool,
) -> Placement | Rejection:
    hint = hint_of(anchor)
    x, _, z = target_position(hint, relation, phrase, camera.position)
    if np.hypot(x - camera.position[0], z - camera.position[2]) < NEAREST:
        return Rejection(relation, "observer_there")
    if scene.house.room_at((x, z)) is None:
        return Rejection(relation, "outside")
    if in_wall(scene.house, (x, z), HALF - SLACK):
        return Rejection(relation, "wall")
    if _other_room(scene.house, anchor, camera, (x, z)):
        return Rejection(relation, "other_room")
    found = _support(scene, caster, x, z, anchor.top + 0.45)
    if isinstance(found, str):
        return Rejection(relation, found)
    category, owner_id = ("Floor", "") if _is_floor(found.owner) else (found.owner.category, found.owner.id)
    if not trusted:
        wrong = _unsuitable(anchor, found, category, on_anchor)
        if wrong:
            return Rejection(relation, wrong)
        phrase = "on the floor" if category == "Floor" else f"on the {surface_word(category)}"
    if caster.blocked(
        np.array([[x, found.height + 0.03, z]], np.float32), np.array([[0, 1, 0]], np.float32), 2 * HALF - 0.06
    )[0]:
        return Rejection(relation, "no_room_above")
    position = target_position(hint, relation, phrase, camera.position)
    if relation != "up" and abs(position[1] - HALF - found.height) > FARTHEST_TOP:
        return Rejection(relation, "surface_height")
    if _in_something(scene.house, (anchor.id, found.owner.id), position, found.height):
        return Rejection(relation, "inside_something")
    visible, center_free = _visibility(caster, camera, position)
    if visible < LEAST_VISIBLE or not center_free:
        return Rejection(relation, "hidden")
    in_view = bool(project(camera, [position]).in_frame[0])
    return Placement(
        relation,
        position,
        phrase,
        category,
        owner_id,
        round(found.height, 4),
        on_anchor and relation != "up",
        round(visible, 3),
        in_view,
    )


def _unsuitable(anchor: Instance, found: _Support, category: str, on_anchor: bool) -> Reason | None:
    """Why what is under the place cannot carry a target there; None when it can."""
    if on_anchor:
        if found.owner.id != anchor.id:
            return "occupied"
        if anchor.top - found.height > DEEPEST:
            return "no_support"
    elif found.owner.id == anchor.id:
        return "occupied"
    elif category != "Floor":
        if found.owner.item is None or found.owner.item.decor:
            return "occupied"
        # A seat is below the top of its sofa, which the paper's own rule would take.
        if found.owner.top - found.height > FARTHEST_TOP:
            return "surface_height"
    return None if category in TARGETS else "no_target_for_surface"


def _is_floor(instance: Instance) -> bool:
    return instance.category in ("Floor", "Rug")


def _support(scene: Scene, caster: RayCaster, x: float, z: float, start: float) -> _Support | Reason:
    """What lies under the core of a cube at (x, z), looking down from `start` metres."""
    start = min(start, scene.house.height - 0.03)
    spots = np.array([(0, 0), (CORE, CORE), (CORE, -CORE), (-CORE, CORE), (-CORE, -CORE)], dtype=np.float32)
    origins = np.stack([x + spots[:, 0], np.full(5, start), z + spots[:, 1]], axis=1).astype(np.float32)
    hits = caster.first(origins, np.tile(np.array([[0, -1, 0]], np.float32), (5, 1)))
    if not hits.found.all():
        return "no_support"
    heights = start - hits.distance
    owners = [scene.instances[int(scene.owner[t])] for t in hits.triangle]
    if all(_is_floor(owner) for owner in owners):
        return _Support(owners[0], 0.0)
    if len({owner.id for owner in owners}) > 1 or float(np.ptp(heights)) > STEEPEST:
        return "uneven"
    return _Support(owners[0], float(heights.max()))


def in_wall(house: House, point: tuple[float, float], half: float) -> bool:
    """Whether a square of `half` metres to each side reaches into a wall, or past it."""
    corners = np.array([(sx * half, sz * half) for sx in (-1, 1) for sz in (-1, 1)]) + np.array(point)
    for wall in house.walls:
        if wall.room == "exterior" or wall.length < 1e-6:
            continue
        along = (np.array(wall.end) - np.array(wall.start)) / wall.length
        across = np.array([-along[1], along[0]])
        way = corners - np.array(wall.start)
        t, off = way @ along, way @ across
        if t.max() <= 0 or t.min() >= wall.length:
            continue
        reaches = off.min() < house.thickness / 2 and off.max() > -house.thickness / 2
        if reaches and not _in_opening(house, wall.start, along, t):
            return True
    return False


def _in_opening(
    house: House, start: tuple[float, float], along: NDArray[np.float64], stretch: NDArray[np.float64]
) -> bool:
    """Whether a stretch of wall lies wholly in an open doorway."""
    across = np.array([-along[1], along[0]])
    for door in house.doors:
        ends = np.array([door.start, door.end]) - np.array(start)
        if door.closed or np.abs(ends @ across).max() > 0.08:
            continue
        low, high = sorted((ends @ along).tolist())
        if low <= stretch.min() and stretch.max() <= high:
            return True
    return False


def _other_room(house: House, anchor: Instance, camera: Camera, point: tuple[float, float]) -> bool:
    """Whether a place is in another room than the anchor; of a doorway's two rooms the observer's counts."""
    home = camera.position if anchor.category == DOOR_CATEGORY else anchor.center
    mine, theirs = house.room_at((home[0], home[2])), house.room_at(point)
    return mine is not None and theirs is not None and mine.id != theirs.id


def _in_something(house: House, apart: tuple[str, str], position: Vector, surface: float) -> bool:
    """Whether the core of a target reaches into the box of a thing.

    Args:
        house: The house.
        apart: Ids of things that do not count: the anchor, and what carries the target.
        position: (x, y, z) of the cube's middle, metres.
        surface: Height of what is really under it; the target is looked for there as well.
    """
    underside = position[1] - HALF
    low, high = min(underside, surface) + RESTING, max(underside, surface) + HALF + CORE
    return any(
        item.id not in apart and item.bottom < high and item.top > low and _reaches(item, position)
        for item in house.items
    )


def _reaches(item: Item, position: Vector) -> bool:
    """Whether the core's square and a thing's turned rectangle overlap on the floor plan (separating axes)."""
    way = np.array([position[0] - item.position[0], position[2] - item.position[2]])
    front = np.array(item.front)
    right = np.array([front[1], -front[0]])
    width, _, depth = item.size
    spread = CORE * float(np.abs(front).sum())
    limits = (
        (right, width / 2 + spread),
        (front, depth / 2 + spread),
        (np.array([1.0, 0.0]), item.box_size[0] / 2 + CORE),
        (np.array([0.0, 1.0]), item.box_size[2] / 2 + CORE),
    )
    return all(abs(float(way @ axis)) < limit for axis, limit in limits)


def _visibility(caster: RayCaster, camera: Camera, position: Vector) -> tuple[float, bool]:
    """Share of 15 points of the cube that the observer sees, and whether its middle is one of them."""
    reach = 0.7 * HALF
    corners = box_corners(position, (2 * reach,) * 3)
    faces = np.array(position) + HALF * np.vstack([np.eye(3), -np.eye(3)])
    points = np.vstack([[position], corners, faces]).astype(np.float32)
    origin = np.array(camera.position, dtype=np.float32)
    blocked = caster.blocked(np.tile(origin, (len(points), 1)), points - origin, 0.99)
    return float(np.mean(~blocked)), not bool(blocked[0])
