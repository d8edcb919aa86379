"""What holds a run back: rates, money, time, retries; and what ends it before its end."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field

from agents.cures import cure_for
from agents.model import Model, OutsideFailure
from agents.models import TIME_LIMIT
from tools.errors import UserError

UNUSABLE = frozenset({"authentication", "not_found", "quota"})
"""Kinds of failure with which no call to a model can succeed before the user has mended something."""

OVERLOAD = frozenset({"rate_limit", "overloaded", "timeout"})
"""Kinds of failure that say that fewer requests at a time would do better."""

BUSY = frozenset({"rate_limit", "overloaded", "timeout", "server", "error"})
"""Kinds of failure that may befall one call and not the next."""

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class LimitError(UserError):
    """A limit that makes no sense."""


class ModelUnusableError(UserError):
    """A model to which no call can succeed: wrong key, unknown name, no credit.

    Attributes:
        failure: What the server said.
        model: The model.
        pictures: How many pictures the request held.
    """

    def __init__(self, failure: OutsideFailure, model: Model, pictures: int, cure: str = "") -> None:
        words = [str(failure), cure, "what was answered is stored, the same command goes on from there"]
        super().__init__("; ".join(filter(None, words)))
        self.failure, self.model, self.pictures = failure, model, pictures

    async def with_cure(self) -> ModelUnusableError:
        """The same error with the cure in its message; asks a server what it serves."""
        return ModelUnusableError(
            self.failure, self.model, self.pictures, await cure_for(self.failure, self.model, self.pictures)
        )


class Unfinished(Exception):  # noqa: N818 - a call that was not begun, not a fault
    """A call that does not go out any more because the run is ending; its item stays unfinished."""


@dataclass(frozen=True)
class Limits:
    """What holds a run back.

    Attributes:
        rpm: Most requests a minute to each model; None for no limit.
        tpm: Most tokens a minute to each model, in and out; None for no limit.
        max_cost: Most US dollars that the run may cost, earlier sessions included; None for no limit.
        max_time: Most seconds that this session may take; None for no limit.
        max_retries: How often a call is tried again after an outside failure.
        backoff: Seconds on which waits before retries grow, doubling with each retry.
        longest_wait: Most seconds of one wait, also where a server asks for more.
        timeout: Seconds that one call may take.
    """

    rpm: float | None = None
    tpm: float | None = None
    max_cost: float | None = None
    max_time: float | None = None
    max_retries: int = 6
    backoff: float = 1.0
    longest_wait: float = 120.0
    timeout: float = TIME_LIMIT

    def __post_init__(self) -> None:
        for name in ("rpm", "tpm", "max_cost", "max_time", "timeout"):
            value = getattr(self, name)
            if value is not None and not 0 < value < float("inf"):
                raise LimitError(f"--{name.replace('_', '-')} must be a positive number, not {value}")
        if self.max_retries < 0:
            raise LimitError(f"--max-retries must be at least 0, not {self.max_retries}")


def seconds_of(text: str, option: str = "--max-time") -> float:
    """Reads a time such as `2h`, `90m`, `1h30m` or `45` (seconds).

    Args:
        text: The time.
        option: Who asks, for the message.

    Raises:
        LimitError: If it is none.
    """
    parts = re.findall(r"([0-9]+(?:\.[0-9]+)?)([smhd]?)", text.strip().lower())
    if not parts or "".join(number + unit for number, unit in parts) != text.strip().lower():
        raise LimitError(f"{option} {text!r} is no time; write 2h, 90m, 1h30m or 45s")
    if len(parts) > 1 and any(not unit for _, unit in parts):
        raise LimitError(f"{option} {text!r}: give every part its unit, e.g. 1h30m")
    return sum(float(number) * _UNITS[unit or "s"] for number, unit in parts)


@dataclass
class Ending:
    """Whether a run is to end before its end, and why.

    Attributes:
        items: When set, no further item begins; those under way are finished.
        calls: When set, no further call goes out either; those under way are waited for.
        reason: Why, in words; empty when the user stopped it.
        error: What the user must mend; None if nothing.
    """

    items: asyncio.Event = field(default_factory=asyncio.Event)
    calls: asyncio.Event = field(default_factory=asyncio.Event)
    reason: str = ""
    error: Exception | None = None

    def stop(self, reason: str) -> None:
        """Ends the run for a limit."""
        if not self.calls.is_set():
            self.reason = reason
        self.items.set()
        self.calls.set()

    def fail(self, error: Exception) -> None:
        """Ends the run for an error; the first one stands."""
        if self.error is None:
            self.error = error
        self.items.set()
        self.calls.set()


@dataclass
class Budget:
    """What a run has cost, and whether another call fits.

    Attributes:
        most: Most US dollars; None for no limit.
        spent: US dollars spent so far, known prices only.
        priced: Calls whose price is known.
        in_flight: Calls under way.
    """

    most: float | None
    spent: float = 0.0
    priced: int = 0
    in_flight: int = 0

    def fits(self) -> bool:
        """Whether one more call fits, those under way being taken at the mean price."""
        if self.most is None:
            return True
        return self.spent + self.reserved + self._mean <= self.most and self.spent < self.most

    @property
    def reserved(self) -> float:
        """What calls under way will cost, each taken at the mean price, in US dollars."""
        return self._mean * self.in_flight

    @property
    def _mean(self) -> float:
        return self.spent / self.priced if self.priced else 0.0

    def add(self, cost: float | None) -> None:
        """Counts the price of a call; an unknown one counts as unknown."""
        if cost is not None:
            self.spent += cost
            self.priced += 1
