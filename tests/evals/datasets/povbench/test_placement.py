"""The published placement rule (paper, table 7) on cases worked out by hand.

The table below stands square before the observer, seen from above (x to the right, z up the page):

    z = 3.5   +-----------+          box 2.0 x 1.0 m, its top at 0.8 m
    z = 3.0   |     c     |          c = (2, 3)
    z = 2.5   +-----------+
              x=1   2     3
    z = 0.0         o                o: the observer, looking along +z, so its right is +x
"""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evals.datasets.povbench.placement import (
    RELATIONS,
    distance_to_edge,
    heading,
    names_anchor,
    surface_height,
    target_position,
)
from graphs.hints import ObjectHint
from tools.camera import box_corners


def anchor(category="DiningTable", center=(2.0, 0.4, 3.0), size=(2.0, 0.8, 1.0), placed_at=None, corners=True):
    placed_at = placed_at or (center[0], 0.0, center[2])
    points = tuple(tuple(map(float, corner)) for corner in box_corners(center, size)) if corners else ()
    return ObjectHint("it", category, placed_at, placed_at, center, size, points)


BEFORE = (2.0, 1.55, 0.0)


@pytest.mark.parametrize(
    ("relation", "surface", "position"),
    [
        ("up", "on the dining table", (2.0, 1.0, 3.0)),
        ("up", "on the floor", (2.0, 1.0, 3.0)),
        ("front", "on the floor", (2.0, 0.2, 2.3)),
        ("front", "on the dining table", (2.0, 1.0, 2.3)),
        ("right", "on the dining table", (2.2, 1.0, 3.0)),
        ("left", "On the Dining Table", (1.8, 1.0, 3.0)),
        ("right", "on the floor", (3.2, 0.2, 3.0)),
        ("left", "on the Floor next to it", (0.8, 0.2, 3.0)),
        ("left", "on the side table", (0.8, 1.0, 3.0)),
        ("left", "on the floor by the dining table", (1.8, 1.0, 3.0)),
        ("right", "", (3.2, 1.0, 3.0)),
    ],
)
def test_target_stands_where_table_7_puts_it(relation, surface, position):
    assert target_position(anchor(), relation, surface, BEFORE) == pytest.approx(position, abs=1e-12)


def test_target_beside_an_anchor_that_is_not_flat_topped_stands_beyond_its_edge_even_if_the_phrase_names_it():
    assert target_position(anchor("Sofa"), "right", "on the sofa", BEFORE) == pytest.approx((3.2, 1.0, 3.0))


def test_directions_are_taken_from_the_pivot_and_distances_from_the_box():
    # The pivot is at (4, 3), the observer at (1, -1): ahead is (3, 4) / 5, right (0.8, -0.6) and front (-0.6, -0.8).
    # The box around (4.1, 3.2) has half sides 0.8 and 0.3: its edge lies min(0.8/0.8, 0.3/0.6) = 0.5 m to the right
    # and min(0.8/0.6, 0.3/0.8) = 0.375 m to the front; 0.2 m more are 0.7 and 0.575.
    television = anchor("Television", center=(4.1, 0.5, 3.2), size=(1.6, 1.0, 0.6), placed_at=(4.0, 0.0, 3.0))
    observer = (1.0, 1.55, -1.0)
    assert target_position(television, "right", "on the floor", observer) == pytest.approx((4.66, 0.2, 2.78))
    assert target_position(television, "left", "on the floor", observer) == pytest.approx((3.54, 0.2, 3.62))
    assert target_position(television, "front", "on the tv stand", observer) == pytest.approx((3.755, 1.2, 2.74))


def test_a_ray_through_a_corner_leaves_the_box_there():
    # Square box of half side 0.5, observer at 45 degrees: the corner is sqrt(0.5) away.
    square = anchor("Stool", center=(3.0, 0.5, 3.0), size=(1.0, 1.0, 1.0))
    assert distance_to_edge(square, heading(square, "front", (0.0, 1.55, 0.0))) == pytest.approx(math.sqrt(0.5))


def test_without_corners_the_height_of_the_centre_counts_as_the_top():
    assert target_position(anchor(corners=False), "up", "on the table", BEFORE) == pytest.approx((2.0, 0.6, 3.0))


@pytest.mark.parametrize("relation", ["left", "right", "front"])
def test_an_observer_straight_above_the_anchor_leaves_its_centre(relation):
    assert target_position(anchor("Chair"), relation, "on the floor", (2.0, 1.55, 3.0)) == pytest.approx(
        (2.0, 0.2, 3.0)
    )


def test_up_has_no_heading():
    with pytest.raises(ValueError, match="up"):
        heading(anchor(), "up", BEFORE)


