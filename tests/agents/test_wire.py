"""What a model writes for a finding, and what that means: two sides of one derivation."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from agents.forms import FramePointAnswer
from agents.frame import Frame
from agents.step import Step
from agents.steps import STEPS
from agents.steps.anchor_localization import AnchorPoint
from agents.steps.directional_frame import DirectionalFrame
from agents.steps.frame_selection import ChosenFrame
from agents.steps.observer_grounding import ObserverPose
from agents.steps.scene_inventory import InventoryItem, SceneInventory
from agents.steps.side_identification import Side
from agents.steps.target_estimation import TargetPoint
from agents.view import View
from agents.wire import FrameUnknownError, Unreadable, from_wire, has_points, shape, to_wire, wire_model
from tools.coordinates import PIXELS, Convention, FrameId, Items, Mark, Metres, Range, Words
from tools.decoding import regex_from_schema
from tools.errors import UserError
from tools.pictures import Picture

THOUSAND = Convention("thousand", scale=1000)
UNIT = Convention("unit", scale=1.0, decimals=3)


def frames(*sizes: tuple[int, int]) -> tuple[Frame, ...]:
    return tuple(Frame(f"f{number}", Picture(Path(f"f{number}.png"), size)) for number, size in enumerate(sizes))


SQUARE = (512, 512)
ONE = View(frames(SQUARE), bound_to=0)
SIX = View(frames(*[SQUARE] * 6))
SIXTH = View(frames(*[SQUARE] * 6), bound_to=5)
MIXED = View(frames(SQUARE, (640, 480)))
WITHOUT_1 = View(frames(*[SQUARE] * 3), rejected=frozenset({1}))
ONLY_2 = View(frames(*[SQUARE] * 3), rejected=frozenset({0, 1}))


class Rating(BaseModel):
    """Whole numbers from a list, and within a range."""

    stars: Literal[1, 2, 3]
    chairs: Annotated[int, Range(0, 20, 0)]


class Pose(BaseModel):
    distance: Metres
    certain: bool


class Matches(BaseModel):
    """Points that each name a frame of their own."""

    matches: Annotated[list[FramePointAnswer], Items(1, 3)]


class SeenIn(BaseModel):
    frames: Annotated[list[FrameId], Items(0, 6)]


class BestFrame(BaseModel):
    best: FrameId | None


@pytest.mark.parametrize(
    ("view", "written", "canonical"),
    [
        pytest.param(ONE, {"x": 256, "y": 128}, FramePointAnswer(frame="f0", x=0.5, y=0.25), id="one-frame"),
        pytest.param(
            SIX,
            {"selected_image": 4, "x": 256, "y": 128},
            FramePointAnswer(frame="f4", x=0.5, y=0.25),
            id="many-frames",
        ),
        pytest.param(
            MIXED,
            {"selected_image": 1, "x": 320, "y": 120},
            FramePointAnswer(frame="f1", x=0.5, y=0.25),
            id="frames-of-different-sizes",
        ),
        pytest.param(
            View(frames(SQUARE, (640, 480)), THOUSAND),
            {"selected_image": 1, "x": 500, "y": 250},
            FramePointAnswer(frame="f1", x=0.5, y=0.25),
            id="scale-of-1000",
        ),
        pytest.param(
            View(frames(SQUARE), UNIT, bound_to=0),
            {"x": 0.125, "y": 1},
            TargetPoint(x=0.125, y=1),
            id="scale-of-1",
        ),
        pytest.param(SIX, {"selected_image": 5}, ChosenFrame(frame="f5"), id="frame-alone"),
        pytest.param(WITHOUT_1, {"selected_image": 2}, ChosenFrame(frame="f2"), id="frame-beside-a-rejected-one"),
        pytest.param(SIXTH, {"x": -128, "y": 1024}, TargetPoint(x=-0.25, y=2), id="outside-the-frame"),
        pytest.param(
            SIXTH,
            {"visible": True, "x": 64, "y": 0},
            AnchorPoint(visible=True, x=0.125, y=0),
            id="optional-point-there",
        ),
        pytest.param(
            SIXTH,
            {"visible": False, "x": None, "y": None},
            AnchorPoint(visible=False, x=None, y=None),
            id="optional-point-missing",
        ),
        pytest.param(
            SIXTH,
            {"observer": "sink", "x": None, "y": None, "facing": 270},
            ObserverPose(observer="sink", x=None, y=None, facing=270),
            id="heading",
        ),
        pytest.param(SIXTH, {"side": "on top"}, Side(side="on top"), id="literal"),
        pytest.param(SIXTH, {"objects": []}, SceneInventory(objects=[]), id="empty-list"),
        pytest.param(
            SIXTH,
            {"objects": [{"name": "lamp", "relation": "left", "x": 512, "y": 256}]},
            SceneInventory(objects=[InventoryItem(name="lamp", relation="left", x=1, y=0.5)]),
            id="list-of-objects",
        ),
        pytest.param(SIX, {"distance": 1.25, "certain": False}, Pose(distance=1.25, certain=False), id="metres"),
        pytest.param(SIX, {"stars": 2, "chairs": 11}, Rating(stars=2, chairs=11), id="whole-numbers"),
        pytest.param(
            MIXED,
            {"matches": [{"selected_image": 0, "x": 256, "y": 256}, {"selected_image": 1, "x": 320, "y": 240}]},
            Matches(matches=[FramePointAnswer(frame="f0", x=0.5, y=0.5), FramePointAnswer(frame="f1", x=0.5, y=0.5)]),
            id="points-with-frames-of-their-own",
        ),
        pytest.param(SIX, {"frames": [0, 5]}, SeenIn(frames=["f0", "f5"]), id="list-of-frames"),
        pytest.param(SIX, {"best": 3}, BestFrame(best="f3"), id="optional-frame-there"),
        pytest.param(SIX, {"best": None}, BestFrame(best=None), id="optional-frame-missing"),
    ],
)
def test_a_finding_is_written_and_read_in_the_terms_of_the_call(
    view: View, written: dict[str, Any], canonical: BaseModel
) -> None:
    wire = wire_model(type(canonical), view)
    assert list(wire.model_fields) == list(written)
    assert from_wire(type(canonical), written, view) == canonical
    shown = {key: value for key, value in to_wire(canonical, view).items() if key in wire.model_fields}
    assert shown == written


@pytest.mark.parametrize(
    ("finding", "view", "written", "canonical"),
    [
        (TargetPoint, ONE, {"x": "256", "y": " 128.0 "}, TargetPoint(x=0.5, y=0.25)),
        (TargetPoint, ONE, {"x": 323.5, "y": 74.5}, TargetPoint(x=323.5 / 512, y=74.5 / 512)),
        (TargetPoint, ONE, {"x": "5.12e1", "y": 0, "confidence": 0.4}, TargetPoint(x=0.1, y=0)),
        (TargetPoint, ONE, {"y": 128, "x": 256}, TargetPoint(x=0.5, y=0.25)),
        (ChosenFrame, SIX, {"selected_image": "3"}, ChosenFrame(frame="f3")),
        (ChosenFrame, SIX, {"selected_image": 3.0}, ChosenFrame(frame="f3")),
        (ChosenFrame, SIX, {"selected_image": "Image 3"}, ChosenFrame(frame="f3")),
        (ChosenFrame, SIX, {"selected_image": "image 3:"}, ChosenFrame(frame="f3")),
        (Side, ONE, {"side": " LEFT"}, Side(side="left")),
        (Side, ONE, {"side": "On Top"}, Side(side="on top")),
        (AnchorPoint, ONE, {"visible": "False", "x": None, "y": None}, AnchorPoint(visible=False, x=None, y=None)),
        (
            DirectionalFrame,
            ONE,
            {"front": -90, "left": 360, "right": "725"},
            DirectionalFrame(front=270, left=0, right=5),
        ),
        (Rating, ONE, {"stars": "2", "chairs": "4.0"}, Rating(stars=2, chairs=4)),
        (Rating, ONE, {"stars": 2.0, "chairs": 400}, Rating(stars=2, chairs=400)),
        (FramePointAnswer, ONE, {"selected_image": 7, "x": 0, "y": 0}, FramePointAnswer(frame="f0", x=0, y=0)),
    ],
)
def test_loose_clothing_is_read(finding: type[BaseModel], view: View, written: Any, canonical: BaseModel) -> None:
    assert from_wire(finding, written, view) == canonical


class Even(BaseModel):
    """A finding with a rule of its own."""

    count: Annotated[int, Range(0, 10, 0), Field(multiple_of=2)]


POINT = {"x": 1, "y": 2}


@pytest.mark.parametrize(
    ("finding", "view", "written", "reason"),
    [
        (TargetPoint, ONE, {"x": 1}, "y is missing"),
        (TargetPoint, ONE, {"x": None, "y": 2}, "x is not a finite number: null"),
        (TargetPoint, ONE, {"x": True, "y": 2}, "x is not a finite number: true"),
        (TargetPoint, ONE, {"x": math.nan, "y": 2}, "x is not a finite number: NaN"),
        (TargetPoint, ONE, {"x": math.inf, "y": 2}, "x is not a finite number: Infinity"),
        (TargetPoint, ONE, {"x": "1e999", "y": 2}, "x is not a finite number"),
        (TargetPoint, ONE, {"x": "nan", "y": 2}, "x is not a finite number"),
        (TargetPoint, ONE, {"x": 10**400, "y": 2}, "x is not a finite number"),
        (TargetPoint, ONE, {"x": "left", "y": 2}, "x is not a finite number"),
        (TargetPoint, ONE, {"x": "1,5", "y": 2}, "x is not a finite number"),
        (TargetPoint, ONE, {"x": "12px", "y": 2}, "x is not a finite number"),
        (TargetPoint, ONE, {"x": "", "y": 2}, "x is not a finite number"),
        (TargetPoint, ONE, {"x": [1, 2], "y": 2}, "x is not a finite number"),
        (FramePointAnswer, SIX, POINT, "selected_image is not the number of an image: null"),
        (FramePointAnswer, SIX, {"selected_image": True, **POINT}, "selected_image is not the number of an image"),
        (FramePointAnswer, SIX, {"selected_image": 1.5, **POINT}, "selected_image is not the number of an image"),
        (FramePointAnswer, SIX, {"selected_image": "f3", **POINT}, "selected_image is not the number of an image"),
        (FramePointAnswer, SIX, {"selected_image": "kitchen", **POINT}, "selected_image is not the number of an image"),
        (FramePointAnswer, SIX, {"selected_image": 6, **POINT}, "selected_image is out of range: 6 of 6"),
        (FramePointAnswer, SIX, {"selected_image": -1, **POINT}, "selected_image is out of range: -1 of 6"),
        (FramePointAnswer, SIX, {"selected_image": "Image 6", **POINT}, "selected_image is out of range: 6 of 6"),
        (FramePointAnswer, SIX, {"selected_image": 1e300, **POINT}, "selected_image is out of range"),
        (FramePointAnswer, WITHOUT_1, {"selected_image": 1, **POINT}, "selected_image was ruled out before: 1"),
        (Side, ONE, {"side": "behind"}, "side is none of left, right, front, on top"),
        (Side, ONE, {"side": 1}, "side is none of"),
        (Side, ONE, {"side": None}, "side is none of"),
        (AnchorPoint, ONE, {"visible": "perhaps", **POINT}, "visible is none of True, False"),
        (AnchorPoint, ONE, {"visible": 1, **POINT}, "visible is none of True, False"),
        (AnchorPoint, ONE, {"visible": True, "x": 1}, "y is missing"),
        (Rating, ONE, {"stars": 4, "chairs": 1}, "stars is none of 1, 2, 3"),
        (Rating, ONE, {"stars": True, "chairs": 1}, "stars is none of 1, 2, 3"),
        (Rating, ONE, {"stars": 1, "chairs": 1.5}, "chairs is not a whole number"),
        (SceneInventory, ONE, {"objects": {}}, "objects is not a list"),
        (SceneInventory, ONE, {"objects": "none"}, "objects is not a list"),
        (SceneInventory, ONE, {"objects": ["lamp"]}, "objects[0] is not an object"),
        (
            SceneInventory,
            ONE,
            {"objects": [{"name": "lamp", "relation": "left", **POINT}, {}]},
            "objects[1].name is mis",
        ),
        (SceneInventory, ONE, {"objects": [{"name": 5, "relation": "left", **POINT}]}, "objects[0].name is not text"),
        (SeenIn, SIX, {"frames": [0, 6]}, "frames[1] is out of range: 6 of 6"),
        (Even, ONE, {"count": 3}, "count"),
        (SceneInventory, ONE, {"objects": [{"name": "\ud800", "relation": "left", **POINT}]}, "name is not text"),
    ],
)
def test_what_does_not_say_what_was_asked_for_is_unreadable_with_a_reason(
    finding: type[BaseModel], view: View, written: Any, reason: str
) -> None:
    with pytest.raises(Unreadable, match=re.escape(reason)) as caught:
        from_wire(finding, written, view)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 160


def test_a_heading_stays_below_360_degrees() -> None:
    read = from_wire(DirectionalFrame, {"front": -1e-20, "left": 359.999, "right": 360}, ONE)
    assert isinstance(read, DirectionalFrame)
    assert all(0 <= heading < 360 for heading in (read.front, read.left, read.right))


@pytest.mark.parametrize(
    ("finding", "view", "text"),
    [
        (FramePointAnswer, ONE, '{"x": <whole number 0-511>, "y": <whole number 0-511>}'),
        (
            FramePointAnswer,
            SIX,
            '{"selected_image": <whole number 0-5>, "x": <whole number 0-511>, "y": <whole number 0-511>}',
        ),
        (
            FramePointAnswer,
            MIXED,
            '{"selected_image": <whole number 0-1>, "x": <whole number 0-639>, "y": <whole number 0-511>}',
        ),
        (ChosenFrame, WITHOUT_1, '{"selected_image": 0 or 2}'),
        (ChosenFrame, ONLY_2, '{"selected_image": 2}'),
        (TargetPoint, View(frames(SQUARE), UNIT, bound_to=0), '{"x": <number 0 to 1>, "y": <number 0 to 1>}'),
        (Side, ONE, '{"side": "left" or "right" or "front" or "on top"}'),
        (
            AnchorPoint,
            View(frames((640, 480)), bound_to=0),
            '{"visible": true or false, "x": <whole number 0-639> or null, "y": <whole number 0-479> or null}',
        ),
        (Pose, ONE, '{"distance": <number -100 to 100>, "certain": true or false}'),
        (
            SceneInventory,
            View(frames(SQUARE), THOUSAND, bound_to=0),
            '{"objects": [{"name": <text, at most 60 characters>, "relation": "left" or "right" or "front" or "on top" '
            'or "other", "x": <whole number 0-1000>, "y": <whole number 0-1000>}, ...] (0 to 3 entries)}',
        ),
        (SeenIn, SIX, '{"frames": [<whole number 0-5>, ...] (0 to 6 entries)}'),
    ],
)
def test_the_prompt_shows_the_shape_in_one_line(finding: type[BaseModel], view: View, text: str) -> None:
    assert shape(wire_model(finding, view).model_json_schema()) == text


@pytest.mark.parametrize("finding", [TargetPoint, AnchorPoint, ObserverPose, SceneInventory])
def test_points_need_a_frame(finding: type[BaseModel]) -> None:
    with pytest.raises(FrameUnknownError, match=f"{finding.__name__} holds a point.*frame_selection"):
        wire_model(finding, SIX)
    assert wire_model(finding, SIXTH)


def test_points_that_name_their_own_frames_need_no_other() -> None:
    assert wire_model(Matches, SIX)


def test_a_fact_about_a_point_cannot_be_written_before_its_frame_is_known() -> None:
    with pytest.raises(FrameUnknownError):
        to_wire(TargetPoint(x=0.5, y=0.5), SIX)


def test_a_fact_about_another_frame_is_written_in_that_frames_terms() -> None:
    bound = MIXED.bind("f1")
    assert to_wire(FramePointAnswer(frame="f0", x=0.5, y=0.25), bound) == {"selected_image": 0, "x": 256, "y": 128}


class Unbounded(BaseModel):
    thoughts: str


class TwoFrames(BaseModel):
    first: FrameId
    second: FrameId


@pytest.mark.parametrize(("finding", "place"), [(Unbounded, "Unbounded.thoughts"), (TwoFrames, "TwoFrames")])
def test_a_finding_that_cannot_be_asked_for_is_its_authors_mistake(finding: type[BaseModel], place: str) -> None:
    with pytest.raises(UserError, match=place):
        wire_model(finding, SIX)


@pytest.mark.parametrize(
    ("finding", "expected"),
    [
        (TargetPoint, True),
        (AnchorPoint, True),
        (SceneInventory, True),
        (ChosenFrame, False),
        (Side, False),
        (Pose, False),
    ],
)
def test_whether_a_finding_holds_points(finding: type[BaseModel], expected: bool) -> None:
    assert has_points(finding) is expected


# Whatever the derivation makes of a step, its three products must agree.

FINDINGS = [step.finds for step in STEPS.all()] + [FramePointAnswer, Pose, Rating, Matches, SeenIn]
VIEWS = [
    View(frames((640, 480), (321, 240)), bound_to=1),
    View(frames(SQUARE), THOUSAND, bound_to=0),
    View(frames(SQUARE), UNIT, bound_to=0),
    WITHOUT_1,
    ONLY_2,
    View(frames(*[SQUARE] * 30)),
]
FEW = settings(max_examples=20)
CASES = [
    pytest.param(finding, view, id=f"{finding.__name__}-{place}")
    for finding in FINDINGS
    for place, view in enumerate(VIEWS)
    if view.bound_to is not None
    or finding in (ChosenFrame, FramePointAnswer, Matches, SeenIn)
    or not has_points(finding)
    if not (finding is ChosenFrame and view.bound_to is not None)
]


def values_of(schema: dict[str, Any], definitions: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a JSON schema allows."""
    if "$ref" in schema:
        return values_of(definitions[schema["$ref"].split("/")[-1]], definitions)
    if "anyOf" in schema:
        return st.one_of([values_of(option, definitions) for option in schema["anyOf"]])
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema["type"]:
        case "object":
            keys = list(schema["properties"])
            inner = [values_of(schema["properties"][key], definitions) for key in keys]
            return st.tuples(*inner).map(lambda values: dict(zip(keys, values, strict=True)))
        case "array":
            return st.lists(
                values_of(schema["items"], definitions), min_size=schema["minItems"], max_size=schema["maxItems"]
            )
        case "string":
            return st.text(
                st.characters(exclude_categories=["Cc", "Cs"], exclude_characters='"\\'), max_size=schema["maxLength"]
            )
        case "integer":
            return st.integers(schema["minimum"], schema["maximum"])
        case "number":
            # Eighths are exact in both number systems, so that no validator can mistake them.
            return st.integers(int(schema["minimum"]) * 8, int(schema["maximum"]) * 8).map(lambda eighths: eighths / 8)
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
    raise AssertionError(schema)


