from collections.abc import Callable

import numpy as np
import pytest

from evals.scenes.explore import free_floor
from evals.scenes.house import House, Item
from evals.scenes.observers import EYE, looking_at, observer_point
from tools.camera import project


def placed(house: House, item: Item) -> tuple[float, float] | None:
    return observer_point(house, free_floor(house), item, {thing.id: thing for thing in house.items})


def test_whoever_sits_is_where_the_seat_is(square_room: Callable[..., House]) -> None:
    sofa = Item("Sofa|2|0", "x", "Sofa", "room|2", (2.0, 0.4, 0.6), 0.0, (1.9, 0.8, 0.9))
    assert placed(square_room((sofa,)), sofa) == (2.0, 0.6)


def test_nobody_sits_with_the_head_in_a_shelf(square_room: Callable[..., House]) -> None:
    chair = Item("Chair|2|0", "x", "Chair", "room|2", (2.0, 0.45, 2.0), 0.0, (0.45, 0.9, 0.5))
    shelf = Item("ShelvingUnit|2|1", "x", "ShelvingUnit", "room|2", (2.0, 1.5, 2.0), 0.0, (0.9, 1.0, 0.4))
    assert placed(square_room((chair, shelf)), chair) is None


@pytest.mark.parametrize(("yaw", "expected"), [(0.0, (2.0, 2.77)), (90.0, (2.77, 2.0)), (180.0, (2.0, 1.23))])
def test_whoever_uses_a_fridge_stands_before_its_door(
    square_room: Callable[..., House], yaw: float, expected: tuple[float, float]
) -> None:
    # Half its depth of 0.7 and an arm's length of 0.42 before its middle.
    fridge = Item("Fridge|2|0", "x", "Fridge", "room|2", (2.0, 0.9, 2.0), yaw, (0.8, 1.8, 0.7))
    assert placed(square_room((fridge,)), fridge) == pytest.approx(expected)


def test_whoever_uses_a_toaster_stands_before_the_counter_level_with_it(square_room: Callable[..., House]) -> None:
    counter = Item("CounterTop|2|0", "x", "CounterTop", "room|2", (2.0, 0.47, 0.4), 0.0, (1.8, 0.94, 0.6))
    toaster = Item("Toaster|2|1", "x", "Toaster", "room|2", (2.5, 1.04, 0.3), 90.0, (0.2, 0.2, 0.34), parent=counter.id)
    assert placed(square_room((counter, toaster)), toaster) == pytest.approx((2.5, 0.4 + 0.3 + 0.42))


def test_a_blocked_front_leaves_the_nearest_free_place(square_room: Callable[..., House]) -> None:
    desk = Item("Desk|2|0", "x", "Desk", "room|2", (2.0, 0.37, 0.5), 0.0, (1.4, 0.74, 0.7))
    crowd = Item("Bed|2|1", "x", "Bed", "room|2", (2.0, 0.4, 1.9), 0.0, (2.6, 0.8, 2.0))
    point = placed(square_room((desk, crowd)), desk)
    assert point is not None
    a, b, c, d = desk.footprint()
    gap = np.hypot(max(a - point[0], point[0] - c, 0), max(b - point[1], point[1] - d, 0))
    assert gap <= 1.1


@pytest.mark.parametrize("target", [(3.0, 0.4, 3.0), (-2.0, 2.2, 0.5), (1.0, 1.55, -4.0)])
def test_the_observer_looks_straight_at_the_target(target: tuple[float, float, float]) -> None:
    camera = looking_at((0.5, 0.5), target)
    assert camera.position == (0.5, EYE, 0.5)
    assert project(camera, [target]).points[0] == pytest.approx([0.5, 0.5], abs=1e-6)
