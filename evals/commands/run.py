"""`evals run`: run graphs on a dataset and print what they scored."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from enum import StrEnum
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Annotated

import typer

from evals.commands.output import (
    INTERRUPTED,
    WITH_FAILURES,
    WRONG_INPUT,
    Format,
    FormatOption,
    print_result,
    say,
    say_all,
    show_problems,
)

if TYPE_CHECKING:
    from evals.reporting.result import RunResult
    from evals.running.plan import Plan


_REASONS = 2
"""Reasons of failed items that are shown."""

_LONGEST_REASON = 240


class LogLevelName(StrEnum):
    """What goes into a run's log."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class CoordinatesName(StrEnum):
    """In which convention models are asked for coordinates."""

    PAPER = "paper"
    NATIVE = "native"


class ReadingName(StrEnum):
    """How answers are found in replies."""

    STRICT = "strict"
    PUBLISHED = "published"


def run(
    graph: Annotated[
        list[str], typer.Option(help="Name, NAME+INTERVENTION, or file.py:name; repeat for several side by side.")
    ],
    model: Annotated[list[str], typer.Option(help="Model; repeat for several (evals list models).")] = ["reference"],  # noqa: B006
    data: Annotated[Path | None, typer.Option(help="Folder of a dataset; the built-in houses if left out.")] = None,
    conditions: Annotated[str | None, typer.Option(help="Conditions, with commas between; all if left out.")] = None,
    repeats: Annotated[int, typer.Option(help="How often each item is repeated.")] = 1,
    limit: Annotated[int | None, typer.Option(help="Most instances a condition; a larger one extends a run.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the run; an earlier run in it is gone on with.")] = None,
    prompts: Annotated[Path | None, typer.Option(help="Folder whose templates replace the built-in ones.")] = None,
    reading: Annotated[ReadingName, typer.Option(help="How answers are found in replies.")] = ReadingName.STRICT,
    coordinates: Annotated[
        CoordinatesName,
        typer.Option(help="Ask for pixels, as the paper did, or in each family's own convention."),
    ] = CoordinatesName.PAPER,
    temperature: Annotated[float | None, typer.Option(help="Sampling temperature; the provider's if left out.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of everything random, and of the model's sampling.")] = 0,
    max_tokens: Annotated[int | None, typer.Option(help="Most tokens a call; the graph's own if left out.")] = None,
    reasoning_effort: Annotated[
        str | None, typer.Option(help="none, minimal, low, medium or high, for models that think.")
    ] = None,
    concurrency: Annotated[
        int, typer.Option(help="Most requests to a model at a time; fewer go out where it cannot keep up.")
    ] = 16,
    rpm: Annotated[float | None, typer.Option(help="Most requests a minute to each model.")] = None,
    tpm: Annotated[float | None, typer.Option(help="Most tokens a minute to each model, in and out.")] = None,
    max_cost: Annotated[
        float | None, typer.Option(help="Stop before the run has cost more US dollars, earlier sessions included.")
    ] = None,
    max_time: Annotated[str | None, typer.Option(help="Stop after so long: 2h, 90m, 1h30m.")] = None,
    timeout: Annotated[str, typer.Option(help="How long one call may take: 600s, 10m.")] = "10m",
    max_retries: Annotated[int, typer.Option(help="How often a call is tried again after a failure outside.")] = 6,
    log_level: Annotated[
        LogLevelName, typer.Option(help="What goes into the run's log.txt; prompts and replies never do.")
    ] = LogLevelName.INFO,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be asked and at most paid, and ask nothing.")
    ] = False,
    detail: Annotated[
        bool | None, typer.Option(help="Split conditions by direction; for one graph by default.")
    ] = None,
    output: FormatOption = Format.TABLE,
) -> None:
    """Run graphs on a dataset and print what they scored."""
    from agents.context import Settings
    from evals.reporting.result import RunResult
    from evals.reporting.text import counted, printable
    from evals.running.limits import Limits, seconds_of
    from evals.running.logs import warnings_on_screen
    from evals.running.progress import show_progress
    from evals.running.runner import FAILED, Interrupted
    from evals.running.session import execute, make_plan, new_folder

    names = None if conditions is None else [name.strip() for name in conditions.split(",")]
    settings = Settings(
        temperature=temperature,
        seed=seed,
        max_tokens=max_tokens,
        reasoning_effort=reasoning_effort,
        reading=reading.value,
    )
    limits = Limits(
        rpm=rpm,
        tpm=tpm,
        max_cost=max_cost,
        max_time=None if max_time is None else seconds_of(max_time),
        max_retries=max_retries,
        timeout=seconds_of(timeout, "--timeout"),
    )
    plan = make_plan(
        graph, model, data, names, repeats, limit, prompts, settings, seed, concurrency, limits, coordinates.value
    )
    show_problems(plan.dataset.problems)
    if dry_run:
        print(_estimate(plan, out, output is Format.JSON))
        return
    folder = new_folder(plan) if out is None else out
    again = shlex.join([*_arguments_without_out(), "--out", str(folder)])
    stopped, damaged = "", False
    try:
        with show_progress(sys.stderr) as report, warnings_on_screen():
            progress = execute(plan, folder, report, log_level.value)
        failed, damaged = progress.ended.get(FAILED, 0), bool(progress.damaged)
        say_all([f"error: {wrong}" for wrong in sorted(progress.damaged)], "damaged pictures: evals data check")
    except (Interrupted, KeyboardInterrupt) as interrupted:
        stopped = interrupted.reason if isinstance(interrupted, Interrupted) else ""
        if not stopped:
            say(f"interrupted; what was answered is stored in {folder}. To go on: {again}")
            raise typer.Exit(INTERRUPTED) from None
    result = RunResult(folder)
    print_result(result, output, detail)
    say(f"stored in {folder} (evals show {shlex.quote(str(folder))} ITEM)")
    if stopped:
        say(printable(f"stopped: {stopped}. What was answered is stored. To go on: {again}", lines=True))
    if damaged:
        say(f"{counted(failed, 'item')} failed; once the pictures are mended, to try them again: {again}")
    if damaged or any(problem.fatal for problem in plan.dataset.problems):
        raise typer.Exit(WRONG_INPUT)
    if stopped:
        raise typer.Exit(WITH_FAILURES)
    if failed:
        _say_why(result)
        say(f"{counted(failed, 'item')} failed for outside reasons; to try them again: {again}")
        raise typer.Exit(WITH_FAILURES)


