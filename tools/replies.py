"""Reads what a model wrote: JSON objects in free text, and numbers in loose clothing.

Replies are hostile: every reader here takes time in proportion to the text and never raises on it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

DEEPEST = 64
"""Levels of nesting up to which JSON is read; no answer is that deep."""

LONGEST_NUMBER = 400
"""Characters up to which a number is read; longer ones lie beyond a float's range or far below its precision."""

_THINKING = re.compile(r"<(/?)think(?:ing)?\s*+>", re.IGNORECASE)
_FLAT_OBJECT = re.compile(r"\{[^{}]*\}")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_FRAME_LABEL = re.compile(r"image\s*#?([0-9]{1,9})\s*:?", re.IGNORECASE)

_START = re.compile(r'\{(?=[ \t\n\r]*+["}])')
_SPACE = re.compile(r"[ \t\n\r]*+")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
_SCALAR = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null|NaN|-?Infinity")
_CUT_OFF = re.compile(r"(?:[\w.+-]*+|\\[\w]*+)\Z")
"""What may be left of a text that ends within a number, a word or an escape."""


def drop_thinking(text: str) -> str:
    """Removes what a model thought aloud before it answered.

    Closed `<think>` and `<thinking>` blocks go. An unclosed one takes the rest of the text with it, since an answer in
    it is none. A closing tag alone takes all that is before it, since some chat templates open the block themselves.
    """
    kept: list[str] = []
    thinking = False
    position = 0
    for tag in _THINKING.finditer(text):
        if tag[1]:
            if not thinking:
                kept.clear()
            thinking = False
            position = tag.end()
        elif not thinking:
            kept.append(text[position : tag.start()])
            thinking = True
    if not thinking:
        kept.append(text[position:])
    return "".join(kept)


def last_object(text: str, keys: Collection[str]) -> dict[str, Any] | None:
    """Finds the answer by the strict reading: the last complete JSON object outside thinking that has some keys.

    Nested objects count too, and the innermost with the keys stands for those around it. Where the text breaks off
    within an object, all that lies in it is incomplete with it.

    Args:
        text: The reply.
        keys: Keys that the object must have, others are allowed.

    Returns:
        The object, or None. NaN and infinities are left in it, for `number` to refuse.
    """
    text = drop_thinking(text)
    span = None
    for found in _objects(text, frozenset(keys)):
        if span is None or found[1] > span[1]:
            span = found
    return None if span is None else json.loads(text[slice(*span)], parse_int=_integer)


def flat_objects(text: str) -> list[dict[str, Any]]:
    """Finds candidates by POVBench's published reading: all JSON objects without inner braces, thinking included.

    Args:
        text: The reply.

    Returns:
        The objects in order of appearance.
    """
    found = []
    for piece in _FLAT_OBJECT.findall(text):
        try:
            found.append(json.loads(piece, parse_int=_integer))
        except (ValueError, RecursionError):
            continue
    return found


def number(value: object) -> float | None:
    """Reads a finite number, or the decimal text of one; None for anything else, truth values included."""
    if isinstance(value, str):
        value = value.strip()
        if len(value) > LONGEST_NUMBER or not _DECIMAL.fullmatch(value):
            return None
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        read = float(value)
    except OverflowError:
        return None
    return read if math.isfinite(read) else None


def whole_number(value: object) -> int | None:
    """Reads a number without a fractional part, `3.0` and `"3"` included; None for anything else."""
    read = number(value)
    return int(read) if read is not None and read.is_integer() else None


def frame_number(value: object) -> int | None:
    """Reads a whole number, or the label that stands before a picture in the prompt (`Image 3:`)."""
    if isinstance(value, str) and (label := _FRAME_LABEL.fullmatch(value.strip())):
        return int(label[1])
    return whole_number(value)


def _integer(digits: str) -> int | float:
    """Python refuses to convert very long integers; such a number is as good as infinite."""
    return int(digits) if len(digits) <= LONGEST_NUMBER else math.inf


class _Awaits(Enum):
    """What JSON's grammar allows next."""

    FIRST_KEY_OR_END = auto()
    KEY = auto()
    COLON = auto()
    FIRST_VALUE_OR_END = auto()
    VALUE = auto()
    COMMA_OR_END = auto()


