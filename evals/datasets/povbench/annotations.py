"""Reads the pairs of a house: one observer object, one anchor object, the sentences and the ground truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

from evals.datasets.povbench.fields import BrokenFieldError, BrokenFileError, Field, Point, described, read_json
from evals.datasets.povbench.layout import HouseFiles
from evals.datasets.povbench.placement import RELATIONS, Relation, heading, target_position
from evals.sample import Problem
from graphs.hints import ObjectHint
from tools.camera import Camera

Condition = Literal["inferred", "stated", "given"]
SENTENCES: Mapping[Condition, tuple[str, str]] = {
    "inferred": ("stage5", "type_a"),
    "stated": ("stage5", "type_b"),
    "given": ("stage6", "type_c"),
}
"""Where the sentence of a condition stands, for each direction: `stage5.<direction>.type_a` and so on."""

CONDITIONS: tuple[Condition, ...] = tuple(SENTENCES)
BY_DIRECTION = ("placements", "stage3", "stage5", "stage6")
"""The parts of a pair that hold something for each direction."""

T = TypeVar("T")


@dataclass(frozen=True)
class Target:
    """Where the target stands in one direction.

    Attributes:
        position: (x, y, z), metres; None where the annotations do not give it.
        recomputed: Whether it comes from the placement rule, because its surface was judged appropriate.
        surface: What supports the target, in words; None where that is not known or was not judged appropriate.
    """

    position: Point | None
    recomputed: bool
    surface: str | None


@dataclass(frozen=True)
class Pair:
    """One observer object and one anchor object. What could not be read is None or absent, and has been reported.

    Attributes:
        id: Unique within its house.
        raw: The annotation as it stands in the file.
        observer: The object that the observer was busy with.
        anchor: The object that the sentences name as a landmark.
        viewpoint: Position of the observer's camera, metres.
        camera: The observer's camera.
        view: Path of the observer's picture, relative to the house's folder.
        targets: What is known of the target, by direction; a direction without a placement is absent.
        sentences: The sentences that are not empty, by direction and condition.
    """

    id: str
    raw: Mapping[str, Any]
    observer: ObjectHint | None
    anchor: ObjectHint | None
    viewpoint: Point | None
    camera: Camera | None
    view: str | None
    targets: Mapping[str, Target]
    sentences: Mapping[tuple[str, Condition], str]

    @property
    def directions(self) -> tuple[str, ...]:
        """The directions for which there is a sentence, in the order of the file."""
        return tuple(dict.fromkeys(direction for direction, _ in self.sentences))


@dataclass(frozen=True)
class _Reporter:
    file: str
    pair: str
    problems: list[Problem]

    def add(self, path: str, what: str, *, fatal: bool = True) -> None:
        self.problems.append(Problem(self.file, f"{self.pair}: {path}", what, fatal))

    def attempt(self, read: Callable[[], T], lost: str) -> T | None:
        """Reads something; where it is broken, reports what is lost by it."""
        try:
            return read()
        except BrokenFieldError as error:
            self.add(error.path, f"{error.what}; correct it or download the file again ({lost} left out)")
            return None


def read_pairs(house: HouseFiles, root: Path) -> tuple[Mapping[str, Pair], list[Problem]]:
    """Reads the pairs of a house.

    Args:
        house: The house's files.
        root: The data set's folder.

    Returns:
        The pairs by id, in the order of the file, and what is wrong with them.
    """
    file = house.pairs.relative_to(root).as_posix()
    try:
        entries = read_json(house.pairs, root)
    except BrokenFileError as error:
        return {}, [Problem(file, "", str(error))]
    if not isinstance(entries, list):
        return {}, [Problem(file, "", "must hold a list of pairs; download the file again")]
    problems: list[Problem] = []
    pairs: dict[str, Pair] = {}
    for index, entry in enumerate(entries):
        reporter = _Reporter(file, f"entry {index}", problems)
        pair_id = reporter.attempt(partial(_pair_id, entry), "the pair is")
        if pair_id is None:
            continue
        reporter = _Reporter(file, f"pair {pair_id}", problems)
        if pair_id in pairs:
            reporter.add("pair_id", f"stands here twice; rename or delete entry {index} (this second one is left out)")
            continue
        pairs[pair_id] = _read_pair(pair_id, entry, house.id, reporter)
    return pairs, problems


def read_camera(camera: Field) -> Camera:
    """Reads a camera as the release writes it.

    Raises:
        BrokenFieldError: If a part is missing or out of range.
    """
    return Camera(
        position=camera["cam_pos"].point(),
        yaw=camera["cam_yaw"].number(),
        horizon=camera["cam_horizon"].number(),
        fov=camera["fov"].number(1, 179),
        width=camera["screen_width"].pixels(),
        height=camera["screen_height"].pixels(),
    )


def _pair_id(entry: object) -> str:
    return Field("", entry)["pair_id"].name()


def _read_pair(pair_id: str, raw: dict[str, Any], house: str, reporter: _Reporter) -> Pair:
    entry = Field("", raw)
    if raw.get("house_id") not in (None, house):
        reporter.add("house_id", f"is not {house!r}; the file's name counts, as in the published scorer", fatal=False)
    anchor = reporter.attempt(lambda: _anchor(entry, reporter), "the pair's instances are")
    observer = reporter.attempt(lambda: _observer(entry, reporter), "the pair's inferred and stated instances are")
    viewpoint = reporter.attempt(
        lambda: entry["camera"]["cam_pos"].point(), "given instances and those whose position follows from the view are"
    )
    camera = None
    if viewpoint is not None:
        camera = reporter.attempt(lambda: read_camera(entry["camera"]), "the pair's given instances are")
    sentences = _sentences(entry, reporter)
    given = any(condition == "given" for _, condition in sentences)
    view = reporter.attempt(entry["rgb_path"].text, "the pair's given instances are") if given else None
    spoken = tuple(dict.fromkeys(direction for direction, _ in sentences))
    targets = _targets(entry, anchor, viewpoint, spoken, reporter)
    return Pair(pair_id, raw, observer, anchor, viewpoint, camera, view, targets, sentences)


def _anchor(entry: Field, reporter: _Reporter) -> ObjectHint:
    named, rendered = entry["landmark_type"], entry["object_landmark"]["raw_metadata"]["objectType"]
    if named.missing:
        reporter.add("landmark_type", "is missing; the object's own type counts, add it to be sure", fatal=False)
    return _object(entry["object_landmark"], (rendered if named.missing else named).text(), reporter)


def _observer(entry: Field, reporter: _Reporter) -> ObjectHint:
    rendered = entry["object_observer"]["raw_metadata"]["objectType"]
    return _object(
        entry["object_observer"], (entry["observer_type"] if rendered.missing else rendered).text(), reporter
    )


def _object(item: Field, category: str, reporter: _Reporter) -> ObjectHint:
    """Reads an object; what the published scorer does without is replaced as it does, with a warning."""
    metadata = item["raw_metadata"]
    box = metadata["axisAlignedBoundingBox"]
    placed_at = item["position"].point()

    def or_else(field: Field, default: Point, instead: str) -> Point:
        if not field.missing:
            return field.point()
        reporter.add(field.path, f"is missing; {instead} counts, download the file again to have it", fatal=False)
        return default

    corners = tuple(corner.point() for corner in box["cornerPoints"].items())
    if not corners:
        reporter.add(
            box["cornerPoints"].path,
            "is missing; the height of the box's centre counts as its top, as published",
            fatal=False,
        )
    size = or_else(box["size"], (0.0, 0.0, 0.0), "a box without extent")
    if min(size) < 0:
        raise box["size"].broken("a size without negative sides")
    return ObjectHint(
        id=item["objectId"].text(),
        category=category,
        position=or_else(metadata["position"], placed_at, "the object's other position"),
        placed_at=placed_at,
        box_center=or_else(box["center"], placed_at, "the object's position"),
        box_size=size,
        box_corners=corners,
    )


def _sentences(entry: Field, reporter: _Reporter) -> dict[tuple[str, Condition], str]:
    """The sentences of a pair; an empty or absent one means that the instance does not exist, and is no fault."""
    stages: dict[str, Mapping[str, Any]] = {}
    for stage in ("stage5", "stage6"):
        if entry[stage].missing:
            reporter.add(stage, "is missing; the pair has no sentences there, download the file again", fatal=False)
        stages[stage] = reporter.attempt(entry[stage].mapping, "the instances there are") or {}
    found: dict[tuple[str, Condition], str] = {}
    for direction in dict.fromkeys(direction for stage in stages.values() for direction in stage):
        for condition, (stage, key) in SENTENCES.items():
            if direction not in stages[stage]:
                continue
            if direction not in RELATIONS:
                lost = "its sentences are left out"
                reporter.add(f"{stage}.{described(direction)}", f"is no direction; use {', '.join(RELATIONS)} ({lost})")
                break
            sentence = reporter.attempt(partial(_sentence, entry[stage][direction], key), "the instance is")
            if sentence:
                found[direction, condition] = sentence
    return found


def _sentence(sentences: Field, key: str) -> str:
    sentence = sentences[key]
    return "" if sentence.missing or sentence.value == "" else sentence.text()


def _targets(
    entry: Field, anchor: ObjectHint | None, viewpoint: Point | None, spoken: tuple[str, ...], reporter: _Reporter
) -> dict[str, Target]:
    found: dict[str, Target] = {}
    placements = reporter.attempt(entry["placements"].mapping, "the pair's instances are") or {}
    for relation in RELATIONS:
        if placements.get(relation):
            read = partial(_target, entry, relation, anchor, viewpoint, reporter)
            target = reporter.attempt(read, f"the {relation} instances are")
            found[relation] = target or Target(None, recomputed=False, surface=None)
        elif relation in spoken:
            reporter.add(
                f"placements.{relation}",
                f"is missing; add it or clear the sentences (the {relation} instances are left out, as published)",
            )
    return found


def _target(
    entry: Field, relation: Relation, anchor: ObjectHint | None, viewpoint: Point | None, reporter: _Reporter
) -> Target:
    position, judgement = entry["placements"][relation]["position"], entry["stage3"][relation]
    if not position.value:
        raise position.broken("a point [x, y, z] or {x, y, z}")
    verdict = judgement["verdict"]
    if verdict.missing:
        reporter.add(verdict.path, "is missing; the placement counts as it stands, add the verdict", fatal=False)
    if verdict.missing or verdict.text() != "appropriate":
        return Target(position.point(), recomputed=False, surface=None)
    surface = judgement["surface"]
    if surface.missing or surface.value == "":
        reporter.add(surface.path, "is missing; the anchor's top counts, as published; add the surface", fatal=False)
    phrase = "" if surface.missing or surface.value == "" else surface.text()
    if anchor is None or (viewpoint is None and relation != "up"):
        return Target(None, recomputed=True, surface=phrase or None)
    observer = viewpoint or anchor.placed_at
    if relation != "up" and heading(anchor, relation, observer) == (0.0, 0.0):
        reporter.add(
            "camera.cam_pos",
            f"is straight above the anchor, so {relation} has no direction and its centre counts; move the camera",
            fatal=False,
        )
    return Target(target_position(anchor, relation, phrase, observer), recomputed=True, surface=phrase or None)
