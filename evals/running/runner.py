"""Runs graphs on samples with models, each model at its own pace, and commits each item when it ends."""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.model import Closing, OutsideFailure, Reply, Request
from agents.workbench import Workbench
from evals.model_source import ModelError
from evals.running.accounting import spent
from evals.running.calling import Line
from evals.running.limits import BUSY, Budget, Ending, ModelUnusableError, Unfinished
from evals.running.logs import redacted
from evals.running.pace import Pace
from evals.running.plan import Item, Place, Plan, check_fit, compiled, count_items, items_of
from evals.running.preflight import preflight
from evals.running.recorder import Ledger, RecordingModel
from evals.running.replying import ModelRaised
from evals.running.same_run import describe
from evals.running.store import FAILED, Store, StoredItem
from evals.sample import Dataset
from graphs.bare import BareGraph
from graphs.errors import GraphError
from graphs.loading import AnyGraph, traceback_in
from graphs.outcome import Outcome
from prompts.errors import PromptError
from tools.errors import UserError
from tools.pictures import PictureError

log = logging.getLogger(__name__)

_HOPELESS = 20
"""Items of a model in a row that may fail for outside reasons before the run stops; at least twice the concurrency."""

_TICK = 0.5
"""Seconds between two reports while no item ends."""


@dataclass
class Progress:
    """How far a run has come.

    Attributes:
        total: Items of the plan that apply.
        stored: Items that an earlier session had finished.
        ended: Items that ended in this session, by status.
        asked: Requests that went out in this session.
        retries: Of these, the ones that were tried again.
        cost: US dollars that the run has cost, earlier sessions included; None where no price is known.
        waiting: Seconds that a server still wants to be left alone; 0 if none does.
        at_a_time: Requests under way.
        damaged: What is wrong with pictures of the data that items failed for.
        proving: Whether the first request of each model is still awaited, before all others.
    """

    total: int
    stored: int = 0
    ended: dict[str, int] = field(default_factory=dict)
    asked: int = 0
    retries: int = 0
    cost: float | None = None
    waiting: float = 0.0
    at_a_time: int = 0
    damaged: set[str] = field(default_factory=set)
    proving: bool = False

    @property
    def done(self) -> int:
        """Items that have ended, in this session or before."""
        return self.stored + sum(self.ended.values())


class Interrupted(Exception):  # noqa: N818 - the user's wish, not a fault
    """The run was stopped before its end; what was answered is stored, and its message says how to go on.

    Attributes:
        reason: Which limit stopped it; empty if the user did.
    """

    def __init__(self, reason: str = "") -> None:
        super().__init__(
            f"{f'stopped: {reason}' if reason else 'interrupted'}; what was answered is stored, and the same call with "
            "the same `out` goes on from there"
        )
        self.reason = reason


