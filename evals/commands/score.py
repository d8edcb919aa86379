"""`evals score`: score the output of the authors' scripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from evals.commands.output import Format, FormatOption, terminal_width


def score(
    predictions: Annotated[
        Path, typer.Argument(help="Predictions of the authors' scripts: a file, or a folder of them.")
    ],
    data: Annotated[Path | None, typer.Option(help="Folder of the dataset that they are about.")] = None,
    output: FormatOption = Format.TABLE,
) -> None:
    """Score the output of the authors' scripts."""
    from evals.datasets import BUILT_IN
    from evals.datasets.povbench.predictions import score_predictions
    from evals.reporting.predictions_table import as_text, groups
    from evals.reporting.table import as_csv

    report = score_predictions(predictions, BUILT_IN if data is None else data)
    if output is Format.JSON:
        print(json.dumps(report, indent=1, allow_nan=False))
    elif output is Format.CSV:
        print(as_csv(groups(report)), end="")
    else:
        print(as_text(report, terminal_width()))