@pytest.mark.parametrize(
    ("category", "names_it", "does_not"),
    [
        ("ArmChair", ["on the armchair", "on the arm chair"], ["on the chair"]),
        ("Bed", ["on the bed", "on the BED"], ["on the floor"]),
        ("Chair", ["on the chair"], ["on the stool"]),
        ("ClothesDryer", ["on the clothes dryer"], ["on the dryer"]),
        ("CoffeeMachine", ["on the coffee machine"], ["on the machine"]),
        ("CoffeeTable", ["on the coffee table"], ["on the table"]),
        ("CounterTop", ["on the counter", "on the countertop", "on the counter top"], ["on the table"]),
        ("Desk", ["on the desk", "on the desktop"], ["on the dresser"]),
        ("DeskLamp", ["on the desk lamp"], ["on the desk"]),
        ("Desktop", ["on the desktop"], ["on the desk", "on the desk top"]),
        ("DiningTable", ["on the dining table"], ["on the table"]),
        ("Doorway", ["in the doorway"], ["at the door"]),
        ("Dresser", ["on the dresser"], ["on the drawers"]),
        ("Faucet", ["on the faucet"], ["on the sink"]),
        ("FloorLamp", ["on the floor lamp"], ["on the floor"]),
        ("Fridge", ["on the fridge", "on the refrigerator"], ["on the freezer"]),
        ("GarbageCan", ["on the garbage can"], ["on the garbage"]),
        ("HandTowelHolder", ["on the hand towel holder"], ["on the towel holder"]),
        ("HousePlant", ["on the house plant"], ["on the plant"]),
        ("Microwave", ["on the microwave"], ["on the oven"]),
        ("Safe", ["on the safe"], ["on the shelf"]),
        ("ShelvingUnit", ["on the shelving unit"], ["on the shelf"]),
        ("SideTable", ["on the side table"], ["on the table"]),
        ("Sink", ["on the sink"], ["on the counter"]),
        ("Sofa", ["on the sofa", "on the couch"], ["on the settee"]),
        ("Stool", ["on the stool"], ["on the chair"]),
        ("Television", ["on the television"], ["on the tv"]),
        ("Toaster", ["on the toaster"], ["on the counter"]),
        ("Toilet", ["on the toilet"], ["on the tank"]),
        ("TowelHolder", ["on the towel holder", "on the hand towel holder"], ["on the towel"]),
        ("WashingMachine", ["on the washing machine"], ["on the washer"]),
    ],
)
def test_a_phrase_names_the_anchor_by_its_words(category, names_it, does_not):
    assert [names_anchor(phrase, category) for phrase in names_it] == [True] * len(names_it)
    assert [names_anchor(phrase, category) for phrase in does_not] == [False] * len(does_not)


@pytest.mark.parametrize(("phrase", "height"), [("on the FLOOR", 0.0), ("on the shelf", 0.8), ("", 0.8)])
def test_the_floor_is_at_zero_and_everything_else_as_high_as_the_anchor(phrase, height):
    assert surface_height(anchor(), phrase) == pytest.approx(height)


metres = st.floats(-10, 10, allow_nan=False)
sides = st.floats(0.05, 3)


@given(metres, metres, metres, metres, sides, sides, st.sampled_from(["left", "right", "front"]))
def test_beyond_the_edge_means_just_outside_the_box(x, z, observer_x, observer_z, width, depth, relation):
    assume(math.hypot(x - observer_x, z - observer_z) > 0.01)
    chair = anchor("Chair", center=(x, 0.5, z), size=(width, 1.0, depth))
    toward = heading(chair, relation, (observer_x, 1.55, observer_z))
    assert math.hypot(*toward) == pytest.approx(1.0)
    reach = distance_to_edge(chair, toward)

    def inside(distance):
        return abs(distance * toward[0]) <= width / 2 + 1e-9 and abs(distance * toward[1]) <= depth / 2 + 1e-9

    assert inside(reach)
    # Components up to 1e-6 count as none, so an edge may be missed by that angle.
    assert not inside(reach + 1e-4)


@given(metres, metres, metres, metres, sides, sides, st.sampled_from(RELATIONS), st.sampled_from(["Bed", "Chair"]))
def test_a_quarter_turn_of_the_world_turns_the_target_with_it(
    x, z, observer_x, observer_z, width, depth, relation, kind
):
    assume(math.hypot(x - observer_x, z - observer_z) > 0.01)
    before = anchor(kind, center=(x, 0.5, z), size=(width, 1.0, depth))
    turned = anchor(kind, center=(z, 0.5, -x), size=(depth, 1.0, width))
    here = target_position(before, relation, "on the bed", (observer_x, 1.55, observer_z))
    there = target_position(turned, relation, "on the bed", (observer_z, 1.55, -observer_x))
    assert there == pytest.approx((here[2], here[1], -here[0]), abs=1e-6)


@given(metres, metres, metres, metres)
def test_right_is_on_the_right_hand_of_an_observer_who_faces_the_anchor(x, z, observer_x, observer_z):
    assume(math.hypot(x - observer_x, z - observer_z) > 0.01)
    stool = anchor("Stool", center=(x, 0.5, z), size=(0.4, 0.5, 0.4))
    target = target_position(stool, "right", "on the floor", (observer_x, 1.55, observer_z))
    ahead, aside = (x - observer_x, z - observer_z), (target[0] - x, target[2] - z)
    # Left-handed axes seen from above: turning from ahead to the right is clockwise, so this product is negative.
    assert ahead[0] * aside[1] - ahead[1] * aside[0] < 0
