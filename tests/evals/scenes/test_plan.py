import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.scenes.errors import SceneError
from evals.scenes.plan import MOST_ROOMS, SMALLEST, plan_of

PLANS = st.builds(
    lambda seed, rooms: plan_of(rooms, np.random.default_rng(seed)), st.integers(0, 10**6), st.integers(1, MOST_ROOMS)
)


@settings(max_examples=40, deadline=None)
@given(PLANS)
def test_rooms_fill_the_house_without_overlap(plan) -> None:
    corners = np.array([corner for room in plan.rooms for corner in room.polygon])
    width, depth = np.ptp(corners, axis=0)
    # Equal to the hull and in sum as large as it: they can neither overlap nor leave a gap.
    assert sum(room.area for room in plan.rooms) == pytest.approx(width * depth)
    for i, a in enumerate(plan.rooms):
        for b in plan.rooms[i + 1 :]:
            low = np.maximum(np.min(a.polygon, axis=0), np.min(b.polygon, axis=0))
            high = np.minimum(np.max(a.polygon, axis=0), np.max(b.polygon, axis=0))
            assert min(high - low) < 1e-9


@settings(max_examples=40, deadline=None)
@given(PLANS)
def test_doors_join_all_rooms_to_the_entrance(plan) -> None:
    assert plan.doors[0].outside
    assert plan.doors[0].closed
    reached = {plan.doors[0].rooms[0]}
    for _ in plan.rooms:
        reached |= {room for door in plan.doors for room in door.rooms if set(door.rooms) & reached}
    assert reached == {room.id for room in plan.rooms}


@settings(max_examples=40, deadline=None)
@given(PLANS)
def test_openings_lie_in_the_walls_they_name_and_in_no_other_opening(plan) -> None:
    walls = {wall.id: wall for wall in plan.walls}
    for opening in (*plan.doors, *plan.windows):
        for wall_id in opening.walls:
            wall = walls[wall_id]
            for end in (opening.start, opening.end):
                to_start, to_end = np.subtract(end, wall.start), np.subtract(wall.end, end)
                assert np.hypot(*to_start) + np.hypot(*to_end) == pytest.approx(wall.length, abs=1e-3)
    holes = (*plan.doors, *plan.windows)
    for i, a in enumerate(holes):
        for b in holes[i + 1 :]:
            if set(a.walls) & set(b.walls):
                gap = np.hypot(a.middle[0] - b.middle[0], a.middle[1] - b.middle[1])
                assert gap >= (a.width + b.width) / 2 - 1e-6


@settings(max_examples=40, deadline=None)
@given(PLANS)
def test_rooms_are_wide_enough_to_live_in_and_bathrooms_lead_nowhere(plan) -> None:
    for room in plan.rooms:
        assert min(np.ptp(room.polygon, axis=0)) >= SMALLEST[room.kind] - 1e-9
        if room.kind == "Bathroom":
            assert sum(room.id in door.rooms for door in plan.doors) == 1


@pytest.mark.parametrize("rooms", [0, -3, 11])
def test_a_number_of_rooms_out_of_range_is_the_users_mistake(rooms: int) -> None:
    with pytest.raises(SceneError, match="1 to 10 rooms"):
        plan_of(rooms, np.random.default_rng(0))


@pytest.mark.parametrize("rooms", range(1, 11))
def test_the_number_of_rooms_is_what_was_asked_for(rooms: int) -> None:
    assert len(plan_of(rooms, np.random.default_rng(rooms)).rooms) == rooms


def test_an_unlucky_draw_of_ten_rooms_comes_out_all_the_same() -> None:
    # One in 200 takes more than 3000 tries, as this one does, and would end a run of many houses.
    assert len(plan_of(10, np.random.default_rng(54)).rooms) == 10
