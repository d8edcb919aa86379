"""How far a run has come, as people see it."""

from __future__ import annotations

import io
import os
import pty
import re
import select
from pathlib import Path

import pytest

from evals.running import progress as shown
from evals.running.progress import show_progress
from evals.running.runner import Progress


class Clock:
    """A clock that a test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(shown.time, "monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def line_after(clock: Clock, progress: Progress, ended_before: int = 0) -> str:
    """The line that a file shows 40 s after so many items had ended."""
    stream = io.StringIO()
    with show_progress(stream) as report:
        report(Progress(total=progress.total, stored=progress.stored, ended={"answered": ended_before}))
        clock.now += 40
        report(progress)
    return stream.getvalue()


LINES = {
    "all that there is to say": (
        Progress(
            total=2000,
            ended={"answered": 1070, "unreadable": 8, "empty": 2, "failed": 120},
            retries=3,
            cost=1.234,
            waiting=12.0,
        ),
        "1,200 of 2,000: 30.0/s, 1,070 answered, 10 not, 120 failed, 3 retries, 1.23 US$, 0:00:27 left, "
        "waiting 12 s for the server\n",
    ),
    "nothing odd": (Progress(total=40, ended={"answered": 40}), "40 of 40: 1.0/s, 40 answered, 0:00:00 left\n"),
    "slower than one a second": (
        Progress(total=3602, ended={"answered": 2}),
        "2 of 3,602: 3.0/min, 2 answered, 20:00:00 left\n",
    ),
    "none has ended": (Progress(total=5), "0 of 5: 0 answered\n"),
    "free of charge is not unknown": (Progress(total=5, cost=0.0), "0 of 5: 0 answered, 0.00 US$\n"),
}


@pytest.mark.parametrize(("progress", "line"), LINES.values(), ids=LINES)
def test_a_line_says_rate_answers_failures_money_and_time_left(progress: Progress, line: str, clock: Clock) -> None:
    assert line_after(clock, progress) == line


def test_what_an_earlier_session_stored_counts_as_done_and_not_as_speed(clock: Clock) -> None:
    line = line_after(clock, Progress(total=1000, stored=900, ended={"answered": 40}))

    assert line == "940 of 1,000: 1.0/s, 40 answered, 0:01:00 left\n"


def test_the_rate_is_that_of_the_last_minute(clock: Clock) -> None:
    """Ten items a second for five minutes, then one."""
    stream, done = io.StringIO(), 0
    with show_progress(stream) as report:
        for second in range(400):
            done += 10 if second < 300 else 1
            clock.now += 1
            report(Progress(total=10_000, ended={"answered": done}))
    last = stream.getvalue().splitlines()[-1]

    assert ": 1.0/s," in last


def test_a_file_gets_a_line_every_half_a_minute(clock: Clock) -> None:
    stream = io.StringIO()
    with show_progress(stream) as report:
        for _ in range(95):
            clock.now += 1
            report(Progress(total=10))

    assert len(stream.getvalue().splitlines()) == 3


def test_no_stream_no_word(capfd: pytest.CaptureFixture[str]) -> None:
    with show_progress(None) as report:
        report(Progress(total=10))

    assert capfd.readouterr() == ("", "")


def test_a_terminal_gets_a_bar_that_goes_away(clock: Clock, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A real terminal; what it was sent is read back from its other end."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "160")
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal:
        with show_progress(terminal) as report:
            report(Progress(total=10))
            clock.now += 4
            report(Progress(total=10, ended={"answered": 4, "failed": 2}, cost=0.5))
        sent = ""
        # The system hands over what was written a piece at a time.
        while select.select([ours], [], [], 0.3)[0]:
            sent += os.read(ours, 1 << 16).decode()
    os.close(ours)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", sent)

    assert "6/10" in text
    assert "1.5/s, 4 answered, 2 failed, 0.50 US$, 0:00:03 left" in text
    assert sent.rstrip("\n\r").endswith("\x1b[2K"), "the bar is wiped"
