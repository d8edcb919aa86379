"""`evals report`: a run as one HTML file."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

from evals.commands.output import say


def report(
    folder: Annotated[Path, typer.Argument(help="Folder of a run.")],
    out: Annotated[Path | None, typer.Option(help="The file; report.html in the run's folder if left out.")] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="Folder of the run's dataset, for sentences and pictures; the built-in houses if left out."),
    ] = None,
    baseline: Annotated[
        str | None, typer.Option(help="Graph that the others are held against; basic where it was run.")
    ] = None,
    max_mb: Annotated[float, typer.Option(help="Megabytes that the file should stay below.")] = 15,
) -> None:
    """Write a run as one HTML file that opens offline: tables, bars, error maps, a gallery of every instance."""
    from evals.datasets import open_dataset
    from evals.report import ReportError, write_report
    from evals.reporting.result import RunResult
    from evals.reporting.text import printable

    if not 1 <= max_mb < math.inf:
        raise ReportError(f"--max-mb must be a number from 1 on, not {max_mb:g}")
    target = folder / "report.html" if out is None else out
    written = write_report(RunResult(folder), target, open_dataset(data), baseline, int(max_mb * 1_000_000))
    for note in written.notes:
        say(printable(note))
    print(printable(str(written.file)))
