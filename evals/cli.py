"""The command line. Heavy imports stand inside the commands, so that `evals --help` answers at once."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from evals.commands import (
    compare,
    data,
    diff,
    doctor,
    export,
    frames,
    import_,
    listing,
    models,
    plot,
    power,
    report,
    run,
    scenes,
    score,
    show,
)
from evals.commands.output import INTERRUPTED, WITH_FAILURES, WRONG_INPUT

_TOLD = {
    errno.ENAMETOOLONG: "a name that is too long; give a shorter one",
    errno.ENOSPC: "cannot be written, no space is left; free some, or write elsewhere",
    errno.EPIPE: "nobody reads the output",
}
"""Errors of the system that are no fault of ours, and how they are told."""

_LONGEST = 80

app = typer.Typer(
    help="Reasoning interventions for spatial vision-language models: run graphs, score them, look at what they did.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


def _say_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"situate {version('situate')}")
        raise typer.Exit


def _drop_output() -> None:
    """Lets nothing that is still buffered be written when Python ends, where it would fail again."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


app.command()(run.run)
app.command()(show.show)
app.command()(compare.compare)
app.command()(report.report)
app.command()(plot.plot)
app.command()(power.power)
app.command()(diff.diff)
app.command()(score.score)
app.command()(export.export)
app.command("import")(import_.import_)
app.command("list")(listing.list_)
app.command()(doctor.doctor)
app.command()(frames.frames)

data_app = typer.Typer(help="Look after datasets.", no_args_is_help=True)
data_app.command()(data.check)
data_app.command()(data.get)
data_app.command()(data.stats)
app.add_typer(data_app, name="data")

models_app = typer.Typer(help="Look after models.", no_args_is_help=True)
models_app.command("list")(models.list_)
models_app.command()(models.check)
app.add_typer(models_app, name="models")

scenes_app = typer.Typer(help="Make houses in POVBench's layout, and look at them.", no_args_is_help=True)
scenes_app.command()(scenes.make)
scenes_app.command()(scenes.look)
app.add_typer(scenes_app, name="scenes")


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Say which version this is.", is_eager=True, callback=_say_version)
    ] = False,
) -> None:
    pass


def main() -> None:
    """Runs the command line; mistakes of users end in one line and exit code 2."""
    if sys.stdout is None:
        print("standard output is closed; what would be printed is lost", file=sys.stderr)
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A result is never lost because the terminal's encoding lacks a sign.
        sys.stdout.reconfigure(errors="replace")
    from evals.shadowing import shadowed

    if lines := shadowed():
        print("\n".join(f"error: {line}" for line in lines), file=sys.stderr)
        sys.exit(WRONG_INPUT)
    from prompts.errors import PromptError
    from tools.errors import UserError

    try:
        try:
            app()
        finally:
            # Here and not when Python ends, so that a full disk is told like any other mistake.
            sys.stdout.flush()
    except (UserError, PromptError) as error:
        from evals.reporting.text import printable

        print(f"error: {printable(str(error), lines=True)}", file=sys.stderr)
        sys.exit(WRONG_INPUT)
    except OSError as error:
        if error.errno not in _TOLD:
            raise
        _drop_output()
        if error.errno == errno.EPIPE:
            sys.exit(WITH_FAILURES)
        name = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else "output"
        shown = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
        print(f"error: {shown!r}: {_TOLD[error.errno]}", file=sys.stderr)
        sys.exit(WRONG_INPUT)
    except UnicodeEncodeError as error:
        if error.reason != "surrogates not allowed":
            raise
        print(f"error: {error.object[:_LONGEST]!r}: a name that is no UTF-8; rename it", file=sys.stderr)
        sys.exit(WRONG_INPUT)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
