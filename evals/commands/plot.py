"""`evals plot`: figures for papers, the numbers behind them beside."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from evals.commands.output import say


class PlotKind(StrEnum):
    """What a figure shows."""

    DIRECTIONS = "directions"
    CONDITIONS = "conditions"
    RESPONSE = "response"
    ERRORMAP = "errormap"


def plot(
    folders: Annotated[list[Path], typer.Argument(help="Folders of runs.")],
    kind: Annotated[PlotKind, typer.Option(help="What to show.")],
    out: Annotated[
        Path, typer.Option(help="File to write: .svg, .pdf or .png; NAME.KIND.csv with its numbers goes beside.")
    ],
    graph: Annotated[str | None, typer.Option(help="Only this graph.")] = None,
    model: Annotated[str | None, typer.Option(help="Only this model.")] = None,
    condition: Annotated[str | None, typer.Option(help="Only this condition.")] = None,
) -> None:
    """Draw a figure for a paper, and write the numbers behind it as CSV."""
    from evals.reporting.plots import plot as draw
    from evals.reporting.result import RunResult

    asked = {"graph": graph, "model": model, "condition": condition}
    only = {key: name for key, name in asked.items() if name is not None}
    table = draw([RunResult(folder) for folder in folders], kind.value, out, only, say)
    say(f"wrote {out} and {table}")
