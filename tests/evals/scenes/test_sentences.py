from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.scenes.activities import ACTIVITIES, BATHROOM_SINK, Activity
from evals.scenes.assets import PAPER_CATEGORIES
from evals.scenes.errors import SentenceError
from evals.scenes.generate import generate_house
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


def test_every_category_of_table_5_has_several_activities_and_a_name() -> None:
    for category in PAPER_CATEGORIES:
        assert len(ACTIVITIES[category]) >= 3
        assert NAMES[category]
    assert set(WATCHWORDS) == set(PAPER_CATEGORIES)


@pytest.mark.parametrize("category", PAPER_CATEGORIES)
def test_no_activity_names_its_thing(category: str) -> None:
    for activity in (*ACTIVITIES[category], *(BATHROOM_SINK if category == "Sink" else ())):
        assert WATCHWORDS[category] not in activity.doing.lower().replace("'", " ").split()
        assert category not in named_in(activity.doing)
        assert activity.link.count("{thing}") == 1


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
