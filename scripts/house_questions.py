"""What the observers of the built-in houses were doing, which targets they saw, and in which words.

Targets follow the pools of POVBench's table 6; the wording is ours, in the forms of section 4.2.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pair:
    """An observer object and an anchor; `sides_on_anchor` puts left and right on a flat anchor, else on the floor."""

    observer: str
    anchor: str
    sides_on_anchor: bool = True


NAMES = {
    "ArmChair": "armchair", "Bed": "bed", "CoffeeTable": "coffee table", "CounterTop": "countertop", "Desk": "desk",
    "DiningTable": "dining table", "Dresser": "dresser", "ShelvingUnit": "shelving unit", "Sofa": "sofa",
    "Toilet": "toilet",
}  # fmt: skip
"""The anchor's name in sentences and surface phrases."""

TARGETS: dict[str, tuple[str, ...]] = {
    "Floor": ("boots", "basketball", "dog bed", "dumbbell", "cloth", "baseball bat"),
    "ArmChair": ("teddy bear", "newspaper", "remote control", "book"),
    "Bed": ("pillow", "teddy bear", "book", "watch"),
    "CoffeeTable": ("newspaper", "mug", "remote control", "tissue box"),
    "CounterTop": ("bowl", "mug", "plate", "bottle"),
    "Desk": ("mug", "pencil", "key chain", "book"),
    "DiningTable": ("bowl", "bottle", "plate", "tissue box", "cup"),
    "Dresser": ("watch", "tissue box", "key chain", "book"),
    "ShelvingUnit": ("teddy bear", "tissue box", "newspaper"),
    "Sofa": ("cell phone", "teddy bear", "newspaper", "mug"),
    "Toilet": ("tissue box", "newspaper"),
}

ACTIVITIES: dict[str, tuple[tuple[str, str], ...]] = {
    "Sofa": (
        ("stretching out for an afternoon nap", "stretching out on the sofa for an afternoon nap"),
        ("leaning back to watch a film with friends", "leaning back on the couch to watch a film with friends"),
        ("plumping up the yellow cushion", "plumping up the yellow cushion on the sofa"),
    ),
    "Television": (
        ("wiping fingerprints off the screen", "wiping fingerprints off the television screen"),
        ("plugging in the game console", "plugging the game console into the TV"),
    ),
    "FloorLamp": (
        ("changing the burnt-out bulb", "changing the burnt-out bulb of the floor lamp"),
        ("straightening the fabric shade", "straightening the fabric shade of the floor lamp"),
    ),
    "Bed": (
        ("shaking out the duvet", "shaking out the duvet on the bed"),
        ("waking up to the alarm", "waking up in the bed to the alarm"),
        ("changing the pillowcases", "changing the pillowcases on the bed"),
    ),
    "Dresser": (
        ("putting away folded T-shirts", "putting folded T-shirts away in the dresser"),
        ("picking out a pair of socks", "picking out a pair of socks from the dresser"),
    ),
    "WashingMachine": (
        ("loading a pile of dirty clothes", "loading a pile of dirty clothes into the washing machine"),
        ("measuring out some detergent", "measuring out some detergent at the washing machine"),
    ),
    "Fridge": (
        ("getting out the cold milk", "getting the cold milk out of the fridge"),
        ("putting the leftovers away to keep them cool", "putting the leftovers away in the refrigerator"),
        ("checking whether we were out of eggs", "checking the fridge to see whether we were out of eggs"),
    ),
    "DiningTable": (
        ("having dinner with my family", "having dinner with my family at the dining table"),
        ("lighting the candles before the guests sat down", "lighting the candles on the dining table"),
    ),
    "Desk": (
        ("answering emails on the laptop", "answering emails on the laptop at the desk"),
        ("filling in my tax return", "filling in my tax return at the desk"),
    ),
    "ArmChair": (
        ("curled up with a novel where only one person fits", "curled up with a novel in the armchair"),
        ("knitting on my own against the mustard upholstery", "knitting on my own in the armchair"),
    ),
    "HousePlant": (
        ("watering the leaves in the corner", "watering the house plant in the corner"),
        ("loosening the soil in the pot", "loosening the soil of the potted plant"),
    ),
}
"""By observer: activities as (inferred, never naming the object; stated, naming it)."""

VERBS = ("noticed", "saw", "spotted", "caught sight of")
RELATIONS = {
    ("right", False): ("to the right of", "on the floor to the right of"),
    ("left", False): ("to the left of", "on the floor to the left of"),
    ("right", True): ("on the right side of", "on the right half of"),
    ("left", True): ("on the left side of", "on the left half of"),
    ("front", False): ("in front of", "on the floor in front of"),
    ("up", True): ("on top of", "on"),
}


def sentences(
    pair: Pair, activities: tuple[tuple[str, str], ...], direction: str, on_anchor: bool, target: str, turn: int
) -> tuple[str, str, str]:
    """Returns the three sentences of an instance: inferred, stated, given (POVBench, section 4.2)."""
    inferred, stated = activities[turn % len(activities)]
    choices = RELATIONS[direction, on_anchor]
    where = f"{choices[turn % len(choices)]} the {NAMES[pair.anchor]}"
    seen = f"I {VERBS[turn % len(VERBS)]} the {target} {where}."
    verb = "were" if target == "boots" else "was"
    return f"While {inferred}, {seen}", f"While {stated}, {seen}", f"The {target} {verb} {where}."
