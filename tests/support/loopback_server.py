"""A real HTTP server on the loopback that speaks as OpenAI, vLLM, Anthropic and Gemini do, and misbehaves by plan.

    def test_...(model_server):                      # fixture of tests/conftest.py, started and stopped for the test
        model_server.default = Answer('{"x": 1}')    # for every request that the plan has nothing for
        model_server.plan = [rate_limited(0.1), Reset(), Answer("late", delay=0.2)]  # one a request, in order
        ... model_server.url + "/v1" ...             # OpenAI and vLLM; Anthropic and Gemini below `url`
        model_server.received[0].json["messages"]    # what arrived, in order of arrival

`default` may be a function `Received -> Behaviour`. Paths choose the dialect: `…/chat/completions`, `…/messages`,
`…:generateContent`; `GET …/models` lists `models` as `made_by` (vllm, ...), and is neither planned nor
among `received`.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Received:
    """One request as it arrived; names of headers in lower case."""

    path: str
    headers: Mapping[str, str]
    body: bytes
    at: float

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def dialect(self) -> str:
        path = self.path.partition("?")[0]
        if path.endswith("generateContent"):
            return "gemini"
        return "anthropic" if path.endswith("/messages") else "openai"


@dataclass(frozen=True)
class Answer:
    """A reply in the dialect of the request.

    `reasoning_field` is where OpenAI-compatible servers put `reasoning`; `model` is the id that the reply names, the
    requested one by default; `extra` is merged into the top of the body.
    """

    text: str | None = "{}"
    reasoning: str = ""
    reasoning_field: str = "reasoning_content"
    finish: str = "stop"
    input_tokens: int = 100
    cached_tokens: int = 64
    output_tokens: int = 10
    reasoning_tokens: int = 4
    delay: float = 0.0
    model: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Refusal:
    """An error status with the dialect's error body."""

    status: int
    message: str = "refused by plan"
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0


@dataclass(frozen=True)
class Raw:
    """Any bytes under any content type."""

    body: bytes
    content_type: str = "application/json"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Truncated:
    """An answer whose JSON stops half-way; `closed` announces all of it and closes the connection instead."""

    answer: Answer = Answer("never read to its end")
    closed: bool = False


@dataclass(frozen=True)
class Trickle:
    """An answer that comes a few bytes at a time."""

    answer: Answer = Answer("slow")
    seconds_a_piece: float = 0.05
    piece: int = 1


@dataclass(frozen=True)
class Reset:
    """Reads the request, then resets the connection."""


@dataclass(frozen=True)
class Hang:
    """Reads the request, then says nothing until the server stops."""


Behaviour = Answer | Refusal | Raw | Truncated | Trickle | Reset | Hang


def rate_limited(seconds: float | None = None, header: str = "Retry-After") -> Refusal:
    """A 429, with a hint how long to wait."""
    headers = {} if seconds is None else {header: f"{seconds:g}"}
    return Refusal(429, "Rate limit reached", "rate_limit_exceeded", headers)


def overloaded(status: int = 503) -> Refusal:
    return Refusal(status, "The server is overloaded", "overloaded")


def server_error() -> Refusal:
    return Refusal(500, "Internal error", "server_error")


def html_page(status: int = 200) -> Raw:
    return Raw(b"<!doctype html><title>Welcome to nginx</title>", "text/html; charset=utf-8", status)


def wrong_type() -> Raw:
    return Raw(json.dumps({"choices": []}).encode(), "text/plain")


