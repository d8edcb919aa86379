"""From canonical findings to what a model reads and writes, and back.

A finding is a pydantic model whose fields carry marks (`tools.coordinates`): fractions of a frame, ids of frames,
headings. What a model is asked for is derived from it a call: pixels of the frame's size, the frame's number, nothing
at all where the frame is settled.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.fields import FieldInfo

from agents.view import View
from tools.coordinates import Items, Mark, Range, Words, from_native, to_native
from tools.errors import UserError
from tools.replies import frame_number, number, whole_number

FRAME_KEY = "selected_image"
"""What a frame's number is called in a reply, as in POVBench."""

_HALF_LETTER = re.compile(r"[\uD800-\uDFFF]")
"""Halves of a letter, which JSON's escapes can spell but no text that is sent or stored can hold."""


class Unreadable(Exception):  # noqa: N818 - the outcome of reading a reply, not a fault of the program
    """A reply that does not say what was asked for; the message says why, for the record."""


class _Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


class FindingError(UserError):
    """A finding of a step or form that cannot be asked for."""


class FrameUnknownError(FindingError):
    """A finding holds points, but nothing says in which frame."""

    def __init__(self, finding: str) -> None:
        super().__init__(
            f"{finding} holds a point, but no frame has been chosen yet; let the graph choose one first "
            "(step frame_selection)"
        )


def wire_model(finding: type[BaseModel], view: View) -> type[BaseModel]:
    """Derives the model of what is written for a finding in one call.

    Args:
        finding: The canonical model.
        view: What the call may say of the frames.

    Returns:
        A pydantic model with bounded fields, from which a JSON schema and a regex can be made.

    Raises:
        FrameUnknownError: If the finding holds points and neither it nor an earlier step says in which frame.
        FindingError: If a field has no bounds, or there are two to say which frame.
    """
    if view.bound_to is None and not _says_where(finding):
        raise FrameUnknownError(finding.__name__)
    return _wire_model(finding, view.choices, view.bound_to is not None, view.limits, view.convention.decimals)


@lru_cache(maxsize=512)
def _wire_model(
    finding: type[BaseModel], choices: tuple[int, ...], bound: bool, limits: tuple[float, float], decimals: int
) -> type[BaseModel]:
    def wire_type(annotation: Any, marks: list[Any], place: str) -> Any:
        if (inner := _optional(annotation)) is not None:
            return wire_type(*_unwrap(inner), place) | None
        for mark in marks:
            match mark:
                case Mark("frame"):
                    whole_range = len(choices) > 1 and choices == tuple(range(len(choices)))
                    return Annotated[int, Field(ge=0, le=choices[-1])] if whole_range else Literal[choices]
                case Mark("x" | "y" as axis):
                    return _bounded(0, limits[0 if axis == "x" else 1], decimals)
                case Mark("heading"):
                    return _bounded(0, 359, 0)
                case Range(low, high, places):
                    return _bounded(low, high, places)
                case Words(limit):
                    return Annotated[str, Field(max_length=limit)]
                case Items(fewest, most):
                    entry = wire_type(*_unwrap(get_args(annotation)[0]), place)
                    return Annotated[list[entry], Field(min_length=fewest, max_length=most)]  # type: ignore[valid-type]
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            return _wire_model(annotation, choices, bound, limits, decimals)
        if annotation is bool or get_origin(annotation) is Literal:
            return annotation
        kind = getattr(annotation, "__name__", annotation)
        raise FindingError(f"{place}: a {kind} needs a mark that bounds it, e.g. Annotated[str, Words(80)]")

    if sum(map(_is_frame, finding.model_fields.values())) > 1:
        raise FindingError(f"{finding.__name__} has two fields that settle the frame; use a list[FrameId] for several")
    fields: dict[str, Any] = {}
    for name, field in finding.model_fields.items():
        if _is_frame(field):
            if not bound:
                fields[FRAME_KEY] = (wire_type(field.annotation, field.metadata, name), ...)
            continue
        fields[name] = (wire_type(field.annotation, field.metadata, f"{finding.__name__}.{name}"), ...)
    wire: type[BaseModel] = create_model(finding.__name__, __base__=_Wire, __doc__=finding.__doc__, **fields)
    return wire


def _bounded(low: float, high: float, decimals: int) -> Any:
    if decimals == 0:
        return Annotated[int, Field(ge=int(low), le=int(high))]
    return Annotated[float, Field(ge=low, le=high, multiple_of=10.0**-decimals)]


