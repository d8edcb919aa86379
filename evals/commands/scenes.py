"""`evals scenes`: make POVBench-style houses, and look at them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evals.commands.output import INTERRUPTED, WITH_FAILURES, say

if TYPE_CHECKING:
    from evals.scenes.make import Progress


def make(
    out: Annotated[Path, typer.Option(help="Folder of the dataset; a run that broke off goes on there.")],
    houses: Annotated[int | None, typer.Option(help="Number of houses to generate; 1 if left out.", min=1)] = None,
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
    from evals.scenes.errors import SceneError

    if house is not None and (houses is not None or rooms is not None):
        raise SceneError("--house makes the one house of a file: leave --houses and --rooms out")
    try:
        pairs = _made(out, houses or 1, seed, rooms, house, renderer, workers, side, judge, paraphrase)
    except KeyboardInterrupt:
        say("interrupted; the same command goes on where it stopped")
        raise typer.Exit(INTERRUPTED) from None
    if not pairs:
        say("no pair was found, so there is nothing to run; generation.json beside each house counts why")
        raise typer.Exit(WITH_FAILURES)


def _made(
    out: Path,
    houses: int,
    seed: int,
    rooms: int | None,
    house: Path | None,
    renderer: str,
    workers: int,
    side: int,
    judge: str | None,
    paraphrase: str | None,
) -> int:
    """Makes houses, says so, and returns how many pairs they have."""
    from evals.reporting.text import counted, printable
    from evals.scenes.asking import ask_with
    from evals.scenes.make import make_house_from_procthor, make_houses

    judges = None if judge is None else (judge, ask_with(judge))
    rewords = None if paraphrase is None else (paraphrase, ask_with(paraphrase))
    pairs = 0
    with _shown(houses) as show:

        def count(step: Progress) -> None:
            nonlocal pairs
            pairs += step.pairs
            show(step)

        if house is not None:
            make_house_from_procthor(house, out, seed, renderer, count, side=side, judge=judges, paraphrase=rewords)
        else:
            make_houses(out, houses, seed, rooms, renderer, workers, count, side=side, judge=judges, paraphrase=rewords)
    made = f"{counted(houses, 'house')} with {counted(pairs, 'pair')}"
    print(printable(f"{out}: {made}; look at it with: evals scenes look {shlex.quote(str(out))} --house 0"))
    return pairs


@contextmanager
def _shown(total: int) -> Iterator[Callable[[Progress], None]]:
    """Shows how far houses are: a bar that goes away on a terminal, a line a finished house elsewhere."""
    from evals.reporting.text import counted

    if not sys.stderr.isatty():

        def line(step: Progress) -> None:
            if not step.skipped:
                say(f"{step.done} of {step.total}: {step.house}, {counted(step.pairs, 'pair')}")

        yield line
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("houses", total=total)
        yield lambda step: bar.update(task, completed=step.done, description=step.house)


def look(
    data: Annotated[Path, typer.Argument(help="Folder of the dataset.")],
    house: Annotated[int, typer.Option(help="Number of the house, from 0.", min=0)] = 0,
    out: Annotated[Path | None, typer.Option(help="The picture; beside the data if left out.")] = None,
) -> None:
    """Draw a floor plan with cameras, pairs and targets."""
    from evals.reporting.text import printable
    from evals.scenes.floor_plan import look as draw

    print(printable(str(draw(data, house, out or data / f"floor_plan_{house:03d}.png"))))
