"""`evals score`: score the output of the authors' scripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from evals.commands.output import WRONG_INPUT, Format, FormatOption, say_all, terminal_width

_INPUT_IS_WRONG = frozenset(
    {"entry_not_found", "placement_not_found", "no_gt_position", "no_observer_camera", "image_not_in_log"}
)
"""Statuses of predictions that cannot be scored because they and the data do not belong together."""


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
    say_all(report["problems"], "problems (--format json has them all)")
    if any(entry["status"] in _INPUT_IS_WRONG for entry in report["evaluations"]):
        raise typer.Exit(WRONG_INPUT)
