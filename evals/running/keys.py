"""What calls and items are known by: hashes of everything that they depend on, and of nothing else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from agents.context import Settings
from agents.model import Reply, Request, Text, Usage
from evals.sample import Sample


def request_record(request: Request) -> dict[str, Any]:
    """A request as it is stored: texts as they were sent, pictures by hash."""
    return {
        "messages": [
            {
                "role": message.role,
                "parts": [
                    {"text": part.text} if isinstance(part, Text) else {"picture": part.picture.digest}
                    for part in message.parts
                ],
            }
            for message in request.messages
        ],
        "sampling": asdict(request.sampling),
        "constraint": None if request.constraint is None else asdict(request.constraint),
        "repeat": request.repeat,
        "steps": list(request.purpose.steps),
    }


def call_key(record: Mapping[str, Any], identity: str) -> str:
    """Hash of what a reply depends on: messages, pictures, model, sampling, constraint, repeat."""
    sent = {name: value for name, value in record.items() if name != "steps"}
    return digest({"model": identity, **sent})


def item_key(sample: Sample, fingerprint: str, model: str, settings: Settings, repeat: int) -> str:
    """Hash of what an item depends on: sample, graph, model, settings, repeat."""
    return digest([sample.digest, fingerprint, model, settings_record(settings), repeat])


def settings_record(settings: Settings) -> dict[str, Any]:
    """The settings of a run as they are stored."""
    return {**asdict(settings), "convention": settings.convention.name}


def reply_record(reply: Reply) -> dict[str, Any]:
    """A reply as it is stored, raw."""
    return asdict(reply)


def reply_of(record: Mapping[str, Any]) -> Reply:
    """The reply that was stored."""
    return Reply(**{**record, "usage": Usage(**record["usage"]), "notes": tuple(record.get("notes", ()))})


def digest(value: object) -> str:
    """Hash of plain JSON values."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:32]
