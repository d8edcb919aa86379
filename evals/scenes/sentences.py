"""Sentences in the paper's three conditions: inferred (A), stated (B), given (C), in our own words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evals.scenes.activities import ACTIVITIES, BATHROOM_SINK, Activity
from evals.scenes.errors import SentenceError
from evals.scenes.giveaways import gives_away, says
from evals.scenes.house import DOOR_CATEGORY, House, Item, door_items
from evals.scenes.names import NAMES, ROOM_WORDS, named_in, unambiguous_names
from evals.scenes.target_objects import TARGETS, target_word
from evals.scenes.targets import Placement

OPENINGS = ("While", "While I was")
SIGHTINGS = ("noticed", "saw", "spotted")


@dataclass(frozen=True)
class Speaker:
    """What an observer says of themselves.

    Attributes:
        category: Object type of the observer object.
        activity: What they were doing.
        thing: How the stated form names the observer object.
        room: " in the kitchen" where only the room makes clear which thing is meant, else empty; of a doorway always
            " into the kitchen".
    """

    category: str
    activity: Activity
    thing: str
    room: str

    @property
    def inferred(self) -> str:
        """The activity without the thing."""
        return f"{self.activity.inferred}{self.room}"

    @property
    def stated(self) -> str:
        """The activity with the thing."""
        return f"{self.activity.stated(f'the {self.thing}')}{self.room}"


@dataclass(frozen=True)
class Sentences:
    """One instance's three sentences.

    Attributes:
        inferred: Condition A.
        stated: Condition B.
        given: Condition C.
        target: Type of the target object.
        anchor_name: How the anchor is named.
    """

    inferred: str
    stated: str
    given: str
    target: str
    anchor_name: str


def inventory_of(house: House, room: str | None = None) -> Counter[str]:
    """How many things of each category a house has, or one of its rooms."""
    things = (*house.items, *door_items(house.doors))
    return Counter(item.category for item in things if room is None or item.room == room)


def speaker_of(house: House, item: Item, rng: np.random.Generator) -> Speaker | None:
    """Finds words for an observer that fit this thing and no other of the house.

    Args:
        house: The house.
        item: The observer object.
        rng: Chooses among what fits.

    Returns:
        The speaker; None when every activity or name fits several things.
    """
    if item.category == DOOR_CATEGORY:
        return _at_a_doorway(house, item, rng)
    room = house.room(item.room)
    kind = room.kind if room is not None else ""
    options = list(ACTIVITIES.get(item.category, ()))
    if item.category == "Sink" and kind == "Bathroom":
        options = list(BATHROOM_SINK)
    everywhere = inventory_of(house)
    alone_of_kind = room is not None and kind in ROOM_WORDS and sum(other.kind == kind for other in house.rooms) == 1
    here = inventory_of(house, item.room) if alone_of_kind else Counter[str]()
    for number in rng.permutation(len(options)).tolist():
        activity = options[number]
        if activity.kinds and kind not in activity.kinds:
            continue
        rivals = (item.category, *activity.fits)
        for counts, suffix in ((everywhere, ""), (here, f" in the {ROOM_WORDS.get(kind, '')}")):
            if counts[item.category] != 1 or sum(counts[category] for category in rivals) != 1:
                continue
            names = unambiguous_names(item.category, counts, kind)
            if suffix:
                # Nobody says "at the kitchen counter in the kitchen".
                names = tuple(name for name in names if ROOM_WORDS[kind] not in name)
            if names:
                thing = names[int(rng.integers(len(names)))]
                speaker = Speaker(item.category, activity, thing, suffix)
                check_inferred(speaker.inferred, item.category)
                return speaker
    return None


def _at_a_doorway(house: House, item: Item, rng: np.random.Generator) -> Speaker | None:
    """A speaker who goes into a room that has this doorway alone, and of whose kind there is no other."""
    rooms = next((door.rooms for door in house.doors if door.id == item.id), ())
    for room in (house.room(room_id) for room_id in dict.fromkeys(rooms)):
        if room is None or room.kind not in ROOM_WORDS or sum(other.kind == room.kind for other in house.rooms) != 1:
            continue
        if sum(room.id in door.rooms for door in house.doors) == 1:
            activities, names = ACTIVITIES[DOOR_CATEGORY], NAMES[DOOR_CATEGORY]
            activity = activities[int(rng.integers(len(activities)))]
            thing = names[int(rng.integers(len(names)))]
            speaker = Speaker(DOOR_CATEGORY, activity, thing, f" into the {ROOM_WORDS[room.kind]}")
            check_inferred(speaker.inferred, DOOR_CATEGORY)
            return speaker
    return None


def check_inferred(sentence: str, category: str) -> None:
    """Makes sure that a condition A text does not name the observer object or a synonym.

    Raises:
        SentenceError: If it does.
    """
    if gives_away(sentence, category):
        raise SentenceError(
            f"condition A names the observer object ({category}): {sentence!r}; say what one does there instead"
        )


def relation_words(placement: Placement, anchor: str) -> str:
    """The spatial part of a sentence, e.g. "to the left of the bed"."""
    if placement.relation == "up":
        return f"on top of the {anchor}"
    if placement.relation == "front":
        return f"in front of the {anchor}"
    if placement.on_anchor:
        return f"on the {placement.relation} side of the {anchor}"
    return f"to the {placement.relation} of the {anchor}"


def target_options(placement: Placement, present: Counter[str]) -> list[str]:
    """Target objects that suit the surface and that the house does not show already."""
    shown = {"Bed": {"Pillow"}, "Sofa": {"Pillow"}, "ShelvingUnit": {"Book"}}.get(placement.surface_category, set())
    pool = TARGETS.get(placement.surface_category, TARGETS["SideTable"])
    return [target for target in pool if not present[target] and target not in shown]


def sentences_for(
    speaker: Speaker,
    placement: Placement,
    anchor_category: str,
    house: House,
    taken: Sequence[str],
    rng: np.random.Generator,
    anchor_room: str = "",
) -> Sentences | None:
    """Writes the three sentences of one instance.

    Args:
        speaker: The observer.
        placement: Where the target is.
        anchor_category: Object type of the anchor.
        house: The house, for what is unambiguous in it.
        taken: Targets that the pair uses in other directions.
        rng: Chooses names and words.
        anchor_room: Id of the anchor's room, which some names depend on.

    Returns:
        The sentences; None when no target suits, or when naming the anchor would name the observer object.
    """
    present = inventory_of(house)
    # "While laying out plates, I saw the plate" would be of some other plate.
    options = [t for t in target_options(placement, present) if not says(speaker.stated, target_word(t))]
    options = [target for target in options if target not in taken] or options
    room = house.room(anchor_room)
    names = unambiguous_names(anchor_category, present, room.kind if room is not None else "")
    if not options or not names:
        return None
    target = options[int(rng.integers(len(options)))]
    # The plain name most of the time, as people do.
    anchor = names[0] if rng.random() < 0.6 else names[int(rng.integers(len(names)))]
    noun, where = target_word(target), relation_words(placement, anchor)
    opening, sighting = OPENINGS[int(rng.integers(len(OPENINGS)))], SIGHTINGS[int(rng.integers(len(SIGHTINGS)))]
    inferred = f"{opening} {speaker.inferred}, I {sighting} the {noun} {where}."
    stated = f"{opening} {speaker.stated}, I {sighting} the {noun} {where}."
    given = f"The {noun} {'were' if target == 'Boots' else 'was'} {where}."
    if speaker.category in named_in(inferred):
        return None
    return Sentences(inferred, stated, given, target, anchor)