@pytest.mark.parametrize(("finding", "view"), CASES)
def test_what_the_schema_allows_matches_the_regex_and_can_be_read(finding: type[BaseModel], view: View) -> None:
    schema = wire_model(finding, view).model_json_schema()
    validator = jsonschema.Draft202012Validator(schema)
    pattern = re.compile(regex_from_schema(schema))

    @FEW
    @given(values_of(schema, schema.get("$defs", {})))
    def agrees(value: Any) -> None:
        validator.validate(value)
        text = json.dumps(value, ensure_ascii=False)
        assert pattern.fullmatch(text), text
        read = from_wire(finding, json.loads(text), view)
        again = from_wire(finding, to_wire(read, view), view)
        assert flat(again.model_dump()) == pytest.approx(flat(read.model_dump()), abs=1e-9)

    agrees()


@pytest.mark.parametrize(("finding", "view"), CASES)
def test_what_the_regex_allows_validates_and_can_be_read(finding: type[BaseModel], view: View) -> None:
    schema = wire_model(finding, view).model_json_schema()
    validator = jsonschema.Draft202012Validator(without_steps(schema))

    @FEW
    @given(st.from_regex(regex_from_schema(schema), fullmatch=True))
    def agrees(text: str) -> None:
        value = json.loads(text)
        validator.validate(value)
        from_wire(finding, value, view)

    agrees()


