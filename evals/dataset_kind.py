"""What a layout of a benchmark on disk has to offer, and the decorator that offers it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from evals.sample import Dataset
from tools.errors import UserError


class DatasetError(UserError):
    """A data set, or a file that goes with one, cannot be used; faults of single instances are `Problem`s."""


@dataclass(frozen=True)
class DatasetKind:
    """One layout of a benchmark on disk.

    Attributes:
        name: Registered name, the name of the function that opens it.
        open: Reads the data set in a folder; raises `DatasetError` where nothing in it can be used.
        recognises: Says, from the names of files alone, whether a folder holds this layout.
        summary: One line on what it is.
    """

    name: str
    open: Callable[[Path], Dataset]
    recognises: Callable[[Path], bool]
    summary: str


def dataset(*, recognises: Callable[[Path], bool]) -> Callable[[Callable[[Path], Dataset]], DatasetKind]:
    """Turns a function that opens a folder into a `DatasetKind` of the function's name.

    Args:
        recognises: Says whether a folder holds the layout; must be quick and must not raise for a missing folder.

    Returns:
        The decorator; the first line of the function's docstring becomes the summary.
    """

    def register(opener: Callable[[Path], Dataset]) -> DatasetKind:
        summary = (opener.__doc__ or "").strip().partition("\n")[0]
        return DatasetKind(name=opener.__name__, open=opener, recognises=recognises, summary=summary)

    return register
