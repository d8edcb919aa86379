"""Runs graphs on samples with models, a bounded number at a time, and commits each item when it ends."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.context import Context, Settings
from agents.model import OutsideFailure
from agents.workbench import Workbench
from evals.model_source import ModelSource
from evals.running.keys import item_key
from evals.running.recorder import Ledger, RecordingModel
from evals.running.store import Store, StoredItem
from evals.sample import Dataset, Sample
from graphs.bare import BareGraph
from graphs.builder import CompiledGraph, compile_graph
from graphs.errors import GraphError
from graphs.fingerprint import fingerprint
from graphs.loading import AnyGraph, traceback_in
from graphs.outcome import Outcome
from prompts.errors import PromptError
from prompts.loader import Prompts
from tools.errors import UserError

FAILED = "failed"
"""Status of an item that ended for an outside reason; the next start tries it again."""


@dataclass(frozen=True)
class Plan:
    """What a run consists of.

    Attributes:
        dataset: Where samples and truth come from.
        samples: The samples, the instances of a scene together.
        graphs: The graphs.
        models: The models; each graph runs with each.
        repeats: How often each item is repeated.
        settings: What holds for every call.
        prompts: The templates.
        seed: Seed of all randomness that is our own.
        concurrency: Most items under way at a time.
    """

    dataset: Dataset
    samples: Sequence[Sample]
    graphs: Sequence[AnyGraph]
    models: Sequence[ModelSource]
    repeats: int = 1
    settings: Settings = field(default_factory=Settings)
    prompts: Prompts = field(default_factory=Prompts)
    seed: int = 0
    concurrency: int = 16


@dataclass(frozen=True)
class Item:
    """One graph on one sample with one model, once."""

    sample: Sample
    graph: AnyGraph
    model: ModelSource
    repeat: int
    key: str


@dataclass
class Progress:
    """How far a run has come.

    Attributes:
        total: Items of the plan that apply.
        stored: Items that an earlier session had finished.
        ended: Items that ended in this session, by status.
        asked: Requests that went out in this session.
    """

    total: int
    stored: int = 0
    ended: dict[str, int] = field(default_factory=dict)
    asked: int = 0

    @property
    def done(self) -> int:
        """Items that have ended, in this session or before."""
        return self.stored + sum(self.ended.values())


class Interrupted(Exception):  # noqa: N818 - the user's wish, not a fault
    """The run was stopped before its end; what was answered is stored."""


def applies(graph: AnyGraph, sample: Sample) -> bool:
    """Whether a graph applies to a sample's condition; a bare graph applies to all."""
    return isinstance(graph, BareGraph) or graph.applies_to(sample.keys.get("condition"))


def items_of(plan: Plan) -> Iterator[Item]:
    """All items of a plan that apply, the instances of a scene together."""
    fingerprints: dict[tuple[int, str, str], str] = {}
    for sample in plan.samples:
        for place, graph in enumerate(plan.graphs):
            if not applies(graph, sample):
                continue
            version = (place, sample.situation.task, sample.situation.form.kind)
            if version not in fingerprints:
                fingerprints[version] = fingerprint(graph, plan.prompts, sample.situation)
            for model in plan.models:
                name = f"{model.name} seed={plan.seed}"
                for repeat in range(plan.repeats):
                    key = item_key(sample, fingerprints[version], name, plan.settings, repeat)
                    yield Item(sample, graph, model, repeat, key)


def check_fit(plan: Plan) -> None:
    """Checks, before anything is asked, that every graph can run on every sample it applies to.

    Raises:
        GraphError: If steps do not fit a form, or an intervention needs hints that are not there.
    """
    for graph in plan.graphs:
        if isinstance(graph, BareGraph):
            continue
        for sample in plan.samples:
            if not applies(graph, sample):
                continue
            if not graph.fits(sample.situation.form.kind):
                raise GraphError(unfit(graph.name, sample.situation.form.kind))
            for intervention in graph.interventions:
                if missing := intervention.missing(sample.hints):
                    raise GraphError(
                        f"graph {graph.name}: intervention {intervention.name} needs to know {' and '.join(missing)}, "
                        f"which the data does not tell for {sample.id}; leave the graph out for this data"
                    )


def unfit(name: str, form: str) -> str:
    """The message for a graph whose steps do not fit a form, with the graphs that do."""
    from graphs.library import GRAPHS

    fitting = [graph.name for graph in GRAPHS.all() if graph.fits(form)]
    return f"graph {name}: its steps do not fit answers of the form {form}; graphs that do: {', '.join(fitting)}"


