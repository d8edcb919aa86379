"""One request a model, the one with the most pictures, before all others: what would fail a night fails now."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field

from agents.cures import cure_for
from agents.failures import one_line
from agents.model import InFrontOf, Model, OutsideFailure, Reply, Request
from agents.workbench import Workbench
from evals.model_source import ModelError, OneModel
from evals.running.limits import Unfinished
from evals.running.plan import Item, Plan, compiled
from tools.pictures import PictureError

log = logging.getLogger(__name__)

Ask = Callable[[Item, Request], Awaitable[Reply]]
"""Asks an item's model; whoever gives it keeps the reply, so that the item finds it there later."""


_GRACE = 2.0
"""Seconds that other models still have once one has failed, so that the first in the plan's order is named."""


class PreflightError(ModelError):
    """A model that cannot do what the run asks of it; the message holds the cure."""


async def preflight(missing: Iterable[Item], plan: Plan, workbench: Workbench, ask: Ask) -> None:
    """Asks each VLM the real first request of its item with the most pictures.

    Args:
        missing: The items that the run still has to do; a model that has none is left alone.
        plan: The run.
        workbench: Where pictures are made.
        ask: Asks an item's model.

    Raises:
        PreflightError: For the first model, in the plan's order, that cannot be used.
    """
    largest = largest_items(missing)
    by_model: dict[str, list[Item]] = {}
    for item in largest:
        by_model.setdefault(item.model.name, []).append(item)
    proofs = [asyncio.ensure_future(_prove(items, plan, workbench, ask)) for items in by_model.values()]
    if not proofs:
        return
    try:
        # What one server says at once need not wait for another that hangs.
        _, pending = await asyncio.wait(proofs, return_when=asyncio.FIRST_EXCEPTION)
        if pending:
            await asyncio.wait(pending, timeout=_GRACE)
    finally:
        for proof in proofs:
            proof.cancel()
        results = await asyncio.gather(*proofs, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result


def largest_items(missing: Iterable[Item]) -> list[Item]:
    """For each VLM and graph the item with the most frames, the first of several."""
    largest: dict[tuple[str, str], Item] = {}
    for item in missing:
        place = item.model.name, item.graph.name
        if item.model.is_vlm and (place not in largest or _frames(item) > _frames(largest[place])):
            largest[place] = item
    return list(largest.values())


def _frames(item: Item) -> int:
    return len(item.sample.situation.frames)


async def _prove(items: list[Item], plan: Plan, workbench: Workbench, ask: Ask) -> None:
    first = [(item, await first_request(item, plan, workbench)) for item in items]
    asked = [(item, request) for item, request in first if request is not None]
    if not asked:
        return
    item, request = max(asked, key=lambda pair: (len(pair[1].pictures), pair[1].constraint is not None))
    log.info("preflight: %s, %d pictures", item.model.name, len(request.pictures))
    try:
        await ask(item, request)
    except Unfinished:
        # The run ends, for what another model said or for the user.
        return
    except OutsideFailure as failure:
        source = item.model
        cure = await cure_for(failure, source.model, len(request.pictures)) if isinstance(source, OneModel) else ""
        message = "; ".join(filter(None, [str(failure), cure]))
        raise PreflightError(f"preflight, before the run: {one_line(message, most=1000)}") from None


async def first_request(item: Item, plan: Plan, workbench: Workbench) -> Request | None:
    """The first request that an item would make; None if its graph asks nothing."""
    listener = Listener(item.model.for_sample(item.sample, str(plan.seed)))
    context = plan.context(item, listener, workbench)
    try:
        await compiled(item.graph).run(item.sample.situation, item.sample.hints, context)
    except PictureError as error:
        log.warning("%s makes no first request: %s", item.graph.name, error)
        return None
    except Exception:
        # A bare graph may wrap what the listener raises in anything; what counts is whether it was asked.
        if not listener.heard:
            raise
    return listener.heard[0] if listener.heard else None


class _Listened(Exception):  # noqa: N818 - a way out, not a fault
    """Ends a graph's work once its first request is known."""


@dataclass(frozen=True)
class Listener(InFrontOf):
    """Hears what a model would be asked, and ends the graph's work there.

    Attributes:
        model: The model in whose place it stands.
        heard: The requests.
    """

    model: Model
    heard: list[Request] = field(default_factory=list)

    async def reply(self, request: Request) -> Reply:
        """Keeps the request.

        Raises:
            _Listened: Always.
        """
        self.heard.append(request)
        raise _Listened