def _say_why(result: RunResult) -> None:
    """Says the commonest reasons for which items failed."""
    from evals.reporting.text import counted, printable

    reasons = Counter(str(item.row.get("reason", "")) for item in result.items() if item.status == "failed")
    for reason, count in reasons.most_common(_REASONS):
        said = printable(shorten(reason, _LONGEST_REASON, placeholder="…"))
        say(f"{counted(count, 'item')} failed: {said}")
    if (others := len(reasons) - _REASONS) > 0:
        say(f"and {counted(others, 'other reason')}: evals show {shlex.quote(str(result.folder))} ITEM")


def _estimate(plan: Plan, folder: Path | None, as_json: bool) -> str:
    """What the items that are missing would take."""
    import asyncio
    import json
    from dataclasses import asdict

    from evals.reporting.table import listing
    from evals.running.estimate import estimate, estimate_rows
    from evals.running.session import missing_items

    estimates = asyncio.run(estimate(plan, missing_items(plan, folder)))
    if as_json:
        return json.dumps([asdict(one) for one in estimates], indent=1)
    return listing(estimate_rows(estimates)) or "nothing: no VLM has anything left to do"


def _arguments_without_out() -> list[str]:
    """This command line as it was given, without `--out`."""
    kept: list[str] = ["evals"]
    skip = False
    for argument in sys.argv[1:]:
        if not skip and argument != "--out" and not argument.startswith("--out="):
            kept.append(argument)
        skip = argument == "--out"
    return kept