@lru_cache(maxsize=512)
def has_points(finding: type[BaseModel]) -> bool:
    """Whether a finding holds points of a frame anywhere."""
    return any(True for _ in _points(finding, framed=False))


@lru_cache(maxsize=512)
def _says_where(finding: type[BaseModel]) -> bool:
    """Whether a finding says of each point that it holds in which frame it lies."""
    return all(_points(finding, framed=False))


def _points(finding: type[BaseModel], framed: bool) -> Iterator[bool]:
    """Yields for each coordinate of a finding whether the finding, or one around it, says in which frame it lies."""
    framed = framed or any(map(_is_frame, finding.model_fields.values()))
    for field in finding.model_fields.values():
        yield from _points_of(field.annotation, field.metadata, framed)


def _points_of(annotation: Any, marks: list[Any], framed: bool) -> Iterator[bool]:
    if any(isinstance(mark, Mark) and mark.kind in ("x", "y") for mark in marks):
        yield framed
    elif (inner := _optional(annotation)) is not None:
        yield from _points_of(*_unwrap(inner), framed)
    elif get_origin(annotation) is list:
        yield from _points_of(*_unwrap(get_args(annotation)[0]), framed)
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield from _points(annotation, framed)


def _is_frame(field: FieldInfo) -> bool:
    return any(mark == Mark("frame") for mark in field.metadata)


def _unwrap(annotation: Any) -> tuple[Any, list[Any]]:
    if get_origin(annotation) is Annotated:
        bare, *marks = get_args(annotation)
        return bare, marks
    return annotation, []


def _optional(annotation: Any) -> Any:
    """The type beside None in `X | None`; None for any other annotation."""
    if get_origin(annotation) not in (Union, UnionType):
        return None
    inner = [argument for argument in get_args(annotation) if argument is not NoneType]
    return inner[0] if len(inner) == 1 and len(get_args(annotation)) == 2 else None


def to_wire(finding: BaseModel, view: View) -> dict[str, Any]:
    """Writes a canonical finding as a model would, without rounding; coordinates belong to its own frame.

    Raises:
        FrameUnknownError: If it holds a point and neither it nor the view says in which frame.
        KeyError: If the view has no frame of an id in it.
    """
    frame = next(
        (getattr(finding, name) for name, field in type(finding).model_fields.items() if _is_frame(field)), None
    )
    if frame is not None:
        view = view.bind(frame)
    written: dict[str, Any] = {}
    for name, field in type(finding).model_fields.items():
        value = getattr(finding, name)
        if _is_frame(field):
            written[FRAME_KEY] = view.number_of(value)
        else:
            written[name] = _written(value, field.annotation, field.metadata, view)
    return written


def _written(value: Any, annotation: Any, marks: list[Any], view: View) -> Any:
    if (inner := _optional(annotation)) is not None:
        return None if value is None else _written(value, *_unwrap(inner), view)
    if isinstance(value, BaseModel):
        return to_wire(value, view)
    if isinstance(value, list):
        return [_written(entry, *_unwrap(get_args(annotation)[0]), view) for entry in value]
    for mark in marks:
        if isinstance(mark, Mark) and mark.kind in ("x", "y"):
            return to_native(value, _side(mark, view), view.convention)
        if mark == Mark("frame"):
            return view.number_of(value)
    return value


def _side(mark: Mark, view: View) -> int:
    if view.bound_frame is None:
        raise FrameUnknownError("a finding")
    return view.bound_frame.size[0 if mark.kind == "x" else 1]


def from_wire(finding: type[BaseModel], values: Mapping[str, Any], view: View) -> BaseModel:
    """Reads what a model wrote into a canonical finding.

    Numbers may be strings or decimals and may lie out of range; nothing is clamped and nothing is guessed.

    Raises:
        Unreadable: If a value is missing, of the wrong kind, or names a frame that cannot be chosen.
        FrameUnknownError: If it holds a point and neither it nor the view says in which frame.
    """
    return _read_object(finding, values, view, "")


