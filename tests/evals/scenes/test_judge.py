import json
from collections import Counter
from pathlib import Path

import cv2
import pytest

from evals.scenes.judge import acceptable, read_placements
from evals.scenes.make import make_houses
from evals.scenes.reading import directions_of, read_dataset

GOOD = {"plausible": True, "surface": "on the floor"}
BAD = {"plausible": False, "surface": ""}


def reply(**entries: object) -> str:
    return json.dumps({"right": BAD, "left": BAD, "front": GOOD, "up": BAD, **entries})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (reply(), {"right": None, "left": None, "front": "on the floor", "up": None}),
        (
            f"Well: {reply(up=GOOD)} or rather ```json\n{reply()}\n```",
            {"right": None, "left": None, "front": "on the floor", "up": None},
        ),
        (
            reply(right={"plausible": "yes", "surface": "on the floor"}),
            {"right": None, "left": None, "front": "on the floor", "up": None},
        ),
        (
            reply(up={"plausible": True, "surface": "On the Desk."}),
            {"right": None, "left": None, "front": "on the floor", "up": "on the desk"},
        ),
        (
            reply(up={"plausible": True, "surface": "floating"}),
            {"right": None, "left": None, "front": "on the floor", "up": None},
        ),
        ('{"right": true}', None),
        ("I cannot tell.", None),
        (reply()[:-3], None),
        ("{" * 5000, None),
    ],
)
def test_a_judges_reply_is_read_strictly(text: str, expected: dict[str, str | None] | None) -> None:
    assert read_placements(text) == expected


@pytest.mark.parametrize(
    ("sentence", "fine"),
    [
        ("I saw the mug to the left of the bed while getting comfy for a nap.", True),
        ("I saw the mug to the left of the bed from the couch.", False),
        ("I saw the mug near the bed.", False),
        ("I saw the cup to the left of the bed.", False),
        ("I saw the mug to the left of the bed\nwhile napping.", False),
        ("", False),
        # Fragments, and what nobody was doing.
        ("the mug to the left of the bed while I was getting comfy for a nap", False),
        ("Seen while getting comfy for a nap: the mug to the left of the bed.", False),
        ("I saw the mug to the left of the bed.", False),
        # What takes it back, or says it twice.
        ("Napping, I saw the mug to the left of the bed; well, to the right of it.", False),
        ("While napping I saw the mug to the left of the bed, or rather somewhere else.", False),
        ("While taking a nap I never saw the mug to the left of the bed.", False),
        ("While napping I wasn\u2019t looking at the mug to the left of the bed.", False),
        ("While napping I saw the mug to the left of the bed, to the left of the bed.", False),
        ("While having a nap I saw the mug on the desk to the left of the bed.", False),
        ("I had a long nap and saw the mugs to the left of the bedroom.", False),
        ("While I had a short nap, I saw the smug cat to the left of the bed.", False),
        # What no text holds.
        ("While I had a nap, I saw the mug to the left of the bed.\x1b[2J", False),
        ("While I had a nap,\u2028I saw the mug to the left of the bed.", False),
        ("While I had a nap on the so\u00adfa, I saw the mug to the left of the bed.", False),
        ("While I had a nap, I saw the mug to the left of the bed." + " Really." * 50, False),
        ("When I was taking a nap, I spotted the mug; it was to the left of the bed!", True),
        ("\u201cI was having a lie-down when I noticed a mug to the left of the bed.\u201d", True),
    ],
)
def test_a_rewording_must_keep_the_place_and_the_secret(sentence: str, fine: bool) -> None:
    ours = "While stretching out full length for a nap, I saw the mug to the left of the bed."
    assert acceptable(sentence, ours, ("mug", "to the left of the bed"), "Sofa", hide=True) == fine


