"""`evals data`: look after datasets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evals.commands.output import WITH_FAILURES, WRONG_INPUT, Format, FormatOption, one_line, say_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evals.sample import Problem, Sample


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
    samples = list(dataset.samples())
    damaged = _damaged(samples, folder)
    problems = [*dataset.problems, *damaged.values()]
    rows: list[dict[str, Any]] = [asdict(problem) for problem in problems]
    usable = [
        sample for sample in samples if not any(frame.picture.path in damaged for frame in sample.situation.frames)
    ]
    scenes = [sample.keys["scene"] for sample in usable]
    if output is Format.JSON:
        print(json.dumps({"dataset": dataset.name, "instances": len(scenes), "problems": rows}))
    elif output is Format.CSV:
        print(as_csv(rows, [field.name for field in fields(Problem)]), end="")
    else:
        for problem in problems:
            print(one_line(problem))
        counts = (len(scenes), "usable instance"), (len(set(scenes)), "scene"), (len(rows), "problem")
        instances, places, found = (f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts)
        print(f"{dataset.name}: {instances} in {places}, {found}")
    if any(problem.fatal for problem in problems):
        raise typer.Exit(WRONG_INPUT)


def _damaged(samples: Sequence[Sample], folder: Path | None) -> dict[Path, Problem]:
    """What is wrong with pixels, by file: opening a dataset looks at the headers of pictures alone."""
    from evals.sample import Problem
    from tools.pictures import PictureError, load_pixels

    damaged: dict[Path, Problem] = {}
    pictures = {frame.picture.path: frame.picture for sample in samples for frame in sample.situation.frames}
    for path, picture in pictures.items():
        try:
            load_pixels(picture)
        except PictureError as error:
            root = None if folder is None else folder.resolve()
            inside = root is not None and path.resolve().is_relative_to(root)
            file = path.resolve().relative_to(root) if root is not None and inside else path
            damaged[path] = Problem(str(file), "", error.wrong)
    return damaged


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
    if found["broken"]:
        say_all([f"left out: {wrong}" for wrong in found["broken"]], "broken houses: evals data check")
        raise typer.Exit(WITH_FAILURES)
