"""`evals power`: how many scenes a difference needs, and what a run could find."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from evals.commands.output import Format, FormatOption, terminal_width


def power(
    folder: Annotated[Path, typer.Argument(help="Folder of a run, or of a pilot.")],
    effect: Annotated[float, typer.Option(help="Difference of the headline that is to be found, e.g. 0.03.")],
    baseline: Annotated[
        str | None, typer.Option(help="Graph that the others are held against; basic, or else the first.")
    ] = None,
    alpha: Annotated[float, typer.Option(help="Level of the two-sided test, for a family together.")] = 0.05,
    wanted: Annotated[float, typer.Option("--power", help="Power that is wanted.")] = 0.8,
    output: FormatOption = Format.TABLE,
) -> None:
    """Say how many scenes a difference needs, and which difference this run could find."""
    from evals.reporting.power import power_of
    from evals.reporting.power_table import as_text
    from evals.reporting.result import RunResult
    from evals.reporting.table import as_csv

    found = power_of(RunResult(folder), effect, baseline, alpha, wanted)
    if output is Format.JSON:
        print(json.dumps({"notes": found.notes, "rows": found.rows}, indent=1, allow_nan=False))
    elif output is Format.CSV:
        print(as_csv(found.rows), end="")
    else:
        print(as_text(found, terminal_width()))
