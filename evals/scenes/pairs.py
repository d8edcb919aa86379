"""Pairs of an observer object and an anchor object: who can see whom, without ambiguity (POVBench, section 4.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from evals.scenes.assets import PAPER_CATEGORIES
from evals.scenes.explore import LEAST_PIXELS, SIDE, FreeFloor
from evals.scenes.house import DOOR_CATEGORY, House, Point
from evals.scenes.observers import looking_at, observer_point
from evals.scenes.rays import RayCaster, maps_of
from evals.scenes.render import Renderer
from evals.scenes.scene import Instance, Scene
from evals.scenes.sentences import Speaker, speaker_of
from evals.scenes.targets import Placement, Rejection, judge_directions
from tools.camera import Camera

NEAREST, FARTHEST = 0.7, 7.5
"""Range of horizontal distances from the observer's eyes to the anchor's middle, metres."""

LEAST_SHARE = 0.3
"""Share of the anchor that must not be hidden behind other things."""

LEAST_ANCHOR = 3.0
"""How many times `LEAST_PIXELS` of the anchor the observer must see."""

SMALL_SIDE = 192
"""Side in pixels of the maps with which candidates are tried."""

MOST_A_THING = 2
"""How often a thing may be the observer object, and how often the anchor, in one house."""


LEAST_DIRECTIONS = 2
"""Directions that must be possible for a pair to be worth a picture."""

MOST_DOORWAYS = 1
"""How many pairs of a house have a doorway as their anchor: houses have many, and little stands beside them."""


@dataclass(frozen=True)
class Candidate:
    """A pair that passed every test.

    Attributes:
        observer: What the observer is busy with.
        anchor: What the target is relative to.
        speaker: What the observer says they were doing.
        camera: The observer's camera, turned to the anchor.
        visible: Share of the anchor that is not hidden.
        elsewhere: Number of further things of the anchor's category in other rooms, out of the observer's sight.
        placements: Directions that are possible.
        rejections: Directions that are not.
    """

    observer: Instance
    anchor: Instance
    speaker: Speaker
    camera: Camera
    visible: float
    elsewhere: int
    placements: tuple[Placement, ...]
    rejections: tuple[Rejection, ...]

    @property
    def id(self) -> str:
        """Unique within the house."""
        return f"{self.observer.id}__{self.anchor.id}"


Judge = Callable[[Candidate], dict[str, str | None] | None]


def wanted_pairs(house: House) -> int:
    """How many pairs a house gets at most; with five rooms about the paper's 288 / 47."""
    return 3 + round(0.7 * len(house.rooms))


def find_pairs(
    scene: Scene,
    renderer: Renderer,
    caster: RayCaster,
    floor: FreeFloor,
    explored: Sequence[frozenset[str]],
    rng: np.random.Generator,
    most: int | None = None,
) -> tuple[list[Candidate], Counter[str]]:
    """Draws pairs until a house has enough.

    Args:
        scene: The house.
        renderer: Gives the observer's maps.
        caster: Rays against the scene.
        floor: Where one can stand.
        explored: Ids of the objects really seen in each exploration frame.
        rng: Decides in which order candidates are tried.
        most: Largest number of pairs; `wanted_pairs` when None.

    Returns:
        The pairs, and how many candidates failed for which reason (`pair:…` for whole pairs, `direction:…` for
        directions of accepted and rejected pairs).
    """
    most = wanted_pairs(scene.house) if most is None else most
    seen = frozenset().union(*explored) if explored else frozenset()
    things = {item.id: item for item in scene.house.items}
    usable = [i for i in scene.instances if i.item is not None and i.category in PAPER_CATEGORIES]
    known = [instance for instance in usable if instance.id in seen]
    counts: Counter[str] = Counter({"pair:object never seen on the walk": len(usable) - len(known)})
    stands: dict[str, tuple[Speaker, Point]] = {}
    for instance in known:
        item = instance.item
        assert item is not None
        speaker = speaker_of(scene.house, item, rng)
        point = observer_point(scene.house, floor, item, things)
        if speaker is None:
            counts["pair:observer object ambiguous"] += 1
        elif point is None:
            counts["pair:no place for the observer"] += 1
        else:
            stands[instance.id] = (speaker, point)
    tries = [(o, a) for o in known if o.id in stands for a in known if o.id != a.id]
    order = rng.permutation(len(tries))
    found: list[Candidate] = []
    reserve: list[Candidate] = []
    for index in order.tolist():
        if len(found) >= most:
            break
        observer, anchor = tries[index]
        speaker, point = stands[observer.id]
        if not _still_wanted(observer, anchor, found):
            continue
        result = _tried(scene, renderer, caster, observer, anchor, speaker, point, bool(rng.integers(2)))
        if isinstance(result, str):
            counts[f"pair:{result}"] += 1
            continue
        counts.update(f"direction:{rejection.reason}" for rejection in result.rejections)
        if len(result.placements) < LEAST_DIRECTIONS:
            counts["pair:fewer than two directions possible"] += 1
        elif any(placement.relation == "front" for placement in result.placements):
            found.append(result)
        else:
            reserve.append(result)
    # The paper has a target in front of nearly every anchor; pairs without one only fill up.
    for result in reserve:
        if len(found) < most and _still_wanted(result.observer, result.anchor, found):
            found.append(result)
        else:
            counts["pair:nothing can stand in front"] += 1
    return found, +counts


