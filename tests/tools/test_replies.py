"""Replies are read as they were meant, and never believed beyond that."""

from __future__ import annotations

import json
import math
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.replies import drop_thinking, flat_objects, frame_number, last_object, number, whole_number


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("", ""),
        ("no tags", "no tags"),
        ("<think>a</think>b", "b"),
        ("a<think>b</think>c<think>d</think>e", "ace"),
        ("<THINK>a</Think>b", "b"),
        ("<thinking>a</thinking>b", "b"),
        ("<think>a\nb\n</think>\n\nc", "\n\nc"),
        ("a<think>b", "a"),
        ("a<think>b</think>c<think>d", "ac"),
        ("a</think>b", "b"),
        ("a</think>b<think>c</think>d", "bd"),
        ("a<think>b</think>c</think>d", "d"),
        ("<think>a<think>b</think>c", "c"),
        ("a </thinking> b </think> c", " c"),
        ("< think>a</ think>", "< think>a</ think>"),
        ("<thinker>a</thinker>", "<thinker>a</thinker>"),
    ],
)
def test_thinking_is_no_part_of_the_answer(text: str, kept: str) -> None:
    assert drop_thinking(text) == kept


ANSWER = {"x": 1, "y": 2}
ANSWER_TEXT = '{"x": 1, "y": 2}'
STRICT: list[tuple[str, dict[str, Any] | None]] = [
    (ANSWER_TEXT, ANSWER),
    (f"```json\n{ANSWER_TEXT}\n```", ANSWER),
    (f"The target is here: {ANSWER_TEXT}. I hope this helps {{really}}!", ANSWER),
    ('{"x":1,"y":2}{"x":3,"y":4}', {"x": 3, "y": 4}),
    ('{"x": 9, "y": 9} no wait, {"x": 1, "y": 2}', ANSWER),
    ('{"x": 1, "y": 2} and then {"x": 3, "y":', ANSWER),
    ('{"x": 1, "y": 2} and {"z": 3}', ANSWER),
    ('{"x": 9, "y": Wait. {"x": 1, "y": 2}', ANSWER),
    ('\n{\t"x"\r:\n1 ,"y":2\t}', ANSWER),
    # keys
    ('{"x": 1}', None),
    ('{"x": 1, "y": null}', {"x": 1, "y": None}),
    ('{"x": 1, "y": 2, "z": [3, {"w": 4}]}', {"x": 1, "y": 2, "z": [3, {"w": 4}]}),
    ('{"\\u0078": 1, "y": 2}', ANSWER),
    ('{"x": 9, "x": 1, "y": 2}', ANSWER),
    # nesting
    ('{"answer": {"x": 1, "y": 2}}', ANSWER),
    ('{"steps": [{"x": 9, "y": 9}, {"x": 1, "y": 2}], "done": true}', ANSWER),
    ('{"x": 9, "y": 9, "inner": {"x": 1, "y": 2}}', ANSWER),
    ('{"inner": {"x": 1, "y": 2}, "x": 9, "y": 9}', ANSWER),
    ('{"x": 1, "y": 2, "inner": {"x": 9}}', {"x": 1, "y": 2, "inner": {"x": 9}}),
    ('[{"x": 9, "y": 9}, {"x": 1, "y": 2}]', ANSWER),
    # braces and quotes within texts
    ('{"why": "a } or { here", "x": 1, "y": 2}', {"why": "a } or { here", **ANSWER}),
    ('{"why": "say \\"{\\" or \\\\", "x": 1, "y": 2}', {"why": 'say "{" or \\', **ANSWER}),
    ('{"why": "{\\"x\\": 9, \\"y\\": 9}", "x": 1, "y": 2}', {"why": '{"x": 9, "y": 9}', **ANSWER}),
    ('{"x": 1, "y": 2, "why": "{\\"x\\": 9, \\"y\\": 9}"}', {"why": '{"x": 9, "y": 9}', **ANSWER}),
    ('{"why": "unescaped {"x": 1, "y": 2}', ANSWER),
    ('{"answer": "{"x": 1, "y": 2}"}', ANSWER),
    ('{"{"x": 1, "y": 2}', ANSWER),
    ('the set {"a"} or {1, 2} or {x} or {} then {"x": 1, "y": 2}', ANSWER),
    ('\\boxed{{"x": 1, "y": 2}}', ANSWER),
    # broken off, so incomplete with all that is inside
    ('{"x": 1, "y": 2', None),
    ('{"x": 1, "y": "2', None),
    ('{"anchor": {"x": 9, "y": 9}, "answer": {"x": 1,', None),
    ('{"anchor": {"x": 9, "y": 9}', None),
    ('{"anchor": {"x": 9, "y": 9}, "answer": 1', None),
    ('{"anchor": {"x": 9, "y": 9}, "answer": 1.', None),
    ('{"anchor": {"x": 9, "y": 9}, "answer": tru', None),
    ('{"anchor": {"x": 9, "y": 9}, "answer": "a\\u00', None),
    ('{"anchor": {"x": 9, "y": 9}, "answer": "a\\', None),
    ('{"x": 1, "y": 2} {"anchor": {"x": 9, "y": 9}', ANSWER),
    # not JSON
    ("{'x': 1, 'y': 2}", None),
    ("{x: 1, y: 2}", None),
    ('{"x": 1, "y": 2,}', None),
    ('{"x": 1 "y": 2}', None),
    ('{"x": 01, "y": 2}', None),
    ('{"x": +1, "y": 2}', None),
    ('{"x": 1., "y": 2}', None),
    ('{"x": None, "y": 2}', None),
    ('{"x": 1, "y": "a\nb"}', None),
    ('{"x": 1, "y": "\\q"}', None),
    ('{"x": 1, "y": [2}', None),
    ('{"x": 1, "y": 2]', None),
    ('{"x": 1, "y": 2 // comment\n}', None),
    ('{"anchor": {"x": 1, "y": 2}, oops}', ANSWER),
    ("", None),
    ("I cannot help with that.", None),
    # thinking
    ('<think>{"x": 9, "y": 9}</think>{"x": 1, "y": 2}', ANSWER),
    ('{"x": 1, "y": 2}<think>{"x": 9, "y": 9}', ANSWER),
    ('<think>{"x": 9, "y": 9}', None),
    ('maybe {"x": 9, "y": 9}</think>\n{"x": 1, "y": 2}', ANSWER),
    # values that are refused later
    ('{"x": "1", "y": true}', {"x": "1", "y": True}),
    ('{"x": Infinity, "y": -Infinity}', {"x": math.inf, "y": -math.inf}),
    ('{"x": 1e999, "y": -1.5E+2}', {"x": math.inf, "y": -150.0}),
    ('{"x": ' + "9" * 5000 + ', "y": 2}', {"x": math.inf, "y": 2}),
]


