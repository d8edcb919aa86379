"""The regex of a schema allows the schema's JSON texts in one layout, and nothing else."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from tools.decoding import regex_from_schema

INTEGER = {"type": "integer", "minimum": 0, "maximum": 511}
TEXT = {"type": "string", "maxLength": 5}


def matches(schema: dict[str, Any], text: str) -> bool:
    return re.fullmatch(regex_from_schema(schema), text) is not None


def listed(items: dict[str, Any], least: int | None, most: int) -> dict[str, Any]:
    bounds = {"maxItems": most} if least is None else {"minItems": least, "maxItems": most}
    return {"type": "array", "items": items, **bounds}


ALLOWED: list[tuple[dict[str, Any], list[str], list[str]]] = [
    (
        INTEGER,
        ["0", "9", "10", "99", "100", "499", "500", "511"],
        ["-1", "512", "600", "1000", "007", "00", "-0", "1.0", "1e2", "", " 1", '"1"', "٣"],
    ),
    ({"type": "integer", "minimum": -12, "maximum": 3}, ["-12", "-9", "-1", "0", "3"], ["-13", "-0", "4", "-01", "+1"]),
    ({"type": "integer", "minimum": -12, "maximum": -3}, ["-12", "-3"], ["-2", "0", "3", "12"]),
    ({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10}, ["1", "9"], ["0", "10"]),
    ({"type": "integer", "minimum": 0.5, "maximum": 2.5}, ["1", "2"], ["0", "3", "1.5"]),
    ({"type": "integer", "minimum": 7, "maximum": 7}, ["7"], ["6", "8", "77"]),
    (
        {"type": "number", "minimum": 0, "maximum": 1},
        ["0", "1", "0.5", "0.25", "1.0", "1.00", "0.00"],
        ["1.01", "1.1", "0.125", ".5", "5.", "-0", "-0.0", "1e0", "2", "00.5"],
    ),
    (
        {"type": "number", "minimum": -1.25, "maximum": 10.5, "multipleOf": 0.01},
        ["-1.25", "-1.2", "-1", "-0.01", "0", "9.99", "10", "10.5", "10.50"],
        ["-1.26", "-1.3", "-2", "-0", "10.51", "10.6", "11", "0.001"],
    ),
    (
        {"type": "number", "minimum": 0.35, "maximum": 0.4},
        ["0.35", "0.39", "0.4", "0.40"],
        ["0.3", "0.34", "0.41", "0"],
    ),
    ({"type": "number", "minimum": 0, "maximum": 5, "multipleOf": 0.1}, ["4.9", "5", "5.0"], ["4.95", "5.1"]),
    ({"type": "number", "minimum": 0, "maximum": 5, "multipleOf": 10.0**-5}, ["4.99999"], ["4.999999"]),
    ({"type": "number", "minimum": 0, "maximum": 5, "multipleOf": 1}, ["4"], ["4.0"]),
    ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, ["0.01", "0.99"], ["0", "0.00", "1", "1.0"]),
    ({"type": "boolean"}, ["true", "false"], ["True", "1", '"true"', "null"]),
    ({"type": "null"}, ["null"], ["None", ""]),
    (
        TEXT,
        ['""', '"abcde"', '"é日本 😀"', '"it\'s"', '"a.b{}"'],
        ['"abcdef"', '"a"b"', '"a\\"', '"a\\n"', '"a\nb"', '"a\x7f"', '"a\x85"', "abc", "'abc'"],
    ),
    ({"type": "string", "minLength": 2, "maxLength": 3}, ['"ab"', '"abc"'], ['"a"', '"abcd"']),
    ({"const": "a.b"}, ['"a.b"'], ['"axb"', "a.b"]),
    ({"const": 7, "type": "integer"}, ["7"], ['"7"', "8"]),
    ({"const": None}, ["null"], ["None"]),
    ({"const": True, "type": "boolean"}, ["true"], ["1", "false"]),
    (
        {"enum": ["left", "up+*?", "c:\\d", 'say "hi"', "(|)[1]{2}^$", "é", 3, -4]},
        ['"left"', '"up+*?"', '"c:\\\\d"', '"say \\"hi\\""', '"(|)[1]{2}^$"', '"é"', "3", "-4"],
        ['"lef"', '"left|up"', "left", "4", '"u"', '"\\u00e9"'],
    ),
    ({"anyOf": [INTEGER, {"type": "null"}]}, ["0", "null"], ["512", "0null", ""]),
    (listed(INTEGER, 1, 3), ["[1]", "[1, 2]", "[1, 2, 3]"], ["[]", "[1, 2, 3, 4]", "[1,2]", "[1, ]", "[ 1]", "[512]"]),
    (listed(INTEGER, None, 2), ["[]", "[1]", "[1, 2]"], ["[1, 2, 3]", "[, 1]"]),
    (listed(INTEGER, 2, 2), ["[1, 2]"], ["[1]", "[]", "[1, 2, 3]"]),
    (listed(INTEGER, 0, 1), ["[]", "[1]"], ["[1, 2]"]),
    (listed(INTEGER, 0, 0), ["[]"], ["[1]"]),
    (listed({"anyOf": [{"const": 1}, {"const": 2}]}, 1, 2), ["[1]", "[2, 1]"], ["[1, 3]", "[12]"]),
    (
        {"type": "array", "prefixItems": [INTEGER, {"type": "null"}], "minItems": 2, "maxItems": 2},
        ["[1, null]"],
        ["[1]", "[null, 1]", "[1, null, 1]"],
    ),
    (
        {"type": "object", "properties": {"b": INTEGER, "a.c": TEXT}, "required": ["b"], "additionalProperties": False},
        ['{"b": 1, "a.c": "x"}'],
        ['{"b":1, "a.c":"x"}', '{"b": 1}', '{"a.c": "x", "b": 1}', '{"b": 1, "axc": "x"}', '{ "b": 1, "a.c": "x"}'],
    ),
    ({"type": "object", "properties": {}}, ["{}"], ["{ }", '{"a": 1}']),
    (
        {"$ref": "#/$defs/Point", "$defs": {"Point": {"type": "object", "properties": {"x": INTEGER}}}},
        ['{"x": 1}'],
        ["1", '{"x": 512}'],
    ),
    (
        {
            "type": "object",
            "title": "T",
            "description": "D",
            "properties": {"a": {**INTEGER, "default": 3}},
            "x-own": 1,
        },
        ['{"a": 1}'],
        ["{}"],
    ),
]


@pytest.mark.parametrize(("schema", "allowed", "refused"), ALLOWED, ids=[str(schema)[:50] for schema, _, _ in ALLOWED])
def test_the_regex_allows_and_refuses_as_the_schema_does(
    schema: dict[str, Any], allowed: list[str], refused: list[str]
) -> None:
    assert [text for text in allowed if not matches(schema, text)] == []
    assert [text for text in refused if matches(schema, text)] == []


def nested(schema: dict[str, Any]) -> dict[str, Any]:
    """Puts a schema at the place `answer.points[]`."""
    points = {"type": "array", "items": schema, "maxItems": 2}
    inner = {"type": "object", "properties": {"points": points}}
    return {"type": "object", "properties": {"answer": inner}}


UNBOUNDED: list[tuple[dict[str, Any], str]] = [
    ({"type": "integer"}, "minimum and maximum are needed"),
    ({"type": "integer", "minimum": 0}, "minimum and maximum are needed"),
    ({"type": "number", "maximum": 1.0}, "minimum and maximum are needed"),
    ({"type": "integer", "minimum": 5, "maximum": 4}, "allow nothing"),
    ({"type": "integer", "minimum": 0.2, "maximum": 0.8}, "allow nothing"),
    ({"type": "number", "minimum": 0, "maximum": float("inf")}, "maximum must be a finite number"),
    ({"type": "number", "minimum": float("nan"), "maximum": 1}, "minimum must be a finite number"),
    ({"type": "number", "minimum": "0", "maximum": 1}, "minimum must be a finite number"),
    ({"type": "number", "minimum": 0, "maximum": 1, "multipleOf": 0.05}, "multipleOf"),
    ({"type": "number", "minimum": 0, "maximum": 100, "multipleOf": 10}, "multipleOf"),
    ({"type": "number", "minimum": 0, "maximum": 100, "multipleOf": 0}, "multipleOf"),
    ({"type": "integer", "minimum": 0, "maximum": 100, "multipleOf": 5}, "multipleOf is not supported"),
    ({"type": "string"}, "maxLength is needed"),
    ({"type": "string", "maxLength": -1}, "maxLength is needed"),
    ({"type": "string", "minLength": 3, "maxLength": 2}, "maxLength allows nothing"),
    ({"type": "string", "maxLength": 9, "pattern": "a+"}, "pattern is not supported"),
    ({"type": "string", "maxLength": 9, "format": "date"}, "format is not supported"),
    ({"type": "array", "items": INTEGER}, "maxItems is needed"),
    ({"type": "array", "maxItems": 3}, "items is needed"),
    ({"type": "array", "items": INTEGER, "minItems": 4, "maxItems": 3}, "maxItems allows nothing"),
    ({"type": "array", "items": INTEGER, "maxItems": 3, "uniqueItems": True}, "uniqueItems is not supported"),
    ({"type": "array", "prefixItems": [INTEGER], "maxItems": 1}, "prefixItems"),
    ({"type": "object", "additionalProperties": INTEGER}, "keys must be named"),
    ({"type": "object", "patternProperties": {}}, "patternProperties is not supported"),
    ({"oneOf": [INTEGER]}, "a type is needed"),
    ({"anyOf": [INTEGER], "minimum": 3}, "minimum is not supported"),
    ({"type": ["integer", "null"]}, "a type is needed"),
    ({"type": "date"}, "a type is needed"),
    ({}, "a type is needed"),
    ({"enum": []}, "an empty enum"),
    ({"enum": [0.5]}, "not 0.5"),
    ({"const": [1]}, r"not \[1\]"),
    ({"$ref": "#/$defs/Missing"}, "not among"),
]


@pytest.mark.parametrize(("schema", "reason"), UNBOUNDED, ids=[str(schema)[:60] for schema, _ in UNBOUNDED])
def test_what_is_unbounded_or_unknown_is_refused_with_its_place(schema: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=rf"at answer\.points\[\]: .*{reason}"):
        regex_from_schema(nested(schema))
    with pytest.raises(ValueError, match=rf"at its root: .*{reason}"):
        regex_from_schema(schema)


class Tree(BaseModel):
    branches: Annotated[list[Tree], Field(max_length=2)]


def test_a_model_that_contains_itself_is_refused() -> None:
    with pytest.raises(ValueError, match=r"at branches\[\]: Tree contains itself"):
        regex_from_schema(Tree.model_json_schema())


class Thing(BaseModel):
    name: Annotated[str, Field(max_length=10)]
    x: Annotated[int, Field(ge=0, le=511)]
    y: Annotated[float, Field(ge=-2, le=99.5, multiple_of=0.1)]


class Finding(BaseModel):
    """A model with everything that findings are made of."""

    selected_image: Annotated[int, Field(ge=0, le=29)]
    rank: Literal[1, 2, 5]
    side: Literal["left", "right", "on top"]
    only: Literal["yes"]
    sure: bool
    heading: Annotated[float, Field(ge=0, lt=360)]
    landmark: Thing | None
    things: Annotated[list[Thing], Field(min_length=1, max_length=3)]
    pair: tuple[Annotated[int, Field(gt=0, lt=10)], bool]


def decimals(least: int, most: int, places: int) -> st.SearchStrategy[float]:
    return st.integers(least, most).map(lambda units: units / 10**places)


plain_letters = st.characters(exclude_categories=["Cc", "Cs"], exclude_characters='"\\')
things = st.builds(Thing, name=st.text(plain_letters, max_size=10), x=st.integers(0, 511), y=decimals(-20, 995, 1))
findings = st.builds(
    Finding,
    selected_image=st.integers(0, 29),
    rank=st.sampled_from([1, 2, 5]),
    side=st.sampled_from(["left", "right", "on top"]),
    only=st.just("yes"),
    sure=st.booleans(),
    heading=decimals(0, 35999, 2),
    landmark=st.none() | things,
    things=st.lists(things, min_size=1, max_size=3),
    pair=st.tuples(st.integers(1, 9), st.booleans()),
)
FINDING = re.compile(regex_from_schema(Finding.model_json_schema()))


@given(findings)
def test_every_value_of_a_model_can_be_written(finding: Finding) -> None:
    text = json.dumps(finding.model_dump(mode="json"), ensure_ascii=False, separators=(", ", ": "))
    assert FINDING.fullmatch(text)


@given(st.from_regex(FINDING, fullmatch=True))
def test_everything_that_can_be_written_is_a_value_of_the_model(text: str) -> None:
    Finding.model_validate_json(text, strict=True)


numbers = st.integers(-2000, 2000)


@given(numbers, numbers, numbers)
def test_whole_numbers_match_exactly_within_their_range(first: int, second: int, value: int) -> None:
    low, high = sorted((first, second))
    pattern = re.compile(regex_from_schema({"type": "integer", "minimum": low, "maximum": high}))
    for candidate in (value, low - 1, low, high, high + 1):
        assert bool(pattern.fullmatch(str(candidate))) is (low <= candidate <= high)


@given(st.integers(-(10**20), 10**20), st.integers(0, 10**20), st.integers(-(10**20), 10**20))
def test_large_whole_numbers_match_exactly_within_their_range(low: int, width: int, value: int) -> None:
    pattern = re.compile(regex_from_schema({"type": "integer", "minimum": low, "maximum": low + width}))
    for candidate in (value, low - 1, low, low + width // 2, low + width, low + width + 1):
        assert bool(pattern.fullmatch(str(candidate))) is (low <= candidate <= low + width)


@given(numbers, numbers, st.integers(0, 3), st.integers(0, 3), st.integers(-3000, 3000))
def test_decimals_match_exactly_within_their_range(
    first: int, second: int, bound_places: int, places: int, units: int
) -> None:
    low, high = sorted((Decimal(first).scaleb(-bound_places), Decimal(second).scaleb(-bound_places)))
    value = Decimal(units).scaleb(-places)
    schema = {"type": "number", "minimum": float(low), "maximum": float(high), "multipleOf": 0.001}
    assert matches(schema, f"{value:f}") is (low <= value <= high)


scalars = st.one_of(
    st.tuples(numbers, numbers).map(lambda ends: {"type": "integer", "minimum": min(ends), "maximum": max(ends)}),
    st.tuples(numbers, numbers).map(
        lambda ends: {"type": "number", "minimum": min(ends) / 100, "maximum": max(ends) / 100}
    ),
    st.integers(0, 20).map(lambda most: {"type": "string", "maxLength": most}),
    st.sampled_from([{"type": "boolean"}, {"type": "null"}, {"enum": ["a|b", 3, 'q"\\']}, {"const": "^$"}]),
)
keys = st.text('xy. {"é', min_size=1, max_size=4)
schemas = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.tuples(inner, st.integers(0, 2), st.integers(0, 2)).map(lambda of: listed(of[0], of[1], of[1] + of[2])),
        st.lists(inner, min_size=1, max_size=3).map(lambda options: {"anyOf": options}),
        st.dictionaries(keys, inner, max_size=3).map(
            lambda entries: {
                "type": "object",
                "properties": entries,
                "required": [*entries],
                "additionalProperties": False,
            }
        ),
    ),
    max_leaves=5,
)


@given(schemas, st.data())
def test_what_the_regex_of_any_schema_generates_is_valid_for_it(schema: dict[str, Any], data: st.DataObject) -> None:
    text = data.draw(st.from_regex(regex_from_schema(schema), fullmatch=True))
    jsonschema.validate(json.loads(text), schema)


@given(schemas)
def test_nothing_is_unbounded_and_no_construct_is_used_that_an_engine_does_not_read(schema: dict[str, Any]) -> None:
    without_literals = re.sub(r"\\.|\[[^\]]*\]", "", regex_from_schema(schema))
    unbounded = r"[*+]|\{[0-9]+,\}"
    other_groups = r"\(\?(?!:)|\((?!\?:)"
    assert not re.search(f"{unbounded}|{other_groups}", without_literals)
