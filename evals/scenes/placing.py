"""Puts single things where they suit: on the floor, on other things, on walls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from evals.scenes.assets import ASSETS, DECOR
from evals.scenes.floor_space import Box, FloorSpace, Spot, overlap
from evals.scenes.house import Item

Rng = np.random.Generator
Score = Callable[[Spot], float]


def asset_of(category: str, rng: Rng) -> str:
    """Draws one of a category's assets."""
    options = list(ASSETS[category]) if category in ASSETS else [category]
    return options[int(rng.integers(len(options)))]


def put(
    space: FloorSpace,
    category: str,
    rng: Rng,
    spots: Iterable[Spot] | None = None,
    score: Score | None = None,
    asset: str = "",
    users: Sequence[str] = (),
    use: bool = True,
) -> Item | None:
    """Puts a thing on the floor at the best place that leaves the room walkable.

    Args:
        space: The room so far; the thing is added to it.
        category: What to put.
        rng: Breaks ties.
        spots: Where it might go; along the walls when not given.
        score: Higher is better.
        asset: Asset id; drawn when empty.
        users: Categories whose fronts must stay within reach, besides the thing's own.
        use: Whether someone must be able to step before it.

    Returns:
        The thing, None when nowhere suits.
    """
    asset = asset or asset_of(category, rng)
    size = ASSETS[category][asset] if category in ASSETS else DECOR[category]
    options = list(spots if spots is not None else space.along_walls(size))
    noise = rng.random(len(options))
    value = [(score(spot) if score else 0.0) + 0.8 * noise[i] for i, spot in enumerate(options)]
    tried = 0
    for index in sorted(range(len(options)), key=lambda i: -value[i]):
        item = space.item(category, asset, options[index])
        if not space.fits(item) or (item.size[1] > 0.5 and space.covers_window(item)):
            continue
        tried += 1
        wanted = [other for other in space.on_floor if other.category in users or other.category in _USED]
        if space.stays_open(item, [*wanted, item] if use else wanted):
            space.items.append(item)
            return item
        if tried > 25:
            return None
    return None


_USED = ("Fridge", "Toilet", "Sink", "WashingMachine", "ClothesDryer", "CounterTop", "Dresser", "ShelvingUnit", "Safe")


def on_top(
    space: FloorSpace,
    base: Item,
    category: str,
    rng: Rng,
    x: float,
    z: float,
    turn: float = 0.0,
    asset: str = "",
    sink: float = 0.0,
    lift: float = 0.0,
) -> Item:
    """Puts a thing on another, at (x, z) metres in the base's own axes, `sink` metres into its top."""
    asset = asset or asset_of(category, rng)
    c, s = float(np.cos(np.radians(base.yaw))), float(np.sin(np.radians(base.yaw)))
    spot = Spot(base.position[0] + c * x + s * z, base.position[2] - s * x + c * z, base.yaw + turn)
    item = space.item(category, asset, spot, base.top - sink + lift, base.id)
    space.items.append(item)
    return item


def on_wall(
    space: FloorSpace, category: str, rng: Rng, bottom: float, score: Score | None = None, asset: str = ""
) -> Item | None:
    """Hangs a thing on a wall where no door, window or tall furniture is behind or before it."""
    asset = asset or asset_of(category, rng)
    size = ASSETS[category][asset] if category in ASSETS else DECOR[category]
    options = list(space.along_walls(size, 0.002))
    noise = rng.random(len(options))
    for index in sorted(range(len(options)), key=lambda i: -((score(options[i]) if score else 0.0) + noise[i])):
        item = space.item(category, asset, options[index], bottom)
        blocked = any(
            overlap(item.footprint(0.04), other.footprint())
            and other.top > item.bottom - 0.03
            and other.bottom < item.top + 0.03
            for other in space.items
        )
        if not blocked and not space.covers_window(item) and not space.covers_door(item):
            space.items.append(item)
            return item
    return None


def near(item: Item, weight: float = 1.0) -> Score:
    """Scores a place by how close it is to a thing."""
    return lambda spot: -weight * float(np.hypot(spot.x - item.position[0], spot.z - item.position[2]))


def corner(space: FloorSpace) -> Score:
    """Scores a place by how close it is to a corner of the room."""
    low_x, low_z, high_x, high_z = space.inner
    return lambda spot: -2.0 * (min(spot.x - low_x, high_x - spot.x) + min(spot.z - low_z, high_z - spot.z))


def before(item: Item, distance: float, side: float = 0.0, turn: float = 180.0) -> Spot:
    """The place `distance` metres before a thing's middle and `side` metres to its own right, turned against it."""
    fx, fz = item.front
    return Spot(
        item.position[0] + fx * distance + fz * side, item.position[2] + fz * distance - fx * side, item.yaw + turn
    )


def middle(space: FloorSpace) -> tuple[float, float]:
    """(x, z) of the middle of a room."""
    low_x, low_z, high_x, high_z = space.inner
    return (low_x + high_x) / 2, (low_z + high_z) / 2


def behind(item: Item, distance: float) -> tuple[float, float]:
    """(x, z) of the place `distance` metres behind a thing's middle."""
    return item.position[0] - item.front[0] * distance, item.position[2] - item.front[1] * distance


def central(space: FloorSpace) -> Score:
    """Scores a place along a wall by how close it is to the wall's middle."""
    x, z = middle(space)
    return lambda spot: -abs(spot.z - z) if spot.yaw in (90.0, 270.0) else -abs(spot.x - x)


def between(a: Item, b: Item) -> Box:
    """The strip of floor between two things."""
    low, high = a.footprint(), b.footprint()
    return min(low[0], high[0]), min(low[1], high[1]), max(low[2], high[2]), max(low[3], high[3])


def rug(space: FloorSpace, x: float, z: float, width: float, depth: float, yaw: float) -> None:
    """Lays a rug around (x, z) where it fits between the walls."""
    low_x, low_z, high_x, high_z = space.inner
    item = space.item("Rug", "Rug", Spot(x, z, yaw), size=(width, 0.012, depth))
    box = item.footprint()
    if box[0] > low_x and box[1] > low_z and box[2] < high_x and box[3] < high_z:
        space.items.append(item)


def curtain(space: FloorSpace, start: tuple[float, float], end: tuple[float, float], high: float, rng: Rng) -> None:
    """Hangs curtains beside a window of a living room or bedroom, mostly."""
    if space.room.kind in ("Kitchen", "Bathroom") or rng.random() < 0.35:
        return
    x, z = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    mid_x, mid_z = middle(space)
    upright = abs(start[0] - end[0]) < abs(start[1] - end[1])
    yaw = (90.0 if x < mid_x else 270.0) if upright else (0.0 if z < mid_z else 180.0)
    width = float(np.hypot(end[0] - start[0], end[1] - start[1])) + 0.5
    tall = 1.5
    off = 0.06 + 0.07
    spot = Spot(x + off * float(np.sin(np.radians(yaw))), z + off * float(np.cos(np.radians(yaw))), yaw)
    item = space.item("Curtain", "Curtain", spot, high + 0.12 - tall, size=(width, tall, 0.1))
    if not any(overlap(item.footprint(), other.footprint()) and other.top > item.bottom for other in space.items):
        space.items.append(item)
