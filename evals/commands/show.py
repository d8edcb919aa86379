"""`evals show`: a run's table, or one instance of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from evals.commands.output import Format, FormatOption, print_result


def show(
    folder: Annotated[Path, typer.Argument(help="Folder of a run.")],
    item: Annotated[
        str | None, typer.Argument(help="Id of an instance, or a part of it; none shows the table.")
    ] = None,
    graph: Annotated[str | None, typer.Option(help="Only this graph.")] = None,
    model: Annotated[str | None, typer.Option(help="Only this model.")] = None,
    repeat: Annotated[int | None, typer.Option(help="Only this repeat of an instance; the first is 0.")] = None,
    detail: Annotated[bool | None, typer.Option(help="Split conditions by direction.")] = None,
    output: FormatOption = Format.TABLE,
) -> None:
    """Show a run's table, or one instance: prompt, pictures, replies, what each step found, score."""
    from evals.reporting.result import RunResult
    from evals.reporting.show import ShowError, as_records, as_text, find_items, narrowed

    result = RunResult(folder)
    if item is None:
        if repeat is not None:
            raise ShowError("a table holds all repeats; --repeat goes with the id of an instance")
        print_result(narrowed(result, graph, model), output, detail)
        return
    records = as_records(result, find_items(result, item, graph, model, repeat))
    if output is Format.CSV:
        raise ShowError("one instance is no table; --format takes table or json here")
    print(json.dumps(records, indent=1) if output is Format.JSON else as_text(records))
