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


def get(
    name: Annotated[str, typer.Argument(help="The dataset: povbench.")],
    to: Annotated[Path | None, typer.Option(help="Folder to put it in; its own name, here, if left out.")] = None,
    revision: Annotated[
        str | None, typer.Option(help="Branch, tag or commit on the Hub; the newest if left out.")
    ] = None,
) -> None:
    """Get a dataset from the Hugging Face Hub."""
    from evals.commands.output import say
    from evals.hub import download

    folder = download(name, to, revision)
    say(f"stored in {folder}; to look it over: evals data check {folder}")


def stats(
    folder: Annotated[Path, typer.Argument(help="Folder of a dataset in POVBench's layout.")],
    output: FormatOption = Format.TABLE,
) -> None:
    """Count a dataset as the paper's section 4.4 does, beside the paper's figures."""
    from evals.reporting.table import as_csv
    from evals.scenes.stats import stats as count
    from evals.scenes.stats_text import as_text

    found = count(folder)
    if output is Format.JSON:
        print(json.dumps(found, indent=1))
    else:
        print(as_csv([found]) if output is Format.CSV else as_text(found))