def _read_object(finding: type[BaseModel], values: Mapping[str, Any], view: View, place: str) -> BaseModel:
    read: dict[str, Any] = {}
    for name, field in finding.model_fields.items():
        if not _is_frame(field):
            continue
        if view.bound_to is None:
            view = view.bind(_frame(values.get(FRAME_KEY), view, f"{place}{FRAME_KEY}"))
        assert view.bound_frame is not None
        read[name] = view.bound_frame.id
    for name, field in finding.model_fields.items():
        if _is_frame(field):
            continue
        if name not in values:
            raise Unreadable(f"{place}{name} is missing")
        read[name] = _read(values[name], field.annotation, field.metadata, view, f"{place}{name}")
    try:
        return finding.model_validate(read)
    except ValidationError as error:
        # A rule of the finding's own.
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = place + ".".join(map(str, first["loc"]))
        raise Unreadable(_cut(f"{where or finding.__name__}: {first['msg']}", 120)) from None


def _frame(value: Any, view: View, place: str) -> str:
    """The id of the frame whose number a model wrote."""
    chosen = frame_number(value)
    if chosen is None:
        raise Unreadable(f"{place} is not the number of an image: {_short(value)}")
    if chosen not in range(len(view.frames)):
        raise Unreadable(f"{place} is out of range: {_short(chosen)} of {len(view.frames)}")
    if chosen in view.rejected:
        raise Unreadable(f"{place} was ruled out before: {chosen}")
    return view.frames[chosen].id


def _read(value: Any, annotation: Any, marks: list[Any], view: View, place: str) -> Any:
    if (inner := _optional(annotation)) is not None:
        return None if value is None else _read(value, *_unwrap(inner), view, place)
    if Mark("frame") in marks:
        return _frame(value, view, place)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        if not isinstance(value, Mapping):
            raise Unreadable(f"{place} is not an object: {_short(value)}")
        return _read_object(annotation, value, view, f"{place}.")
    if get_origin(annotation) is list:
        if not isinstance(value, list):
            raise Unreadable(f"{place} is not a list: {_short(value)}")
        entry = _unwrap(get_args(annotation)[0])
        return [_read(one, *entry, view, f"{place}[{index}]") for index, one in enumerate(value)]
    if get_origin(annotation) is Literal:
        return _option(value, get_args(annotation), place)
    if annotation is bool:
        return _option(value, (True, False), place)
    if annotation is str:
        if not isinstance(value, str) or _HALF_LETTER.search(value):
            raise Unreadable(f"{place} is not text: {_short(value)}")
        return value
    found = whole_number(value) if annotation is int else number(value)
    if found is None:
        kind = "whole" if annotation is int else "finite"
        raise Unreadable(f"{place} is not a {kind} number: {_short(value)}")
    for mark in marks:
        match mark:
            case Mark("x" | "y"):
                return from_native(found, _side(mark, view), view.convention)
            case Mark("heading"):
                # The remainder of a tiny negative number is 360 itself.
                return found % 360 % 360
    return found


def _option(value: Any, options: tuple[Any, ...], place: str) -> Any:
    by_word = {str(option).casefold(): option for option in options}
    if isinstance(value, (str, bool)) and (word := str(value).strip().casefold()) in by_word:
        return by_word[word]
    whole = whole_number(value)
    if whole is not None and str(whole) in by_word:
        return by_word[str(whole)]
    raise Unreadable(f"{place} is none of {', '.join(map(str, options))}: {_short(value)}")


def _short(value: Any) -> str:
    return _cut(json.dumps(value, default=str), 60)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 3] + "..."


def shape(schema: Mapping[str, Any]) -> str:
    """Writes a wire schema as the one-line JSON shape that a prompt shows, e.g. `{"x": <whole number 0-511>}`."""
    return _shape(schema, schema.get("$defs", {}))


def _shape(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return _shape(definitions[schema["$ref"].rsplit("/", 1)[-1]], definitions)
    if "anyOf" in schema:
        return " or ".join(_shape(option, definitions) for option in schema["anyOf"])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " or ".join(json.dumps(option) for option in schema["enum"])
    match schema.get("type"):
        case "object":
            inside = (f"{json.dumps(key)}: {_shape(value, definitions)}" for key, value in schema["properties"].items())
            return "{" + ", ".join(inside) + "}"
        case "array":
            entry = _shape(schema["items"], definitions)
            return f"[{entry}, ...] ({schema['minItems']} to {schema['maxItems']} entries)"
        case "string":
            return f"<text, at most {schema['maxLength']} characters>"
        case "integer":
            return f"<whole number {schema['minimum']}-{schema['maximum']}>"
        case "number":
            return f"<number {schema['minimum']:g} to {schema['maximum']:g}>"
        case "boolean":
            return "true or false"
        case "null":
            return "null"
    raise ValueError(f"no words for the schema {dict(schema)}")
