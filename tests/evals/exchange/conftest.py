"""A small run on the built-in houses, by models that need no network, with items that have no answer."""

from __future__ import annotations

from pathlib import Path

import pytest

import evals
from agents.model import OutsideFailure, Reply, Request
from evals.reporting.result import RunResult


class Moody:
    """Answers most requests; one in seven with prose, and one in eleven not at all."""

    name = "moody"
    identity = "moody"
    is_vlm = True

    async def reply(self, request: Request) -> Reply:
        number = sum(request.text.encode())
        if number % 11 == 0:
            raise OutsideFailure("429 too many requests")
        if number % 7 == 0:
            return Reply("It is <b>over there</b>.")
        frame = "" if request.purpose.view.bound_to is not None else f'"selected_image": {number % 3}, '
        return Reply(f'{{{frame}"x": {number % 512}, "y": {number % 500}}}')


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    folder = tmp_path_factory.mktemp("exchange") / "run"
    models = [Moody(), "reference?frame=0.3&facing=30&anchor=0.05"]
    evals.run(["basic", "s_cot"], model=models, limit=8, out=folder, progress=False)
    return RunResult(folder)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"
