"""How many requests at a time a server does best with, found while the run goes on."""

from __future__ import annotations

START = 16
"""Requests at a time with which a run begins, if so many are allowed."""

_WORTH = 0.25
"""Share of a growth in requests that must show as a growth in answers a second; below it latency no longer holds."""

_REST = 10
"""Windows for which a level that was found stays as it is before growth is tried again."""


class Level:
    """The number of requests under way at a time: it grows while latency holds and halves when the server is too busy.

    A window is as many answers as the level; after each one the answers a second before and after the last growth are
    compared. Before the first refusal the level doubles, afterwards it grows by a tenth.

    Attributes:
        ceiling: Most requests at a time.
        allowed: Requests that may be under way now.
    """

    def __init__(self, ceiling: int) -> None:
        self.ceiling = ceiling
        self.allowed = min(ceiling, START)
        self._careful = False
        self._changed_at = self._halved_at = float("-inf")
        self._rest = 0
        self._before: tuple[int, float] | None = None
        self._count = 0
        self._seconds = 0.0

    def answered(self, sent_at: float, now: float, full: bool) -> None:
        """Takes note of an answer.

        Args:
            sent_at: When the request went out, on the clock of `now`, seconds.
            now: The time, seconds.
            full: Whether the level was used up when the request went out; else it says nothing about the level.
        """
        if not full or sent_at < self._changed_at:
            return
        self._count += 1
        self._seconds += now - sent_at
        if self._count < self.allowed:
            return
        rate = self.allowed * self._count / max(self._seconds, 1e-9)
        self._count, self._seconds = 0, 0.0
        if self._before is not None:
            level, earlier = self._before
            self._before = None
            if rate < earlier * (1 + _WORTH * (self.allowed / level - 1)):
                self._rest = _REST
                self._change(level, now)
                return
        if self._rest:
            self._rest -= 1
        elif self.allowed < self.ceiling:
            self._before = (self.allowed, rate)
            step = max(1, self.allowed // 10) if self._careful else self.allowed
            self._change(min(self.ceiling, self.allowed + step), now, self._careful)

    def refused(self, sent_at: float, now: float) -> None:
        """Halves the level, once for all requests that were under way together.

        Args:
            sent_at: When the refused request went out, on the clock of `now`, seconds.
            now: The time, seconds.
        """
        if sent_at < self._halved_at:
            return
        self._halved_at = now
        self._before = None
        self._count, self._seconds = 0, 0.0
        self._change(max(1, self.allowed // 2), now)

    def _change(self, allowed: int, now: float, careful: bool = True) -> None:
        """Moves to another level; answers to what went out before say nothing of it."""
        self.allowed, self._changed_at, self._careful = allowed, now, careful
