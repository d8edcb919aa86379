"""How far a run has come, for people: a moving bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from evals.running.runner import Progress

LINE_SECONDS = 30.0
"""Seconds between two lines where there is no terminal."""

_WINDOW = 60.0
"""Seconds over which the rate is taken."""


@contextmanager
def show_progress(stream: TextIO | None) -> Iterator[Callable[[Progress], None]]:
    """Shows how far a run has come: a bar on a terminal, a line now and then on a file, nothing on None.

    Yields:
        What to call after each item, and now and then while none ends.
    """
    pace = _Pace()
    if stream is None:
        yield lambda progress: None  # noqa: ARG005
        return
    if not stream.isatty():
        said_at = time.monotonic()

        def say(progress: Progress) -> None:
            nonlocal said_at
            pace.take(progress.done, time.monotonic())
            if time.monotonic() - said_at >= LINE_SECONDS:
                said_at = time.monotonic()
                print(f"{progress.done:,} of {progress.total:,}: {words(progress, pace)}", file=stream, flush=True)

        yield say
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(bar_width=20), MofNCompleteColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Bar(*columns, console=Console(file=stream), transient=True) as bar:
        task = bar.add_task("", total=None)

        def report(progress: Progress) -> None:
            pace.take(progress.done, time.monotonic())
            bar.update(task, total=progress.total, completed=progress.done, description=words(progress, pace))

        yield report


class _Pace:
    """Items a second over the last minute."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def take(self, done: int, now: float) -> None:
        """Takes note of how many items have ended."""
        if not self._seen or now - self._seen[-1][0] >= 0.25:
            self._seen.append((now, done))
        while now - self._seen[0][0] > _WINDOW and len(self._seen) > 2:
            self._seen.popleft()

    @property
    def rate(self) -> float | None:
        """Items a second; None while too little has been seen."""
        (first_at, first), (last_at, last) = self._seen[0], self._seen[-1]
        return (last - first) / (last_at - first_at) if last > first else None


def words(progress: Progress, pace: _Pace) -> str:
    """Rate, what was answered and what was not, failures, money, time left."""
    answered = progress.ended.get("answered", 0)
    failed = progress.ended.get("failed", 0)
    unanswered = sum(progress.ended.values()) - answered - failed
    rate = pace.rate
    parts = [
        "asking the first request" if progress.proving else "",
        "" if rate is None else f"{rate:.1f}/s" if rate >= 1 else f"{rate * 60:.1f}/min",
        f"{answered:,} answered",
        f"{unanswered:,} not" if unanswered else "",
        f"{failed:,} failed" if failed else "",
        f"{progress.retries:,} retries" if progress.retries else "",
        "" if progress.cost is None else f"{progress.cost:.2f} US$",
        "" if rate is None else f"{_clock((progress.total - progress.done) / rate)} left",
        f"{progress.at_a_time:,} under way" if rate is None and progress.at_a_time else "",
        f"waiting {progress.waiting:.0f} s for the server" if progress.waiting >= 1 else "",
    ]
    return ", ".join(part for part in parts if part)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
