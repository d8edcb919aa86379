"""`evals compare`: graphs side by side on the same instances."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from evals.commands.output import terminal_width


class PasteFormat(StrEnum):
    """How a comparison is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MD = "md"
    LATEX = "latex"


def compare(
    folders: Annotated[list[Path], typer.Argument(help="Folders of runs; instances are paired by their ids.")],
    baseline: Annotated[
        str | None, typer.Option(help="Graph that the others are held against: GRAPH, or RUN:GRAPH.")
    ] = None,
    by: Annotated[str | None, typer.Option(help="Grouping keys to split by as well, with commas between.")] = None,
    explore: Annotated[
        bool, typer.Option(help="Adjust all contrasts, groups included, by the false discovery rate.")
    ] = False,
    published: Annotated[bool, typer.Option(help="Add the papers' rows, which were not run here.")] = False,
    output: Annotated[PasteFormat, typer.Option("--format", help="How to print.")] = PasteFormat.TABLE,
) -> None:
    """Compare graphs on the same instances: differences, intervals, tests, response rates, cost."""
    from evals.reporting import compare_table
    from evals.reporting.comparison import compare as compare_runs
    from evals.reporting.result import RunResult

    keys = [] if by is None else [key.strip() for key in by.split(",") if key.strip()]
    comparison = compare_runs([RunResult(folder) for folder in folders], baseline, keys, explore, published)
    match output:
        case PasteFormat.TABLE:
            print(comparison.table(terminal_width()))
        case PasteFormat.JSON:
            print(compare_table.as_json(comparison))
        case PasteFormat.CSV:
            print(compare_table.as_csv(comparison), end="")
        case PasteFormat.MD:
            print(compare_table.as_markdown(comparison))
        case PasteFormat.LATEX:
            print(compare_table.as_latex(comparison))
