"""A model's own code, which may be a user's: what it raises and what it returns are told as the model's."""

from __future__ import annotations

import inspect
import math
from dataclasses import replace
from pathlib import Path

from agents.model import Model, OutsideFailure, Reply, Request, Usage
from evals.model_source import ModelError
from evals.running.logs import redacted
from graphs.loading import traceback_in
from tools.errors import UserError

_TEXTS = ("text", "reasoning", "finish_reason", "raw_finish_reason", "served_by")
_TOKENS = ("input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens")


class ModelRaised(Exception):  # noqa: N818 - says whose error it is
    """A model's code raised something that is no `OutsideFailure`; the message says what and where in its file."""


async def reply_from(model: Model, request: Request) -> Reply:
    """Asks a model, and checks what it returns before anything is stored of it.

    Raises:
        OutsideFailure: As the model raised it.
        ModelRaised: If it raised anything else.
        ModelError: If it returned no proper `Reply`.
    """
    try:
        asked: object = model.reply(request)
        if not inspect.isawaitable(asked):
            raise ModelError(f"model {model.name}: its reply must be async (async def reply(self, request))")
        reply: object = await asked
    except (OutsideFailure, UserError):
        raise
    except Exception as error:
        where = redacted(traceback_in(error, _file_of(model)))
        raise ModelRaised(f"model {model.name} raises {type(error).__name__}\n{where}") from error
    return _checked(reply, model.name)


def _file_of(model: Model) -> Path | None:
    """The file that a model's class is written in."""
    code = getattr(inspect.unwrap(type(model).reply), "__code__", None)
    return None if code is None else Path(code.co_filename)


def _checked(reply: object, name: str) -> Reply:
    """A reply that can be stored and read again.

    Raises:
        ModelError: Says what is wrong with it.
    """
    if not isinstance(reply, Reply):
        raise ModelError(f"model {name}: must return an agents.Reply, not {type(reply).__name__}")
    usage: object = reply.usage
    if usage is None:
        reply = replace(reply, usage=Usage())
    elif not isinstance(usage, Usage):
        raise ModelError(f"model {name}: usage of its Reply must be an agents.model.Usage, not {type(usage).__name__}")
    for field in _TEXTS:
        if not isinstance(getattr(reply, field), str):
            raise ModelError(f"model {name}: {field} of its Reply must be text, not {getattr(reply, field)!r:.60}")
    for field in _TOKENS:
        _check_number(getattr(reply.usage, field), f"model {name}: {field} of its Usage")
    _check_number(reply.cost, f"model {name}: cost of its Reply")
    _check_number(reply.seconds, f"model {name}: seconds of its Reply")
    if not isinstance(reply.notes, (tuple, list)) or not all(isinstance(note, str) for note in reply.notes):
        raise ModelError(f"model {name}: notes of its Reply must be texts, not {reply.notes!r:.60}")
    return reply


def _check_number(value: object, what: str) -> None:
    known = isinstance(value, (int, float)) and math.isfinite(value) and value >= 0
    if value is not None and not known:
        raise ModelError(f"{what} must be a number of at least 0 or None, not {value!r:.60}")
