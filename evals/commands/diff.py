"""`evals diff`: two graphs on one instance, side by side."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from evals.commands.output import Format, FormatOption, terminal_width


def diff(
    folder: Annotated[Path, typer.Argument(help="Folder of a run.")],
    graph_a: Annotated[str, typer.Argument(help="One graph.")],
    graph_b: Annotated[str, typer.Argument(help="The other.")],
    item: Annotated[str, typer.Argument(help="Id of an instance, or a part of it.")],
    model: Annotated[str | None, typer.Option(help="Only with this model; every one that both ran with.")] = None,
    repeat: Annotated[int, typer.Option(help="Which repetition, from 0.")] = 0,
    output: FormatOption = Format.TABLE,
) -> None:
    """Show two graphs on one instance side by side: prompts, pictures, findings, answers."""
    from evals.reporting.result import RunResult
    from evals.reporting.show import ShowError
    from evals.reporting.side_by_side import as_json, side_by_side
    from evals.reporting.side_by_side_text import as_text

    if output is Format.CSV:
        raise ShowError("one instance is no table; --format takes table or json here")
    pairs = side_by_side(RunResult(folder), graph_a, graph_b, item, model, repeat)
    if output is Format.JSON:
        print(as_json(pairs))
    else:
        print(as_text(pairs, min(terminal_width(), 160), sys.stdout.isatty()))
