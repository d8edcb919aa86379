"""What a text of condition A must not say: far more words for a thing than sentences of our own ever use."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evals.scenes.names import GENERIC, NAMES, named_in

_LAMPS = ("lamp", "light", "lantern", "reading light", "night light", "spotlight", "uplighter", "torchiere")
_TABLES = ("table", "tabletop", "table top")
_TOWELS = ("towel", "holder", "rail", "ring", "rack", "hook", "hanger", "towel bar", "towel hook", "towel hanger")
_MACHINES = ("machine", "appliance")

FURTHER: dict[str, tuple[str, ...]] = {
    "ArmChair": ("chair", "seat", "recliner", "lounger", "wing chair", "rocker", "rocking chair", "fauteuil"),
    "Bed": ("mattress", "bunk", "bedstead", "cot", "four poster", "bedside"),
    "Chair": ("seat", "dining chair", "office chair", "desk chair"),
    "ClothesDryer": (*_MACHINES, "drier", "tumble drier", "tumbler", "clothes drier", "spin dryer"),
    "CoffeeMachine": (
        *_MACHINES, "espresso machine", "espresso maker", "coffeemaker", "percolator", "coffee pot", "brewer",
        "cafetiere", "moka pot", "barista",
    ),
    "CoffeeTable": (*_TABLES, "cocktail table", "low table", "lounge table"),
    "CounterTop": (
        "work top", "work surface", "worksurface", "counter top", "bench", "benchtop", "bench top", "kitchen island",
        "island", "sideboard", "breakfast bar", "kitchen unit",
    ),
    "Desk": ("workstation", "work desk", "work table", "writing table", "bureau", "secretary", "workspace", "table"),
    "DeskLamp": _LAMPS,
    "Desktop": (
        "pc", "laptop", "monitor", "screen", "workstation", "mac", "imac", "notebook", "desk top", "keyboard", "tower",
    ),
    "DiningTable": (*_TABLES, "kitchen table", "dinner table"),
    "Doorway": (
        "entrance", "entry", "entryway", "entranceway", "threshold", "doorframe", "door frame", "doorstep", "archway",
        "opening", "gateway", "gate", "passage", "passageway", "portal", "door jamb", "doorjamb",
    ),
    "Dresser": ("drawer", "drawers", "bureau", "commode", "chest", "cabinet", "sideboard", "tallboy", "wardrobe"),
    "Faucet": ("spigot", "mixer", "stopcock", "spout", "water tap", "hydrant"),
    "FloorLamp": (*_LAMPS, "standard lamp"),
    "Fridge": ("freezer", "icebox", "ice box", "cooler", "fridge freezer", "refrigeration", "larder"),
    "GarbageCan": (
        "dustbin", "trash", "garbage", "bin", "waste", "wastebasket", "waste basket", "wastepaper basket", "waste bin",
        "rubbish bin", "recycling", "pail", "trashcan", "litter", "basket",
    ),
    "HandTowelHolder": _TOWELS,
    "HousePlant": (
        "greenery", "plant", "pot plant", "foliage", "ficus", "fern", "palm", "flower", "flowerpot", "shrub", "tree",
        "succulent", "cactus", "cacti", "rubber tree", "monstera",
    ),
    "Microwave": ("oven", "micro wave", "nuke"),
    "Safe": ("lockbox", "lock box", "strong box", "vault", "deposit box", "coffer", "cashbox", "cash box"),
    "ShelvingUnit": (
        "shelf", "bookshelves", "shelves", "shelving", "book shelf", "book shelves", "bookstand", "rack", "book case",
    ),
    "SideTable": (
        *_TABLES, "night stand", "night table", "bedside cabinet", "bedside table", "nightstand", "occasional table",
        "lamp table",
    ),
    "Sink": ("washstand", "wash basin", "hand basin", "wash hand basin", "washbowl", "lavatory", "kitchen sink"),
    "Sofa": (
        "settee", "loveseat", "love seat", "davenport", "divan", "futon", "chesterfield", "sectional", "sofabed",
        "chaise longue", "daybed", "seat",
    ),
    "Stool": ("seat", "footstool", "bar stool", "barstool", "step stool", "stepstool", "pouf", "pouffe", "hocker"),
    "Television": ("telly", "screen", "flat screen", "flatscreen", "television set", "monitor", "tube", "t.v."),
    "Toaster": ("toastie maker", "toast maker", "toaster oven"),
    "Toilet": (
        "lavatory", "lav", "wc", "water closet", "commode", "john", "throne", "potty", "can", "privy", "urinal",
        "toilet bowl", "w.c.",
    ),
    "TowelHolder": _TOWELS,
    "WashingMachine": (*_MACHINES, "washer dryer", "laundry machine"),
}  # fmt: skip
"""Observer category to words that are refused, beside its names; nothing is ever called so in our own sentences."""

DIRECTIONS = re.compile(
    r"\b(?:left|right|front|behind|top|atop|above|below|under|underneath|beneath|beside|between|opposite|rear|near|"
    r"next to|close to|(?:far|other) (?:side|end)|back of)\b"
)
DOUBTS = re.compile(
    r"\b(?:not|no|never|nor|neither|instead|rather|actually|unless|except|wrong|mistaken|(?:is|was|were|did|could)nt)\b"
)


def plain(text: str) -> str:
    """A text in small letters, without apostrophes, each dash and each stretch of white space a single space."""
    without = re.sub(r"['\u2019\u02bc]", "", text.lower())
    return re.sub(r"[\s\-\u2010-\u2015_/]+", " ", without).strip()


def says(text: str, words: str) -> bool:
    """Whether a text has these words, with any dashes between them, in the singular or the plural."""
    return re.search(rf"(?<!\w){re.escape(plain(words))}(?:e?s)?(?!\w)", plain(text)) is not None


def gives_away(text: str, category: str) -> bool:
    """Whether a text names a thing of a category, by whatever word somebody may have for it."""
    generic = [name for name, categories in GENERIC.items() if category in categories]
    names = (*NAMES.get(category, ()), *generic, *FURTHER.get(category, ()))
    return category in named_in(plain(text)) or any(says(text, name) for name in names)


def contradicts(text: str, original: str) -> bool:
    """Whether a text has a direction or a doubt that the original lacks; both without the words for the place."""
    said, before = plain(text), plain(original)
    return any(set(pattern.findall(said)) - set(pattern.findall(before)) != set() for pattern in (DIRECTIONS, DOUBTS))


def without(text: str, keep: Sequence[str]) -> str:
    """A plain text without the words that had to stay in it, the longest taken out first."""
    rest = plain(text)
    for words in sorted(keep, key=len, reverse=True):
        rest = re.sub(rf"(?<!\w){re.escape(plain(words))}(?!\w)", " . ", rest)
    return rest
