"""Constraints for decoding: a bounded regex from a JSON schema.

Engines read schemas differently: some ignore bounds, others let a model write white space or extra keys without end. A
regex with fixed separators and bounded repeats means the same to all of them, and every text that it allows has an end.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

DEFAULT_DECIMALS = 2
"""Digits behind the point of a number whose schema has no `multipleOf`."""

TEXT_CHARACTER = r'[^"\\\x00-\x1F\x7F-\x9F]'
"""One character of a text: no quotes, backslashes or control characters."""

_ANNOTATIONS = {"$defs", "$schema", "title", "description", "default", "examples", "deprecated"}
_KEYWORDS = {
    "object": {"properties", "required", "additionalProperties"},
    "array": {"items", "prefixItems", "minItems", "maxItems"},
    "string": {"minLength", "maxLength"},
    "integer": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"},
    "number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
    "boolean": set[str](),
    "null": set[str](),
}

Schema = Mapping[str, Any]


def regex_from_schema(schema: Mapping[str, Any]) -> str:
    """Writes the regex of all JSON texts that a schema allows, in one fixed layout.

    Objects hold all their properties in the schema's order; separators are `, ` and `: `, and there is no other white
    space; numbers are plain decimals. Only constructs that Outlines-core, llguidance and xgrammar all read are used, to
    match the whole text.

    Args:
        schema: A JSON schema as pydantic's `model_json_schema()` writes it, every part of it bounded.

    Returns:
        The regex.

    Raises:
        ValueError: If a part of the schema is not bounded or not supported; the message names the place.
    """
    return _value(schema, schema.get("$defs", {}), "", ())


def _value(schema: Schema, definitions: Schema, place: str, within: tuple[str, ...]) -> str:
    """Regex of one value.

    Args:
        schema: Schema of the value.
        definitions: The whole schema's `$defs`.
        place: Where the value stands, e.g. `objects[].x`.
        within: References that were followed to get here.
    """
    if "$ref" in schema:
        return _reference(schema, definitions, place, within)
    if "anyOf" in schema:
        _refuse_others(schema, {"anyOf"}, place)
        options = [_value(option, definitions, place, within) for option in schema["anyOf"]]
        return _any_of(options)
    if "const" in schema:
        _refuse_others(schema, {"const", "type"}, place)
        return _literal(schema["const"], place)
    if "enum" in schema:
        _refuse_others(schema, {"enum", "type"}, place)
        if not schema["enum"]:
            raise _unsupported(place, "an empty enum allows nothing")
        return _any_of([_literal(option, place) for option in schema["enum"]])
    kind = schema.get("type")
    if not isinstance(kind, str) or kind not in _KEYWORDS:
        raise _unsupported(place, f"a type is needed, one of {', '.join(_KEYWORDS)}")
    _refuse_others(schema, {"type"} | _KEYWORDS[kind], place)
    match kind:
        case "object":
            return _object(schema, definitions, place, within)
        case "array":
            return _array(schema, definitions, place, within)
        case "string":
            least, most = _count(schema, "minLength", place, 0), _count(schema, "maxLength", place)
            return f'"{TEXT_CHARACTER}{{{least},{most}}}"'
        case "integer":
            return _decimal_range(*_bounds(schema, 0, place), 0)
        case "number":
            decimals = _decimals(schema, place)
            return _decimal_range(*_bounds(schema, decimals, place), decimals)
        case "boolean":
            return "(?:true|false)"
        case _:
            return "null"


def _reference(schema: Schema, definitions: Schema, place: str, within: tuple[str, ...]) -> str:
    _refuse_others(schema, {"$ref"}, place)
    name = str(schema["$ref"]).removeprefix("#/$defs/")
    if name not in definitions:
        raise _unsupported(place, f"{schema['$ref']} is not among $defs")
    if name in within:
        raise _unsupported(place, f"{name} contains itself, which has no bound")
    return _value(definitions[name], definitions, place, (*within, name))


def _object(schema: Schema, definitions: Schema, place: str, within: tuple[str, ...]) -> str:
    if schema.get("additionalProperties") and "properties" not in schema:
        raise _unsupported(place, "keys must be named under properties")
    entries = [
        _literal(key, place) + ": " + _value(entry, definitions, f"{place}.{key}" if place else key, within)
        for key, entry in schema.get("properties", {}).items()
    ]
    return r"\{" + ", ".join(entries) + r"\}"


def _array(schema: Schema, definitions: Schema, place: str, within: tuple[str, ...]) -> str:
    least, most = _count(schema, "minItems", place, 0), _count(schema, "maxItems", place)
    if "prefixItems" in schema:
        fixed = schema["prefixItems"]
        if not least == most == len(fixed) or "items" in schema:
            raise _unsupported(place, "prefixItems must be as many as minItems and maxItems")
        entries = [_value(entry, definitions, f"{place}[{index}]", within) for index, entry in enumerate(fixed)]
        return r"\[" + ", ".join(entries) + r"\]"
    if most == 0:
        return r"\[\]"
    if "items" not in schema:
        raise _unsupported(place, "items is needed")
    entry = _value(schema["items"], definitions, f"{place}[]", within)
    listed = entry if most == 1 else f"{entry}(?:, {entry}){{{max(least - 1, 0)},{most - 1}}}"
    return rf"\[(?:{listed})?\]" if least == 0 else rf"\[{listed}\]"


def _literal(value: object, place: str) -> str:
    """Regex of exactly one text, truth value, whole number or null."""
    if not isinstance(value, str | int | None):
        raise _unsupported(place, f"only texts, whole numbers, truth values and null can be listed, not {value!r}")
    # re.escape also escapes characters that other engines do not let one escape.
    return re.sub(r"[\\.+*?()|\[\]{}^$]", r"\\\g<0>", json.dumps(value, ensure_ascii=False))


def _any_of(options: list[str]) -> str:
    return options[0] if len(options) == 1 else f"(?:{'|'.join(options)})"


def _count(schema: Schema, keyword: str, place: str, default: int | None = None) -> int:
    value = schema.get(keyword, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _unsupported(place, f"{keyword} is needed, a whole number from 0")
    least = schema.get(keyword.replace("max", "min"), 0)
    if isinstance(least, int) and value < least:
        raise _unsupported(place, f"{keyword} allows nothing")
    return value


def _decimals(schema: Schema, place: str) -> int:
    """Digits behind the point, from a `multipleOf` such as 0.01."""
    step = schema.get("multipleOf")
    if step is None:
        return DEFAULT_DECIMALS
    digits = -round(math.log10(step)) if isinstance(step, int | float) and 0 < step <= 1 else -1
    if digits < 0 or not math.isclose(step, 10.0**-digits, rel_tol=1e-12):
        raise _unsupported(place, f"multipleOf must be 1, 0.1, 0.01 and so on, not {step!r}")
    return digits


def _bounds(schema: Schema, decimals: int, place: str) -> tuple[int, int]:
    """Smallest and largest value allowed, in units of the last decimal."""
    smallest: list[int] = []
    largest: list[int] = []
    for keyword in schema.keys() & {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}:
        value = schema[keyword]
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise _unsupported(place, f"{keyword} must be a finite number, not {value!r}")
        # Through the shortest text, so that 0.1 means a tenth and not the float next to it.
        units = Fraction(repr(value)) * 10**decimals
        match keyword:
            case "minimum":
                smallest.append(math.ceil(units))
            case "exclusiveMinimum":
                smallest.append(math.floor(units) + 1)
            case "maximum":
                largest.append(math.floor(units))
            case _:
                largest.append(math.ceil(units) - 1)
    if not smallest or not largest:
        raise _unsupported(place, "minimum and maximum are needed")
    if max(smallest) > min(largest):
        raise _unsupported(place, "its bounds allow nothing")
    return max(smallest), min(largest)


def _decimal_range(low: int, high: int, decimals: int) -> str:
    """Regex of the decimal numbers in a range, without leading zeros, minus zero or exponents.

    Args:
        low: Smallest number, in units of the last decimal.
        high: Largest number, in units of the last decimal.
        decimals: Most digits behind the point; numbers may have fewer.
    """
    options = []
    if low < 0:
        options.append("-" + _magnitudes(max(-high, 1), -low, decimals))
    if high >= 0:
        options.append(_magnitudes(max(low, 0), high, decimals))
    return _any_of(options)


def _magnitudes(low: int, high: int, decimals: int) -> str:
    if decimals == 0:
        return _whole_numbers(low, high)
    one = 10**decimals
    first, last = low // one, high // one
    # Between these whole parts every fraction is in the range.
    full_from, full_to = -(-low // one), (high + 1) // one - 1
    options = []
    if full_from <= full_to:
        options.append(rf"{_whole_numbers(full_from, full_to)}(?:\.[0-9]{{1,{decimals}}})?")
    for whole in sorted({first, last}):
        if not full_from <= whole <= full_to:
            least, most = max(low - whole * one, 0), min(high - whole * one, one - 1)
            options += _fractions(whole, least, most, decimals)
    return _any_of(options)


def _fractions(whole: int, least: int, most: int, decimals: int) -> list[str]:
    """Regexes of the numbers with one whole part whose fraction lies in a range, in units of the last decimal."""
    if most == 0:
        return [rf"{whole}(?:\.0{{1,{decimals}}})?"]
    options = [str(whole)] if least == 0 else []
    for places in range(1, decimals + 1):
        unit = 10 ** (decimals - places)
        low, high = -(-least // unit), most // unit
        if low <= high:
            options.append(rf"{whole}\.{_digits(f'{low:0{places}}', f'{high:0{places}}')}")
    return options


def _whole_numbers(low: int, high: int) -> str:
    options = []
    for length in range(len(str(low)), len(str(high)) + 1):
        shortest = 0 if length == 1 else 10 ** (length - 1)
        options.append(_digits(str(max(low, shortest)), str(min(high, 10**length - 1))))
    return _any_of(options)


def _digits(low: str, high: str) -> str:
    """Regex of the digit strings between two of the same length."""
    rest = len(low) - 1
    if low == high:
        return low
    if low[0] == high[0]:
        return low[0] + _digits(low[1:], high[1:])
    first, last = int(low[0]), int(high[0])
    options = []
    if low[1:] != "0" * rest:
        options.append(low[0] + _digits(low[1:], "9" * rest))
        first += 1
    if high[1:] != "9" * rest:
        options.append(high[0] + _digits("0" * rest, high[1:]))
        last -= 1
    if first <= last:
        leading = str(first) if first == last else f"[{first}-{last}]"
        options.append(leading + ("" if rest == 0 else "[0-9]" if rest == 1 else f"[0-9]{{{rest}}}"))
    return _any_of(options)


def _refuse_others(schema: Schema, known: set[str], place: str) -> None:
    """A keyword that is not understood could be a bound, so it is not passed over; `x-` ones are other engines' own."""
    for keyword in schema:
        if keyword not in known | _ANNOTATIONS and not keyword.startswith("x-"):
            raise _unsupported(place, f"{keyword} is not supported")


def _unsupported(place: str, wrong: str) -> ValueError:
    return ValueError(f"no regex for the schema at {place or 'its root'}: {wrong}")
