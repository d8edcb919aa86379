"""One small run that all tests here look at, items made by hand, and runs with results that a test writes down."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import evals
from agents.model import OutsideFailure, Reply, Request
from evals.reporting.result import RunResult
from evals.running.keys import WrittenRequest
from evals.running.limits import Limits
from evals.running.store import Effort, Store, StoredItem
from evals.scorers.frame_point import frame_point

GOLDEN = Path(__file__).parents[2] / "golden" / "povbench" / "dataset"


Outcome = float | str | None
"""The L2 or the recorded score of an answer; None for no answer; `failed` for an outside reason."""

WriteRun = Callable[..., RunResult]


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
        limits=Limits(backoff=0.001, max_retries=1),
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
        "in_reasoning": False,
        "calls": 1,
    }
    columns = [metric.name for metric in frame_point.metrics]
    return lambda rows: pd.DataFrame(
        [{**usual, **dict.fromkeys(columns, float("nan")), **row} for row in rows], columns=[*usual, *columns]
    )


@pytest.fixture
def write_run(tmp_path: Path) -> WriteRun:
    """Writes a run: outcomes by graph and instance, an instance's id being `SCENE/NAME`."""

    def write(
        outcomes: Mapping[str, Mapping[str, Outcome | Sequence[Outcome]]],
        name: str = "run",
        model: str = "m",
        conditions: Sequence[str] = (),
        applies: Mapping[str, Sequence[str]] | None = None,
        keys: Mapping[str, Mapping[str, str]] | None = None,
        replies: Mapping[str, Mapping[str, Any]] | None = None,
        settings: Mapping[str, Any] | None = None,
        digest: str = "",
        dataset: str = "povbench",
        breakdown: str | None = None,
        form: str = "frame_point",
    ) -> RunResult:
        folder = tmp_path / name
        graphs = {graph: {"conditions": list((applies or {}).get(graph, [])), "beyond_paper": []} for graph in outcomes}
        with Store.create(folder) as store:
            store.set(
                "description",
                {
                    "dataset": dataset,
                    "form": form,
                    "breakdown": breakdown,
                    "conditions": list(conditions),
                    "graphs": graphs,
                    "models": {model: {"is_vlm": True}},
                    "faults": 0,
                    "settings": dict(settings or {}),
                },
            )
            for key, reply in (replies or {}).items():
                store.save_call(key, model, WrittenRequest("[]", "null", {}), reply, Effort(), 0.0)
            for graph, instances in outcomes.items():
                for sample, given in instances.items():
                    repeated = [given] if given is None or isinstance(given, float | int | str) else given
                    for repeat, outcome in enumerate(repeated):
                        row = {
                            "keys": {"scene": sample.partition("/")[0], **(keys or {}).get(sample, {})},
                            "form": form,
                            "digest": f"{sample}{digest}",
                            "calls": list(replies or {}),
                            "seconds": 0.0,
                            **_answer(outcome, form),
                        }
                        status = "answered" if isinstance(outcome, float | int) else outcome or "no_answer"
                        store.save_item(StoredItem(sample, graph, model, repeat, "", status, row), 0.0)
        return RunResult(folder)

    return write


def _answer(outcome: Outcome, form: str) -> dict[str, Any]:
    if not isinstance(outcome, float | int):
        return {"answer": None, "truth": None}
    if form == "recorded_score":
        return {"answer": {"score": outcome}, "truth": {}}
    truth = {"x": 0.0, "y": 0.0, "in_frame": True, "frame_correct": None}
    return {"answer": {"frame": "f", "x": float(outcome), "y": 0.0}, "truth": truth}
