"""What calls and items are known by: hashes of everything that they depend on, and of nothing else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from agents.context import Settings
from agents.model import Reply, Request, Text, Usage
from evals.sample import Sample


@dataclass(frozen=True)
class WrittenRequest:
    """A request as it is stored: texts as they were sent, pictures by hash.

    Attributes:
        messages: The messages as JSON text; repeats of a call share it.
        constraint: The constraint as JSON text; most calls of a step share it.
        rest: Sampling, repeat, and the steps that were asked for.
    """

    messages: str
    constraint: str
    rest: Mapping[str, Any]


def write_request(request: Request) -> WrittenRequest:
    """Writes a request for the store."""
    messages = [
        {
            "role": message.role,
            "parts": [
                {"text": part.text} if isinstance(part, Text) else {"picture": part.picture.digest}
                for part in message.parts
            ],
        }
        for message in request.messages
    ]
    constraint = request.constraint
    return WrittenRequest(
        messages=json.dumps(messages),
        constraint=json.dumps(constraint and {"schema": constraint.schema, "regex": constraint.regex}),
        rest={
            "sampling": vars(request.sampling),
            "repeat": request.repeat,
            "steps": list(request.purpose.steps),
        },
    )


def call_key(written: WrittenRequest, identity: str) -> str:
    """Hash of what a reply depends on: messages, pictures, model, sampling, constraint, repeat."""
    rest = [written.rest["sampling"], written.rest["repeat"]]
    return digest([identity, text_digest(written.messages), text_digest(written.constraint), rest])


def item_version(fingerprint: str, model: str, identity: str, is_vlm: bool, settings: Settings) -> str:
    """Hash of what all items of a graph with a model depend on: graph, model, settings.

    Args:
        fingerprint: Of the graph.
        model: The model's name, and what its randomness depends on.
        identity: What tells its replies from another model's of that name.
        is_vlm: Whether it is a vision-language model; rows never change their label.
        settings: Settings of the run.
    """
    return digest([fingerprint, model, identity, is_vlm, settings_record(settings)])


def item_key(version: str, sample: Sample, repeat: int) -> str:
    """Hash of what an item depends on: its version, sample, repeat."""
    return text_digest(f"{version}\0{sample.digest}\0{repeat}")


def settings_record(settings: Settings) -> dict[str, Any]:
    """The settings of a run as they are stored."""
    return {**asdict(settings), "convention": settings.convention.name}


def reply_record(reply: Reply) -> dict[str, Any]:
    """A reply as it is stored, raw."""
    return {**vars(reply), "usage": vars(reply.usage)}


def reply_of(record: Mapping[str, Any]) -> Reply:
    """The reply that was stored."""
    return Reply(**{**record, "usage": Usage(**record["usage"]), "notes": tuple(record.get("notes", ()))})


def digest(value: object) -> str:
    """Hash of plain JSON values."""
    return text_digest(json.dumps(value, sort_keys=True))


def text_digest(text: str) -> str:
    """Hash of a text: 32 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]
