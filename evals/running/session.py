"""From what a user asked for to a plan, and from a plan to a run on disk."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from agents.context import Settings
from agents.conventions import Coordinates
from agents.model import Model
from agents.registry import unknown_name
from evals.datasets import open_dataset
from evals.models import open_models
from evals.running.limits import Ending, Limits
from evals.running.logs import LogLevel, run_log
from evals.running.plan import Item, Place, Plan, check_fit, first_instances, items_of
from evals.running.runner import Interrupted, Progress, run_plan
from evals.running.same_run import check_same_run, describe, settings_of
from evals.running.store import DATABASE, FAILED, Store
from evals.sample import Dataset
from graphs.loading import AnyGraph, load_graph
from graphs.reasoning_graph import ReasoningGraph
from prompts.loader import Prompts
from tools.errors import UserError


class PlanError(UserError):
    """What was asked for makes no run."""


def make_plan(
    graphs: Sequence[object],
    models: Sequence[str | Model],
    data: Path | str | Dataset | None,
    conditions: Sequence[str] | None = None,
    repeats: int = 1,
    limit: int | None = None,
    prompts: Path | None = None,
    settings: Settings | None = None,
    seed: int = 0,
    concurrency: int = 16,
    limits: Limits | None = None,
    coordinates: Coordinates = "paper",
) -> Plan:
    """Makes a plan of what a user asked for.

    Args:
        graphs: Names, `file.py:name`, or graph objects.
        models: Names, or objects that keep the contract of a model.
        data: Folder of a dataset, an open dataset, or None for the built-in one.
        conditions: Conditions to run; None for all.
        repeats: How often each item is repeated.
        limit: Most instances a condition, the same in every condition; None for all.
        prompts: Folder whose templates replace the built-in ones.
        settings: What holds for every call; None samples with the run's seed and else as the provider does.
        seed: Seed of all randomness that is our own.
        concurrency: Most requests to a model under way at a time.
        limits: What holds the run back; None for no limits of ours.
        coordinates: `paper` asks for coordinates as the settings say, pixels by default; `native` asks each VLM in
            its family's own convention.

    Raises:
        UserError: If anything of it cannot be used; the message says what and why.
    """
    if not graphs:
        raise PlanError("no graph; give at least one --graph (evals list graphs)")
    for name, value in (("repeats", repeats), ("concurrency", concurrency), ("limit", 1 if limit is None else limit)):
        if value < 1:
            raise PlanError(f"--{name} must be at least 1, not {value}")
    loaded = [load_graph(graph) for graph in graphs]
    limits = limits or Limits()
    sources = [open_models(model, time_limit=limits.timeout) for model in models]
    for kind, names in (("graph", [graph.name for graph in loaded]), ("model", [source.name for source in sources])):
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise PlanError(f"{kind} {twice[0]!r} is given twice; rename one")
    templates = Prompts(prompts)
    _check_whole_prompts(templates, loaded)
    dataset = open_dataset(data)
    wanted = _conditions(dataset, conditions)
    samples = [sample for sample in dataset.samples() if not wanted or sample.keys.get("condition") in wanted]
    if not samples:
        raise PlanError("the data holds no usable instance of these conditions; see evals data check")
    plan = Plan(
        dataset=dataset,
        samples=samples if limit is None else first_instances(samples, limit),
        graphs=loaded,
        models=sources,
        repeats=repeats,
        settings=settings or Settings(seed=seed),
        prompts=templates,
        seed=seed,
        concurrency=concurrency,
        limits=limits,
        coordinates=coordinates,
    )
    for source in sources:
        plan.settings_for(source)
    check_fit(plan)
    return plan


def _check_whole_prompts(templates: Prompts, graphs: Sequence[AnyGraph]) -> None:
    """Refuses a whole prompt that no graph of the run would use."""
    fused = {
        graph.name.partition("+")[0] for graph in graphs if isinstance(graph, ReasoningGraph) and graph.mode == "fused"
    }
    for name in templates.whole_prompts():
        if name not in fused:
            raise PlanError(
                f"--prompts {templates.override}: graphs/{name}.j2 replaces the prompt of no fused graph of this run "
                f"({', '.join(sorted(fused)) or 'there is none'})"
            )


def _conditions(dataset: Dataset, conditions: Sequence[str] | None) -> tuple[str, ...]:
    for condition in conditions or ():
        if condition not in dataset.conditions:
            raise unknown_name("condition", condition, dataset.conditions)
    return tuple(condition for condition in dataset.conditions if conditions is None or condition in conditions)


def new_folder(plan: Plan) -> Path:
    """A folder for a run whose user gave none: `runs/<date>-<time>-<graph>`."""
    stem = f"{datetime.now():%Y%m%d-%H%M%S}-{_plain(plan.graphs[0].name)}"
    folder = Path("runs") / stem
    number = 2
    while folder.exists():
        folder = Path("runs") / f"{stem}-{number}"
        number += 1
    return folder


def _plain(name: str) -> str:
    return "".join(character if character.isalnum() or character in "_+-" else "_" for character in name)[:40]


def execute(plan: Plan, folder: Path, report: Callable[[Progress], None], log_level: LogLevel = "info") -> Progress:
    """Runs a plan into a folder, going on where an earlier run of the same plan stopped.

    Args:
        plan: What to run.
        folder: The run's folder.
        report: Called with how far the run has come.
        log_level: The least that is worth a line in the run's `log.txt`.

    Raises:
        evals.running.runner.Interrupted: If the user or a limit stopped it.
        StoreError: If the folder belongs to another run.
        UserError: If a graph, a prompt or a model cannot be used.
    """
    with Store.create(folder) as store:
        check_same_run(plan, store)
        describe(plan, store, set(), set())
        store.set("settings", settings_of(plan))
        try:
            with run_log(folder, log_level):
                return _run_to_end(plan, store, report)
        except BaseExceptionGroup as group:
            raise _first(group) from group
        except asyncio.CancelledError:
            raise Interrupted from None


def missing_items(plan: Plan, folder: Path | None) -> Iterator[Item]:
    """The items of a plan that a run's folder, where there is one, does not hold yet."""
    finished: set[Place] = set()
    if folder is not None and (folder / DATABASE).is_file():
        with Store.read(folder) as store:
            check_same_run(plan, store)
            finished = {place for place, (_, status) in store.item_keys().items() if status != FAILED}
    return (item for item in items_of(plan) if item.place not in finished)


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The error that stands for a group of them: what the user can mend, if there is such a one."""
    leaves = list(_leaves(group))
    return next((error for error in leaves if isinstance(error, UserError)), leaves[0])


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error


def _run_to_end(plan: Plan, store: Store, report: Callable[[Progress], None]) -> Progress:
    """Runs the event loop: here, or in a thread of its own where one is running already (a notebook)."""

    async def main() -> Progress:
        ending = Ending()
        with _interruptible(ending):
            return await run_plan(plan, store, report, ending)

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(main())
    # SQLite connections may cross threads as long as one uses them at a time, which the pool of one grants.
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, main()).result()


@contextmanager
def _interruptible(ending: Ending) -> Iterator[None]:
    """Lets the first Ctrl-C finish what is under way and the second stop at once."""
    loop = asyncio.get_running_loop()
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    task = asyncio.current_task()
    assert task is not None

    def interrupt() -> None:
        if ending.items.is_set():
            task.cancel()
        else:
            print("finishing requests under way; Ctrl-C again stops at once", file=sys.stderr, flush=True)
        ending.items.set()
        ending.calls.set()

    try:
        loop.add_signal_handler(signal.SIGINT, interrupt)
    except NotImplementedError:
        # Windows has no signal handlers in event loops; there Ctrl-C stops at once.
        yield
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)


__all__ = ["AnyGraph", "PlanError", "execute", "make_plan", "new_folder"]
