"""Where POVBench's target stands: the published rule (appendix B.4, table 7) as arithmetic on an anchor's box.

Everything is in the simulator's world: x right, y up, z forward at yaw 0, metres. Relations are the observer's: to its
right, to its left, in front (on the observer's side of the anchor), and up (on top of it).
"""

from __future__ import annotations

import math
import re
from typing import Literal, get_args

from graphs.hints import ObjectHint

Relation = Literal["right", "left", "front", "up"]
Point = tuple[float, float, float]
Heading = tuple[float, float]
"""Unit vector (x, z) in the horizontal plane."""

RELATIONS: tuple[Relation, ...] = get_args(Relation)

OFFSET = 0.2
"""Half the side of the 0.4 m cube that stands for the target, metres."""

FLAT_TOPPED = frozenset({"Bed", "CounterTop", "Desk", "Desktop", "DiningTable", "Dresser", "SideTable"})
"""Anchors on which a target to the left or right can stand."""

_OTHER_WORDS = {
    "CounterTop": ("counter", "countertop"),
    "Sofa": ("sofa", "couch"),
    "Fridge": ("fridge", "refrigerator"),
    "ArmChair": ("armchair", "arm chair"),
}

_LEVEL = 1e-6
"""Horizontal components up to this size count as none, as in POVBench's scorer."""


def names_anchor(phrase: str, category: str) -> bool:
    """Whether a phrase such as "on the dining table" names an object of a category.

    The published test looks for the words anywhere, also within longer ones: "on the desktop" names a Desk.
    """
    spaced = re.sub(r"(?<=.)(?=[A-Z])", " ", category).lower()
    return any(words in phrase.lower() for words in _OTHER_WORDS.get(category, (spaced,)))


def surface_height(anchor: ObjectHint, phrase: str) -> float:
    """Height of the surface that a phrase names, metres above the floor.

    The paper takes the top of the object that is named; the release, which is followed here, has no geometry but the
    anchor's and takes its top for whatever is not the floor.
    """
    return 0.0 if "floor" in phrase.lower() else anchor.top


def heading(anchor: ObjectHint, relation: Relation, observer: Point) -> Heading:
    """The horizontal direction that a relation means to an observer who faces the anchor.

    Args:
        anchor: The anchor; directions are taken from its `placed_at`.
        relation: `right`, `left` or `front`.
        observer: Position of the observer's camera, metres.

    Returns:
        Unit vector (x, z); (0, 0) for an observer straight above the anchor, who has no left or right.
    """
    ahead_x, ahead_z = anchor.placed_at[0] - observer[0], anchor.placed_at[2] - observer[2]
    distance = math.hypot(ahead_x, ahead_z)
    if distance <= _LEVEL:
        return (0.0, 0.0)
    ahead_x, ahead_z = ahead_x / distance, ahead_z / distance
    match relation:
        case "front":
            return (-ahead_x, -ahead_z)
        case "right":
            return (ahead_z, -ahead_x)
        case "left":
            return (-ahead_z, ahead_x)
        case _:
            raise ValueError(f"{relation!r} has no horizontal direction")


def distance_to_edge(anchor: ObjectHint, toward: Heading) -> float:
    """How far it is from the centre of the anchor's box to its edge, along a horizontal direction, metres."""
    half_sides = (anchor.box_size[0] / 2, anchor.box_size[2] / 2)
    crossings = [
        half / abs(component) for half, component in zip(half_sides, toward, strict=True) if abs(component) > _LEVEL
    ]
    return min(crossings, default=0.0)


def target_position(anchor: ObjectHint, relation: Relation, surface: str, observer: Point) -> Point:
    """Where the target stands.

    Args:
        anchor: The anchor; its category decides whether a target beside it can stand on it.
        relation: The relation that the sentence states, as the observer sees it.
        surface: What supports the target, in words ("on the floor"); empty where it is not known.
        observer: Position of the observer's camera, metres; not used for `up`.

    Returns:
        (x, y, z) of the target's centre, metres.
    """
    x, _, z = anchor.box_center
    if relation == "up":
        return (x, anchor.top + OFFSET, z)
    toward = heading(anchor, relation, observer)
    # A phrase that names both, as in "on the floor beside the bed", counts as the anchor: the published order.
    on_anchor = relation != "front" and anchor.category in FLAT_TOPPED and names_anchor(surface, anchor.category)
    reach = OFFSET if on_anchor else distance_to_edge(anchor, toward) + OFFSET
    height = anchor.top if on_anchor else surface_height(anchor, surface)
    return (x + reach * toward[0], height + OFFSET, z + reach * toward[1])
