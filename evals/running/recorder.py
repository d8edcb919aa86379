"""A model whose replies are committed as they arrive, and never asked for twice."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

from agents.model import Model, Reply, Request
from agents.workbench import Workbench
from evals.running.keys import call_key, reply_of, reply_record, request_record
from evals.running.store import Store


@dataclass
class Ledger:
    """What is shared by all recorders of a run.

    Attributes:
        store: Where replies and pictures go.
        workbench: Makes the pictures that were sent.
        in_flight: Calls under way by key, so that equal requests are one call.
        asked: Number of requests that went out in this session.
    """

    store: Store
    workbench: Workbench
    in_flight: dict[str, asyncio.Future[Reply]] = field(default_factory=dict)
    asked: int = 0


@dataclass(frozen=True)
class RecordingModel:
    """Passes requests on to a model, unless the store has the reply already.

    Attributes:
        model: The model.
        label: Its name as the user wrote it, stored with its calls.
        ledger: What is shared by the run.
        calls: Keys of the calls of one item, in order; grows with each.
    """

    model: Model
    label: str
    ledger: Ledger
    calls: list[str]

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    @property
    def identity(self) -> str:
        """The model's identity."""
        return self.model.identity

    @property
    def is_vlm(self) -> bool:
        """Whether the model is a vision-language model."""
        return self.model.is_vlm

    async def reply(self, request: Request) -> Reply:
        """The stored reply, or the model's, committed before it is returned."""
        record = await asyncio.to_thread(request_record, request)
        key = call_key(record, self.model.identity)
        self.calls.append(key)
        stored = self.ledger.store.reply(key)
        if stored is not None:
            return reply_of(stored)
        if key not in self.ledger.in_flight:
            asking = asyncio.ensure_future(self._ask(request, record, key))
            self.ledger.in_flight[key] = asking
            asking.add_done_callback(lambda _: self.ledger.in_flight.pop(key, None))
        return await self.ledger.in_flight[key]

    async def _ask(self, request: Request, record: dict[str, object], key: str) -> Reply:
        self.ledger.asked += 1
        reply = await self.model.reply(request)
        self.ledger.store.save_call(key, self.label, record, reply_record(reply), time.time())
        for picture in request.pictures:
            if self.ledger.store.picture_path(picture.digest) is None:
                self.ledger.store.save_picture(await self.ledger.workbench.encoded(picture))
        return reply
