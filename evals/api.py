"""The Python way in: `evals.run(graph, model=..., data=...)`."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

from agents.context import Settings
from agents.conventions import Coordinates
from agents.model import Model
from evals.reporting.result import RunResult
from evals.running.limits import Limits
from evals.running.progress import show_progress
from evals.running.session import execute, make_plan, new_folder
from evals.sample import Dataset


def run(
    graph: object | Sequence[object],
    *,
    model: str | Model | Sequence[str | Model] = "reference",
    data: str | Path | Dataset | None = None,
    conditions: Sequence[str] | None = None,
    repeats: int = 1,
    limit: int | None = None,
    out: str | Path | None = None,
    prompts: str | Path | None = None,
    settings: Settings | None = None,
    seed: int = 0,
    concurrency: int = 16,
    limits: Limits | None = None,
    coordinates: Coordinates = "paper",
    progress: bool = True,
) -> RunResult:
    """Runs one or more graphs and returns what they scored.

    Args:
        graph: A registered name, `file.py:name`, a `ReasoningGraph`, a compiled LangGraph graph, or a list of these.
        model: Name of a model, or an object with an async `reply(request)`; or a list of these.
        data: Folder of a dataset, or an open dataset; None for the built-in houses.
        conditions: Conditions to run; None for all.
        repeats: How often each item is repeated.
        limit: Most instances a condition; a larger limit extends a run.
        out: Folder of the run; an existing run of the same settings is finished and extended. None makes a new one.
        prompts: Folder whose templates replace the built-in ones.
        settings: Sampling, reading and coordinate convention of every call.
        seed: Seed of all randomness that is our own.
        concurrency: Most requests to a model under way at a time.
        limits: Rates, money, time and retries that hold the run back; None for no limits of ours.
        coordinates: `paper` asks for coordinates as the settings say, pixels by default; `native` asks each VLM in its
            family's own convention.
        progress: Whether to show a progress bar on standard error.

    Returns:
        The result; print it for its table, or take `.frame()`.

    Raises:
        tools.errors.UserError: If anything of it cannot be used.
        evals.running.runner.Interrupted: If the user or a limit stopped it; the same call goes on.
    """
    graphs = list(graph) if isinstance(graph, (list, tuple)) else [graph]
    models = [model] if isinstance(model, str) or not isinstance(model, Sequence) else list(model)
    plan = make_plan(
        graphs,
        models,
        data,
        conditions,
        repeats,
        limit,
        None if prompts is None else Path(prompts),
        settings,
        seed,
        concurrency,
        limits,
        coordinates,
    )
    fatal = [problem for problem in plan.dataset.problems if problem.fatal]
    if fatal:
        warnings.warn(f"{len(fatal)} faults in the data, the first: {fatal[0]}", stacklevel=2)
    folder = new_folder(plan) if out is None else Path(out)
    with show_progress(sys.stderr if progress else None) as report:
        damaged = sorted(execute(plan, folder, report).damaged)
    if damaged:
        warnings.warn(f"{len(damaged)} damaged pictures, the first: {damaged[0]}", stacklevel=2)
    return RunResult(folder)
