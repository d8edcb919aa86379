"""`evals data`: look after datasets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from evals.commands.output import WRONG_INPUT, Format, FormatOption, one_line


def check(
    folder: Annotated[Path | None, typer.Argument(help="Folder of a dataset; the built-in houses if left out.")] = None,
    output: FormatOption = Format.TABLE,
) -> None:
    """Say what is wrong with a dataset, file by file."""
    from dataclasses import asdict, fields

    from evals.datasets import open_dataset
    from evals.reporting.table import as_csv
    from evals.sample import Problem

    dataset = open_dataset(folder)
    rows: list[dict[str, Any]] = [asdict(problem) for problem in dataset.problems]
    scenes = [sample.keys["scene"] for sample in dataset.samples()]
    if output is Format.JSON:
        print(json.dumps({"dataset": dataset.name, "instances": len(scenes), "problems": rows}))
    elif output is Format.CSV:
        print(as_csv(rows, [field.name for field in fields(Problem)]), end="")
    else:
        for problem in dataset.problems:
            print(one_line(problem))
        print(f"{dataset.name}: {len(scenes)} usable instances in {len(set(scenes))} scenes, {len(rows)} problems")
    if any(problem.fatal for problem in dataset.problems):
        raise typer.Exit(WRONG_INPUT)
