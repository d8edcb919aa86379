"""Hosted models through LiteLLM, in the wire formats of three providers, against a server on the loopback."""

import asyncio
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from loopback_server import (
    Answer,
    Behaviour,
    Hang,
    ModelServer,
    Refusal,
    Reset,
    Truncated,
    html_page,
    overloaded,
    rate_limited,
    schema_refused,
    server_error,
    too_many_pictures,
)
from model_requests import POINT, draw_pictures, request

from agents.model import OutsideFailure, Reply, Sampling
from agents.model_adapter import ModelNameError
from agents.models import open_model
from agents.models.hosted import HostedModel
from agents.registry import UnknownNameError

OPENAI, ANTHROPIC, GEMINI = "openai/gpt-5.4", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"
PROVIDERS = [OPENAI, ANTHROPIC, GEMINI]
KEY = "a-very-secret-word"


@pytest.fixture
def provider(model_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> ModelServer:
    """The server, standing in for all three providers."""
    for name in ("OPENAI", "ANTHROPIC", "GEMINI"):
        monkeypatch.setenv(f"{name}_API_KEY", KEY)
        monkeypatch.setenv(f"{name}_API_BASE", model_server.url + ("/v1" if name == "OPENAI" else ""))
    return model_server


def open_hosted(spec: str, limit: float = 20.0) -> HostedModel:
    opened = open_model(spec, time_limit=limit)
    assert isinstance(opened, HostedModel)
    return opened


async def ask(model: HostedModel, *requests: object) -> list[Reply]:
    try:
        return [await model.reply(one) for one in requests]  # type: ignore[arg-type]
    finally:
        await model.close()


@pytest.mark.parametrize("spec", PROVIDERS)
async def test_a_reply_is_read_in_every_dialect(provider: ModelServer, spec: str) -> None:
    provider.plan = [Answer("hello", "because", input_tokens=100, cached_tokens=64, output_tokens=10)]

    (reply,) = await ask(open_hosted(spec), request())

    assert (reply.text, reply.reasoning, reply.finish_reason) == ("hello", "because", "stop")
    assert (reply.usage.input_tokens, reply.usage.cached_tokens, reply.usage.output_tokens) == (100, 64, 10)
    assert reply.served_by == spec.partition("/")[2]
    assert reply.raw_finish_reason
    assert reply.seconds > 0


FINISHES = [
    *((spec, "length", "length") for spec in PROVIDERS),
    (OPENAI, "content_filter", "refusal"),
    (ANTHROPIC, "refusal", "refusal"),
    (GEMINI, "SAFETY", "refusal"),
]


@pytest.mark.parametrize(("spec", "raw", "normal"), FINISHES)
async def test_why_a_reply_ended_is_said_in_common_words(
    provider: ModelServer, spec: str, raw: str, normal: str
) -> None:
    provider.plan = [Answer("text", finish=raw)]

    (reply,) = await ask(open_hosted(spec), request())

    assert reply.finish_reason == normal


async def test_reasoning_tokens_are_those_that_the_provider_counted(provider: ModelServer) -> None:
    provider.default = Answer("hello", "because", output_tokens=10, reasoning_tokens=4)

    for spec in (OPENAI, GEMINI):
        assert (await ask(open_hosted(spec), request()))[0].usage.reasoning_tokens == 4


@pytest.mark.parametrize("spec", PROVIDERS)
async def test_pictures_arrive_in_their_order_between_their_labels(
    provider: ModelServer, tmp_path: Path, spec: str
) -> None:
    await ask(open_hosted(spec), request("Where?", draw_pictures(tmp_path, 3)))

    body = provider.received[0].body.decode()
    places = [body.index(f"Image {number}:") for number in range(3)] + [body.index("Where?")]
    assert places == sorted(places)
    media = "image/png"
    assert body.count(media) == 3
    assert all(one < body.index(media, one) < other for one, other in pairwise(places))


async def test_the_price_is_that_of_the_package(provider: ModelServer) -> None:
    provider.default = Answer("hello", input_tokens=1000, cached_tokens=400, output_tokens=100, reasoning_tokens=0)
    model = open_hosted(OPENAI)

    (reply,) = await ask(model, request())

    assert model.price is not None
    expected = 600 * model.price.input + 400 * model.price.cached + 100 * model.price.output
    assert reply.cost == pytest.approx(expected)
    assert expected > 0


async def test_an_unknown_price_is_unknown_and_not_nothing(provider: ModelServer) -> None:
    model = open_hosted("openai/a-model-of-tomorrow")

    (reply,) = await ask(model, request())

    assert model.price is None
    assert reply.cost is None


@pytest.mark.parametrize(
    ("spec", "words"), [(OPENAI, '"json_schema"'), (ANTHROPIC, "output_format"), (GEMINI, "response_json_schema")]
)
async def test_the_schema_is_passed_on_where_it_is_taken(provider: ModelServer, spec: str, words: str) -> None:
    (reply,) = await ask(open_hosted(spec), request(constraint=POINT))

    body = provider.received[0].body.decode()
    assert words in body
    assert "additionalProperties" in body
    assert "maxLength" not in body
    assert reply.notes == ()


DROPPED = [
    ("openai/gpt-4", Sampling(64), "takes no JSON schema"),
    (OPENAI + "?schema=off", Sampling(64), "not constrained"),
    (ANTHROPIC, Sampling(64, seed=7), "takes no seed"),
]


@pytest.mark.parametrize(("spec", "sampling", "words"), DROPPED)
async def test_what_is_dropped_is_dropped_visibly(
    provider: ModelServer, spec: str, sampling: Sampling, words: str
) -> None:
    (reply,) = await ask(open_hosted(spec), request(constraint=POINT, sampling=sampling))

    assert any(words in note for note in reply.notes)
    assert all(note.startswith(spec) for note in reply.notes)
    sent = provider.received[0].json
    assert "seed" not in sent
    assert ("response_format" in sent or "output_format" in sent) == (spec == ANTHROPIC)


FAILURES: list[tuple[Behaviour, str, bool]] = [
    (rate_limited(89), "rate_limit", False),
    (overloaded(503), "overloaded", False),
    (overloaded(529), "overloaded", False),
    (server_error(), "server", False),
    (Refusal(401, "who are you?"), "authentication", True),
    (Refusal(404, "no such model"), "not_found", True),
    (Refusal(429, "You exceeded your current quota", "insufficient_quota"), "quota", True),
    (too_many_pictures(), "bad_request", True),
    (schema_refused(), "bad_request", False),
    (Reset(), "connection", False),
    (Truncated(), "unreadable_response", False),
    (Truncated(closed=True), "connection", False),
    (html_page(), "unreadable_response", False),
    (Hang(), "timeout", False),
]


@pytest.mark.parametrize("spec", PROVIDERS)
@pytest.mark.parametrize(("behaviour", "kind", "permanent"), FAILURES)
async def test_a_failure_says_what_went_wrong_and_is_not_tried_again_here(
    provider: ModelServer, spec: str, behaviour: Behaviour, kind: str, permanent: bool
) -> None:
    provider.plan = [behaviour]

    with pytest.raises(OutsideFailure) as caught:
        await ask(open_hosted(spec, limit=0.5 if isinstance(behaviour, Hang) else 20.0), request())

    assert (caught.value.kind, caught.value.permanent) == (kind, permanent)
    assert caught.value.retry_after == (89 if kind == "rate_limit" else None)
    assert len(provider.received) == 1
    said = str(caught.value)
    assert said.startswith(spec)
    assert len(said.splitlines()) == 1
    assert "site-packages" not in said


@pytest.mark.parametrize("spec", PROVIDERS)
async def test_keys_show_up_in_no_failure(provider: ModelServer, spec: str) -> None:
    provider.plan = [Refusal(401, f"no such key {KEY}; Authorization: Bearer {KEY}; ?key={KEY}&alt=json")]

    with pytest.raises(OutsideFailure) as caught:
        await ask(open_hosted(spec), request())

    chain = f"{caught.value} {caught.value!r} {caught.value.__suppress_context__}"
    assert KEY not in chain
    assert caught.value.__suppress_context__


KEYS = [(OPENAI, "OPENAI_API_KEY"), (ANTHROPIC, "ANTHROPIC_API_KEY"), (GEMINI, "GEMINI_API_KEY")]


@pytest.mark.parametrize(("spec", "variable"), KEYS)
async def test_a_missing_key_is_named_by_its_variable(
    provider: ModelServer, monkeypatch: pytest.MonkeyPatch, spec: str, variable: str
) -> None:
    model = open_hosted(spec)
    assert model.missing_keys == ()
    monkeypatch.delenv(variable)

    with pytest.raises(OutsideFailure, match=f"set .*{variable}.* in the environment") as caught:
        await ask(model, request())

    assert (caught.value.kind, caught.value.permanent) == ("authentication", True)
    assert provider.received == []


async def test_a_content_filter_is_a_refusal_and_no_failure(provider: ModelServer) -> None:
    provider.plan = [Refusal(400, "filtered due to the content management policy", "content_filter")]

    (reply,) = await ask(open_hosted(OPENAI), request())

    assert (reply.text, reply.finish_reason) == ("", "refusal")


def test_one_model_serves_one_event_loop_after_another(provider: ModelServer) -> None:
    for spec in PROVIDERS:
        model = open_hosted(spec)
        for _ in range(2):
            assert asyncio.run(ask(model, request()))[0].text == "{}"


def test_an_unknown_provider_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown provider 'opnai': did you mean .*openai"):
        open_model("opnai/gpt-5.4")


def test_regular_expressions_are_for_servers_alone() -> None:
    with pytest.raises(ModelNameError, match="leave schema=regex out"):
        open_model("openai/gpt-5.4?schema=regex")


def test_litellm_is_imported_on_use_alone_and_fetches_nothing() -> None:
    script = """
import socket, sys

def refuse(*arguments, **_):
    raise AssertionError(f"connects to {arguments}")

socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
from agents.models import MODEL_ADAPTERS, open_model
import evals.models
open_model("http://127.0.0.1:8000/v1#model")
assert MODEL_ADAPTERS.names() == ["hosted", "openai_server"]
assert "litellm" not in sys.modules and "openai" not in sys.modules
open_model("openai/gpt-5.4")
assert "litellm" in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


async def test_what_a_model_does_not_take_beside_another_setting_is_left_out_visibly(provider: ModelServer) -> None:
    """LiteLLM itself refuses a temperature for gpt-5.4 while it reasons."""
    both = Sampling(max_tokens=50, temperature=0.0, seed=7, reasoning_effort="low")

    (reply,) = await ask(open_hosted(OPENAI), request(sampling=both))

    sent = provider.received[0].json
    assert "temperature" not in sent
    assert sent["reasoning_effort"] == "low"
    assert reply.notes[-1] == f"{OPENAI} takes no temperature here; it was left out"


async def test_white_space_around_a_key_is_not_sent(provider: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f"{KEY}\n")

    await ask(open_hosted(OPENAI), request())

    assert provider.received[0].headers["authorization"] == f"Bearer {KEY}"
