"""Every item ends right, whatever the server does; checked over real HTTP."""

import time
from pathlib import Path
from typing import Any

import pytest
from loopback_server import (
    Answer,
    Behaviour,
    Hang,
    ModelServer,
    Refusal,
    Reset,
    Trickle,
    Truncated,
    html_page,
    overloaded,
    rate_limited,
    schema_refused,
    server_error,
    wrong_type,
)

import evals
from agents.models import open_model
from evals.running.limits import Limits, ModelUnusableError
from evals.running.preflight import PreflightError
from evals.running.runner import Interrupted

GOOD = '{"selected_image": 0, "x": 256, "y": 256}'
QUICK = Limits(backoff=0.02, longest_wait=0.3)


def run(server: ModelServer, folder: Path, graph: str = "basic", **options: Any) -> evals.RunResult:
    model = open_model(f"{server.url}/v1#test-model", time_limit=options.pop("time_limit", 5.0))
    plan = {"limit": 1, "conditions": ["inferred"], "concurrency": 4, "limits": QUICK, **options}
    return evals.run(graph, model=model, out=folder, progress=False, **plan)


BEHAVIOURS: dict[str, tuple[Behaviour, str, int]] = {
    "429 with a short hint": (rate_limited(0.1), "answered", 1),
    "429 with a hint in milliseconds": (rate_limited(50, "retry-after-ms"), "answered", 1),
    "429 without a hint": (rate_limited(), "answered", 1),
    "429 with a hint of 89 s": (rate_limited(89), "answered", 1),
    "500": (server_error(), "answered", 1),
    "503": (overloaded(), "answered", 1),
    "529": (overloaded(529), "answered", 1),
    "reset": (Reset(), "answered", 1),
    "hang": (Hang(), "answered", 1),
    "slow trickle": (Trickle(Answer(GOOD), 0.001, 20), "answered", 0),
    "truncated JSON": (Truncated(), "answered", 1),
    "truncated body": (Truncated(closed=True), "answered", 1),
    "HTML": (html_page(), "answered", 1),
    "wrong content type": (wrong_type(), "answered", 1),
    "another model's reply": (Answer(GOOD, model="another/model"), "answered", 1),
    "answer in the reasoning alone": (Answer("", reasoning=GOOD), "answered", 0),
    "cut off": (Answer('{"selected_image": 0, "x"', finish="length"), "truncated", 0),
    "empty and cut off": (Answer(None, finish="length"), "truncated", 0),
    "refused": (Answer("I cannot help with that.", finish="content_filter"), "refused", 0),
    "content filter": (Refusal(400, "blocked by the content filter", "content_filter"), "refused", 0),
    "empty": (Answer(""), "empty", 0),
    "unreadable": (Answer("the middle"), "unreadable", 0),
}


@pytest.mark.parametrize(("behaviour", "status", "retries"), BEHAVIOURS.values(), ids=BEHAVIOURS)
def test_item_ends_right(
    behaviour: Behaviour, status: str, retries: int, model_server: ModelServer, tmp_path: Path
) -> None:
    model_server.default = Answer(GOOD)
    model_server.plan = [behaviour]
    began = time.monotonic()
    result = run(model_server, tmp_path / "run", time_limit=0.5)
    (row,) = [row for row in result.rows() if row["breakdown"] == "all"]
    assert [item.status for item in result.items()] == [status]
    assert row["response_rate" if status == "answered" else status] == 1.0
    assert result.accounting()["run"]["retries"] == retries
    assert time.monotonic() - began < 20
    # What the model answered badly is final, what failed outside has been mended: nothing is asked again.
    asked = len(model_server.received)
    run(model_server, tmp_path / "run")
    assert len(model_server.received) == asked


def test_answer_in_the_reasoning_alone_is_marked(model_server: ModelServer, tmp_path: Path) -> None:
    model_server.default = Answer("", reasoning=GOOD)
    result = run(model_server, tmp_path / "run")
    assert [row["in_reasoning"] for row in result.rows()] == [1.0, 1.0]
    assert "in reasoning" in str(result)


def test_schema_refused_once_is_no_failure_of_the_item(model_server: ModelServer, tmp_path: Path) -> None:
    model_server.default = Answer(GOOD)
    model_server.plan = [schema_refused()]
    result = run(model_server, tmp_path / "run", "s_cot_staged")
    assert [item.status for item in result.items()] != ["failed"]
    assert result.accounting()["run"]["failed_calls"] == 0


