"""`evals scenes`: make POVBench-style houses, and look at them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def make(
    out: Annotated[Path, typer.Option(help="Folder of the dataset; a run that broke off goes on there.")],
    houses: Annotated[int, typer.Option(help="Number of houses to generate.", min=1)] = 1,
    seed: Annotated[int, typer.Option(help="Decides everything.", min=0)] = 0,
    rooms: Annotated[int | None, typer.Option(help="Rooms a house, 1 to 10; a mix if left out.")] = None,
    house: Annotated[Path | None, typer.Option(help="A ProcTHOR house file, instead of generated houses.")] = None,
    renderer: Annotated[str, typer.Option(help="embree (extra `scenes`) or thor (extra `thor`).")] = "embree",
    workers: Annotated[int, typer.Option(help="Houses made at a time.", min=1)] = 2,
    side: Annotated[int, typer.Option(help="Width and height of the pictures, pixels.", min=32)] = 512,
    judge: Annotated[
        str | None, typer.Option(help="Model that judges placements, as the paper did; geometry if left out.")
    ] = None,
    paraphrase: Annotated[str | None, typer.Option(help="Model that rewords the sentences.")] = None,
) -> None:
    """Make a dataset in POVBench's published layout."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    from evals.reporting.text import printable
    from evals.scenes.asking import ask_with
    from evals.scenes.make import Progress, make_house_from_procthor, make_houses

    judges = None if judge is None else (judge, ask_with(judge))
    rewords = None if paraphrase is None else (paraphrase, ask_with(paraphrase))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("houses", total=1 if house else houses)

        def show(step: Progress) -> None:
            bar.update(task, completed=step.done, description=step.house)

        if house is not None:
            make_house_from_procthor(house, out, seed, renderer, show, side=side, judge=judges, paraphrase=rewords)
        else:
            make_houses(out, houses, seed, rooms, renderer, workers, show, side=side, judge=judges, paraphrase=rewords)
    print(printable(f"{out}: ready; look at it with: evals scenes look {out} --house 0"))


def look(
    data: Annotated[Path, typer.Argument(help="Folder of the dataset.")],
    house: Annotated[int, typer.Option(help="Number of the house, from 0.", min=0)] = 0,
    out: Annotated[Path | None, typer.Option(help="The picture; beside the data if left out.")] = None,
) -> None:
    """Draw a floor plan with cameras, pairs and targets."""
    from evals.reporting.text import printable
    from evals.scenes.floor_plan import look as draw

    print(printable(str(draw(data, house, out or data / f"floor_plan_{house:03d}.png"))))
