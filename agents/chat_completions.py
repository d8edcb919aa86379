"""The chat completions form of requests and replies, which most servers speak.

A request's body is a list of byte strings: those of its pictures are shared by all requests that show them, and come
first, so that the requests of a scene begin with the same bytes and a server can find them in its prefix cache.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any

from agents.model import FailureKind, Image, OutsideFailure, Reply, Request, Usage
from agents.workbench import Workbench
from tools.pictures import EncodedPicture, Picture

_FINISHES = {
    "eos": "stop",
    "eos_token": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "content_filter": "refusal",
    "safety": "refusal",
    "recitation": "refusal",
    "prohibited_content": "refusal",
}


async def body_pieces(request: Request, model: str, settings: Mapping[str, Any]) -> list[bytes]:
    """Writes the body of a request.

    Args:
        request: The request; its workbench makes the pictures' bytes.
        model: Name of the model as the server knows it.
        settings: Everything else that the body holds, as plain JSON values; comes behind the messages.

    Returns:
        The body in pieces, to be sent one after another.
    """
    pictures: list[tuple[bytes, Picture]] = []
    small = [f'{{"model":{json.dumps(model)},"messages":['.encode()]
    for number, message in enumerate(request.messages):
        small.append(f'{"," if number else ""}{{"role":{json.dumps(message.role)},"content":['.encode())
        for place, part in enumerate(message.parts):
            small.append(b"," if place else b"")
            if isinstance(part, Image):
                pictures.append((b"".join(small), part.picture))
                small = []
            else:
                small.append(b'{"type":"text","text":' + _json(part.text) + b"}")
        small.append(b"]}")
    settings_text = b"".join(b"," + _json(name) + b":" + _json(value) for name, value in settings.items())
    rest = b"".join([*small, b"]", settings_text, b"}"])
    return [await _beginning(pictures, request.workbench), rest] if pictures else [rest]


async def _beginning(pictures: Sequence[tuple[bytes, Picture]], workbench: Workbench) -> bytes:
    """A body up to its last picture, joined once for all requests that begin so: those of a scene and a graph."""
    name = hashlib.sha256(b"".join(before + picture.digest.encode() for before, picture in pictures)).hexdigest()
    key = f"chat completions beginning {name}"
    kept = workbench.kept(key)
    if kept is not None:
        return bytes(kept)
    pieces: list[bytes] = []
    for before, picture in pictures:
        pieces += [before, await workbench.prepared(picture, "chat completions part", picture_part)]
    return await workbench.once(key, lambda: b"".join(pieces), len)


def picture_part(encoded: EncodedPicture) -> bytes:
    """A picture as the JSON of one part of a message; base64 needs no escaping."""
    url = f'{{"type":"image_url","image_url":{{"url":"data:{encoded.media_type};base64,'.encode()
    return b"".join((url, b64encode(encoded.data), b'"}}'))


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
"""Made once: `json.dumps` would make one a call, and a body of 30 pictures takes some 70 calls."""


def _json(value: object) -> bytes:
    return _ENCODER.encode(value).encode("utf-8", "replace")


def read_completion(place: str, asked: str, payload: object, seconds: float) -> Reply:
    """Reads a reply.

    Args:
        place: The model as the user named it, for messages.
        asked: The model as the request named it.
        payload: The JSON that came.
        seconds: Time from sending to the last byte.

    Raises:
        OutsideFailure: If it is no reply, or one that another model gave.
    """
    if not isinstance(payload, Mapping):
        raise unreadable(place, "the reply is JSON, but no object")
    choices = payload.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        raise unreadable(place, "the reply holds no choices; is this a chat completions server?")
    message = choices[0].get("message")
    if not isinstance(message, Mapping):
        raise unreadable(place, "the reply holds no message")
    served_by = payload.get("model") if isinstance(payload.get("model"), str) else ""
    if served_by and not same_model(asked, str(served_by)):
        raise unreadable(place, f"model {served_by!r} answered instead; name the model as the server does")
    refusal = message.get("refusal")
    raw = choices[0].get("finish_reason")
    return Reply(
        text=_text(message.get("content")) or (refusal if isinstance(refusal, str) else ""),
        reasoning=_text(message.get("reasoning_content")) or _text(message.get("reasoning")),
        finish_reason="refusal" if refusal else finish_reason(raw),
        usage=usage_of(payload.get("usage")),
        seconds=seconds,
        raw_finish_reason=raw if isinstance(raw, str) else "",
        served_by=str(served_by),
    )


def unreadable(place: str, wrong: str, kind: FailureKind = "unreadable_response") -> OutsideFailure:
    """The failure for a response that holds no reply."""
    return OutsideFailure(f"{place}: {wrong}", kind=kind)


def finish_reason(raw: object) -> str:
    """The provider's word for why a reply ended, as `stop`, `length` or `refusal` where it means one of these."""
    if not isinstance(raw, str) or not raw:
        return "unknown"
    return _FINISHES.get(raw.lower(), raw.lower())


def same_model(asked: str, served: str) -> bool:
    """Whether two names can mean one model: a dated snapshot of it, or the same name without its organisation."""
    one, other = asked.lower(), served.lower()
    if "/" not in one or "/" not in other:
        one, other = one.rpartition("/")[2], other.rpartition("/")[2]
    short, long = sorted((one, other), key=len)
    return long == short or (long.startswith(short) and long[len(short)] in "-@:")


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = (part.get("text") for part in content if isinstance(part, Mapping))
        return "".join(text for text in texts if isinstance(text, str))
    return ""


def usage_of(usage: object) -> Usage:
    """The tokens of a call, from the usage that came with its reply."""
    if not isinstance(usage, Mapping):
        return Usage()
    return Usage(
        input_tokens=_count(usage.get("prompt_tokens")),
        cached_tokens=_count(_within(usage, "prompt_tokens_details", "cached_tokens")),
        output_tokens=_count(usage.get("completion_tokens")),
        reasoning_tokens=_count(_within(usage, "completion_tokens_details", "reasoning_tokens")),
    )


def _within(usage: Mapping[str, Any], details: str, name: str) -> object:
    inner = usage.get(details)
    return inner.get(name) if isinstance(inner, Mapping) else None


def _count(value: object) -> int | None:
    """A number of tokens; None for anything that can be none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**40 else None
