"""OpenAI-compatible servers by URL: vLLM, SGLang, Ollama, LM Studio, llama.cpp, OpenAI itself.

Bodies are sent as pieces that requests share, over HTTP/1.1 connections that are kept: a request of 30 pictures costs
little more than the copying of its bytes.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from agents.chat_completions import body_pieces, read_completion, unreadable
from agents.failures import is_about_schema, one_line, refused
from agents.model import Constraint, OutsideFailure, Reply, Request
from agents.model_adapter import ModelAdapter, ModelNameError, split_schema_option

if TYPE_CHECKING:
    import httpx

_OPENAI = "api.openai.com"
_LOCAL = {"localhost", "127.0.0.1", "::1"}
_KEPT_SECONDS = 4.0
"""Idle connections are dropped before uvicorn, whose limit is 5 s, drops them under a request."""

_CONNECT_SECONDS = 10.0

_MOST_BYTES = 32 << 20
"""Most bytes of a response; the longest replies of models have under 1 MB."""

_TURN_SECONDS = 1.0
"""Longest wait of a body for those before it."""


def _takes(spec: str) -> bool:
    return spec.lower().startswith(("http://", "https://"))


def _open(spec: str, time_limit: float) -> OpenAIServer:
    """Opens a model of a server.

    Raises:
        ModelNameError: If the URL holds no model or a key.
    """
    try:
        url = urlsplit(spec)
        host = url.hostname
        _ = url.port
    except ValueError as error:
        raise ModelNameError(f"model {spec!r}: not a URL ({error})") from None
    if url.username or url.password:
        raise ModelNameError("model: a key must not stand in the URL; put it into the environment as SITUATE_API_KEY")
    if not host:
        raise ModelNameError(f"model {spec!r}: the URL names no host")
    if not url.fragment:
        raise ModelNameError(f"model {spec!r}: name the model behind a #, as in http://127.0.0.1:8000/v1#org/model")
    schema = split_schema_option(spec, url.query)
    base = urlunsplit((url.scheme, url.netloc, url.path.rstrip("/"), "", ""))
    option = f"?{url.query}" if url.query else ""
    return OpenAIServer(f"{base}{option}#{url.fragment}", base, url.fragment, schema, time_limit)


@dataclass
class OpenAIServer:
    """One model of a server.

    Attributes:
        name: As the user wrote it, without a slash that says nothing.
        base: URL that `/chat/completions` is appended to.
        model: Name of the model as the server knows it.
        schema: How constraints are sent: `auto`, `regex`, `json` or `off`.
        time_limit: Seconds that one call may take.
    """

    name: str
    base: str
    model: str
    schema: str
    time_limit: float
    is_vlm: bool = True
    _clients: dict[asyncio.AbstractEventLoop, httpx.AsyncClient] = field(default_factory=dict, repr=False)
    _turns: dict[asyncio.AbstractEventLoop, asyncio.Lock] = field(default_factory=dict, repr=False)
    _maker: str | None = field(default=None, repr=False)

    @property
    def identity(self) -> str:
        """Server, model and the form of constraints."""
        return self.name

    @property
    def host(self) -> str:
        """Host of the server."""
        return (urlsplit(self.base).hostname or "").lower()

    @property
    def key_variable(self) -> str:
        """Environment variable that holds the key for this server; OpenAI's own key goes to OpenAI alone."""
        return "OPENAI_API_KEY" if self.host == _OPENAI else "SITUATE_API_KEY"

    async def reply(self, request: Request) -> Reply:
        """Asks the server.

        Raises:
            OutsideFailure: If no reply came of it.
        """
        settings, notes = self._settings(request, await self._made_by(request.constraint))
        pieces = await body_pieces(request, self.model, settings)
        began = time.monotonic()
        try:
            async with asyncio.timeout(self.time_limit):
                payload = await self._post(pieces)
        except TimeoutError:
            raise OutsideFailure(f"{self.name}: no reply within {self.time_limit:g} s", kind="timeout") from None
        except OutsideFailure as failure:
            if failure.kind != "content_filter":
                raise
            return Reply("", finish_reason="refusal", raw_finish_reason="content_filter", notes=(str(failure),))
        reply = read_completion(self.name, self.model, payload, time.monotonic() - began)
        return replace(reply, notes=notes)

    async def served(self) -> dict[str, str]:
        """The models that the server says it serves, and who made each entry (`vllm`, `sglang`, ...).

        Raises:
            OutsideFailure: If the server is not there or does not list models.
        """
        import httpx

        try:
            response = await self._client().get(f"{self.base}/models", timeout=_CONNECT_SECONDS)
        except httpx.HTTPError as error:
            raise self._unreachable(error) from None
        payload = self._payload(response.status_code, response.headers, response.content)
        listed = payload.get("data") if isinstance(payload, Mapping) else None
        if not isinstance(listed, list):
            raise unreadable(self.name, "the server lists no models under /models")
        entries = [entry for entry in listed if isinstance(entry, Mapping) and isinstance(entry.get("id"), str)]
        return {entry["id"]: str(entry.get("owned_by", "")) for entry in entries}

    async def close(self) -> None:
        """Closes the connections of the running event loop."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.aclose()

    def _client(self) -> httpx.AsyncClient:
        import httpx

        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._clients = {loop: _new_client(httpx, self.host, self._key())}
        return self._clients[loop]

    def _key(self) -> str:
        key = os.environ.get(self.key_variable, "").strip()
        if not (key.isascii() and key.isprintable()):
            wrong = f"{self.key_variable} holds characters that no key has; set it anew"
            raise OutsideFailure(f"{self.name}: {wrong}", permanent=True, kind="authentication")
        return key

    async def _made_by(self, constraint: Constraint | None) -> str:
        """What the server is, asked once, where that decides on the form of a constraint."""
        if constraint is None or self.schema not in ("auto", "regex") or self.host == _OPENAI:
            return ""
        if self._maker is None:
            try:
                self._maker = (await self.served()).get(self.model, "").lower()
            except OutsideFailure as failure:
                if failure.kind == "connection":
                    raise
                # Not every server lists its models; the form that all of them document is sent then.
                self._maker = ""
        return self._maker

    def _settings(self, request: Request, maker: str) -> tuple[dict[str, Any], tuple[str, ...]]:
        sampling = request.sampling
        limit = "max_completion_tokens" if self.host == _OPENAI else "max_tokens"
        settings: dict[str, Any] = {limit: sampling.max_tokens}
        for name in ("temperature", "seed", "reasoning_effort"):
            if (value := getattr(sampling, name)) is not None:
                settings[name] = value
        if request.constraint is None:
            return settings, ()
        form = self.schema
        if form == "auto":
            form = "regex" if maker in ("vllm", "sglang") else "json"
        match form:
            case "regex" if maker == "sglang":
                return {**settings, "regex": request.constraint.regex}, ()
            case "regex":
                return {**settings, "structured_outputs": {"regex": request.constraint.regex}}, ()
            case "json":
                schema: Any = request.constraint.schema
                schema = without_text_lengths(schema) if self.host == _OPENAI else schema
                wanted = {"name": "reply", "schema": schema, "strict": True}
                return {**settings, "response_format": {"type": "json_schema", "json_schema": wanted}}, ()
            case _:
                return settings, (f"{self.name}: replies are not constrained, as schema=off asks",)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Lets bodies go out one after the other, not all at once: the first is there when the last would have been.

        Requests that were answered together would else be sent together for ever, each slowed by the others. Nobody
        waits for long, as a connection may stall.
        """
        loop = asyncio.get_running_loop()
        if loop not in self._turns:
            self._turns = {loop: asyncio.Lock()}
        turn = self._turns[loop]
        try:
            # Python 3.11's wait_for can lose a lock that comes just as the time is over.
            async with asyncio.timeout(_TURN_SECONDS):
                await turn.acquire()
        except TimeoutError:
            yield
            return
        try:
            yield
        finally:
            turn.release()

    async def _post(self, pieces: list[bytes]) -> object:
        import httpx

        async def body() -> AsyncIterator[bytes]:
            async with self._turn():
                for piece in pieces:
                    yield piece

        headers = {"Content-Type": "application/json", "Content-Length": str(sum(map(len, pieces)))}
        try:
            async with self._client().stream(
                "POST", f"{self.base}/chat/completions", content=body(), headers=headers
            ) as response:
                answer = await self._read(response)
        except httpx.HTTPError as error:
            raise self._unreachable(error) from None
        return self._payload(response.status_code, response.headers, answer)

    async def _read(self, response: httpx.Response) -> bytes:
        """The body of a response, unpacked, as long as it is no longer than any reply."""
        answer = bytearray()
        async for part in response.aiter_bytes():
            answer += part
            if len(answer) > _MOST_BYTES:
                raise unreadable(
                    self.name, f"the server answered with more than {_MOST_BYTES >> 20} MB; is {self.base} its API?"
                )
        return bytes(answer)

    def _payload(self, status: int, headers: Mapping[str, str], body: bytes) -> object:
        """The JSON of a response."""
        content_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        text = body[:65536].decode("utf-8", "replace")
        if 300 <= status < 400:
            target = one_line(headers.get("location", "elsewhere"))
            raise OutsideFailure(
                f"{self.name}: {status}, redirected to {target}; name the model by the URL that the server is at",
                permanent=True,
                kind="not_found",
            )
        is_json = content_type == "application/json" or content_type.endswith("+json")
        if status >= 400:
            failure = refused(self.name, status, _message(text) if is_json else text, headers)
            if is_about_schema(failure):
                failure.permanent = False
            raise failure
        if not is_json:
            what = "an HTML page" if "html" in content_type else f"{content_type or 'no content type'} instead of JSON"
            raise unreadable(
                self.name, f"the server answered with {what}; is {self.base} its API? ({one_line(text)[:80]})"
            )
        try:
            payload: object = json.loads(body)
        except (ValueError, RecursionError):
            raise unreadable(
                self.name, f"the reply is JSON that breaks off or cannot be read ({len(body)} bytes)"
            ) from None
        if isinstance(payload, Mapping) and payload.get("error") and "choices" not in payload:
            raise refused(self.name, _code(payload["error"]), _message(text), headers)
        return payload

    def _unreachable(self, error: httpx.HTTPError) -> OutsideFailure:
        import httpx

        said = one_line(str(error)) or type(error).__name__
        if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout)):
            wrong = f"no server at {self.base} ({said}); start it, or correct the URL"
            return OutsideFailure(f"{self.name}: {wrong}", kind="connection")
        if isinstance(error, httpx.TimeoutException):
            return OutsideFailure(f"{self.name}: the server stopped answering ({said})", kind="timeout")
        return OutsideFailure(f"{self.name}: the connection broke ({said})", kind="connection")


