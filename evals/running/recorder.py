"""A model whose replies are committed as they arrive, and never asked for twice."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from agents.model import InFrontOf, Model, OutsideFailure, Reply, Request
from agents.workbench import Workbench
from evals.running.calling import Line
from evals.running.keys import WrittenRequest, call_key, reply_of, reply_record, write_request
from evals.running.limits import Budget, Ending, Unfinished
from evals.running.logs import redacted
from evals.running.store import Effort, Store

log = logging.getLogger(__name__)


@dataclass
class Ledger:
    """What is shared by all recorders of a run.

    Attributes:
        store: Where replies and pictures go.
        workbench: Makes the pictures that were sent.
        lines: The way to each model, by its name.
        budget: What the run has cost.
        ending: Whether the run is to end.
        in_flight: Calls under way by key, so that equal requests are one call.
        asked: Number of requests that went out in this session.
        pictures: Digests of the pictures that are stored.
    """

    store: Store
    workbench: Workbench
    lines: Mapping[str, Line]
    budget: Budget
    ending: Ending
    in_flight: dict[str, asyncio.Future[Reply]] = field(default_factory=dict)
    asked: int = 0
    pictures: set[str] = field(default_factory=set)


@dataclass
class RecordingModel(InFrontOf):
    """Passes the requests of one item on to a model, unless the store has the reply already.

    Attributes:
        model: The model.
        label: Its name as the user wrote it, stored with its calls.
        graph: Name of the item's graph, stored with calls that failed.
        ledger: What is shared by the run.
        calls: Keys of the item's calls in order; grows with each.
        cut: Whether a call was not made because the run is ending, so that the item stays unfinished.
        patient: Whether a server that is not there may come back.
    """

    model: Model
    label: str
    graph: str
    ledger: Ledger
    calls: list[str] = field(default_factory=list)
    cut: bool = False
    patient: bool = True

    async def reply(self, request: Request) -> Reply:
        """The stored reply, or the model's, committed before it is returned.

        Raises:
            OutsideFailure: If the call failed for a reason outside the model, as often as it may be tried.
            Unfinished: If the run ends before the request went out.
        """
        written = write_request(request)
        key = call_key(written, self.model.identity)
        self.calls.append(key)
        stored = self.ledger.store.reply(key)
        if stored is not None:
            # Whoever deleted pictures, or an earlier version of this program that was killed, may have left gaps.
            await self._keep_pictures(request)
            return reply_of(stored)
        if self.ledger.ending.calls.is_set():
            self.cut = True
            raise Unfinished
        if key not in self.ledger.in_flight:
            asking = asyncio.ensure_future(self._ask(request, written, key))
            self.ledger.in_flight[key] = asking
            asking.add_done_callback(lambda done: self._landed(key, done))
        try:
            return await asyncio.shield(self.ledger.in_flight[key])
        except Unfinished:
            self.cut = True
            raise

    def _landed(self, key: str, done: asyncio.Future[Reply]) -> None:
        self.ledger.in_flight.pop(key, None)
        if not done.cancelled():
            done.exception()  # Marks it as seen where whoever asked has been cancelled meanwhile.

    async def _ask(self, request: Request, written: WrittenRequest, key: str) -> Reply:
        ledger, effort = self.ledger, Effort()
        line = ledger.lines[self.label]
        await self._keep_pictures(request)
        try:
            reply = await line.call(self.model, request, effort, self.patient)
        except OutsideFailure as failure:
            reason = redacted(str(failure))
            ledger.store.save_failure(self.label, self.graph, failure.kind, reason, effort, time.time())
            log.info("call %s failed after %d tries: %s", key, effort.tries, reason)
            raise
        finally:
            ledger.asked += effort.tries
        ledger.store.save_call(key, self.label, written, reply_record(reply), effort, time.time())
        log.debug("%s: call %s answered in %.2f s, try %d", self.label, key, reply.seconds, effort.tries)
        return reply

    async def _keep_pictures(self, request: Request) -> None:
        """Stores the pictures before they are sent, so that no stored call is without them."""
        ledger = self.ledger
        for picture in request.pictures:
            if picture.digest not in ledger.pictures:
                if ledger.store.picture_path(picture.digest) is None:
                    ledger.store.save_picture(await ledger.workbench.encoded(picture))
                # Only now: a call beside this one must not go out trusting in a picture that is not there yet.
                ledger.pictures.add(picture.digest)
