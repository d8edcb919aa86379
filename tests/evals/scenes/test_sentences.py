import itertools
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.scenes.activities import ACTIVITIES, BATHROOM_SINK, Activity
from evals.scenes.assets import PAPER_CATEGORIES
from evals.scenes.errors import SentenceError
from evals.scenes.generate import generate_house
from evals.scenes.house import House, Item, door_items
from evals.scenes.names import NAMES, named_in, surface_word, unambiguous_names
from evals.scenes.sentences import (
    Speaker,
    check_inferred,
    inventory_of,
    relation_words,
    sentences_for,
    speaker_of,
    target_options,
)
from evals.scenes.target_objects import TARGETS
from evals.scenes.targets import Placement


def placement(relation: str, surface: str = "Floor", on_anchor: bool = False) -> Placement:
    phrase = "on the floor" if surface == "Floor" else f"on the {surface_word(surface)}"
    return Placement(relation, (0, 0, 0), phrase, surface, "", 0.0, on_anchor, 1.0, True)


# Words of ours for each category, to hold the activities against without the code's own tables.
WATCHWORDS = {
    "ArmChair": "chair",
    "Bed": "bed",
    "Chair": "chair",
    "ClothesDryer": "dryer",
    "CoffeeMachine": "machine",
    "CoffeeTable": "table",
    "CounterTop": "counter",
    "Desk": "desk",
    "DeskLamp": "lamp",
    "Desktop": "computer",
    "DiningTable": "table",
    "Doorway": "door",
    "Dresser": "dresser",
    "Faucet": "faucet",
    "FloorLamp": "lamp",
    "Fridge": "fridge",
    "GarbageCan": "can",
    "HandTowelHolder": "towel",
    "HousePlant": "plant",
    "Microwave": "microwave",
    "Safe": "safe",
    "ShelvingUnit": "shel",
    "SideTable": "table",
    "Sink": "sink",
    "Sofa": "sofa",
    "Stool": "stool",
    "Television": "tv",
    "Toaster": "toaster",
    "Toilet": "toilet",
    "TowelHolder": "towel",
    "WashingMachine": "machine",
}


CIRCUMSCRIPTIONS = {"light", "screen", "greenery", "seat", "backrest", "big-screen", "appliance", "furniture"}
"""Words that only go round the thing's name."""

PARTS = {"filter", "switch", "drip", "shade", "soil", "leaves", "combination", "drawer", "tray", "rim"}
"""What a thing has, and one of which can be "of the thing"."""


def activities_of(category: str) -> tuple[Activity, ...]:
    return (*ACTIVITIES[category], *(BATHROOM_SINK if category == "Sink" else ()))


def test_every_category_of_table_5_has_several_activities_and_a_name() -> None:
    for category in PAPER_CATEGORIES:
        assert len(ACTIVITIES[category]) >= 3
        assert NAMES[category]
    assert set(WATCHWORDS) == set(PAPER_CATEGORIES)


@pytest.mark.parametrize("category", PAPER_CATEGORIES)
def test_no_activity_names_its_thing(category: str) -> None:
    for activity in activities_of(category):
        words = activity.inferred.lower().replace("'", " ").replace("-", " ").split()
        assert WATCHWORDS[category] not in words
        assert not CIRCUMSCRIPTIONS & set(words)
        assert category not in named_in(activity.inferred)
        assert activity.link.count("{thing}") == 1


@pytest.mark.parametrize("category", PAPER_CATEGORIES)
def test_activities_say_nothing_of_sides_and_are_plain_english(category: str) -> None:
    for activity in activities_of(category):
        for text in (activity.inferred, activity.stated("the thing")):
            words = text.split()
            assert not {"left", "right", "front", "top", "behind", "beside"} & set(words), "the reader looks for these"
            assert words[0].endswith("ing")
            assert all(one != two for one, two in itertools.pairwise(words))
            assert " ".join(words) == text
        # "... for lip balm of the end table" is none: what a thing has comes right before the thing.
        before = activity.doing.split()[-1]
        if activity.link.startswith("of "):
            assert before in PARTS, activity


