from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from evals.scenes.house import House, Item
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