@pytest.mark.parametrize(("text", "expected"), STRICT, ids=[text[:60] for text, _ in STRICT])
def test_the_last_complete_object_with_the_keys_is_the_answer(text: str, expected: dict[str, Any] | None) -> None:
    assert last_object(text, ("x", "y")) == expected


def test_nan_makes_an_object_no_less_complete() -> None:
    found = last_object('{"x": 9, "y": 9} {"x": NaN, "y": 2}', ("x", "y"))
    assert found is not None
    assert math.isnan(found["x"])
    assert number(found["x"]) is None


def test_without_keys_any_object_will_do() -> None:
    assert last_object('{"a": 1} {}', ()) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"x": 1}', [{"x": 1}]),
        ('<think>{"x": 1}</think> {"x": 2}', [{"x": 1}, {"x": 2}]),
        ('{"a": {"x": 1}, "b": {"x": 2}}', [{"x": 1}, {"x": 2}]),
        ('{"anchor": {"x": 1}, "answer": {"x":', [{"x": 1}]),
        ('{"x": [1, 2], "why": "text"}', [{"x": [1, 2], "why": "text"}]),
        ('{"why": "a } brace", "x": 1}', []),
        ("{x: 1} {'x': 1} {} {\"x\": 1,}", [{}]),
        ('{\n"x":\n1\n}', [{"x": 1}]),
        ("nothing", []),
    ],
)
def test_the_published_reading_takes_every_flat_object(text: str, expected: list[dict[str, Any]]) -> None:
    assert flat_objects(text) == expected


HOSTILE_LENGTH = 200_000
HOSTILE = {
    "braces": "{",
    "brackets": "[",
    "closed braces": "}",
    "objects within objects": '{"a":',
    "arrays within arrays": '{"a":[[[[[[[[',
    "both by turns": '{"a":[',
    "texts that are structure to each other": '{":',
    "braces in texts": '{"a":"{","b":',
    "quotes": '{"',
    "escapes": '{"\\',
    "escaped quotes": '{"\\"',
    "open thoughts": "<think>",
    "closing thoughts": "</think>",
    "half a tag": "<think",
    "words": "{a",
    "spaces": "{ ",
    "spaces after a tag": "<think ",
    "objects": '{"x":1,"y":2}',
    "broken objects": '{"x":{"y":1,"x":2},"y":}',
}