def _still_wanted(observer: Instance, anchor: Instance, found: Sequence[Candidate]) -> bool:
    """Whether a pair would add variety to those that were found."""
    if sum(pair.observer.id == observer.id for pair in found) >= MOST_A_THING:
        return False
    if sum(pair.anchor.id == anchor.id for pair in found) >= MOST_A_THING:
        return False
    if any((pair.observer.category, pair.anchor.category) == (observer.category, anchor.category) for pair in found):
        return False
    return (
        anchor.category != DOOR_CATEGORY or sum(pair.anchor.category == DOOR_CATEGORY for pair in found) < MOST_DOORWAYS
    )


def _tried(
    scene: Scene,
    renderer: Renderer,
    caster: RayCaster,
    observer: Instance,
    anchor: Instance,
    speaker: Speaker,
    point: Point,
    prefer_anchor: bool,
) -> Candidate | str:
    """A candidate, or why it is none."""
    distance = float(np.hypot(anchor.center[0] - point[0], anchor.center[2] - point[1]))
    if distance < NEAREST:
        return "anchor too near"
    if distance > FARTHEST:
        return "anchor too far"
    if observer.category == anchor.category:
        return "observer and anchor of one kind"
    if anchor.item is not None and observer.item is not None and observer.id in (anchor.item.parent, anchor.id):
        return "anchor stands on the observer object"
    camera = looking_at(point, anchor.center, SMALL_SIDE)
    maps = renderer.maps(camera)
    index = scene.index_of(anchor.id)
    least = LEAST_PIXELS * maps.depth.size / (SIDE * SIDE)
    counts = maps.counts(len(scene.instances))
    if counts[index] < LEAST_ANCHOR * least:
        return "anchor not visible"
    if float(np.mean((maps.depth > 0) & (maps.depth < 0.15))) > 0.25:
        return "observer too close to something"
    twins = [
        i for i, other in enumerate(scene.instances) if other.category == anchor.category and other.id != anchor.id
    ]
    if any(counts[i] >= 0.5 * least for i in twins):
        return "anchor phrase fits two objects in view"
    if any(_shares_room(scene.house, anchor, scene.instances[i], point) for i in twins):
        return "anchor phrase fits two objects in its room"
    alone = maps_of(scene, RayCaster(scene.triangles[scene.owner == index]), camera)
    total = int(np.count_nonzero(alone.depth > 0))
    visible = float(counts[index] / max(total, 1))
    if visible < LEAST_SHARE:
        return "anchor mostly hidden"
    judged = judge_directions(scene, caster, anchor, camera, prefer_anchor)
    placements = tuple(entry for entry in judged if isinstance(entry, Placement))
    rejections = tuple(entry for entry in judged if isinstance(entry, Rejection))
    full = looking_at(point, anchor.center)
    elsewhere = sum(1 for i in twins if scene.instances[i].item is not None)
    return Candidate(observer, anchor, speaker, full, round(visible, 3), elsewhere, placements, rejections)


def _shares_room(house: House, anchor: Instance, twin: Instance, observer: Point) -> bool:
    """Whether a twin of the anchor is in the anchor's room; of a doorway's two rooms the observer's counts."""
    if anchor.item is None or twin.item is None:
        return False
    if anchor.category == DOOR_CATEGORY:
        here = house.room_at(observer)
        return here is not None and any(door.id == twin.id and here.id in door.rooms for door in house.doors)
    return anchor.item.room != "" and anchor.item.room == twin.item.room
