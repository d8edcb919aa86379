"""What all commands share: exit codes, formats, and lines on standard error."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from evals.reporting.result import RunResult
    from evals.sample import Problem

FINISHED, WITH_FAILURES, WRONG_INPUT, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: done, finished with failed items, wrong input, interrupted."""

_PROBLEMS_SHOWN = 20


class Format(StrEnum):
    """How a table is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


FormatOption = Annotated[Format, typer.Option("--format", help="How to print.")]


def print_result(result: RunResult, output: Format, detail: bool | None) -> None:
    """Prints a run's table in a format."""
    from evals.reporting.table import as_csv, as_json

    if output is Format.JSON:
        print(as_json(result.rows(), result.description()))
    elif output is Format.CSV:
        print(as_csv(result.rows()), end="")
    else:
        print(result.table(terminal_width(), detail))


def terminal_width() -> int:
    """Characters a line: the terminal's, or plenty where the output goes to a file."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 200


def show_problems(problems: Sequence[Problem]) -> None:
    """Says what is wrong with some data, the first of it a line each."""
    say_all([one_line(problem) for problem in problems], "problems in the data: evals data check")


def say_all(lines: Sequence[str], rest: str) -> None:
    """Says the first of many things, a line each, and how many more there are of what."""
    from evals.reporting.text import printable

    for line in lines[:_PROBLEMS_SHOWN]:
        say(printable(line))
    if len(lines) > _PROBLEMS_SHOWN:
        say(f"and {len(lines) - _PROBLEMS_SHOWN} more {rest}")


def one_line(problem: Problem) -> str:
    """A problem as a line for a terminal."""
    from evals.reporting.text import printable

    return printable(f"{'error' if problem.fatal else 'warning'}: {problem}")


def say(text: str) -> None:
    """Says something to the person, on standard error."""
    print(text, file=sys.stderr)
