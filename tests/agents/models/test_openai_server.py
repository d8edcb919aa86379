"""Servers by URL, asked over real connections on the loopback."""

import asyncio
import base64
import gzip
import json
import time
from itertools import pairwise, takewhile
from pathlib import Path

import pytest
from loopback_server import (
    Answer,
    Behaviour,
    Hang,
    ModelServer,
    Raw,
    Refusal,
    Reset,
    Trickle,
    Truncated,
    html_page,
    overloaded,
    rate_limited,
    schema_refused,
    server_error,
    too_many_pictures,
    wrong_type,
)
from model_requests import POINT, draw_pictures, request

from agents.model import OutsideFailure, Reply, Sampling, Usage
from agents.model_adapter import ModelNameError
from agents.models import open_model
from agents.models.openai_server import OpenAIServer
from agents.workbench import Workbench
from tools.markers import Disc


def open_at(server: ModelServer, model: str = "test-model", option: str = "", limit: float = 20.0) -> OpenAIServer:
    opened = open_model(f"{server.url}/v1{option}#{model}", time_limit=limit)
    assert isinstance(opened, OpenAIServer)
    return opened


async def ask(model: OpenAIServer, *requests: object) -> list[Reply]:
    try:
        return [await model.reply(one) for one in requests]  # type: ignore[arg-type]
    finally:
        await model.close()


async def test_a_request_goes_out_as_it_was_said(model_server: ModelServer, tmp_path: Path) -> None:
    pictures = draw_pictures(tmp_path, 2)
    sampling = Sampling(max_tokens=77, temperature=0.0, seed=7, reasoning_effort="low")

    await ask(open_at(model_server, "org/name"), request('Say "ä"\n', pictures, sampling))

    sent = model_server.received[0].json
    assert model_server.received[0].path == "/v1/chat/completions"
    assert sent["model"] == "org/name"
    assert (sent["max_tokens"], sent["temperature"], sent["seed"], sent["reasoning_effort"]) == (77, 0.0, 7, "low")
    assert "response_format" not in sent
    parts = sent["messages"][0]["content"]
    assert [part["type"] for part in parts] == ["text", "image_url", "text", "image_url", "text"]
    assert parts[0]["text"] == "Image 0:"
    assert parts[-1]["text"] == 'Say "ä"\n'
    for part, picture in zip([parts[1], parts[3]], pictures, strict=True):
        head, _, data = part["image_url"]["url"].partition(",")
        assert head == "data:image/png;base64"
        assert base64.b64decode(data) == picture.path.read_bytes()


async def test_what_is_not_asked_for_is_left_to_the_server(model_server: ModelServer) -> None:
    await ask(open_at(model_server), request())

    assert set(model_server.received[0].json) == {"model", "messages", "max_tokens"}


async def test_a_marked_picture_is_sent_with_its_marker(model_server: ModelServer, tmp_path: Path) -> None:
    picture = draw_pictures(tmp_path, 1)[0].with_markers(Disc(16, 16, 8))

    await ask(open_at(model_server), request(pictures=[picture]))

    url = model_server.received[0].json["messages"][0]["content"][1]["image_url"]["url"]
    assert base64.b64decode(url.partition(",")[2]) != picture.path.read_bytes()


