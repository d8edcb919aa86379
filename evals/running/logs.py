"""What a run says of itself while it goes; no key is ever in it, and prompts and replies stand in the store alone."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from agents.failures import without_keys

LOG = "log.txt"
"""The log of a run, in its folder."""

LogLevel = Literal["debug", "info", "warning", "error"]

_OURS = ("evals", "graphs", "agents", "prompts", "tools")
_FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def redacted(text: str) -> str:
    """A text of ours or of a server without anything that is, or looks like, a key."""
    return without_keys(text)


class _Redacting(logging.Formatter):
    """Writes a record, its traceback included, without keys, on as many lines as it has."""

    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record))


class _Screen(logging.Handler):
    """Writes to standard error as it is at the moment, which a progress bar may have taken over."""

    def emit(self, record: logging.LogRecord) -> None:
        from evals.reporting.text import printable

        print(printable(self.format(record), lines=True), file=sys.stderr)


class _RunLog(logging.FileHandler):
    """The run's log file."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the base class's name
        """Stays silent: a disk that is full is reported by the store, once and with a cure."""


@contextmanager
def run_log(folder: Path, level: LogLevel) -> Iterator[None]:
    """Writes what our own packages log into a run's folder; other libraries would log requests and headers.

    Args:
        folder: The run's folder.
        level: The least that is worth a line.
    """
    handler = _RunLog(folder / LOG, encoding="utf-8", delay=True)
    handler.setFormatter(_Redacting(_FORM))
    handler.setLevel(level.upper())
    before = {name: logging.getLogger(name).level for name in _OURS}
    for name in _OURS:
        logging.getLogger(name).addHandler(handler)
        logging.getLogger(name).setLevel(level.upper())
    try:
        yield
    finally:
        for name, earlier in before.items():
            logging.getLogger(name).removeHandler(handler)
            logging.getLogger(name).setLevel(earlier)
        handler.close()


@contextmanager
def warnings_on_screen() -> Iterator[None]:
    """Shows warnings of any library on standard error, without keys."""
    handler = _Screen(logging.WARNING)
    handler.setFormatter(_Redacting("%(levelname)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
