from collections.abc import Callable

import pytest

from evals.scenes.house import House, Item
from evals.scenes.observers import looking_at
from evals.scenes.targets import Placement, Rejection, hint_of, in_wall, judge_directions
from evals.scenes.world import World, embree_world

TABLE = Item("DiningTable|2|0", "x", "DiningTable", "room|2", (2.0, 0.375, 2.0), 0.0, (1.0, 0.75, 0.6))
SAFE = Item("Safe|2|0", "x", "Safe", "room|2", (2.0, 0.25, 2.0), 0.0, (0.5, 0.5, 0.5))


def judged(
    world: World, anchor: str, observer: tuple[float, float], **options: bool
) -> dict[str, Placement | Rejection]:
    instance = world.scene.instances[world.scene.index_of(anchor)]
    camera = looking_at(observer, instance.center)
    results = judge_directions(world.scene, world.caster, instance, camera, options.get("prefer_anchor", False), None)
    return {result.relation: result for result in results}


def test_positions_are_those_of_the_papers_table_7(square_room: Callable[..., House]) -> None:
    # The observer stands at -z and looks to +z: their right is +x. The safe is half a metre wide, the cube's half 0.2.
    found = judged(embree_world(square_room((SAFE,)), 0), SAFE.id, (2.0, 0.6))
    expected = {"front": (2.0, 0.2, 1.55), "right": (2.45, 0.2, 2.0), "left": (1.55, 0.2, 2.0), "up": (2.0, 0.7, 2.0)}
    for relation, position in expected.items():
        placement = found[relation]
        assert isinstance(placement, Placement)
        assert placement.position == pytest.approx(position)
        assert placement.surface == ("on the safe" if relation == "up" else "on the floor")
        assert placement.in_view


@pytest.mark.parametrize(
    ("prefer", "x", "y", "surface"), [(True, 2.2, 0.95, "on the dining table"), (False, 2.7, 0.2, "on the floor")]
)
def test_right_of_a_flat_anchor_is_on_it_or_beside_it(
    square_room: Callable[..., House], prefer: bool, x: float, y: float, surface: str
) -> None:
    found = judged(embree_world(square_room((TABLE,)), 0), TABLE.id, (2.0, 0.6), prefer_anchor=prefer)
    right = found["right"]
    assert isinstance(right, Placement)
    assert right.position == pytest.approx((x, y, 2.0))
    assert (right.surface, right.on_anchor) == (surface, prefer)


def reason(result: Placement | Rejection) -> str:
    assert isinstance(result, Rejection), result
    return result.reason


def test_a_wall_beside_the_anchor_rules_a_side_out(square_room: Callable[..., House]) -> None:
    safe = Item("Safe|2|0", "x", "Safe", "room|2", (3.65, 0.25, 2.0), 0.0, (0.5, 0.5, 0.5))
    found = judged(embree_world(square_room((safe,)), 0), safe.id, (3.65, 0.6))
    assert reason(found["right"]) in ("wall", "outside")
    assert isinstance(found["left"], Placement)


@pytest.mark.parametrize(("height", "stands"), [(0.47, True), (0.54, True), (0.43, False), (0.57, False)])
def test_furniture_beside_the_anchor_carries_a_target_where_it_is_as_high(
    square_room: Callable[..., House], height: float, stands: bool
) -> None:
    # The release takes the anchor's top (0.5 m) for whatever is not the floor: 5 cm off is the most that may be.
    table = Item("SideTable|2|1", "x", "SideTable", "room|2", (2.8, height / 2, 2.0), 0.0, (1.0, height, 0.9))
    right = judged(embree_world(square_room((SAFE, table)), 0), SAFE.id, (2.0, 0.6))["right"]
    if not stands:
        assert reason(right) == "surface_height"
        return
    assert isinstance(right, Placement)
    assert (right.surface, right.surface_id, right.surface_category) == ("on the side table", table.id, "SideTable")
    assert right.surface_height == pytest.approx(height, abs=1e-3)
    assert right.position == pytest.approx((2.0 + 0.25 + 0.2, 0.5 + 0.2, 2.0))