@pytest.mark.parametrize(("beginning", "ending"), [("", ""), ('{"a":', "!"), ('{"x":1,"y":"', '"}')])
@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_reply_takes_no_time(beginning: str, piece: str, ending: str) -> None:
    text = beginning + piece * (HOSTILE_LENGTH // len(piece)) + ending
    start = time.process_time()
    last_object(text, ("x", "y"))
    flat_objects(text)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize("levels", [2_000, 100_000])
def test_deep_nesting_is_no_answer_and_no_crash(opening: str, closing: str, levels: int) -> None:
    deep = '{"x": 1, "y": ' + opening * levels + "0" + closing * levels + "}"
    assert last_object(deep, ("x", "y")) is None
    assert last_object(ANSWER_TEXT + deep, ("x", "y")) == ANSWER
    assert flat_objects(deep + ANSWER_TEXT)[-1] == ANSWER


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text('ab{}[]":,\\\n é', max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["x", "y", "a", "{", '"']), inner, max_size=3)
    ),
    max_leaves=8,
)
prose = st.text(st.sampled_from('ab \n,:.!"\\]['), max_size=20)


def innermost(value: object) -> list[dict[str, Any]]:
    """All objects with x and y that hold no other such object, in the order in which they end."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    found = [entry for part in inner for entry in innermost(part)]
    return found if found or not isinstance(value, dict) or not {"x", "y"} <= value.keys() else [value]


@given(
    st.lists(st.tuples(prose, st.dictionaries(st.sampled_from(["x", "y", "a"]), json_values, max_size=3)), max_size=4),
    prose,
    st.sampled_from([None, 2]),
)
def test_objects_in_prose_are_found_whatever_they_hold(
    pieces: list[tuple[str, dict[str, Any]]], ending: str, indent: int | None
) -> None:
    text = "".join(before + json.dumps(value, indent=indent) for before, value in pieces) + ending
    expected = [entry for _, value in pieces for entry in innermost(value)]
    assert last_object(text, ("x", "y")) == (expected[-1] if expected else None)


@given(st.text(st.sampled_from('{}[]":,\\ xy1-.eu\n'), max_size=60))
def test_nothing_is_found_that_is_not_json(text: str) -> None:
    decoder = json.JSONDecoder()
    complete = []
    for position, letter in enumerate(text):
        if letter == "{":
            try:
                complete.append(decoder.raw_decode(text, position)[0])
            except json.JSONDecodeError:
                continue
    found = last_object(text, ())
    assert found is None or found in complete
    if not complete:
        assert found is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, 3.0),
        (-2.5, -2.5),
        ("3", 3.0),
        (" 3.50 ", 3.5),
        ("-1e2", -100.0),
        ("+.5E+1", 5.0),
        ("7.", 7.0),
        ("007", 7.0),
        (2**53 + 1, float(2**53)),
        (True, None),
        (False, None),
        (None, None),
        (math.nan, None),
        (math.inf, None),
        (-math.inf, None),
        (10**400, None),
        ("1e999", None),
        ("9" * 5000, None),
        ("NaN", None),
        ("Infinity", None),
        ("inf", None),
        ("12px", None),
        ("1,5", None),
        ("1_000", None),
        ("0x10", None),
        ("٣", None),
        ("1 2", None),
        ("", None),
        (".", None),
        ("e5", None),
        ("--1", None),
        ([3], None),
        ({"x": 3}, None),
    ],
)
def test_only_finite_numbers_and_their_texts_are_numbers(value: object, expected: float | None) -> None:
    assert number(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, 3),
        (3.0, 3),
        ("3", 3),
        ("3.0", 3),
        ("-2", -2),
        (3.5, None),
        ("3.5", None),
        (True, None),
        (math.nan, None),
        (10**400, None),
        ("Image 3", None),
        (None, None),
    ],
)
def test_a_whole_number_has_no_fraction(value: object, expected: int | None) -> None:
    found = whole_number(value)
    assert found == expected
    assert found is None or type(found) is int


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, 3),
        ("3", 3),
        (0, 0),
        ("Image 3", 3),
        ("image 3:", 3),
        (" IMAGE 12 : ", 12),
        ("Image3", 3),
        ("Image #3", 3),
        ("Image 0", 0),
        (3.5, None),
        ("Image", None),
        ("Image -1", None),
        ("Image 3 and 4", None),
        ("Image 3.5", None),
        ("third image", None),
        ("the 3", None),
        (True, None),
        (None, None),
        ("Image " + "9" * 5000, None),
    ],
)
def test_a_frame_may_be_called_by_its_label(value: object, expected: int | None) -> None:
    assert frame_number(value) == expected