# What people call such things, from dictionaries and not from the code's lists.
@pytest.mark.parametrize(
    ("category", "words"),
    [
        ("Television", "telly, TV-set, screen, big screens"),
        ("Sofa", "settee, loveseat, love-seat, couches, divan"),
        ("ArmChair", "recliner, arm-chair, seat"),
        ("Toilet", "lavatory, WC, commode"),
        ("Fridge", "freezer, fridge-freezer, icebox"),
        ("ShelvingUnit", "shelf, bookshelves, book-shelves, shelving"),
        ("Dresser", "drawers, bureau, chest-of-drawers"),
        ("WashingMachine", "washing-machine, washing-machines, machine"),
        ("TowelHolder", "towel holder, towel-rail, towel bar"),
        ("HandTowelHolder", "towel-holder, hook"),
        ("Desktop", "PC, laptop, monitor, workstation"),
        ("Desk", "workstation, writing-desk, bureau"),
        ("GarbageCan", "dustbin, trash, garbage, bins, trash-can"),
        ("ClothesDryer", "drier, tumble drier, tumble-dryer"),
        ("CoffeeMachine", "espresso machine, coffee-maker, percolator"),
        ("CounterTop", "work top, work-surface, counter-top"),
        ("Safe", "lockbox, strong-box, vault"),
        ("Doorway", "entrance, threshold, archway, door-frame, doors"),
        ("FloorLamp", "light, standard lamp, lights"),
        ("DeskLamp", "light, desk-lamp"),
        ("HousePlant", "greenery, houseplant, flowers, pot plant"),
        ("Stool", "seat, footstool, bar stool"),
        ("SideTable", "night-stand, bedside cabinet, table"),
        ("Sink", "wash-basin, washstand"),
    ],
)
def test_no_word_for_the_thing_slips_through(category: str, words: str) -> None:
    ours = "While busy with my usual things after lunch, I saw the mug to the left of the bed."
    keep = ("mug", "to the left of the bed")
    assert acceptable(ours, ours, keep, category, hide=True)
    for word in words.split(", "):
        told = f"While busy after lunch with the {word}, I saw the mug to the left of the bed."
        assert not acceptable(told, ours, keep, category, hide=True), word


def test_the_stated_form_must_keep_the_thing_and_may_name_it() -> None:
    ours = "While having a nap on the sofa, I saw the mug to the left of the bed."
    keep = ("mug", "to the left of the bed", "sofa")
    assert acceptable("I was napping on the sofa when I saw the mug to the left of the bed.", ours, keep, "Sofa", False)
    assert not acceptable("I was napping there when I saw the mug to the left of the bed.", ours, keep, "Sofa", False)
    assert not acceptable(
        "I was napping on the sofa by the fridge and saw the mug to the left of the bed.", ours, keep, "Sofa", False
    )


def test_models_judge_and_reword_a_whole_house(tmp_path: Path) -> None:
    asked: Counter[str] = Counter()

    async def judge(text: str, picture: Path | None) -> str:
        assert picture is not None
        assert cv2.imread(str(picture)).shape == (64, 64, 3)
        asked["judge"] += 1
        return reply()

    async def reword(text: str, picture: Path | None) -> str:
        asked["reword"] += 1
        if "Never use" in text:
            return "On the sofa and the fridge and the bed and so on."
        return "By the way: " + text.split('"')[1]

    out = tmp_path / "out"
    make_houses(out, 1, 5, rooms=3, side=64, frames=8, judge=("j", judge), paraphrase=("p", reword))
    house = read_dataset(out)[0]
    assert asked["judge"] >= len(house.pairs) > 0
    assert asked["reword"] == 2 * sum(len(directions_of(pair)) for pair in house.pairs)
    for pair in house.pairs:
        assert directions_of(pair) == ["front"]
        assert pair["stage3"]["up"]["reason"] == "judged_implausible"
        assert pair["stage5"]["front"]["type_b"].startswith("By the way: ")
        # The rewording of condition A gave the scene away, so our own sentence stands.
        assert pair["stage5"]["front"]["type_a"].startswith("While")
    assert house.report["rejected"]["sentence:rewording refused"] == len(house.pairs)
    assert json.loads((out / "meta.json").read_text())["judge"] == "j"
    assert not list(house.folder.glob("judged_*"))