async def test_all_frames_of_a_scene_are_a_common_prefix_of_its_requests(
    model_server: ModelServer, tmp_path: Path
) -> None:
    pictures = draw_pictures(tmp_path, 30)
    workbench = Workbench()
    asked = [request(text, pictures, constraint=POINT, workbench=workbench) for text in ("One?", "Two, longer?", "?")]

    await ask(open_at(model_server), *asked)

    for one, other in pairwise(received.body for received in model_server.received):
        shared = bytes(left for left, _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
        assert shared.count(b"data:image/png;base64,") == 30
        assert shared.endswith(b'{"type":"text","text":"')


async def test_a_picture_is_encoded_once_for_all_requests(
    model_server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[int] = []
    genuine = base64.b64encode
    monkeypatch.setattr("agents.chat_completions.b64encode", lambda data: encoded.append(len(data)) or genuine(data))
    pictures, workbench = draw_pictures(tmp_path, 3), Workbench()
    asked = [request(f"{number}?", pictures, workbench=workbench) for number in range(5)]

    model = open_at(model_server)
    await asyncio.gather(*(model.reply(one) for one in asked))
    await model.close()

    assert len(encoded) == 3


async def test_connections_are_kept(model_server: ModelServer) -> None:
    await ask(open_at(model_server), *(request(f"{number}?") for number in range(8)))

    assert len(model_server.received) == 8
    assert model_server.connections == 1


async def test_a_reply_is_read_whole(model_server: ModelServer) -> None:
    model_server.plan = [
        Answer("hello", "because", input_tokens=100, cached_tokens=64, output_tokens=10, reasoning_tokens=4, delay=0.05)
    ]

    (reply,) = await ask(open_at(model_server), request())

    assert (reply.text, reply.reasoning, reply.finish_reason) == ("hello", "because", "stop")
    assert reply.usage == Usage(input_tokens=100, cached_tokens=64, output_tokens=10, reasoning_tokens=4)
    assert reply.served_by == "test-model"
    assert reply.cost is None
    assert 0.05 <= reply.seconds < 5
    assert reply.notes == ()


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
async def test_an_answer_in_the_reasoning_alone_is_told_apart(model_server: ModelServer, name: str) -> None:
    model_server.plan = [
        Answer(None, '{"x": 1}', name),
        Answer("{}", "thought", name),
        Answer("", "cut", finish="length"),
    ]

    alone, beside, cut = await ask(open_at(model_server), request(), request(), request())

    assert (alone.only_reasoning, beside.only_reasoning, cut.only_reasoning) == (True, False, False)
    assert (alone.text, alone.reasoning) == ("", '{"x": 1}')


FINISHES = [("stop", "stop"), ("length", "length"), ("content_filter", "refusal"), ("eos", "stop"), ("odd", "odd")]


@pytest.mark.parametrize(("raw", "normal"), FINISHES)
async def test_why_a_reply_ended_is_said_in_common_words(model_server: ModelServer, raw: str, normal: str) -> None:
    model_server.plan = [Answer("text", finish=raw)]

    (reply,) = await ask(open_at(model_server), request())

    assert (reply.finish_reason, reply.raw_finish_reason) == (normal, raw)


MAKERS = [
    ("vllm", "", {"structured_outputs"}),
    ("sglang", "", {"regex"}),
    ("library", "", {"response_format"}),
    ("vllm", "?schema=json", {"response_format"}),
    ("vllm", "?schema=off", set()),
    ("library", "?schema=regex", {"structured_outputs"}),
    ("sglang", "?schema=regex", {"regex"}),
]


@pytest.mark.parametrize(("maker", "option", "fields"), MAKERS)
async def test_a_constraint_takes_the_form_that_the_server_knows(
    model_server: ModelServer, maker: str, option: str, fields: set[str]
) -> None:
    model_server.made_by = maker

    (reply,) = await ask(open_at(model_server, option=option), request(constraint=POINT))

    sent = model_server.received[0].json
    assert set(sent) - {"model", "messages", "max_tokens"} == fields
    expected = {
        "structured_outputs": {"regex": POINT.regex},
        "regex": POINT.regex,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": POINT.schema},
        },
    }
    assert all(sent[name] == expected[name] for name in fields)
    assert bool(reply.notes) == (option == "?schema=off")


FAILURES: list[tuple[Behaviour, str, bool, str]] = [
    (rate_limited(), "rate_limit", False, "429 Rate limit reached"),
    (overloaded(503), "overloaded", False, "503"),
    (overloaded(529), "overloaded", False, "529"),
    (server_error(), "server", False, "500 Internal error"),
    (Refusal(504), "timeout", False, "504"),
    (Refusal(401, "who are you?"), "authentication", True, "who are you?"),
    (Refusal(403), "forbidden", True, "403"),
    (Refusal(404, "The model `x` does not exist."), "not_found", True, "does not exist"),
    (Refusal(429, "You exceeded your current quota", "insufficient_quota"), "quota", True, "quota"),
    (Refusal(402), "quota", True, "402"),
    (Refusal(400, "context length is 4096 tokens"), "bad_request", True, "context length"),
    (too_many_pictures(), "bad_request", True, "At most 1 image"),
    (schema_refused(), "bad_request", False, "json_schema"),
    (Reset(), "connection", False, "connection broke"),
    (Truncated(), "unreadable_response", False, "breaks off"),
    (Truncated(closed=True), "connection", False, "connection broke"),
    (html_page(), "unreadable_response", False, "HTML page"),
    (html_page(502), "server", False, "502"),
    (Raw(b"[" * 100_000), "unreadable_response", False, "cannot be read"),
    (Raw(b"\xff\xfe{"), "unreadable_response", False, "cannot be read"),
    (
        Raw(b"", status=307, headers={"Location": "http://else.where/v1"}),
        "not_found",
        True,
        "redirected to http://else",
    ),
    (wrong_type(), "unreadable_response", False, "text/plain"),
    (Answer("{}", model="somebody-else"), "unreadable_response", False, "somebody-else"),
    (Answer("{}", extra={"choices": []}), "unreadable_response", False, "no choices"),
    (Answer("{}", extra={"choices": None, "error": "odd"}), "unreadable_response", False, "no choices"),
    (Hang(), "timeout", False, "no reply within 0.4 s"),
    (Trickle(seconds_a_piece=0.05), "timeout", False, "no reply within 0.4 s"),
]


@pytest.mark.parametrize(("behaviour", "kind", "permanent", "words"), FAILURES)
async def test_a_failure_says_what_went_wrong_and_whether_to_try_again(
    model_server: ModelServer, behaviour: Behaviour, kind: str, permanent: bool, words: str
) -> None:
    model_server.plan = [behaviour]
    slow = isinstance(behaviour, Hang | Trickle)

    with pytest.raises(OutsideFailure, match=words) as caught:
        await ask(open_at(model_server, limit=0.4 if slow else 20.0), request())

    assert (caught.value.kind, caught.value.permanent) == (kind, permanent)
    assert len(str(caught.value).splitlines()) == 1


async def test_a_content_filter_is_a_refusal_and_no_failure(model_server: ModelServer) -> None:
    model_server.plan = [Refusal(400, "The response was filtered by the content management policy", "content_filter")]

    (reply,) = await ask(open_at(model_server), request())

    assert (reply.text, reply.finish_reason, reply.raw_finish_reason) == ("", "refusal", "content_filter")


HINTS = [
    ("Retry-After", "89", 89.0),
    ("Retry-After", "0.5", 0.5),
    ("retry-after-ms", "250", 0.25),
    ("Retry-After", "x", None),
]


@pytest.mark.parametrize(("header", "value", "seconds"), HINTS)
async def test_a_hint_how_long_to_wait_is_passed_on_and_not_obeyed_here(
    model_server: ModelServer, header: str, value: str, seconds: float | None
) -> None:
    model_server.plan = [Refusal(429, headers={header: value})]
    began = time.monotonic()

    with pytest.raises(OutsideFailure) as caught:
        await ask(open_at(model_server), request())

    assert caught.value.retry_after == seconds
    assert time.monotonic() - began < 5


async def test_a_server_that_is_not_there_is_named_with_the_cure() -> None:
    model = open_model("http://127.0.0.1:9/v1#some-model")

    with pytest.raises(OutsideFailure, match=r"no server at http://127\.0\.0\.1:9/v1 .*start it") as caught:
        await model.reply(request())

    assert caught.value.kind == "connection"


async def test_the_server_can_be_asked_again_after_any_failure(model_server: ModelServer) -> None:
    model_server.plan = [Reset(), html_page(), Truncated(closed=True), server_error(), Answer("at last")]
    model = open_at(model_server)
    for _ in range(4):
        with pytest.raises(OutsideFailure):
            await model.reply(request())

    assert [reply.text for reply in await ask(model, request())] == ["at last"]


NAMES = [
    ("test-model", True),
    ("test-model-2026-03-05", True),
    ("org/test-model", True),
    ("TEST-MODEL", True),
    ("test-model2", False),
    ("other", False),
]


@pytest.mark.parametrize(("served", "accepted"), NAMES)
async def test_only_the_model_that_was_asked_may_answer(model_server: ModelServer, served: str, accepted: bool) -> None:
    model_server.plan = [Answer("text", model=served)]

    if accepted:
        assert (await ask(open_at(model_server), request()))[0].served_by == served
    else:
        with pytest.raises(OutsideFailure, match="name the model as the server does"):
            await ask(open_at(model_server), request())


async def test_keys_come_from_the_environment_and_show_up_nowhere(
    model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITUATE_API_KEY", "a-very-secret-word")
    monkeypatch.setenv("OPENAI_API_KEY", "for-openai-alone")
    model_server.plan = [Refusal(401, "no such key: a-very-secret-word, Bearer a-very-secret-word")]
    model = open_at(model_server)

    with pytest.raises(OutsideFailure) as caught:
        await ask(model, request())

    assert model_server.received[0].headers["authorization"] == "Bearer a-very-secret-word"
    assert "secret" not in f"{caught.value} {caught.value!r} {model!r} {model.identity}"


async def test_a_key_that_no_header_can_carry_is_said(
    model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITUATE_API_KEY", "schlüssel")

    with pytest.raises(OutsideFailure, match="SITUATE_API_KEY holds characters") as caught:
        await ask(open_at(model_server), request())

    assert "schl" not in str(caught.value)


async def test_a_server_of_this_machine_is_reached_past_the_proxy(
    model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    assert len(await ask(open_at(model_server), request())) == 1


def test_one_model_serves_one_event_loop_after_another(model_server: ModelServer) -> None:
    model = open_at(model_server)

    for _ in range(2):
        assert asyncio.run(ask(model, request()))[0].text == "{}"


WRONG = [
    ("http://127.0.0.1:8000/v1", "name the model behind a #"),
    ("http://user:word@127.0.0.1:8000/v1#m", "a key must not stand in the URL"),
    ("http:///v1#m", "names no host"),
    ("http://host:port/v1#m", "not a URL"),
    ("http://127.0.0.1/v1?schema=xml#m", "schema=auto|regex|json|off"),
    ("http://127.0.0.1/v1?temperature=1#m", "options of evals run"),
]


@pytest.mark.parametrize(("spec", "words"), WRONG)
def test_a_wrong_name_is_refused_with_the_cure(spec: str, words: str) -> None:
    with pytest.raises(ModelNameError) as caught:
        open_model(spec)

    assert words in str(caught.value)
    assert "word" not in str(caught.value)


def test_names_are_ascii_safe_in_json(model_server: ModelServer) -> None:
    model = open_at(model_server, 'odd "name" ü')

    asyncio.run(ask(model, request()))

    assert json.loads(model_server.received[0].body)["model"] == 'odd "name" ü'


@pytest.mark.parametrize("packed", [False, True], ids=["as it is", "gzip"])
async def test_a_response_longer_than_any_reply_is_given_up(model_server: ModelServer, packed: bool) -> None:
    endless = b'{"choices":"' + b"x" * (40 << 20)
    body = gzip.compress(endless) if packed else endless
    model_server.default = Raw(body, headers={"Content-Encoding": "gzip"} if packed else {})

    with pytest.raises(OutsideFailure, match="more than 32 MB") as told:
        await ask(open_at(model_server), request())
    assert told.value.kind == "unreadable_response"
