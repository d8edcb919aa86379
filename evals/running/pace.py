"""When the next request to one model may go out: level, pauses that the server asked for, rates a minute."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from evals.running.level import Level
from evals.running.limits import Ending, Limits, Unfinished


@dataclass
class Gate:
    """Lets as many through as a capacity that may change, in the order in which they came.

    Attributes:
        capacity: How many may be inside now.
        inside: How many are.
    """

    capacity: Callable[[], int]
    inside: int = 0
    _waiting: deque[asyncio.Future[None]] = field(default_factory=deque)

    async def enter(self) -> None:
        """Waits for a place and takes it."""
        if self.inside < self.capacity() and not self._waiting:
            self.inside += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave()
            elif turn in self._waiting:
                self._waiting.remove(turn)
            raise

    def leave(self) -> None:
        """Gives a place back."""
        self.inside -= 1
        self.open()

    def open(self) -> None:
        """Lets in whoever fits; to be called when the capacity has grown."""
        while self._waiting and self.inside < self.capacity():
            turn = self._waiting.popleft()
            if not turn.done():
                self.inside += 1
                turn.set_result(None)


@dataclass
class Rate:
    """So many units a minute, spread evenly; a second's worth may go at once.

    Attributes:
        a_minute: Units a minute; None for no limit.
    """

    a_minute: float | None
    _due: float = float("-inf")

    def reserve(self, units: float, now: float) -> float:
        """Reserves units and returns when they may go, on the clock of `now`; a first one of any size goes at once."""
        if self.a_minute is None:
            return now
        at = max(now, self._due - 1.0)
        self._due = max(now, self._due) + units * 60 / self.a_minute
        return at

    def correct(self, units: float) -> None:
        """Adds to what was reserved, or takes from it, once the true size is known."""
        if self.a_minute is not None:
            self._due += units * 60 / self.a_minute


class Pace:
    """When the next request to one model may go out.

    Attributes:
        level: How many requests may be under way at a time.
        waits_until: End of the pause that the server asked for, on the loop's clock.
    """

    def __init__(self, ceiling: int, limits: Limits, ending: Ending) -> None:
        self.level = Level(ceiling)
        self.calls = Gate(lambda: self.level.allowed)
        # Some items more than calls, so that while one draws its pictures another's call takes the place.
        self.items = Gate(lambda: self.level.allowed + max(1, self.level.allowed // 4) + min(self._resting, ceiling))
        self._resting = 0
        self.waits_until = float("-inf")
        self._requests, self._tokens = Rate(limits.rpm), Rate(limits.tpm)
        self._ending = ending
        self._mean_tokens: float | None = None

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Counts a request as under way; `enter` must have let it in."""
        try:
            yield
        finally:
            self.calls.leave()

    async def enter(self, guess: float) -> tuple[float, bool, float]:
        """Waits until a request may go out; `calls.leave` must follow.

        Args:
            guess: Tokens that the request may take, as long as nothing better is known.

        Returns:
            Tokens that were reserved; whether the level is used up; seconds for which rates and pauses held it up.

        Raises:
            Unfinished: If the run ends meanwhile.
        """
        await self.calls.enter()
        try:
            full = self.calls.inside >= self.level.allowed
            began = now = asyncio.get_running_loop().time()
            tokens = guess if self._mean_tokens is None else self._mean_tokens
            at = max(self._requests.reserve(1, now), self._tokens.reserve(tokens, now))
            while (rest := max(at, self.waits_until) - now) > 0:
                await self.sleep(rest)
                now = asyncio.get_running_loop().time()
            if self._ending.calls.is_set():
                raise Unfinished
        except BaseException:
            self.calls.leave()
            raise
        return tokens, full, now - began

    async def sleep(self, seconds: float) -> None:
        """Waits, unless the run ends.

        Raises:
            Unfinished: If it does.
        """
        try:
            await asyncio.wait_for(self._ending.calls.wait(), seconds)
        except TimeoutError:
            return
        raise Unfinished

    async def rest(self, seconds: float) -> None:
        """Waits before another try, while another item takes the place of the call's own.

        Raises:
            Unfinished: If the run ends meanwhile.
        """
        self._resting += 1
        self.items.open()
        try:
            await self.sleep(seconds)
        finally:
            self._resting -= 1

    def pause(self, seconds: float) -> None:
        """Holds back all requests to the model for some seconds."""
        self.waits_until = max(self.waits_until, asyncio.get_running_loop().time() + seconds)

    def took(self, reserved: float, tokens: int | None) -> None:
        """Takes note of the tokens that a request really took; None where the provider did not say."""
        if tokens is None:
            return
        self._tokens.correct(tokens - reserved)
        self._mean_tokens = tokens if self._mean_tokens is None else 0.8 * self._mean_tokens + 0.2 * tokens

    def answered(self, sent_at: float, full: bool) -> None:
        """Takes note of an answer to a request."""
        self.level.answered(sent_at, asyncio.get_running_loop().time(), full)
        self._opened()

    def refused(self, sent_at: float) -> None:
        """Takes note that the server was too busy for a request."""
        self.level.refused(sent_at, asyncio.get_running_loop().time())

    def _opened(self) -> None:
        self.calls.open()
        self.items.open()