async def run_plan(
    plan: Plan, store: Store, report: Callable[[Progress], None], stopping: asyncio.Event | None = None
) -> Progress:
    """Runs what a store does not hold yet.

    Args:
        plan: What to run.
        store: Where results go.
        report: Called after each item.
        stopping: When set, no further item begins.

    Returns:
        How far the run came.

    Raises:
        Interrupted: If `stopping` was set before the end.
        UserError: If a graph, a prompt or a model cannot be used at all.
    """
    finished = {place for place, (_, status) in store.item_keys().items() if status != FAILED}
    ledger = Ledger(store, Workbench())
    progress = Progress(total=sum(1 for _ in items_of(plan)))
    compiled = {id(graph): _compiled(graph) for graph in plan.graphs}
    proven: set[int] = set()

    async def work(queue: Iterator[Item]) -> None:
        for item in queue:
            if stopping is not None and stopping.is_set():
                return
            if (item.sample.id, item.graph.name, item.model.name, item.repeat) in finished:
                progress.stored += 1
                continue
            stored = await _run_item(item, compiled[id(item.graph)], plan, ledger, id(item.graph) in proven)
            proven.add(id(item.graph))
            store.save_item(stored, time.time())
            progress.ended[stored.status] = progress.ended.get(stored.status, 0) + 1
            progress.asked = ledger.asked
            report(progress)

    queue = iter(items_of(plan))
    async with asyncio.TaskGroup() as group:
        for _ in range(max(1, plan.concurrency)):
            group.create_task(work(queue))
    report(progress)
    if progress.done < progress.total:
        raise Interrupted
    return progress


def _compiled(graph: AnyGraph) -> CompiledGraph | BareGraph:
    return graph if isinstance(graph, BareGraph) else compile_graph(graph)


async def _run_item(
    item: Item, graph: CompiledGraph | BareGraph, plan: Plan, ledger: Ledger, proven: bool
) -> StoredItem:
    """Runs one item to its end; only what makes the whole run senseless is raised."""
    sample = item.sample
    seed = f"{plan.seed}\0{sample.id}\0{item.repeat}"
    calls: list[str] = []
    began = time.monotonic()
    row: dict[str, Any] = {"keys": dict(sample.keys), "form": sample.situation.form.kind, "digest": sample.digest}
    status: str
    try:
        model = RecordingModel(item.model.for_sample(sample, str(plan.seed)), item.model.name, ledger, calls)
        workbench = ledger.workbench.for_item(seed)
        context = Context({"reasoner": model}, workbench, plan.prompts, plan.settings, item.repeat)
        outcome = await graph.run(sample.situation, sample.hints, context)
        status = outcome.status
        row |= _record(outcome, sample, plan.dataset)
    except OutsideFailure as failure:
        status, row["reason"] = FAILED, f"{type(failure).__name__}: {failure}"
    except (UserError, PromptError):
        raise
    except Exception as error:
        shortened = traceback_in(error, _file_of(item.graph))
        if not proven:
            raise GraphError(f"graph {item.graph.name} raises on {sample.id}\n{shortened}") from error
        status, row["reason"] = FAILED, shortened
    row |= {"calls": calls, "seconds": time.monotonic() - began}
    return StoredItem(sample.id, item.graph.name, item.model.name, item.repeat, item.key, status, row)


def _file_of(graph: AnyGraph) -> Path | None:
    """The user's file that a graph comes from, for shortened tracebacks."""
    functions: Iterable[Any] = (
        [one.change for one in graph.interventions] + [branch.when for branch in graph.branches]
        if not isinstance(graph, BareGraph)
        else [
            getattr(node.bound, "afunc", None) or getattr(node.bound, "func", None)
            for node in graph.langgraph.nodes.values()
        ]
    )
    for function in functions:
        code = getattr(function, "__code__", None)
        if code is not None and "site-packages" not in code.co_filename:
            return Path(code.co_filename)
    return None


def _record(outcome: Outcome, sample: Sample, dataset: Dataset) -> dict[str, Any]:
    """What is stored of an outcome: canonical values, and what the answer is held against."""
    answer: Mapping[str, Any] | None = None if outcome.answer is None else outcome.answer.model_dump()
    return {
        "answer": answer,
        "truth": None if answer is None else dict(dataset.truth_for(sample.id, answer)),
        "reason": outcome.reason,
        "findings": {name: finding.model_dump() for name, finding in outcome.findings.items()},
        "events": [
            {
                "step": event.step,
                "attempt": event.attempt,
                "source": event.source,
                "status": event.status,
                "finding": None if event.finding is None else event.finding.model_dump(),
                "reason": event.reason,
            }
            for event in outcome.events
        ],
    }
