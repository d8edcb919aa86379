"""Reaches the model that judges placements or rewords sentences, by the one string that names it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel
from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from agents.failures import one_line
from agents.forms import FramePoint
from agents.model import Closing, Image, Message, Model, OutsideFailure, Purpose, Reply, Request, Sampling, Text
from agents.view import View
from evals.model_source import ModelError, OneModel
from evals.models import open_models
from tools.pictures import open_picture

MOST_TOKENS = 4096
"""Of a reply: enough for a model that thinks before it says a few lines."""

_ATTEMPTS = 5


class _Words(BaseModel):
    text: str


@dataclass(frozen=True)
class AskModel:
    """Asks a model, a few times where it fails for a passing reason; see `evals.scenes.judge.Ask`.

    Attributes:
        model: The model.
    """

    model: Model

    async def __call__(self, text: str, picture_path: Path | None) -> str:
        """Sends a text, after the picture where there is one.

        Returns:
            The reply's text; its reasoning where it holds nothing else.

        Raises:
            ModelError: If the model does not answer.
        """
        shown = () if picture_path is None else (Image(open_picture(picture_path)),)
        request = Request(
            messages=(Message("user", (*shown, Text(text))),),
            sampling=Sampling(max_tokens=MOST_TOKENS),
            constraint=None,
            repeat=0,
            purpose=Purpose(("scenes",), View(()), _Words, FramePoint()),
        )
        again = AsyncRetrying(
            retry=retry_if_exception(lambda error: isinstance(error, OutsideFailure) and not error.permanent),
            stop=stop_after_attempt(_ATTEMPTS),
            wait=wait_exponential_jitter(initial=1, max=30),
            reraise=True,
        )
        try:
            reply: Reply = await again(self.model.reply, request)
        except OutsideFailure as failure:
            what = one_line(str(failure), most=500)
            raise ModelError(
                f"model {self.model.name!r}: {what}; the same command goes on where this stopped"
            ) from None
        return reply.reasoning if reply.only_reasoning else reply.text

    async def check(self) -> None:
        """Makes sure that the model answers at all, before anything is made for it to look at.

        Raises:
            ModelError: If it does not, for example for want of a key.
        """
        try:
            await self("Reply with one word: ready", None)
        finally:
            await self.close()

    async def close(self) -> None:
        """Closes the model's connections; it can be asked again afterwards."""
        if isinstance(self.model, Closing):
            await self.model.close()


def ask_with(spec: str) -> AskModel:
    """Opens a model that can be asked about a house.

    Args:
        spec: A model's name as `evals run --model` takes it.

    Raises:
        ModelError: If it is no VLM: such a model answers about a benchmark's instances and nothing else.
        agents.registry.UnknownNameError: If there is no such model.
    """
    source = open_models(spec)
    if not isinstance(source, OneModel) or not source.is_vlm:
        raise ModelError(
            f"model {spec!r} is no VLM and answers about instances of a benchmark alone; name a VLM (evals models list)"
        )
    return AskModel(source.model)
