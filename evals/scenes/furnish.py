"""Furniture as a person would find natural: each room has a recipe, each step of it a place that suits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from evals.scenes.assets import ASSETS
from evals.scenes.floor_space import FloorSpace, Spot, overlap
from evals.scenes.house import Item
from evals.scenes.placing import (
    Rng,
    asset_of,
    before,
    behind,
    between,
    central,
    corner,
    curtain,
    middle,
    near,
    on_top,
    on_wall,
    put,
    rug,
)
from evals.scenes.plan import Plan


def furnish(plan: Plan, rng: Rng) -> list[Item]:
    """Furnishes every room of a plan.

    Args:
        plan: Rooms and openings.
        rng: Source of every choice.

    Returns:
        Things of all rooms; none blocks a doorway or stands in another.
    """
    items: list[Item] = []
    done: list[str] = []
    for room in plan.rooms:
        doors = [door for door in plan.doors if room.id in door.rooms]
        windows = [window for window in plan.windows if room.id in window.rooms]
        space = FloorSpace(room, doors, windows)
        alone = len(plan.rooms) == 1
        _RECIPES[room.kind](space, rng, alone, done)
        for window in windows:
            curtain(space, window.start, window.end, window.high, rng)
        space.items.append(space.item("CeilingLamp", "CeilingLamp", Spot(*middle(space), 0.0), 2.61))
        done.append(room.kind)
        items += space.items
    return items


def _dining(space: FloorSpace, rng: Rng, seats: int) -> Item | None:
    """A table in the open with chairs on its long sides, and perhaps a bowl of fruit."""
    low_x, low_z, high_x, high_z = space.inner
    asset = asset_of("DiningTable", rng)
    grid = [
        Spot(float(x), float(z), yaw)
        for x in np.arange(low_x + 0.7, high_x - 0.6, 0.2)
        for z in np.arange(low_z + 0.7, high_z - 0.6, 0.2)
        for yaw in (0.0, 90.0)
    ]
    size = ASSETS["DiningTable"][asset]

    sofa = next((item for item in space.items if item.category == "Sofa"), None)
    screen = next((item for item in space.items if item.category == "TVStand"), None)
    # Nobody puts a dining table between a sofa and its television.
    view = between(sofa, screen) if sofa and screen else None

    def roomy(spot: Spot) -> float:
        half = size[2] / 2 + 0.62
        extent_x, extent_z = (size[0] / 2, half) if spot.yaw == 0 else (half, size[0] / 2)
        box = (spot.x - extent_x, spot.z - extent_z, spot.x + extent_x, spot.z + extent_z)
        crowd = sum(overlap(box, other.footprint()) for other in space.on_floor) + sum(
            overlap(box, zone) for zone in space.door_zones()
        )
        out = box[0] < low_x or box[1] < low_z or box[2] > high_x or box[3] > high_z
        in_view = view is not None and overlap(box, view)
        return -3.0 * crowd - 4.0 * out - 6.0 * in_view

    table = put(space, "DiningTable", rng, grid, roomy, asset, use=False)
    if table is None:
        return None
    chair = asset_of("Chair", rng)
    depth = ASSETS["Chair"][chair][2]
    long, wide = table.size[0] / 2 + depth / 2 + 0.05, table.size[2] / 2 + depth / 2 + 0.05
    quarter = 0.0 if seats <= 2 else 0.25 * table.size[0]
    sides = [
        before(table, side * wide, way * quarter, 180.0 if side > 0 else 0.0)
        for side, way in ((1, -1), (-1, 1), (1, 1), (-1, -1))
    ]
    ends = [before(table, 0.0, side * long, -90.0 * side) for side in (1, -1)]
    placed = 0
    for spot in [*sides, *ends]:
        if placed < seats and put(space, "Chair", rng, [spot], asset=chair, use=False) is not None:
            placed += 1
    if rng.random() < 0.35:
        on_top(space, table, "FruitBowl", rng, float(rng.uniform(-0.2, 0.2)), 0.0)
    return table


def _lounge(space: FloorSpace, rng: Rng, tries: int = 8) -> Item | None:
    """A television and a sofa that face each other; a sofa alone where both find no place together."""
    for _ in range(tries):
        stand = put(space, "TVStand", rng)
        if stand is None:
            break
        reach = np.arange(2.3, 4.6, 0.1).tolist()
        options = [before(stand, distance, side) for distance in reach for side in (0.0, -0.4, 0.4)]
        sofa = put(space, "Sofa", rng, options, near(stand, 0.3), users=("TVStand",))
        if sofa is not None:
            on_top(space, stand, "Television", rng, 0.0, 0.0)
            return sofa
        space.items.remove(stand)
    return put(space, "Sofa", rng)


def _living_room(space: FloorSpace, rng: Rng, alone: bool, done: Sequence[str]) -> None:
    """Television and sofa face each other, a coffee table between them, the rest around."""
    sofa = _lounge(space, rng)
    if sofa is not None:
        if rng.random() < 0.9:
            put(space, "CoffeeTable", rng, [before(sofa, sofa.size[2] / 2 + d) for d in (0.75, 0.8, 0.7)], use=False)
            if rng.random() < 0.7:
                spot = before(sofa, sofa.size[2] / 2 + 0.7, 0.0, 0.0)
                rug(space, spot.x, spot.z, 2.3, 1.6, sofa.yaw)
        side = float(rng.choice([-1.0, 1.0]))
        for way in (side, -side):
            if rng.random() < 0.62:
                gap = sofa.size[0] / 2 + 0.33
                table = put(
                    space,
                    "SideTable",
                    rng,
                    [before(sofa, -0.15, way * gap, 0.0), before(sofa, -0.05, way * gap, 0.0)],
                    use=False,
                )
                if table and rng.random() < 0.35:
                    on_top(space, table, "DeskLamp", rng, 0.0, 0.0)
        if rng.random() < 0.75:
            reach = sofa.size[0] / 2 + 0.65
            spots = [before(sofa, d, way * reach, -90.0 * way) for way in (side, -side) for d in (1.1, 0.9, 1.3, 1.5)]
            put(space, "ArmChair", rng, spots, users=("Sofa",))
    if rng.random() < 0.75:
        put(space, "FloorLamp", rng, score=near(sofa, 0.7) if sofa and rng.random() < 0.6 else corner(space), use=False)
    if rng.random() < 0.75:
        put(space, "ShelvingUnit", rng)
    if ("Kitchen" not in done and alone) or rng.random() < 0.5:
        _dining(space, rng, int(rng.choice([2, 4])))
    if rng.random() < 0.7:
        put(space, "HousePlant", rng, score=corner(space), use=False)
    if alone or rng.random() < 0.25:
        _desk(space, rng)
    if rng.random() < 0.2:
        put(space, "Dresser", rng)
    if rng.random() < 0.2:
        put(space, "Stool", rng, use=False)
    if rng.random() < 0.2:
        put(space, "Safe", rng, score=corner(space))
    for _ in range(int(rng.integers(1, 3))):
        on_wall(space, "Painting", rng, 1.35, near(sofa) if sofa else None)


def _kitchen(space: FloorSpace, rng: Rng, alone: bool, _done: Sequence[str]) -> None:
    """A run of counters with sink and machines, a cooker and a fridge at its ends, a place to eat."""
    low_x, low_z, high_x, high_z = space.inner
    longest = max(high_x - low_x, high_z - low_z)
    fitting = [a for a, size in ASSETS["CounterTop"].items() if size[0] < longest - 1.7] or ["Countertop_I_4x2"]
    counter = None
    for asset in sorted(fitting, key=lambda a: -ASSETS["CounterTop"][a][0])[:3]:
        counter = put(space, "CounterTop", rng, asset=asset)
        if counter is not None:
            break
    if counter is not None:
        _counter_things(space, counter, rng)
        right = counter.size[0] / 2 + 0.31
        for side in (1, -1) if rng.random() < 0.5 else (-1, 1):
            cooker = put(space, "Cooker", rng, [before(counter, 0.0, side * right, 0.0)])
            if cooker is not None:
                break
        put(space, "Fridge", rng, score=near(counter), users=("CounterTop",))
        if rng.random() < 0.65:
            asset = "Countertop_I_6x2" if rng.random() < 0.4 else "Countertop_I_4x2"
            second = put(space, "CounterTop", rng, score=near(counter, 0.3), asset=asset)
            if second is not None:
                reach = second.size[0] / 2 - 0.05
                _machines(space, second, rng, -reach, 1.0, reach)
        cabinet = (counter.size[0], 0.62, 0.34)
        spot = Spot(*behind(counter, (counter.size[2] - cabinet[2]) / 2), counter.yaw)
        hung = space.item("WallCabinet", "WallCabinet", spot, 1.5, size=cabinet)
        if not space.covers_window(hung) and not space.covers_door(hung):
            space.items.append(hung)
    else:
        put(space, "Fridge", rng)
    if rng.random() < 0.8 or alone:
        _dining(space, rng, int(rng.choice([2, 4], p=[0.4, 0.6])))
    if rng.random() < 0.8:
        put(space, "GarbageCan", rng, score=near(counter, 0.6) if counter else None, use=False)
    if rng.random() < 0.35:
        put(space, "Stool", rng, use=False)
    if rng.random() < 0.4:
        put(space, "HousePlant", rng, score=corner(space), use=False)
    if rng.random() < 0.25:
        put(space, "ShelvingUnit", rng)
    if rng.random() < 0.3:
        put(space, "WashingMachine", rng)
    if rng.random() < 0.6:
        on_wall(space, "Painting", rng, 1.4)


def _counter_things(space: FloorSpace, counter: Item, rng: Rng) -> None:
    """Sink with its tap, then machines on what is left of the top."""
    half = counter.size[0] / 2
    side = float(rng.choice([-1, 1]))
    sink_x = 0.0 if half < 0.7 else side * (half - 0.42)
    on_top(space, counter, "Sink", rng, sink_x, 0.03, asset="Sink_12", sink=ASSETS["Sink"]["Sink_12"][1] - 0.012)
    on_top(space, counter, "Faucet", rng, sink_x, -0.185, asset="Kitchen_Faucet_1")
    edge = -side * (half - 0.05)
    _machines(space, counter, rng, edge, side, sink_x - side * 0.36)


def _machines(space: FloorSpace, counter: Item, rng: Rng, edge: float, side: float, stop: float) -> None:
    """Fills a counter from `edge` towards `stop` (x in its own axes) with machines that the kitchen lacks."""
    machines = ["Microwave", "CoffeeMachine", "Toaster"]
    for category in [machines[i] for i in rng.permutation(3)]:
        if rng.random() < 0.12 or any(item.category == category for item in space.items):
            continue
        asset = asset_of(category, rng)
        width, _, depth = ASSETS[category][asset]
        turn = 90.0 * float(rng.choice([-1, 1])) if category == "Toaster" else 0.0
        across, back = (depth, width) if turn else (width, depth)
        far = edge + side * across
        if side * (stop - far) < 0:
            continue
        on_top(space, counter, category, rng, (edge + far) / 2, -counter.size[2] / 2 + back / 2 + 0.05, turn, asset)
        edge = far + side * float(rng.uniform(0.06, 0.2))


def _desk(space: FloorSpace, rng: Rng) -> None:
    """A desk with a chair, a computer and perhaps a lamp."""
    asset = "Desk_318_1" if rng.random() < 0.6 else "Desk_229_1"
    desk = put(space, "Desk", rng, asset=asset)
    if desk is None:
        return
    chair = asset_of("Chair", rng)
    put(
        space,
        "Chair",
        rng,
        [before(desk, desk.size[2] / 2 + ASSETS["Chair"][chair][2] / 2 + 0.06, -0.15)],
        asset=chair,
        use=False,
    )
    roomy = desk.size[0] > 1.3
    if roomy and rng.random() < 0.7:
        on_top(space, desk, "Desktop", rng, -0.15, -0.1)
        if rng.random() < 0.8:
            on_top(space, desk, "DeskLamp", rng, desk.size[0] / 2 - 0.2, -0.12)
    else:
        on_top(space, desk, "Laptop", rng, -0.1, 0.0)
        if rng.random() < 0.7:
            on_top(space, desk, "DeskLamp", rng, desk.size[0] / 2 - 0.22, -0.1)


def _bedroom(space: FloorSpace, rng: Rng, alone: bool, _done: Sequence[str]) -> None:
    """The bed with its head to a wall, side tables by it, storage, perhaps a place to work."""
    bed = put(space, "Bed", rng, score=central(space))
    if bed is not None:
        gap = bed.size[0] / 2 + 0.31
        back = -(bed.size[2] / 2 - 0.3)
        asset = asset_of("SideTable", rng)
        lamp = rng.random() < 0.8
        for side in (-1.0, 1.0) if rng.random() < 0.6 else (1.0,):
            table = put(space, "SideTable", rng, [before(bed, back, side * gap, 0.0)], asset=asset, use=False)
            if table and lamp:
                on_top(space, table, "DeskLamp", rng, 0.0, -0.05)
                lamp = rng.random() < 0.25
        if rng.random() < 0.5:
            spot = before(bed, 0.35, 0.0, 0.0)
            rug(space, spot.x, spot.z, bed.size[0] + 1.2, 1.5, bed.yaw)
    if rng.random() < 0.85:
        put(space, "Dresser", rng)
    if alone or rng.random() < 0.5:
        _desk(space, rng)
    for category, chance in (
        ("ShelvingUnit", 0.4),
        ("ArmChair", 0.3),
        ("FloorLamp", 0.35),
        ("Safe", 0.3),
        ("HousePlant", 0.45),
        ("GarbageCan", 0.3),
        ("Stool", 0.15),
    ):
        if rng.random() < chance:
            cornered = category in ("FloorLamp", "HousePlant", "Safe", "ArmChair")
            put(
                space,
                category,
                rng,
                score=corner(space) if cornered else None,
                use=category in ("ShelvingUnit", "Safe", "ArmChair"),
            )
    if rng.random() < 0.25:
        stand = put(space, "TVStand", rng)
        if stand:
            on_top(space, stand, "Television", rng, 0.0, 0.0)
    if rng.random() < 0.8:
        on_wall(space, "Painting", rng, 1.4, near(bed, 0.4) if bed else None)


def _bathroom(space: FloorSpace, rng: Rng, _alone: bool, _done: Sequence[str]) -> None:
    """Toilet, washbasin with mirror, towels on the walls, tub and laundry where there is place."""
    put(space, "Toilet", rng, score=corner(space))
    sink = put(space, "Sink", rng, asset="Sink_20")
    if sink is not None:
        on_top(space, sink, "Faucet", rng, 0.0, -sink.size[2] / 2 + 0.15, asset="Bathroom_Faucet_5", sink=0.16)
        spot = Spot(*behind(sink, sink.size[2] / 2), sink.yaw)
        mirror = space.item("Mirror", "Mirror", spot, 1.2)
        if not space.covers_window(mirror):
            space.items.append(mirror)
    if rng.random() < 0.6:
        put(space, "Bathtub", rng, score=corner(space))
    if rng.random() < 0.6:
        machine = put(space, "WashingMachine", rng)
        if machine and rng.random() < 0.7:
            put(space, "ClothesDryer", rng, score=near(machine, 2.0))
    if rng.random() < 0.5:
        put(space, "GarbageCan", rng, use=False)
    if rng.random() < 0.25:
        put(space, "Stool", rng, use=False)
    if rng.random() < 0.85:
        on_wall(space, "TowelHolder", rng, 0.85)
    if sink is not None and rng.random() < 0.8:
        on_wall(space, "HandTowelHolder", rng, 1.05, near(sink, 1.5))


_RECIPES: dict[str, Callable[[FloorSpace, Rng, bool, Sequence[str]], None]] = {
    "LivingRoom": _living_room,
    "Kitchen": _kitchen,
    "Bedroom": _bedroom,
    "Bathroom": _bathroom,
}
"""What goes into a room: the room so far, choices, whether it is the only room, the kinds furnished before."""