class _Run:
    """One session of a run."""

    def __init__(self, plan: Plan, store: Store, report: Callable[[Progress], None], ending: Ending) -> None:
        self.plan, self.store, self.report, self.ending = plan, store, report, ending
        budget = Budget(plan.limits.max_cost, *spent(store))
        self.lines = {
            source.name: Line(source.name, plan.limits, budget, ending, Pace(plan.concurrency, plan.limits, ending))
            for source in plan.models
        }
        for line in self.lines.values():
            line.proven = store.has_calls(line.model)
        self.ledger = Ledger(store, Workbench(), self.lines, budget, ending)
        self.finished = {place for place, (_, status) in store.item_keys().items() if status != FAILED}
        stored = sum(item.place in self.finished for item in items_of(plan)) if self.finished else 0
        self.progress = Progress(total=count_items(plan), stored=stored)
        self.compiled = {id(graph): compiled(graph) for graph in plan.graphs}
        self.proven: set[int] = set()
        self.graphs: set[str] = set()
        self.models: set[str] = set()

    async def to_end(self) -> Progress:
        """Runs all items that are missing, each model at its own pace."""
        log.info("%d items, %d of them ended before; %s", self.progress.total, self.progress.stored, self.plan.limits)
        ticking = asyncio.ensure_future(self._tick())
        loop = asyncio.get_running_loop()
        alarm = None
        if (most := self.plan.limits.max_time) is not None:
            alarm = loop.call_later(most, self.ending.stop, f"--max-time of {most:g} s is over")
        try:
            self.progress.proving = True
            await self._preflight()
            self.progress.proving = False
            # What is there by now stays to the end: the collector need not go through all libraries again and again.
            gc.freeze()
            async with asyncio.TaskGroup() as group:
                for source in self.plan.models:
                    queue = items_of(self.plan, [source])
                    # As many as `Pace.items` may ever let in.
                    for _ in range(2 * self.plan.concurrency + max(1, self.plan.concurrency // 4)):
                        group.create_task(self._work(queue, self.lines[source.name]))
            if isinstance(self.ending.error, ModelUnusableError):
                self.ending.error = await self.ending.error.with_cure()
        finally:
            gc.unfreeze()
            ticking.cancel()
            if alarm is not None:
                alarm.cancel()
            await self._close_models()
        self._report()
        log.info("ended: %s, %d requests %s", self.progress.ended, self.progress.asked, self.ending.reason)
        return self.progress

    async def _preflight(self) -> None:
        """Has one request of each model answered before all others; its reply is stored like any other."""
        missing = (item for item in items_of(self.plan) if item.place not in self.finished)
        await preflight(missing, self.plan, self.ledger.workbench, self._ask_first)

    async def _ask_first(self, item: Item, request: Request) -> Reply:
        model = item.model.for_sample(item.sample, str(self.plan.seed))
        recorder = RecordingModel(model, item.model.name, item.graph.name, self.ledger, patient=False)
        try:
            return await recorder.reply(request)
        except PictureError as error:
            log.warning("no request was tried before the run: %s", error)
            return Reply("")
        except ModelRaised as raised:
            self._check_proven(recorder, raised)
            return Reply("")
        except OutsideFailure as failure:
            stuck = failure.kind == "timeout" and not self.lines[item.model.name].proven
            if stuck or failure.kind not in BUSY:
                raise
            log.warning("the first request failed, which says nothing of the others: %s", redacted(str(failure)))
            return Reply("")

    async def _work(self, queue: Iterator[Item], line: Line) -> None:
        while True:
            await line.pace.items.enter()
            try:
                item = self._next(queue)
                if item is None:
                    return
                await self._end(item, line)
            except Exception as error:
                self.ending.fail(error)
            finally:
                line.pace.items.leave()

    def _next(self, queue: Iterator[Item]) -> Item | None:
        """The next item that is missing; None if there is none or no more is to begin."""
        missing = (item for item in queue if item.place not in self.finished)
        return None if self.ending.items.is_set() else next(missing, None)

    async def _end(self, item: Item, line: Line) -> None:
        began = time.monotonic()
        stored = await self._run_item(item)
        if stored is None:
            return
        self.proven.add(id(item.graph))
        if item.graph.name not in self.graphs or item.model.name not in self.models:
            self.graphs.add(item.graph.name)
            self.models.add(item.model.name)
            describe(self.plan, self.store, self.graphs, self.models)
        self.store.save_item(stored, time.time())
        self.progress.ended[stored.status] = self.progress.ended.get(stored.status, 0) + 1
        self._report()
        outside = stored.status == FAILED and stored.row["reason"] not in self.progress.damaged
        if not outside:
            line.failures, line.answered_at = 0, time.monotonic()
        elif began > line.answered_at:
            # One that began before the last answer says nothing of whether the server still gives any.
            line.failures += 1
        if line.failures >= max(_HOPELESS, 2 * self.plan.concurrency):
            reason = f"{line.failures} items in a row failed with {line.model}, the last: {stored.row['reason']}"
            self.ending.stop(reason)

    async def _run_item(self, item: Item) -> StoredItem | None:
        """Runs one item to its end; None if the run ended first. Only what makes the run senseless is raised."""
        plan, sample = self.plan, item.sample
        began = time.monotonic()
        row: dict[str, Any] = {"keys": dict(sample.keys), "form": sample.situation.form.kind, "digest": sample.digest}
        status: str
        asked = item.model.for_sample(sample, str(plan.seed))
        model = RecordingModel(asked, item.model.name, item.graph.name, self.ledger)
        context = plan.context(item, model, self.ledger.workbench)
        try:
            outcome = await self.compiled[id(item.graph)].run(sample.situation, sample.hints, context)
            status = outcome.status
            row |= _record(outcome, sample.id, plan.dataset)
        except Unfinished:
            return None
        except OutsideFailure as failure:
            status = "refused" if failure.kind == "content_filter" else FAILED
            row["reason"] = redacted(f"{type(failure).__name__}: {failure}")
        except ModelRaised as raised:
            self._check_proven(model, raised)
            status, row["reason"] = FAILED, str(raised)
        except PictureError as error:
            if error.path not in {frame.picture.path for frame in sample.situation.frames}:
                raise
            # One broken file concerns the instances that show it, and no others.
            self.progress.damaged.add(str(error))
            status, row["reason"] = FAILED, str(error)
        except (UserError, PromptError):
            raise
        except Exception as error:
            shortened = redacted(traceback_in(error, _file_of(item.graph)))
            if id(item.graph) not in self.proven and not model.cut:
                raise GraphError(f"graph {item.graph.name} raises on {sample.id}\n{shortened}") from error
            status, row["reason"] = FAILED, shortened
        if model.cut or (isinstance(self.ending.error, UserError) and status == FAILED):
            return None
        row |= {"calls": model.calls, "seconds": time.monotonic() - began}
        return StoredItem(*item.place, item.key, status, row)

    def _check_proven(self, model: RecordingModel, raised: ModelRaised) -> None:
        """Ends the run for a model whose code has raised and never answered; else the item alone fails."""
        if not self.lines[model.label].proven:
            raise ModelError(str(raised)) from raised

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(_TICK)
            self._report()

    def _report(self) -> None:
        now = asyncio.get_running_loop().time()
        progress, budget = self.progress, self.ledger.budget
        progress.asked = self.ledger.asked
        progress.retries = sum(line.retries for line in self.lines.values())
        progress.cost = budget.spent if budget.priced else None
        progress.waiting = max(0.0, *(line.pace.waits_until - now for line in self.lines.values()))
        progress.at_a_time = sum(line.pace.calls.inside for line in self.lines.values())
        self.report(progress)

    async def _close_models(self) -> None:
        for source in self.plan.models:
            model = getattr(source, "model", None)
            if isinstance(model, Closing):
                await model.close()


async def run_plan(
    plan: Plan, store: Store, report: Callable[[Progress], None], ending: Ending | None = None
) -> Progress:
    """Runs what a store does not hold yet.

    Args:
        plan: What to run.
        store: Where results go.
        report: Called after each item, and now and then while none ends.
        ending: Set from outside to end the run early.

    Returns:
        How far the run came.

    Raises:
        Interrupted: If it was ended early, by the user or by a limit; what was answered is stored.
        UserError: If a graph, a prompt or a model cannot be used at all.
    """
    ending = ending or Ending()
    progress = await _Run(plan, store, report, ending).to_end()
    if ending.error is not None:
        raise ending.error
    if progress.done < progress.total:
        raise Interrupted(ending.reason)
    return progress


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


def _record(outcome: Outcome, sample: str, dataset: Dataset) -> dict[str, Any]:
    """What is stored of an outcome: canonical values, and what the answer is held against."""
    answer: Mapping[str, Any] | None = None if outcome.answer is None else outcome.answer.model_dump()
    return {
        "answer": answer,
        "truth": None if answer is None else dict(dataset.truth_for(sample, answer)),
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


__all__ = ["FAILED", "Interrupted", "Item", "Place", "Plan", "Progress", "check_fit", "items_of", "run_plan"]