@pytest.mark.parametrize(
    ("category", "inferred", "stated"),
    [
        ("Fridge", "getting out the cold milk", "getting out the cold milk from the fridge"),
        (
            "SideTable",
            "rummaging through the little drawer for my lip balm",
            "rummaging through the little drawer of the end table for my lip balm",
        ),
        ("Toilet", "scrubbing under the rim with a brush", "scrubbing under the rim of the loo with a brush"),
        ("Toilet", "flushing twice to be sure", "flushing the loo twice to be sure"),
        ("Bed", "waking up this morning", "waking up in the bed this morning"),
        ("Stool", "stepping up to reach the smoke alarm", "stepping up on the stool to reach the smoke alarm"),
        (
            "WashingMachine",
            "waiting for the spin cycle to end",
            "waiting by the washing machine for the spin cycle to end",
        ),
    ],
)
def test_the_thing_comes_in_where_english_wants_it(category: str, inferred: str, stated: str) -> None:
    forms = [
        activity.stated(f"the {name}")
        for activity in ACTIVITIES[category]
        for name in NAMES[category]
        if activity.inferred == inferred
    ]
    assert stated in forms


def test_a_doorway_is_told_by_the_room_into_which_it_is_the_only_one(two_room_house: Callable[..., House]) -> None:
    house = two_room_house()
    rng = np.random.default_rng(0)
    door = door_items(house.doors)[0]
    assert speaker_of(house, door, rng) is None, "two bedrooms: into which?"
    named = replace(house, rooms=(house.rooms[0], replace(house.rooms[1], kind="Kitchen")))
    speaker = speaker_of(named, door, rng)
    assert speaker is not None
    assert speaker.room in (" into the bedroom", " into the kitchen")
    assert speaker.inferred.endswith(speaker.room)
    assert f"through the {speaker.thing} into the " in speaker.stated
    second = replace(house.doors[0], id="door|3|3", rooms=("room|3", "room|3"))
    only = speaker_of(replace(named, doors=(*house.doors, second)), door, rng)
    assert only is not None
    assert only.room == " into the bedroom"


def test_names_fit_the_room_and_do_not_repeat_it(two_room_house: Callable[..., House]) -> None:
    basin = Item("Sink|2|1", "x", "Sink", "room|2", (0.5, 0.4, 0.5), 0.0, (0.5, 0.8, 0.5))
    other = replace(basin, id="Sink|3|1", room="room|3", position=(5.0, 0.4, 0.5))
    counters = tuple(
        Item(
            f"CounterTop|{room}|2", "x", "CounterTop", f"room|{room}", (room * 2.0 - 2, 0.45, 2.5), 180.0, (1, 0.9, 0.6)
        )
        for room in (2, 3)
    )
    house = two_room_house((basin, other, *counters))
    kitchen, bathroom = (replace(r, kind=k) for r, k in zip(house.rooms, ("Kitchen", "Bathroom"), strict=True))
    house = replace(house, rooms=(kitchen, bathroom))
    said = {
        thing.id: {
            speaker.thing for seed in range(40) if (speaker := speaker_of(house, thing, np.random.default_rng(seed)))
        }
        for thing in (basin, other, counters[0])
    }
    assert said == {
        "Sink|2|1": {"sink"},
        "Sink|3|1": {"sink", "basin", "washbasin"},
        "CounterTop|2|2": {"counter", "countertop", "worktop"},
    }
    assert unambiguous_names("Sink", Counter(Sink=1), "Kitchen") == ("sink",)


def test_no_target_is_one_that_the_activity_speaks_of() -> None:
    house = generate_house(3, 0, 4)
    speaker = Speaker("DiningTable", Activity("laying out plates and cups", "on {thing}"), "dining table", "")
    nouns = {
        words.target
        for seed in range(60)
        if (
            words := sentences_for(
                speaker, placement("up", "Microwave"), "Microwave", house, [], np.random.default_rng(seed)
            )
        )
    }
    assert {"Bowl", "Mug", "Newspaper"} <= nouns
    assert not {"Plate", "Cup"} & nouns


@pytest.mark.parametrize(
    ("text", "categories"),
    [
        ("the mug on the coffee table", ["CoffeeTable"]),
        ("the mug on the table", ["CoffeeTable", "DiningTable", "SideTable"]),
        ("a couch and two couches", ["Sofa"]),
        ("the armchair", ["ArmChair"]),
        ("two chairs", ["Chair", "ArmChair"]),
        ("the desk lamp", ["DeskLamp"]),
        ("in the bedroom", []),
        ("the dog bed beside it", []),
        ("a Countertop", ["CounterTop"]),
        ("the work top", []),
        ("drying my hands", []),
    ],
)
def test_things_are_found_as_whole_words_longest_first(text: str, categories: list[str]) -> None:
    assert sorted(set(named_in(text))) == sorted(categories)


