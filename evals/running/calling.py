"""One call to a model as it really goes: in its turn, tried again after outside failures, counted."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field, replace

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    wait_random,
    wait_random_exponential,
)

from agents.failures import is_about_schema
from agents.model import Model, OutsideFailure, Reply, Request
from evals.running.limits import OVERLOAD, UNUSABLE, Budget, Ending, Limits, ModelUnusableError, Unfinished
from evals.running.logs import redacted
from evals.running.pace import Pace
from evals.running.replying import reply_from
from evals.running.store import Effort

log = logging.getLogger(__name__)

PICTURE_TOKENS = 800
"""Tokens that a picture is taken to have before a provider has said how many a request took."""

_NOT_THERE = frozenset({"connection", "unreadable_response"})
"""Kinds of failure with which a server shows that it is not there, or is another one."""

_HASTY_RETRIES = 2
"""Retries of such a failure before a run."""

_BROKEN = 3
"""Connections that break with no answer between from which the server counts as overloaded."""

_MOST_NOTES = 20
"""Different notes of a model that are shown; some hold an id of their own each."""

_SHOWN_WAIT = 10.0
"""Seconds from which a wait that a server asks for is shown."""


@dataclass
class Line:
    """The way to one model.

    Attributes:
        model: Its name as the user wrote it.
        limits: What holds calls back.
        budget: What the run may cost; shared by all models.
        ending: Whether the run is to end; shared by all models.
        pace: When the next request may go.
        retries: Requests that were tried again in this session.
        failures: Items begun since the last answer that failed for outside reasons.
        answered_at: When an item was last answered, on the monotonic clock.
        broken: Connections that broke since the last answer.
        proven: Whether the model has ever answered, so that an error in its code is one item's and not the run's.
    """

    model: str
    limits: Limits
    budget: Budget
    ending: Ending
    pace: Pace
    retries: int = 0
    failures: int = 0
    answered_at: float = float("-inf")
    broken: int = 0
    proven: bool = False
    _told: set[str] = field(default_factory=set)

    async def call(self, model: Model, request: Request, effort: Effort, patient: bool = True) -> Reply:
        """Has a request answered.

        Args:
            model: What answers it.
            request: The request.
            effort: Receives what it took, also when it fails.
            patient: Whether a server that is not there may come back; before a run it is rather told at once.

        Raises:
            OutsideFailure: If it failed for good, or as often as may be.
            ModelRaised: If the model's code raised anything else.
            ModelError: If what it returned is no reply.
            Unfinished: If the run ends before it went out.
        """
        retrying = AsyncRetrying(
            stop=lambda state: state.attempt_number > self._retries(state, patient),
            retry=retry_if_exception(lambda error: isinstance(error, OutsideFailure) and not error.permanent),
            wait=self._wait,
            sleep=self.pace.rest,
            before_sleep=lambda state: self._before_retry(state, effort),
            reraise=True,
        )
        async for attempt in retrying:
            with attempt:
                reply = await self._once(model, request, effort)
        self.failures = 0
        self.proven = True
        self._tell(reply)
        return replace(reply, retries=effort.tries - 1)

    async def _once(self, model: Model, request: Request, effort: Effort) -> Reply:
        guess = len(request.text) / 4 + PICTURE_TOKENS * len(request.pictures) + request.sampling.max_tokens
        reserved, full, waited = await self.pace.enter(guess)
        effort.waited += waited
        with self.pace.under_way():
            if not self.budget.fits():
                self.ending.stop(
                    f"--max-cost {self.budget.most:g}: another call could go beyond it, {self.budget.spent:.4g} US$ "
                    f"are spent and about {self.budget.reserved:.4g} go to requests under way"
                )
                raise Unfinished
            clock = asyncio.get_running_loop().time
            began = clock()
            effort.tries += 1
            self.budget.in_flight += 1
            try:
                reply = await reply_from(model, request)
            except OutsideFailure as failure:
                self._refused(failure, began, model, request)
                raise
            finally:
                self.budget.in_flight -= 1
                effort.worked += clock() - began
            self.broken = 0
            self.pace.answered(began, full)
            usage = reply.usage
            known = usage.input_tokens is not None or usage.output_tokens is not None
            self.pace.took(reserved, (usage.input_tokens or 0) + (usage.output_tokens or 0) if known else None)
            self.budget.add(reply.cost)
            return reply

    def _refused(self, failure: OutsideFailure, began: float, model: Model, request: Request) -> None:
        # A proven model may be forbidden to answer about one picture.
        if failure.kind in UNUSABLE or (failure.kind == "forbidden" and not self.proven):
            self.ending.fail(ModelUnusableError(failure, model, len(request.pictures)))
        self.broken = self.broken + 1 if failure.kind == "connection" else 0
        # A connection that breaks says nothing of the server; several without an answer between do.
        if failure.kind in OVERLOAD or self.broken >= _BROKEN:
            self.pace.refused(began)
        if failure.retry_after is not None and not failure.permanent:
            wait = min(failure.retry_after, self.limits.longest_wait)
            self.pace.pause(wait)
            if wait >= _SHOWN_WAIT:
                asked = "" if wait == failure.retry_after else f" (it asked for {failure.retry_after:.0f} s)"
                log.warning("%s: the server asks to wait; going on in %.0f s%s", self.model, wait, asked)

    def _retries(self, state: RetryCallState, patient: bool) -> int:
        """How often a failure may be followed by another try."""
        failure = state.outcome.exception() if state.outcome else None
        if patient or not isinstance(failure, OutsideFailure):
            return self.limits.max_retries
        if failure.kind == "timeout":
            return min(1, self.limits.max_retries)
        hasty = failure.kind in _NOT_THERE or is_about_schema(failure)
        return min(_HASTY_RETRIES, self.limits.max_retries) if hasty else self.limits.max_retries

    def _wait(self, state: RetryCallState) -> float:
        """Backoff with full jitter; where the server said how long to wait, the pause does the rest."""
        failure = state.outcome.exception() if state.outcome else None
        if isinstance(failure, OutsideFailure) and failure.retry_after is not None:
            return float(wait_random(0, self.limits.backoff)(state))
        longest = min(60.0, self.limits.longest_wait)
        return float(wait_random_exponential(multiplier=self.limits.backoff, max=longest)(state))

    def _before_retry(self, state: RetryCallState, effort: Effort) -> None:
        self.retries += 1
        wait = state.next_action.sleep if state.next_action else 0.0
        effort.waited += wait
        failure = state.outcome.exception() if state.outcome else None
        log.info("try %d failed, again in %.1f s: %s", effort.tries, wait, redacted(str(failure)))

    def _tell(self, reply: Reply) -> None:
        """Says once what calls to the model cannot honour."""
        notes = list(reply.notes)
        if self.limits.max_cost is not None and reply.cost is None:
            notes.append(f"{self.model}: its price is unknown, so --max-cost does not count its calls")
        for note in notes:
            if note not in self._told and len(self._told) < _MOST_NOTES:
                self._told.add(note)
                log.warning("%s", note)
