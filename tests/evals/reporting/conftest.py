"""One small run that all tests here look at, and items made by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import evals
from agents.model import OutsideFailure, Reply, Request
from evals.reporting.result import RunResult
from evals.scorers.frame_point import frame_point

GOLDEN = Path(__file__).parents[2] / "golden" / "povbench" / "dataset"


class Moody:
    """Answers, says nothing to the point, or fails, by the direction that the sentence names."""

    name = "moody"
    identity = "moody-1"
    is_vlm = True

    async def reply(self, request: Request) -> Reply:
        named = re.search(r"(?:noticed the|The) \w+ (?:was )?(to the left of|in front of)", request.text)
        if named and "left" in named[1]:
            raise OutsideFailure("503: come back later")
        if named:
            return Reply("I had rather not say.")
        return Reply('{"selected_image": 0, "x": 256, "y": 256}', reasoning="the middle \x1b[2J is safe")


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    """Two graphs, one of which does not apply to Given, with two models that are no VLM and one that counts as one."""
    return evals.run(
        ["s_cot", "o_plot"],
        model=["reference?anchor=0.1", "center", Moody()],
        data=GOLDEN,
        repeats=2,
        limit=12,
        out=tmp_path_factory.mktemp("runs") / "small",
        progress=False,
    )


@pytest.fixture(scope="session")
def run_rows(run: RunResult) -> list[dict[str, Any]]:
    """The rows of the run's table; the intervals take a second to work out."""
    return run.rows()


@pytest.fixture
def items() -> Callable[[Sequence[dict[str, Any]]], pd.DataFrame]:
    """Makes the frame of a run: of each item what differs from a usual one."""
    usual = {
        "sample": "house/pair/left/inferred",
        "scene": "house",
        "condition": "inferred",
        "direction": "left",
        "graph": "g",
        "model": "m",
        "repeat": 0,
        "status": "answered",
        "calls": 1,
    }
    columns = [metric.name for metric in frame_point.metrics]
    return lambda rows: pd.DataFrame(
        [{**usual, **dict.fromkeys(columns, float("nan")), **row} for row in rows], columns=[*usual, *columns]
    )
