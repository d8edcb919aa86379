"""The source of a function as far as it decides what the function does; tells its versions apart."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def source_of(function: Callable[..., Any]) -> str:
    """Writes a function's source, that of what it uses of its file and those beside it, and the values that it holds.

    Values are defaults, closed-over variables, constants of the module, what `functools.partial` binds, and the
    attributes of a method's object. Functions and classes are followed as far as files in the same folder, modules of
    that folder count whole; installed packages are not followed.
    """
    return "\n".join(_pieces(function, set()))


def _pieces(thing: object, seen: set[int]) -> Iterator[str]:
    if id(thing) in seen:
        return
    seen.add(id(thing))
    match thing:
        case FunctionType():
            yield _text(thing)
            yield from _held(thing, seen)
        case type() | ModuleType():
            yield _source(thing) or repr(thing)
        case MethodType():
            yield from _pieces(thing.__func__, seen)
            owner = thing.__self__
            yield from _pieces(owner if isinstance(owner, type) else type(owner), seen)
            yield from _values(getattr(thing.__self__, "__dict__", {}).items(), seen)
        case functools.partial():
            yield from _values([("", thing.func), *enumerate(thing.args), *thing.keywords.items()], seen)
        case _ if isinstance(call := getattr(thing, "__call__", None), MethodType):  # noqa: B004 - its source is wanted
            yield from _pieces(call, seen)
        case _:
            yield _ADDRESS.sub("", repr(thing))


def _held(function: FunctionType, seen: set[int]) -> Iterator[str]:
    """Defaults, closed-over variables, and the functions and constants of its module that a function names."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    yield from _values(enumerate(function.__defaults__ or ()), seen)
    yield from _values((function.__kwdefaults__ or {}).items(), seen)
    yield from _values(((name, cell.cell_contents) for name, cell in cells if _is_filled(cell)), seen)
    for name in sorted(_names(function.__code__)):
        value = function.__globals__.get(name)
        if isinstance(value, int | float | str | tuple):
            yield from _values([(name, value)], seen)
        elif isinstance(value, FunctionType | type | ModuleType) and _is_beside(value, function):
            yield f"{name}:"
            yield from _pieces(value, seen)


def _values(values: Iterable[tuple[object, object]], seen: set[int]) -> Iterator[str]:
    for name, value in values:
        if isinstance(value, FunctionType | MethodType | functools.partial):
            yield f"{name}:"
            yield from _pieces(value, seen)
        else:
            yield f"{name} = {_ADDRESS.sub('', repr(value))}"


def _is_beside(thing: FunctionType | type | ModuleType, function: FunctionType) -> bool:
    """Whether a thing was written in the file of a function or in one beside it."""
    module = thing.__name__ if isinstance(thing, ModuleType) else thing.__module__
    if module == function.__module__:
        return True
    file = getattr(thing if isinstance(thing, ModuleType) else sys.modules.get(module), "__file__", None)
    return file is not None and Path(file).parent == Path(function.__code__.co_filename).parent


def _text(function: FunctionType) -> str:
    # By its code, since by itself a decorated function would give the source of what it wraps.
    source = _source(function.__code__)
    if source is not None:
        return source
    return function.__code__.co_code.hex() + _ADDRESS.sub("", repr(function.__code__.co_consts))


def _source(thing: CodeType | type | ModuleType) -> str | None:
    """What stands in the file; None where there is none."""
    try:
        return inspect.getsource(thing)
    except (OSError, TypeError):
        return None


def _names(code: CodeType) -> set[str]:
    """Names that a function looks up outside itself, its inner functions included."""
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _is_filled(cell: CellType) -> bool:
    """Whether a closed-over variable has a value yet."""
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False
