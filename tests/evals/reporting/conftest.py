"""Runs on disk with results that a test writes down, in the store's own form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from evals.reporting.result import RunResult
from evals.running.store import Store, StoredItem

Outcome = float | str | None
"""The L2 or the recorded score of an answer; None for no answer; `failed` for an outside reason."""

WriteRun = Callable[..., RunResult]


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
                store.save_call(key, model, {"messages": []}, reply, 0.0)
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
