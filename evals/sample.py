"""One instance of a benchmark: what is seen, what is privileged, and how it is grouped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agents.situation import Situation
from graphs.hints import Hints


@dataclass(frozen=True)
class Sample:
    """A situation with its hints and its grouping keys; the truth stays with the dataset.

    Attributes:
        id: Unique and stable within the dataset, readable by a person.
        situation: What any model and any graph sees.
        hints: What only interventions that declare a need may see.
        keys: Grouping keys; `scene` is always there (statistics cluster by it), `condition` where the dataset has any.
        digest: Hash of everything that the sample holds, the pictures' bytes included.
    """

    id: str
    situation: Situation
    hints: Hints
    keys: Mapping[str, str]
    digest: str


@dataclass(frozen=True)
class Problem:
    """Something wrong in a user's data, in one line.

    Attributes:
        file: The file, relative to the dataset's folder.
        place: Where in it: pair, direction, field, frame.
        what: What is wrong there and what mends it.
        fatal: True when the instances concerned cannot be used; False for a warning.
    """

    file: str
    place: str
    what: str
    fatal: bool = True

    def __str__(self) -> str:
        where = f"{self.file}: {self.place}" if self.place else self.file
        return f"{where}: {self.what}"


Truth = Mapping[str, Any]
"""What an answer is held against, as plain JSON values; which keys, the scorer of the form says.

Where nothing is known, `{"known": False, "why": ...}`: such an answer is stored and shown, and has no score.
"""


def no_truth(dataset: object) -> str:
    """Why a dataset as a whole has no ground truth; empty where it has one. Such a dataset says it in `no_truth`."""
    return str(getattr(dataset, "no_truth", ""))


class Dataset(Protocol):
    """One layout on disk.

    Attributes:
        name: Registered name, e.g. `povbench`.
        conditions: Conditions that the layout knows, in the order in which tables show them; may be empty.
        breakdown: Grouping key that tables split a condition by; None for none.
        problems: What was found wrong while loading; instances that a fatal problem concerns are left out.
    """

    name: str
    conditions: tuple[str, ...]
    breakdown: str | None
    problems: Sequence[Problem]

    def samples(self) -> Iterator[Sample]:
        """Yields every usable sample, the instances of a scene together, in a stable order."""
        ...

    def truth_for(self, sample_id: str, answer: Mapping[str, Any]) -> Truth:
        """Returns what a canonical answer is held against; POVBench's truth depends on the frame that was chosen."""
        ...