def test_a_giveaway_is_refused() -> None:
    with pytest.raises(SentenceError, match="names the observer object"):
        check_inferred("lying on the couch", "Sofa")
    check_inferred("stretching out for a nap", "Sofa")


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 8))
def test_condition_a_never_names_the_observer_object(seed: int, rooms: int) -> None:
    house = generate_house(seed, 0, rooms)
    rng = np.random.default_rng(seed)
    for item in house.items:
        speaker = speaker_of(house, item, rng)
        if speaker is None:
            continue
        for anchor in ("Bed", "Fridge", "Sofa", "DiningTable"):
            written = sentences_for(speaker, placement("front"), anchor, house, [], rng)
            if written is None:
                continue
            low = f" {written.inferred.lower()} ".replace(".", " ").replace(",", " ")
            for name in NAMES[item.category]:
                assert f" {name.lower()} " not in low.replace(" the dog bed ", " ")
            assert f"the {speaker.thing}" in written.stated


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 8))
def test_whoever_speaks_can_only_mean_one_thing_of_the_house(seed: int, rooms: int) -> None:
    house = generate_house(seed, 1, rooms)
    rng = np.random.default_rng(seed)
    for item in house.items:
        speaker = speaker_of(house, item, rng)
        if speaker is None:
            continue
        rivals = {item.category, *speaker.activity.fits}
        kind = next(room.kind for room in house.rooms if room.id == item.room)
        same_kind = [room.id for room in house.rooms if room.kind == kind]
        heard = [t for t in house.items if t.category in rivals and (not speaker.room or t.room in same_kind)]
        assert [thing.id for thing in heard] == [item.id]


def test_sentences_have_the_papers_form() -> None:
    house = generate_house(3, 0, 4)
    speaker = Speaker("FloorLamp", Activity("changing the bulb", "in {thing}"), "standing lamp", " in the bedroom")
    words = sentences_for(speaker, placement("left"), "Bed", house, [], np.random.default_rng(0))
    assert words is not None
    start = words.inferred.split("changing the bulb")[0]
    assert start in ("While ", "While I was ")
    tail = words.inferred.split(", I ")[1].split(" the ", 1)[1]
    assert words.inferred.startswith(f"{start}changing the bulb in the bedroom, I ")
    assert words.stated.startswith(f"{start}changing the bulb in the standing lamp in the bedroom, I ")
    assert words.stated.endswith(tail)
    assert words.given.split(" the left of ")[1] == "the bed."


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (placement("up", "Bed"), "on top of the bed"),
        (placement("front"), "in front of the bed"),
        (placement("left"), "to the left of the bed"),
        (placement("right", "Bed", on_anchor=True), "on the right side of the bed"),
    ],
)
def test_relations_are_said_as_people_say_them(place: Placement, words: str) -> None:
    assert relation_words(place, "bed") == words


def test_generic_names_are_used_only_where_they_fit_one_thing() -> None:
    assert "table" in unambiguous_names("DiningTable", Counter(DiningTable=1))
    assert "table" not in unambiguous_names("DiningTable", Counter(DiningTable=1, CoffeeTable=1))
    assert "table" not in unambiguous_names("DiningTable", Counter(DiningTable=2))
    assert unambiguous_names("Sofa", Counter(Sofa=2)) == ("sofa", "couch")


def test_targets_follow_the_surface_and_are_not_shown_already() -> None:
    assert set(target_options(placement("up", "Toilet"), Counter())) == {"TissueBox", "Book", "Newspaper", "CellPhone"}
    assert "Boots" not in target_options(placement("front"), Counter(Boots=1))
    assert "Pillow" not in target_options(placement("up", "Bed"), Counter())
    assert set(target_options(placement("front"), Counter())) == set(TARGETS["Floor"])


def test_boots_are_plural() -> None:
    house = generate_house(3, 0, 4)
    speaker = Speaker("Fridge", Activity("getting out the milk", "of {thing}"), "fridge", "")
    taken = [target for target in TARGETS["Floor"] if target != "Boots"]
    words = sentences_for(speaker, placement("front"), "Bed", house, taken, np.random.default_rng(0))
    assert words is not None
    assert words.given == "The boots were in front of the bed."


def test_doorways_count_in_the_inventory() -> None:
    house = generate_house(3, 0, 4)
    assert inventory_of(house)["Doorway"] == len(house.doors)