def schema_refused() -> Refusal:
    return Refusal(400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported", "invalid")


def too_many_pictures(most: int = 1) -> Refusal:
    return Refusal(400, f"At most {most} image(s) may be provided in one prompt.", "BadRequestError")


class ModelServer:
    """The server; `with ModelServer() as server` starts and stops it."""

    def __init__(self) -> None:
        self.default: Behaviour | Callable[[Received], Behaviour] = Answer()
        self.plan: list[Behaviour] = []
        self.models: tuple[str, ...] = ("test-model",)
        self.made_by = "library"
        self.received: list[Received] = []
        self.connections = 0
        self.in_flight = 0
        self.most_in_flight = 0
        self.stopping = threading.Event()
        self.lock = threading.Lock()
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def next_behaviour(self, received: Received) -> Behaviour:
        with self.lock:
            self.received.append(received)
            if self.plan:
                return self.plan.pop(0)
            default = self.default
        return default(received) if callable(default) else default

    def count(self, change: int) -> None:
        with self.lock:
            self.in_flight += change
            self.most_in_flight = max(self.most_in_flight, self.in_flight)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    block_on_close = False
    owner: ModelServer

    def handle_error(self, *_: object) -> None:
        """Clients that go away are part of the play."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def setup(self) -> None:
        super().setup()
        with self.server.owner.lock:
            self.server.owner.connections += 1

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        listed = [
            {"id": name, "object": "model", "owned_by": self.server.owner.made_by} for name in self.server.owner.models
        ]
        self._send(200, json.dumps({"object": "list", "data": listed}).encode())

    def do_POST(self) -> None:
        owner = self.server.owner
        body = self.rfile.read(int(self.headers["Content-Length"]))
        received = Received(
            self.path, {name.lower(): value for name, value in self.headers.items()}, body, time.monotonic()
        )
        owner.count(+1)
        try:
            self._behave(owner.next_behaviour(received), received)
        finally:
            owner.count(-1)

    def _behave(self, behaviour: Behaviour, received: Received) -> None:
        stopping = self.server.owner.stopping
        match behaviour:
            case Answer(delay=delay):
                stopping.wait(delay)
                self._send(200, answer_body(behaviour, received))
            case Refusal(status, delay=delay):
                stopping.wait(delay)
                self._send(status, _refusal_body(behaviour, received.dialect), headers=behaviour.headers)
            case Raw(raw, content_type, status, headers):
                self._send(status, raw, content_type, headers)
            case Truncated(answer, closed):
                whole = answer_body(answer, received)
                self._send(200, whole[: len(whole) // 2], length=len(whole) if closed else None)
                self.close_connection = closed
            case Trickle(answer, seconds, piece):
                whole = answer_body(answer, received)
                self._send(200, b"", length=len(whole))
                for start in range(0, len(whole), piece):
                    if stopping.wait(seconds):
                        return
                    self.wfile.write(whole[start : start + piece])
            case Reset():
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()
                self.close_connection = True
            case Hang():
                stopping.wait()
                self.close_connection = True

    def _send(
        self,
        status: int,
        body: bytes,
        content_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
        length: int | None = None,
    ) -> None:
        head = [f"HTTP/1.1 {status} By plan", f"Content-Type: {content_type}"]
        head += [f"Content-Length: {len(body) if length is None else length}"]
        head += [f"{name}: {value}" for name, value in (headers or {}).items()]
        self.wfile.write("\r\n".join([*head, "", ""]).encode() + body)


def answer_body(answer: Answer, received: Received) -> bytes:
    """An answer in the dialect of a request."""
    make = {"openai": _openai, "anthropic": _anthropic, "gemini": _gemini}[received.dialect]
    return json.dumps(make(answer, received) | dict(answer.extra)).encode()


def _openai(answer: Answer, received: Received) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text}
    if answer.reasoning:
        message[answer.reasoning_field] = answer.reasoning
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": answer.model or received.json["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": answer.finish}],
        "usage": {
            "prompt_tokens": answer.input_tokens,
            "completion_tokens": answer.output_tokens,
            "total_tokens": answer.input_tokens + answer.output_tokens,
            "prompt_tokens_details": {"cached_tokens": answer.cached_tokens},
            "completion_tokens_details": {"reasoning_tokens": answer.reasoning_tokens},
        },
    }


def _anthropic(answer: Answer, received: Received) -> dict[str, Any]:
    finish = {"stop": "end_turn", "length": "max_tokens"}.get(answer.finish, answer.finish)
    thinking = [{"type": "thinking", "thinking": answer.reasoning, "signature": "s"}] if answer.reasoning else []
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": answer.model or received.json["model"],
        "content": [*thinking, {"type": "text", "text": answer.text or ""}],
        "stop_reason": finish,
        "stop_sequence": None,
        "usage": {
            "input_tokens": answer.input_tokens - answer.cached_tokens,
            "cache_read_input_tokens": answer.cached_tokens,
            "cache_creation_input_tokens": 0,
            "output_tokens": answer.output_tokens,
        },
    }


def _gemini(answer: Answer, received: Received) -> dict[str, Any]:
    finish = {"stop": "STOP", "length": "MAX_TOKENS"}.get(answer.finish, answer.finish)
    thought = [{"text": answer.reasoning, "thought": True}] if answer.reasoning else []
    return {
        "candidates": [
            {
                "content": {"role": "model", "parts": [*thought, {"text": answer.text or ""}]},
                "finishReason": finish,
                "index": 0,
            }
        ],
        "usageMetadata": {
            "promptTokenCount": answer.input_tokens,
            "cachedContentTokenCount": answer.cached_tokens,
            "candidatesTokenCount": answer.output_tokens - answer.reasoning_tokens,
            "thoughtsTokenCount": answer.reasoning_tokens,
            "totalTokenCount": answer.input_tokens + answer.output_tokens,
        },
        "modelVersion": answer.model or received.path.rpartition("/")[2].partition(":")[0],
    }


def _refusal_body(refusal: Refusal, dialect: str) -> bytes:
    match dialect:
        case "anthropic":
            kinds = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error"}
            kind = kinds.get(refusal.status, "overloaded_error" if refusal.status == 529 else "api_error")
            body: dict[str, Any] = {"type": "error", "error": {"type": kind, "message": refusal.message}}
        case "gemini":
            kinds = {401: "UNAUTHENTICATED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE"}
            kind = kinds.get(refusal.status, "INTERNAL")
            body = {"error": {"code": refusal.status, "message": refusal.message, "status": kind}}
        case _:
            body = {"error": {"message": refusal.message, "type": "error", "param": None, "code": refusal.code}}
    return json.dumps(body).encode()