def without_steps(schema: Any) -> Any:
    """The schema without `multipleOf`, which jsonschema checks in binary fractions: 0.029 fails 0.001."""
    if isinstance(schema, dict):
        return {key: without_steps(value) for key, value in schema.items() if key != "multipleOf"}
    return [without_steps(value) for value in schema] if isinstance(schema, list) else schema


@pytest.mark.parametrize(
    ("finding", "view", "text"),
    [
        (FramePointAnswer, ONE, '{"x": 512, "y": 0}'),
        (FramePointAnswer, ONE, '{"x": -1, "y": 0}'),
        (FramePointAnswer, ONE, '{"y": 0, "x": 1}'),
        (FramePointAnswer, ONE, '{"x": 1, "y": 0, "z": 2}'),
        (FramePointAnswer, ONE, '{"selected_image": 0, "x": 1, "y": 0}'),
        (FramePointAnswer, ONE, '{"x":  1, "y": 0}'),
        (FramePointAnswer, SIX, '{"selected_image": 6, "x": 1, "y": 0}'),
        (FramePointAnswer, SIX, '{"x": 1, "y": 0}'),
        (ChosenFrame, WITHOUT_1, '{"selected_image": 1}'),
        (ChosenFrame, ONLY_2, '{"selected_image": 0}'),
        (Side, ONE, '{"side": "behind"}'),
        (DirectionalFrame, ONE, '{"front": 360, "left": 0, "right": 0}'),
        (AnchorPoint, ONE, '{"visible": null, "x": 1, "y": 1}'),
    ],
)
def test_the_regex_keeps_out_what_was_not_asked_for(finding: type[BaseModel], view: View, text: str) -> None:
    assert not re.fullmatch(regex_from_schema(wire_model(finding, view).model_json_schema()), text)


