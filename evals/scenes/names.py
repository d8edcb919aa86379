"""What people call things, and which things a text names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from evals.scenes.target_objects import TARGET_WORDS

NAMES: dict[str, tuple[str, ...]] = {
    "ArmChair": ("armchair", "easy chair", "arm chair"),
    "Bed": ("bed",),
    "Chair": ("chair",),
    "ClothesDryer": ("clothes dryer", "tumble dryer", "dryer"),
    "CoffeeMachine": ("coffee machine", "coffee maker"),
    "CoffeeTable": ("coffee table",),
    "CounterTop": ("counter", "countertop", "kitchen counter", "worktop"),
    "Desk": ("desk", "writing desk"),
    "DeskLamp": ("desk lamp", "table lamp", "reading lamp"),
    "Desktop": ("computer", "desktop computer", "desktop"),
    "DiningTable": ("dining table", "dinner table"),
    "Doorway": ("doorway", "door"),
    "Dresser": ("dresser", "chest of drawers"),
    "Faucet": ("faucet", "tap"),
    "FloorLamp": ("floor lamp", "standing lamp"),
    "Fridge": ("fridge", "refrigerator"),
    "GarbageCan": ("garbage can", "trash can", "bin"),
    "HandTowelHolder": ("hand towel holder", "hand towel ring", "towel ring"),
    "HousePlant": ("house plant", "potted plant", "plant"),
    "Microwave": ("microwave", "microwave oven"),
    "Safe": ("safe", "strongbox"),
    "ShelvingUnit": ("shelving unit", "bookshelf", "bookcase", "shelves"),
    "SideTable": ("side table", "end table", "bedside table", "nightstand"),
    "Sink": ("sink", "washbasin", "basin"),
    "Sofa": ("sofa", "couch"),
    "Stool": ("stool",),
    "Television": ("television", "TV", "TV set"),
    "Toaster": ("toaster",),
    "Toilet": ("toilet", "loo"),
    "TowelHolder": ("towel rail", "towel holder", "towel rack", "bath towel rail"),
    "WashingMachine": ("washing machine", "washer"),
    "TVStand": ("TV stand", "media console"),
    "Cooker": ("cooker", "stove"),
    "Bathtub": ("bathtub", "tub"),
}
"""Category to names; the first is the plain one, the others are used for variation."""

GENERIC: dict[str, tuple[str, ...]] = {
    "table": ("CoffeeTable", "DiningTable", "SideTable"),
    "lamp": ("DeskLamp", "FloorLamp"),
    "chair": ("ArmChair", "Chair"),
}
"""Short names that fit several categories; used only where the house has one such thing."""

KIND_OF_NAME: dict[str, tuple[str, ...]] = {
    "washbasin": ("Bathroom",),
    "basin": ("Bathroom",),
    "kitchen counter": ("Kitchen",),
    "bedside table": ("Bedroom",),
    "nightstand": ("Bedroom",),
}
"""Names that are said in certain kinds of room alone."""

SURFACE_WORDS: dict[str, str] = {
    "CounterTop": "counter",
    "Sofa": "sofa",
    "Fridge": "fridge",
    "ArmChair": "armchair",
    "TVStand": "TV stand",
}

ROOM_WORDS = {"Kitchen": "kitchen", "LivingRoom": "living room", "Bedroom": "bedroom", "Bathroom": "bathroom"}


def surface_word(category: str) -> str:
    """How a surface phrase names a category, in words that the published rule recognises."""
    return SURFACE_WORDS.get(category) or re.sub(r"(?<=.)(?=[A-Z])", " ", category).lower()


def named_in(text: str) -> list[str]:
    """Categories that a text names, found as whole words, longest names first, so that "coffee table" is no "table".

    A generic name ("lamp") counts for all categories that it fits.
    """
    found: list[str] = []
    rest = text.lower()
    for name, categories in _every_name():
        pattern = rf"\b{re.escape(name)}(?:es|s)?\b"
        if re.search(pattern, rest):
            found += categories
            rest = re.sub(pattern, " . ", rest)
    return found


def _every_name() -> list[tuple[str, Sequence[str]]]:
    table: dict[str, list[str]] = {}
    for category, names in NAMES.items():
        for name in names:
            table.setdefault(name.lower(), []).append(category)
            table.setdefault(name.lower().replace(" ", ""), []).append(category)
    for name, categories in GENERIC.items():
        table.setdefault(name, []).extend(c for c in categories if c not in table.get(name, []))
    for word in TARGET_WORDS.values():
        table.setdefault(word, [])
    return sorted(table.items(), key=lambda entry: (-len(entry[0]), entry[0]))


Inventory = Mapping[str, int]
"""How many things of each category a house, or a room of it, has."""


def unambiguous_names(category: str, inventory: Inventory, kind: str = "") -> tuple[str, ...]:
    """Names that fit only one category of the inventory; a generic one only where it fits a single thing.

    Args:
        category: Object type.
        inventory: What else there is.
        kind: Kind of room that the thing is in, where known; nobody calls a kitchen's sink a washbasin.
    """
    names = [name for name in NAMES.get(category, ()) if kind in KIND_OF_NAME.get(name, (kind,))]
    for generic, categories in GENERIC.items():
        if category in categories and generic not in names and sum(inventory.get(c, 0) for c in categories) == 1:
            names.append(generic)
    shared = {name for other, theirs in NAMES.items() if other != category and inventory.get(other) for name in theirs}
    return tuple(name for name in names if name not in shared)