def test_beside_the_middle_of_a_bed_the_headboards_height_is_thin_air(square_room: Callable[..., House]) -> None:
    bed = Item("Bed|2|0", "x", "Bed", "room|2", (2.0, 0.45, 2.6), 180.0, (0.9, 0.9, 2.0))
    found = judged(embree_world(square_room((bed,)), 0), bed.id, (2.0, 0.6), prefer_anchor=True)
    for side in ("left", "right"):
        place = found[side]
        assert isinstance(place, Placement)
        assert (place.surface, place.on_anchor, place.position[1]) == ("on the floor", False, 0.2)


def test_a_surface_far_below_the_anchors_top_is_ruled_out(square_room: Callable[..., House]) -> None:
    fridge = Item("Fridge|2|0", "x", "Fridge", "room|2", (2.0, 0.9, 3.5), 180.0, (0.8, 1.8, 0.7))
    table = Item("DiningTable|2|1", "x", "DiningTable", "room|2", (3.0, 0.375, 3.4), 0.0, (1.0, 0.75, 0.9))
    found = judged(embree_world(square_room((fridge, table)), 0), fridge.id, (2.0, 0.8))
    assert reason(found["right"]) == "surface_height"


def panel(x: float, z: float, yaw: float, low: float = 0.1) -> Item:
    """A metre of board, 2 cm thick along x at yaw 0."""
    return Item("Panel|2|9", "x", "Ottoman", "room|2", (x, low + 0.15, z), yaw, (0.02, 0.3, 1.0))


@pytest.mark.parametrize(
    ("board", "free"),
    [
        # The target's middle is (2.45, 2.0); its core reaches 0.1 m to each side, 0.141 m over its corners.
        (panel(2.45 + 0.05, 2.0, 0.0), False),
        (panel(2.45 + 0.115, 2.0, 0.0), True),
        (panel(2.45 + 0.12 / 2**0.5, 2.0 - 0.12 / 2**0.5, 45.0), False),
        (panel(2.45 + 0.16 / 2**0.5, 2.0 - 0.16 / 2**0.5, 45.0), True),
        (panel(2.45 + 0.05, 2.0, 0.0, low=0.31), True),
    ],
)
def test_a_target_may_not_stand_in_a_thing_that_no_ray_meets(
    square_room: Callable[..., House], board: Item, free: bool
) -> None:
    # From above and to the right of it nothing hides the place.
    right = judged(embree_world(square_room((SAFE, board)), 0), SAFE.id, (2.0, 0.6))["right"]
    if free:
        assert isinstance(right, Placement)
    else:
        assert reason(right) == "inside_something"


def test_nothing_is_put_under_a_chair(square_room: Callable[..., House]) -> None:
    chair = Item("Chair|2|1", "x", "Chair", "room|2", (2.45, 0.5, 2.0), 0.0, (0.6, 1.0, 0.6))
    found = judged(embree_world(square_room((SAFE, chair)), 0), SAFE.id, (2.0, 0.6))
    assert isinstance(found["right"], Rejection)
    desk = Item("Desk|2|1", "x", "Desk", "room|2", (2.0, 0.375, 2.0), 0.0, (1.4, 0.75, 0.7))
    lamp = Item("Desktop|2|2", "x", "Desktop", "room|2", (2.0, 1.0, 2.0), 180.0, (0.7, 0.5, 0.5), parent=desk.id)
    on_desk = judged(embree_world(square_room((desk, lamp)), 0), desk.id, (2.0, 0.6))
    assert isinstance(on_desk["up"], Rejection)


def test_an_edge_under_the_target_is_no_support(square_room: Callable[..., House]) -> None:
    edge = Item("Desk|2|1", "x", "Desk", "room|2", (2.95, 0.35, 2.0), 0.0, (1.0, 0.7, 0.6))
    found = judged(embree_world(square_room((SAFE, edge)), 0), SAFE.id, (2.0, 0.6))
    assert reason(found["right"]) == "uneven"


def test_a_lid_above_leaves_no_room_on_top(square_room: Callable[..., House]) -> None:
    cabinet = Item("WallCabinet|2|1", "x", "WallCabinet", "room|2", (2.0, 1.1, 2.0), 0.0, (0.6, 0.5, 0.6), decor=True)
    found = judged(embree_world(square_room((SAFE, cabinet)), 0), SAFE.id, (2.0, 0.6))
    assert reason(found["up"]) in ("occupied", "no_room_above")