def canonical_values(annotation: Any, view: View) -> st.SearchStrategy[Any]:
    """Canonical values of a field's annotation, out of the frame included."""
    metadata = getattr(annotation, "__metadata__", ())
    bare = annotation.__origin__ if metadata else annotation
    for mark in metadata:
        match mark:
            case Mark("frame"):
                return st.sampled_from([view.frames[number].id for number in view.choices])
            case Mark("heading"):
                return st.floats(0, 360, exclude_max=True)
            case Mark():
                return st.floats(-3, 3)
            case Words(limit):
                return st.text(max_size=limit)
            case Items(fewest, most):
                return st.lists(canonical_values(bare.__args__[0], view), min_size=fewest, max_size=most)
            case Range(low, high):
                return st.floats(low, high) if bare is float else st.integers(int(low), int(high))
    if isinstance(bare, type) and issubclass(bare, BaseModel):
        return canonical(bare, view)
    if bare is bool:
        return st.booleans()
    arguments = bare.__args__
    if type(None) in arguments:
        return st.none() | canonical_values(arguments[0], view)
    return st.sampled_from(arguments)


def canonical(finding: type[BaseModel], view: View) -> st.SearchStrategy[BaseModel]:
    annotations = get_type_hints(finding, include_extras=True)
    return st.builds(finding, **{name: canonical_values(annotations[name], view) for name in finding.model_fields})


@pytest.mark.parametrize("step", STEPS.all(), ids=lambda step: step.name)
@pytest.mark.parametrize("convention", [PIXELS, THOUSAND, UNIT], ids=lambda convention: convention.name)
def test_what_is_written_is_read_back(step: Step, convention: Convention) -> None:
    view = View(frames(SQUARE, (640, 480)), convention, bound_to=None if step.chooses_frame else 1)

    @FEW
    @given(canonical(step.finds, view))
    def round_trip(finding: BaseModel) -> None:
        text = json.dumps(to_wire(finding, view))
        again = from_wire(step.finds, json.loads(text), view)
        assert flat(again.model_dump()) == pytest.approx(flat(finding.model_dump()), abs=1e-9)

    round_trip()


def flat(value: Any, place: str = "") -> dict[str, Any]:
    """All leaves of nested values by their place, for `approx`."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if entries is None:
        return {place: value}
    return {key: leaf for name, entry in entries for key, leaf in flat(entry, f"{place}.{name}").items()}