def _new_client(library: Any, host: str, key: str) -> httpx.AsyncClient:
    client: httpx.AsyncClient = library.AsyncClient(
        headers={"Authorization": f"Bearer {key}"} if key else {},
        timeout=library.Timeout(None, connect=_CONNECT_SECONDS),
        limits=library.Limits(max_connections=None, max_keepalive_connections=None, keepalive_expiry=_KEPT_SECONDS),
        # A proxy of the environment leads away from a server on this machine.
        trust_env=host not in _LOCAL,
        http2=False,
    )
    return client


def _message(text: str) -> str:
    """The message in an error's JSON; the text itself where it holds none."""
    try:
        payload = json.loads(text)
    except ValueError:
        return text
    error = payload.get("error", payload) if isinstance(payload, Mapping) else payload
    if isinstance(error, Mapping):
        parts = [error.get(name) for name in ("message", "detail", "code", "type")]
        return "; ".join(str(part) for part in parts if part) or text
    return str(error)


def _code(error: object) -> int:
    code = error.get("code") if isinstance(error, Mapping) else None
    return code if isinstance(code, int) and 400 <= code < 600 else 500


def without_text_lengths(schema: Any) -> Any:
    """A schema without the bounds on texts, which strict hosts refuse; replies are read, and checked, here anyway."""
    if isinstance(schema, Mapping):
        is_text = schema.get("type") == "string"
        return {
            name: without_text_lengths(value)
            for name, value in schema.items()
            if not (is_text and name in ("maxLength", "minLength"))
        }
    return [without_text_lengths(entry) for entry in schema] if isinstance(schema, list) else schema


openai_server = ModelAdapter(
    name="openai_server",
    form="http://host:port/v1#name",
    takes=_takes,
    open=_open,
    summary="Any OpenAI-compatible server by its URL: vLLM, SGLang, Ollama, LM Studio, OpenAI.",
)