def test_something_on_the_anchor_takes_its_place(square_room: Callable[..., House]) -> None:
    microwave = Item(
        "Microwave|2|1", "x", "Microwave", "room|2", (2.0, 0.9, 2.0), 180.0, (0.5, 0.3, 0.4), parent=TABLE.id
    )
    found = judged(embree_world(square_room((TABLE, microwave)), 0), TABLE.id, (2.0, 0.6))
    assert reason(found["up"]) == "occupied"


def test_a_place_behind_a_screen_is_hidden(square_room: Callable[..., House]) -> None:
    screen = Item("ShelvingUnit|2|1", "x", "ShelvingUnit", "room|2", (2.75, 1.0, 1.3), 0.0, (0.9, 2.0, 0.3))
    found = judged(embree_world(square_room((SAFE, screen)), 0), SAFE.id, (2.2, 0.6))
    assert reason(found["right"]) == "hidden"
    assert isinstance(found["left"], Placement)


def test_a_place_whose_middle_alone_is_hidden_counts_as_hidden(square_room: Callable[..., House]) -> None:
    # Eyes at (2.2, 1.55, 0.6), facing (-0.141, 0.990): the place to the right is (2.448, 0.2, 2.064). A 6 cm block
    # half-way there covers 12 cm of the 40 cm cube.
    block = Item("Block|2|1", "x", "Ottoman", "room|2", (2.324, 0.875, 1.332), 0.0, (0.06, 0.06, 0.06))
    free = judged(embree_world(square_room((SAFE,)), 0), SAFE.id, (2.2, 0.6))["right"]
    assert isinstance(free, Placement)
    assert free.position == pytest.approx((2.448, 0.2, 2.064), abs=1e-3)
    found = judged(embree_world(square_room((SAFE, block)), 0), SAFE.id, (2.2, 0.6))
    assert reason(found["right"]) == "hidden"
    assert isinstance(found["left"], Placement)


def test_beside_a_doorway_means_in_the_observers_room(two_room_house: Callable[..., House]) -> None:
    # The observer faces the doorway's middle (3, 1.5) along (0.659, 0.753): right is (0.753, -0.659), through the wall.
    found = judged(embree_world(two_room_house(), 0), "door|2|3", (2.3, 0.7))
    assert reason(found["right"]) == "other_room"
    left = found["left"]
    assert isinstance(left, Placement)
    assert left.position == pytest.approx((3 - 0.2305, 0.2, 1.5 + 0.2017), abs=1e-3)


def test_nothing_is_put_where_the_observer_is(square_room: Callable[..., House]) -> None:
    found = judged(embree_world(square_room((SAFE,)), 0), SAFE.id, (2.0, 1.3))
    assert reason(found["front"]) == "observer_there"


def test_a_model_decides_plausibility_but_walls_stay_walls(square_room: Callable[..., House]) -> None:
    safe = Item("Safe|2|0", "x", "Safe", "room|2", (3.65, 0.25, 2.0), 0.0, (0.5, 0.5, 0.5))
    world = embree_world(square_room((safe,)), 0)
    instance = world.scene.instances[world.scene.index_of(safe.id)]
    camera = looking_at((3.65, 0.6), instance.center)
    said = {"right": "on the floor", "left": None, "front": "on the floor", "up": "on the safe"}
    found = {r.relation: r for r in judge_directions(world.scene, world.caster, instance, camera, False, said)}
    assert reason(found["right"]) in ("wall", "outside")
    assert reason(found["left"]) == "judged_implausible"
    assert isinstance(found["front"], Placement)
    assert isinstance(found["up"], Placement)


@pytest.mark.parametrize(
    ("point", "half", "expected"),
    [
        ((2.0, 2.0), 0.2, False),
        ((0.2, 2.0), 0.15, True),
        ((0.22, 2.0), 0.15, False),
        ((2.0, 3.9), 0.1, True),
        ((4.1, 2.0), 0.1, True),
    ],
)
def test_a_square_is_in_a_wall_when_it_reaches_its_face(
    square_room: Callable[..., House], point: tuple[float, float], half: float, expected: bool
) -> None:
    # The walls' faces stand 0.06 m inside the room's edge.
    assert in_wall(square_room(), point, half) == expected


def test_annotations_take_the_middle_of_the_box_as_the_pivot(square_room: Callable[..., House]) -> None:
    world = embree_world(square_room((TABLE,)), 0)
    hint = hint_of(world.scene.instances[world.scene.index_of(TABLE.id)])
    assert hint.placed_at == hint.box_center == TABLE.position
    assert hint.top == pytest.approx(0.75)
