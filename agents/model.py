"""The contract between a step and whatever answers it: a request, a reply, and how a model may fail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from pydantic import BaseModel

from agents.forms import Form
from agents.view import View
from agents.workbench import Workbench
from tools.pictures import Picture


@dataclass(frozen=True)
class Text:
    """A piece of text in a message."""

    text: str


@dataclass(frozen=True)
class Image:
    """A picture in a message; bytes are made only by the adapter that sends them."""

    picture: Picture


@dataclass(frozen=True)
class Message:
    """What one side says."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[Text | Image, ...]


@dataclass(frozen=True)
class Sampling:
    """How a reply is drawn.

    Attributes:
        max_tokens: Most tokens of a reply.
        temperature: Sampling temperature; None leaves it to the provider.
        seed: Seed for providers that take one; None sends none.
        reasoning_effort: For models that think: `none`, `minimal`, `low`, `medium`, `high`; None sends none.
    """

    max_tokens: int
    temperature: float | None = None
    seed: int | None = None
    reasoning_effort: str | None = None


@dataclass(frozen=True)
class Constraint:
    """What a reply's text must match, in the two forms that decoders take.

    Attributes:
        schema: JSON schema of the reply.
        regex: Bounded regular expression that the whole reply matches.
    """

    schema: Mapping[str, Any]
    regex: str


@dataclass(frozen=True)
class Purpose:
    """What a request is for. Never sent; models that are no VLM (scripted, reference, baselines) answer from it.

    Attributes:
        steps: Names of the steps that the request asks for, in order; the builder's own is `answer`.
        view: How frames are numbered and points written.
        finds: The canonical model that the reply must hold.
        form: The form of the answer.
        findings: Canonical findings that earlier steps made or that were given, by step.
    """

    steps: tuple[str, ...]
    view: View
    finds: type[BaseModel]
    form: Form
    findings: Mapping[str, BaseModel] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    """One call to a model.

    Attributes:
        messages: What is said, pictures first so that requests of one scene share their leading bytes.
        sampling: How the reply is drawn.
        constraint: What the reply must match; None leaves it free.
        repeat: Number of the repetition, from 0; equal requests of different repetitions are different calls.
        purpose: What it is for; not sent and not part of the call's key.
        workbench: Where an adapter has the pictures encoded, once for all requests that show them; not sent either.
    """

    messages: tuple[Message, ...]
    sampling: Sampling
    constraint: Constraint | None
    repeat: int
    purpose: Purpose
    workbench: Workbench = field(default_factory=Workbench, repr=False, compare=False)

    @property
    def text(self) -> str:
        """All text of the request, a line a part, without pictures."""
        return "\n".join(part.text for message in self.messages for part in message.parts if isinstance(part, Text))

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """All pictures of the request in order."""
        return tuple(part.picture for message in self.messages for part in message.parts if isinstance(part, Image))


@dataclass(frozen=True)
class Usage:
    """Tokens of a call as the provider counted them; None where it did not say."""

    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None


@dataclass(frozen=True)
class Reply:
    """What a model answered, kept as it came.

    Attributes:
        text: The reply's text.
        reasoning: Reasoning that the provider returned apart from the text.
        finish_reason: `stop`, `length`, `refusal`, or the provider's own word.
        usage: Tokens.
        seconds: Time from sending to the last byte.
        cost: US dollars; None where the price is unknown.
        raw_finish_reason: The provider's own word for why the reply ended; empty where it gave none.
        served_by: The model that the provider says answered; empty where it did not say.
        retries: How often the call had failed before this reply came; counted by whoever tries again.
        notes: What the call could not honour, e.g. a schema that the provider does not take; shown to the user.
    """

    text: str
    reasoning: str = ""
    finish_reason: str = "stop"
    usage: Usage = Usage()
    seconds: float = 0.0
    cost: float | None = None
    raw_finish_reason: str = ""
    served_by: str = ""
    retries: int = 0
    notes: tuple[str, ...] = ()

    @property
    def only_reasoning(self) -> bool:
        """Whether an answer can stand in the reasoning alone: the model came to its end and said nothing else."""
        return self.finish_reason == "stop" and not self.text.strip() and bool(self.reasoning.strip())


@dataclass(frozen=True)
class Price:
    """US dollars a token.

    Attributes:
        input: A token of the request.
        output: A token of the reply, its reasoning included.
        cached: A token of the request that the provider had in its cache.
    """

    input: float
    output: float
    cached: float


FailureKind = Literal[
    "rate_limit",
    "overloaded",
    "timeout",
    "connection",
    "server",
    "authentication",
    "forbidden",
    "quota",
    "not_found",
    "content_filter",
    "bad_request",
    "unreadable_response",
    "error",
]
"""What went wrong outside the model; `error` where nothing more is known."""


class OutsideFailure(Exception):  # noqa: N818 - says whose failure it is
    """A call failed for a reason outside the model (429, time-out, crash of a server).

    Attributes:
        retry_after: Seconds that the server asked to wait, as it said and unbounded; None where it said nothing.
        permanent: Whether the same call would fail again for sure (401, 404, a content filter), so that it is not tried
            again in this session.
        kind: What went wrong.
    """

    def __init__(
        self,
        message: str,
        *,
        retry_after: float | None = None,
        permanent: bool = False,
        kind: FailureKind = "error",
    ) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.permanent = permanent
        self.kind: FailureKind = kind


@runtime_checkable
class Closing(Protocol):
    """A model that holds connections; whoever opened it closes it in the event loop that used it."""

    async def close(self) -> None:
        """Closes the connections; the model can be asked again afterwards."""
        ...


class Model(Protocol):
    """Whatever answers requests."""

    @property
    def name(self) -> str:
        """As the user wrote it; shown in tables."""
        ...

    @property
    def identity(self) -> str:
        """What tells its replies from another model's; two equal requests to the same identity are one call."""
        ...

    @property
    def is_vlm(self) -> bool:
        """False for reference models, baselines and scripts, which are labelled wherever they appear."""
        ...

    async def reply(self, request: Request) -> Reply:
        """Answers a request.

        Raises:
            OutsideFailure: If the call failed for a reason outside the model.
        """
        ...


class InFrontOf:
    """What stands before another model, `model`, and is known by the name of it."""

    model: Model

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