_KEYS = (_Awaits.FIRST_KEY_OR_END, _Awaits.KEY)
_VALUES = (_Awaits.FIRST_VALUE_OR_END, _Awaits.VALUE)


@dataclass(slots=True)
class _Container:
    """An object or array that is still open.

    Attributes:
        start: Position of its opening bracket.
        is_object: False for an array.
        missing: Wanted keys that it has not shown yet.
        holds_match: Whether an object inside it has all the wanted keys.
    """

    start: int
    is_object: bool
    missing: set[str] = field(default_factory=set)
    holds_match: bool = False


def _objects(text: str, keys: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yields (start, end) of the innermost complete objects that have some keys.

    Python's own reader is no help: it recurses, and starting it anew at every brace takes quadratic time. Here a brace
    that one attempt has seen as structure is never tried again, since a second attempt from it would end at the same
    place; so every character is read at most twice, once inside and once outside a string.
    """
    tried: set[int] = set()
    position = 0
    while start := _START.search(text, position):
        position = start.end()
        if start.start() in tried:
            continue
        spans, end, complete = _read_object(text, start.start(), keys, tried)
        if complete:
            position = end
        elif _CUT_OFF.match(text, end):
            return
        yield from spans


def _read_object(
    text: str, start: int, keys: frozenset[str], tried: set[int]
) -> tuple[list[tuple[int, int]], int, bool]:
    """Reads JSON from an opening brace until it is closed or the text is no JSON any more.

    Args:
        text: The whole text.
        start: Position of the brace.
        keys: Wanted keys.
        tried: Receives the positions of the braces inside.

    Returns:
        (start, end) of the innermost complete objects with the keys; where reading ended; whether it was complete.
    """
    spans: list[tuple[int, int]] = []
    containers = [_Container(start, True, set(keys))]
    awaits = _Awaits.FIRST_KEY_OR_END
    position = start + 1
    while containers:
        inner = containers[-1]
        position = _end(_SPACE, text, position)
        letter = text[position : position + 1]
        if letter == '"' and (awaits in _KEYS or awaits in _VALUES):
            end = _end(_STRING, text, position)
            if text[end : end + 1] != '"':
                position = end
                break
            if awaits in _KEYS:
                inner.missing.discard(_unescaped(text[position + 1 : end]))
            awaits = _Awaits.COLON if awaits in _KEYS else _Awaits.COMMA_OR_END
            position = end + 1
        elif letter == ":" and awaits is _Awaits.COLON:
            awaits = _Awaits.VALUE
            position += 1
        elif letter == "," and awaits is _Awaits.COMMA_OR_END:
            awaits = _Awaits.KEY if inner.is_object else _Awaits.VALUE
            position += 1
        elif letter == "{" and awaits in _VALUES and len(containers) < DEEPEST:
            tried.add(position)
            containers.append(_Container(position, True, set(keys)))
            awaits = _Awaits.FIRST_KEY_OR_END
            position += 1
        elif letter == "[" and awaits in _VALUES and len(containers) < DEEPEST:
            containers.append(_Container(position, False))
            awaits = _Awaits.FIRST_VALUE_OR_END
            position += 1
        elif _closes(letter, inner.is_object, awaits):
            position += 1
            containers.pop()
            if inner.is_object and not inner.missing and not inner.holds_match:
                spans.append((inner.start, position))
                inner.holds_match = True
            if containers:
                containers[-1].holds_match |= inner.holds_match
            awaits = _Awaits.COMMA_OR_END
        elif awaits in _VALUES and (end := _end(_SCALAR, text, position)) > position:
            awaits = _Awaits.COMMA_OR_END
            position = end
        else:
            break
    return spans, position, not containers


def _closes(letter: str, is_object: bool, awaits: _Awaits) -> bool:
    if is_object:
        return letter == "}" and awaits in (_Awaits.FIRST_KEY_OR_END, _Awaits.COMMA_OR_END)
    return letter == "]" and awaits in (_Awaits.FIRST_VALUE_OR_END, _Awaits.COMMA_OR_END)


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Where a pattern's match ends; the position itself when there is none."""
    match = pattern.match(text, position)
    return position if match is None else match.end()


def _unescaped(inside: str) -> str:
    return str(json.loads(f'"{inside}"')) if "\\" in inside else inside
