"""`evals models`: what models there are, and whether one works."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from evals.commands.output import Format, FormatOption


def list_(output: FormatOption = Format.TABLE) -> None:
    """List the paper's models, how each is opened, and the ways to reach others."""
    from evals.model_check import model_rows
    from evals.reporting.table import as_csv, listing

    rows = model_rows()
    if output is Format.JSON:
        print(json.dumps(rows, indent=1))
    else:
        print(as_csv(rows) if output is Format.CSV else listing(rows))


def check(
    model: Annotated[str, typer.Argument(help="The model: a preset, provider/name, or a server's URL with #name.")],
    output: FormatOption = Format.TABLE,
) -> None:
    """Make one small paid call that proves that a model works: two small pictures, and a reply in a schema."""
    import asyncio

    from evals.model_check import check_model
    from evals.reporting.table import as_csv, listing

    row = asyncio.run(check_model(model))
    if output is Format.JSON:
        print(json.dumps(row, indent=1))
    else:
        print(as_csv([row]) if output is Format.CSV else listing([row]))
