"""Reads JSON that a user gave and checks each field that is taken from it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MAX_JSON_BYTES = 256 * 1024 * 1024
"""Larger files are not read; a house of the release takes well under a megabyte."""

LIMIT = 1e6
"""Largest magnitude of a coordinate or an angle; keeps a projection finite."""

Point = tuple[float, float, float]


class BrokenFileError(ValueError):
    """A file that holds no JSON that could be read; the message says why and what mends it."""


class BrokenFieldError(ValueError):
    """A field that is missing or cannot be what it says.

    Attributes:
        path: Where it is, e.g. `camera.fov`.
        what: What is wrong with it.
    """

    def __init__(self, path: str, what: str) -> None:
        """Takes the place of the field and what is wrong with it."""
        super().__init__(f"{path}: {what}")
        self.path = path
        self.what = what


def stays_within(path: Path, folder: Path) -> bool:
    """Whether a path, its links followed, lies in a folder."""
    return path.resolve().is_relative_to(folder.resolve())


def read_json(path: Path, folder: Path) -> Any:
    """Reads a JSON file.

    NaN and Infinity pass, so that a single bad number costs no more than the instances that need it.

    Args:
        path: The file.
        folder: The folder that the file may not be a link out of.

    Returns:
        The value that the file holds.

    Raises:
        BrokenFileError: If it is missing, leads out of the folder, is too large, or is not JSON.
    """
    try:
        if not path.exists():
            raise BrokenFileError("is missing; download the data set again")
        if not stays_within(path, folder):
            cure = "put a copy in its place (a download from the Hub needs a local folder of its own)"
            raise BrokenFileError(f"is a link out of {folder}; {cure}")
        if not path.is_file():
            raise BrokenFileError("is not a file; download the data set again")
        if path.stat().st_size > MAX_JSON_BYTES:
            raise BrokenFileError(f"is larger than {MAX_JSON_BYTES // 2**20} MB; give the file that was meant")
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except BrokenFileError:
        raise
    except json.JSONDecodeError as error:
        raise BrokenFileError(
            f"is not complete JSON (line {error.lineno}: {error.msg}); download it again, or mend that line"
        ) from error
    except (ValueError, RecursionError) as error:
        raise BrokenFileError("is not JSON in UTF-8; download it again") from error
    except OSError as error:
        raise BrokenFileError(f"cannot be read ({error.strerror}); check its permissions") from error


def as_number(value: Any) -> float | None:
    """A finite number; None for anything else: booleans, numbers in strings, NaN, Infinity, and ones too large."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def described(value: Any) -> str:
    """How a wrong value is shown in a message."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:40]}..."


@dataclass(frozen=True)
class Field:
    """A value taken from JSON, with the place that it was taken from.

    JSON's null counts as missing, as it does in the published scripts.

    Attributes:
        path: The place, e.g. `camera.fov`; empty for a whole entry.
        value: The value; None where it is missing.
    """

    path: str
    value: Any

    @property
    def missing(self) -> bool:
        """Whether there is nothing here."""
        return self.value is None

    def __getitem__(self, key: str) -> Field:
        """The field of an object; a missing object has missing fields."""
        path = f"{self.path}.{key}" if self.path else key
        return Field(path, None if self.missing else self.mapping().get(key))

    def broken(self, wanted: str) -> BrokenFieldError:
        """The error for this field, which should have been what `wanted` says."""
        return BrokenFieldError(self.path, f"is missing, {wanted} is needed" if self.missing else self._must_be(wanted))

    def mapping(self) -> Mapping[str, Any]:
        """An object; empty where it is missing."""
        if self.missing:
            return {}
        if not isinstance(self.value, dict):
            raise self.broken("an object")
        return self.value

    def items(self) -> list[Field]:
        """The items of a list; none where it is missing."""
        if self.missing:
            return []
        if not isinstance(self.value, list):
            raise self.broken("a list")
        return [Field(f"{self.path}[{index}]", item) for index, item in enumerate(self.value)]

    def text(self) -> str:
        """A text that is not blank."""
        if not isinstance(self.value, str) or not self.value.strip():
            raise self.broken("a text")
        try:
            self.value.encode()
        except UnicodeEncodeError as error:
            raise self.broken("a text in Unicode") from error
        return self.value

    def name(self) -> str:
        """A text in one line, which a message or a table can show."""
        if not self.text().isprintable():
            raise self.broken("a name in one line")
        return self.text()

    def number(self, low: float = -LIMIT, high: float = LIMIT) -> float:
        """A finite number in [low, high]."""
        number = as_number(self.value)
        if number is None or not low <= number <= high:
            raise self.broken(f"a number from {low:g} to {high:g}")
        return number

    def pixels(self) -> int:
        """A number of pixels."""
        number = as_number(self.value)
        if number is None or not 1 <= number <= 65_535 or number != int(number):
            raise self.broken("a whole number of pixels from 1 to 65535")
        return int(number)

    def point(self) -> Point:
        """Three coordinates, given as {x, y, z} or as [x, y, z]."""
        if isinstance(self.value, dict):
            return (self["x"].number(), self["y"].number(), self["z"].number())
        if isinstance(self.value, list) and len(self.value) == 3:
            x, y, z = self.items()
            return (x.number(), y.number(), z.number())
        raise self.broken("a point [x, y, z] or {x, y, z}")

    def _must_be(self, wanted: str) -> str:
        return f"must be {wanted}, not {described(self.value)}"
