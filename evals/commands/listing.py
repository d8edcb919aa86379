"""`evals list`: what is there by name."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from evals.commands.output import Format, FormatOption


class Kind(StrEnum):
    """What can be listed."""

    GRAPHS = "graphs"
    STEPS = "steps"
    INTERVENTIONS = "interventions"
    MODELS = "models"
    DATASETS = "datasets"
    FORMATS = "formats"


def list_(kind: Annotated[Kind, typer.Argument(help="What to list.")], output: FormatOption = Format.TABLE) -> None:
    """List what is there by name."""
    from evals.reporting.listing import LISTINGS
    from evals.reporting.table import as_csv, listing

    rows = LISTINGS[kind.value]()
    if output is Format.JSON:
        print(json.dumps(rows, indent=1))
    else:
        print(as_csv(rows).rstrip("\n") if output is Format.CSV else listing(rows))
