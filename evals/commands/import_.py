"""`evals import`: turn a log of another tool into a run."""

from __future__ import annotations

import shlex
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from evals.commands.output import say


class ReadingName(StrEnum):
    """How answers are found in replies."""

    STRICT = "strict"
    PUBLISHED = "published"


def import_(
    log: Annotated[Path, typer.Argument(help="The log: a file, or a folder of predictions.")],
    source: Annotated[str, typer.Option("--from", help="Tool: inspect, lmms-eval, vlmevalkit or povbench.")],
    out: Annotated[Path, typer.Option(help="Folder of the run; one that was imported is added to.")],
    data: Annotated[
        Path | None,
        typer.Option(help="Folder of the dataset: samples are matched by id, replies read and scored anew."),
    ] = None,
    graph: Annotated[str | None, typer.Option(help="Name of the graph in the run; the log's task if left out.")] = None,
    model: Annotated[str | None, typer.Option(help="Name of the model; the log's if left out.")] = None,
    metric: Annotated[str | None, typer.Option(help="Which of the log's scores counts.")] = None,
    scene: Annotated[str | None, typer.Option(help="Field of the log that says which samples belong together.")] = None,
    reading: Annotated[
        ReadingName, typer.Option(help="How answers are found in replies, with --data.")
    ] = ReadingName.STRICT,
) -> None:
    """Turn a log of another tool into a run that show, compare and report take."""
    from evals.datasets import open_dataset
    from evals.exchange import ImportOptions, import_log
    from evals.reporting.text import printable

    dataset = None if data is None else open_dataset(data)
    options = ImportOptions(dataset, graph, model, metric, scene, reading.value)
    read = import_log(log, source, out, options)
    for line in read.missing:
        say(printable(f"note: {line}"))
    answered = sum(item.status == "answered" for item in read.items)
    say(printable(f"{len(read.items)} items, {answered} answered (evals show {shlex.quote(str(out))})"))
    print(printable(str(out)))
