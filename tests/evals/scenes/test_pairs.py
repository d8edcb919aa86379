from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from evals.scenes.house import House, Item, Opening
from evals.scenes.pairs import Candidate, find_pairs, wanted_pairs
from evals.scenes.world import World, embree_world

FRIDGE = Item("Fridge|2|0", "x", "Fridge", "room|2", (0.6, 0.9, 2.0), 90.0, (0.8, 1.8, 0.7))
SAFE = Item("Safe|2|1", "x", "Safe", "room|2", (3.0, 0.25, 2.0), 270.0, (0.5, 0.5, 0.5))


def pairs_in(world: World, seen: list[str], seed: int = 0) -> tuple[list[Candidate], dict[str, int]]:
    rng = np.random.default_rng(seed)
    found, counts = find_pairs(world.scene, world.renderer, world.caster, world.floor, [frozenset(seen)], rng)
    return found, dict(counts)


def test_two_things_in_one_room_make_a_pair_each_way(square_room: Callable[..., House]) -> None:
    world = embree_world(square_room((FRIDGE, SAFE)), 0)
    found, _ = pairs_in(world, [FRIDGE.id, SAFE.id])
    assert sorted(pair.id for pair in found) == ["Fridge|2|0__Safe|2|1", "Safe|2|1__Fridge|2|0"]
    pair = next(pair for pair in found if pair.anchor.id == SAFE.id)
    # Before the fridge's door: half its depth and an arm's length further along +x.
    assert pair.camera.position == pytest.approx((0.6 + 0.35 + 0.42, 1.55, 2.0))
    assert {placement.relation for placement in pair.placements} == {"right", "left", "front", "up"}
    assert pair.visible > 0.95


def test_what_the_walk_never_showed_is_not_asked_about(square_room: Callable[..., House]) -> None:
    world = embree_world(square_room((FRIDGE, SAFE)), 0)
    found, counts = pairs_in(world, [FRIDGE.id])
    assert found == []
    assert counts["pair:object never seen on the walk"] == 1


def test_an_anchor_with_a_twin_in_view_is_dropped_and_counted(square_room: Callable[..., House]) -> None:
    twin = replace(SAFE, id="Safe|2|2", position=(3.0, 0.25, 1.0))
    world = embree_world(square_room((FRIDGE, SAFE, twin)), 0)
    found, counts = pairs_in(world, [FRIDGE.id, SAFE.id, twin.id])
    assert found == []
    assert counts["pair:anchor phrase fits two objects in view"] == 2
    # Two safes, and no word tells which of them one is busy with.
    assert counts["pair:observer object ambiguous"] == 2


def test_an_anchor_with_a_twin_behind_the_observers_back_is_dropped_too(square_room: Callable[..., House]) -> None:
    # Whoever stands before the fridge, at x 1.37, looks along +x; the second safe is behind them.
    twin = replace(SAFE, id="Safe|2|2", position=(0.4, 0.25, 0.4))
    world = embree_world(square_room((FRIDGE, SAFE, twin)), 0)
    found, counts = pairs_in(world, [FRIDGE.id, SAFE.id, twin.id])
    assert "Fridge|2|0__Safe|2|1" not in [pair.id for pair in found]
    assert counts["pair:anchor phrase fits two objects in its room"] >= 1


def test_a_twin_in_another_room_is_only_noted(two_room_house: Callable[..., House]) -> None:
    fridge = Item("Fridge|2|0", "x", "Fridge", "room|2", (0.45, 0.9, 0.5), 90.0, (0.8, 1.8, 0.7))
    near = Item("Safe|2|1", "x", "Safe", "room|2", (2.1, 0.25, 1.2), 270.0, (0.5, 0.5, 0.5))
    far = Item("Safe|3|0", "x", "Safe", "room|3", (3.4, 0.25, 0.4), 270.0, (0.5, 0.5, 0.5))
    world = embree_world(two_room_house((fridge, near, far)), 0)
    found, counts = pairs_in(world, [fridge.id, near.id, far.id])
    pair = next(pair for pair in found if pair.id == "Fridge|2|0__Safe|2|1")
    assert pair.elsewhere == 1
    assert "pair:anchor phrase fits two objects in its room" not in counts


@pytest.mark.parametrize("second", [False, True])
def test_a_doorway_is_an_anchor_only_where_the_observers_room_has_no_other(
    two_room_house: Callable[..., House], second: bool
) -> None:
    # Whoever stands before it, at (1.9, 0.42), sees the doorway's middle (3, 1.5) at 45 degrees.
    fridge = Item("Fridge|2|0", "x", "Fridge", "room|2", (1.13, 0.9, 0.42), 90.0, (0.6, 1.8, 0.7))
    house = two_room_house((fridge,))
    # A closed front door at z = 0 behind whoever looks along +x; its first room is the same.
    front = Opening("door|1|2", "Doorway_2", ("room|2", "room|2"), (0.1, 0.0), (0.9, 0.0), 0.0, 2.0, ("", ""), True)
    world = embree_world(replace(house, doors=(*house.doors, front) if second else house.doors), 0)
    found, counts = pairs_in(world, [fridge.id, "door|2|3"])
    assert ("Fridge|2|0__door|2|3" in [pair.id for pair in found]) is not second
    fits_two = [key for key in counts if key.startswith("pair:anchor phrase fits two")]
    assert bool(fits_two) is second


def test_an_anchor_behind_something_is_not_visible(square_room: Callable[..., House]) -> None:
    shelf = Item("ShelvingUnit|2|2", "x", "ShelvingUnit", "room|2", (2.2, 1.0, 2.0), 90.0, (2.4, 2.0, 0.3))
    world = embree_world(square_room((FRIDGE, SAFE, shelf)), 0)
    found, counts = pairs_in(world, [FRIDGE.id, SAFE.id, shelf.id])
    assert all({pair.observer.id, pair.anchor.id} != {FRIDGE.id, SAFE.id} for pair in found)
    assert counts["pair:anchor not visible"] + counts.get("pair:anchor mostly hidden", 0) >= 2


def test_pairs_of_a_house_are_varied_and_every_rejection_has_a_reason(small_house: World) -> None:
    everything = [instance.id for instance in small_house.scene.instances]
    found, counts = pairs_in(small_house, everything)
    assert 3 <= len(found) <= wanted_pairs(small_house.scene.house)
    assert len({(pair.observer.category, pair.anchor.category) for pair in found}) == len(found)
    for pair in found:
        assert len(pair.placements) >= 2
        assert len(pair.placements) + len(pair.rejections) == 4
        assert pair.speaker.category == pair.observer.category
    assert all(key.split(":")[0] in ("pair", "direction") for key in counts)


def test_other_draws_try_other_pairs(small_house: World) -> None:
    everything = [instance.id for instance in small_house.scene.instances]
    first, again, other = (pairs_in(small_house, everything, seed)[0] for seed in (1, 1, 2))
    assert [pair.id for pair in first] == [pair.id for pair in again]
    assert [pair.id for pair in first] != [pair.id for pair in other]