def test_item_that_keeps_failing_fails_and_the_next_start_tries_it_again(
    model_server: ModelServer, tmp_path: Path
) -> None:
    model_server.default = server_error()
    limits = Limits(backoff=0.01, max_retries=2)
    result = run(model_server, tmp_path / "run", limits=limits)
    assert [item.status for item in result.items()] == ["failed"]
    assert len(model_server.received) == 6  # Three before the run, three by the item.
    sums = result.accounting()["run"]
    assert (sums["calls"], sums["failed_calls"], sums["retries"]) == (0, 2, 4)
    model_server.default = Answer(GOOD)
    result = run(model_server, tmp_path / "run", limits=limits)
    assert [item.status for item in result.items()] == ["answered"]
    sums = result.accounting()["run"]
    assert (sums["calls"], sums["failed_calls"], sums["retries"]) == (1, 2, 4)


@pytest.mark.parametrize(
    ("refusal", "cure"),
    [
        (Refusal(401, "Incorrect API key provided: sk-abcdefghijklmnop1234567890"), "401"),
        (Refusal(404, "The model does not exist"), "404"),
        (Refusal(429, "You exceeded your current quota", "insufficient_quota"), "quota"),
    ],
)
def test_what_no_retry_can_mend_stops_the_run_and_keeps_what_was_answered(
    refusal: Refusal, cure: str, model_server: ModelServer, tmp_path: Path
) -> None:
    model_server.default = lambda _: Answer(GOOD) if len(model_server.received) <= 10 else refusal
    with pytest.raises(ModelUnusableError, match=cure) as told:
        run(model_server, tmp_path / "run", limit=40)
    assert "sk-abc" not in str(told.value)
    assert len(model_server.received) <= 10 + 4  # At most what was in flight; not one an item.
    items = evals.RunResult(tmp_path / "run").items()
    assert [item.status for item in items] == ["answered"] * 10
    model_server.default = Answer(GOOD)
    assert len(run(model_server, tmp_path / "run", limit=40).items()) == 40


@pytest.mark.parametrize("behaviour", [html_page(), Refusal(401, "no"), Refusal(404, "no such model"), Reset()])
def test_what_the_first_request_shows_stops_the_run_before_it_begins(
    behaviour: Behaviour, model_server: ModelServer, tmp_path: Path
) -> None:
    model_server.default = behaviour
    with pytest.raises(PreflightError):
        run(model_server, tmp_path / "run", limit=40)
    assert len(model_server.received) <= 3
    assert evals.RunResult(tmp_path / "run").items() == []


def test_run_stops_when_a_server_does_not_come_back(model_server: ModelServer, tmp_path: Path) -> None:
    model_server.default = lambda _: Answer(GOOD) if len(model_server.received) <= 1 else overloaded()
    with pytest.raises(Interrupted, match="items in a row failed"):
        run(model_server, tmp_path / "run", limit=41, limits=Limits(backoff=0.001, max_retries=1))
    assert len(model_server.received) < 2 * 30


def test_requests_at_a_time_fall_when_the_server_says_so(model_server: ModelServer, tmp_path: Path) -> None:
    """A server that takes three at a time and refuses the others."""

    def at_most_three(_: object) -> Behaviour:
        return Answer(GOOD, delay=0.02) if model_server.in_flight <= 3 else rate_limited()

    model_server.default = at_most_three
    limits = Limits(backoff=0.02, max_retries=12)
    result = run(model_server, tmp_path / "run", limit=41, concurrency=16, limits=limits)
    assert {item.status for item in result.items()} == {"answered"}
    assert model_server.most_in_flight <= 16
    refused = len(model_server.received) - 41
    assert refused < 41


def seconds_between_first_and_last(server: ModelServer) -> float:
    times = [received.at for received in server.received]
    return times[-1] - times[0]


def test_requests_a_minute_are_kept(model_server: ModelServer, tmp_path: Path) -> None:
    model_server.default = Answer(GOOD)
    run(model_server, tmp_path / "run", limit=20, limits=Limits(rpm=300))
    # Five a second, and the first second's worth at once: the last of 20 goes after (19 - 5) / 5 s.
    assert seconds_between_first_and_last(model_server) == pytest.approx(2.8, abs=0.7)


def test_tokens_a_minute_are_kept(model_server: ModelServer, tmp_path: Path) -> None:
    model_server.default = Answer(GOOD, input_tokens=900, output_tokens=100)
    run(model_server, tmp_path / "run", limit=15, concurrency=1, limits=Limits(tpm=300_000))
    # 5,000 a second at 1,000 a request: the last of 15 goes after (14 - 5) / 5 s.
    assert seconds_between_first_and_last(model_server) == pytest.approx(1.8, abs=0.6)
