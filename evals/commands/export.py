"""`evals export`: write a run in the format of another tool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evals.commands.output import say


def export(
    folder: Annotated[Path, typer.Argument(help="Folder of a run.")],
    to: Annotated[str, typer.Option("--to", help="Format: povbench, csv, parquet or inspect.")],
    out: Annotated[Path | None, typer.Option(help="File or folder to write; beside the run if left out.")] = None,
    data: Annotated[
        Path | None, typer.Option(help="Folder of the run's dataset, for povbench; the built-in houses if left out.")
    ] = None,
    graph: Annotated[str | None, typer.Option(help="Only this graph.")] = None,
    model: Annotated[str | None, typer.Option(help="Only this model.")] = None,
) -> None:
    """Write a run in the format of another tool."""
    from evals.exchange import FORMATS, export_run
    from evals.reporting.result import RunResult
    from evals.reporting.text import printable

    form = FORMATS.get(to.replace("-", "_"))
    target = folder.with_name(f"{folder.resolve().name}-{form.default}") if out is None else out
    written = export_run(RunResult(folder), to, target, data, graph, model)
    for file in written.files:
        print(printable(str(file)))
    for note in written.notes:
        say(f"not in it: {printable(note)}")
