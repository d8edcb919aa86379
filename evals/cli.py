"""The command line. Heavy imports stand inside the commands, so that `evals --help` answers at once."""

from __future__ import annotations

import sys

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
from evals.commands.output import INTERRUPTED, WRONG_INPUT

app = typer.Typer(
    help="Reasoning interventions for spatial vision-language models: run graphs, score them, look at what they did.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
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


def main() -> None:
    """Runs the command line; mistakes of users end in one line and exit code 2."""
    from evals.shadowing import shadowed

    if lines := shadowed():
        print("\n".join(f"error: {line}" for line in lines), file=sys.stderr)
        sys.exit(WRONG_INPUT)
    from prompts.errors import PromptError
    from tools.errors import UserError

    try:
        app()
    except (UserError, PromptError) as error:
        from evals.reporting.text import printable

        print(f"error: {printable(str(error), lines=True)}", file=sys.stderr)
        sys.exit(WRONG_INPUT)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
