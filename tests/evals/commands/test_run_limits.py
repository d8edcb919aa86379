"""What holds `evals run` back, as a user gives it: rates, money, time, retries, a dry run, the log; over real HTTP."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from loopback_server import Answer, Hang, ModelServer, rate_limited, server_error

from evals.reporting.result import RunResult
from evals.running.store import Store

GOOD = '{"selected_image": 0, "x": 256, "y": 256}'
Ask = Callable[..., Any]
"""Runs the command line; `conftest.py` says what it returns."""

LIMIT_ERRORS = [
    (("--rpm", "0"), "--rpm must be a positive number"),
    (("--tpm", "-5"), "--tpm must be a positive number"),
    (("--max-cost", "nan"), "--max-cost must be a positive number"),
    (("--max-time", "soon"), "--max-time 'soon' is no time; write 2h, 90m, 1h30m or 45s"),
    (("--max-time", "1h30"), "give every part its unit"),
    (("--max-retries", "-1"), "--max-retries must be at least 0"),
    (("--timeout", "0s"), "--timeout must be a positive number"),
    (("--timeout", "soon"), "--timeout 'soon' is no time"),
    (("--coordinates", "native"), "its native coordinates are not known; take --coordinates paper"),
]


@pytest.fixture
def ask(command: Ask, model_server: ModelServer) -> Ask:
    """Runs `evals run` with one graph against the server, in a run folder `run`."""
    model_server.default = Answer(GOOD)
    model = f"{model_server.url}/v1#test-model"
    usual = ("run", "--graph", "basic", "--model", model, "--conditions", "inferred", "--out", "run")
    return lambda *arguments: command(*usual, *arguments)


@pytest.mark.parametrize(("options", "said"), LIMIT_ERRORS, ids=[" ".join(options) for options, _ in LIMIT_ERRORS])
def test_a_limit_that_makes_no_sense_is_wrong_input(
    options: tuple[str, str], said: str, ask: Ask, model_server: ModelServer
) -> None:
    ended = ask("--limit", "1", *options)

    assert ended.code == 2
    assert said in ended.err
    assert "Traceback" not in ended.err
    assert not model_server.received


def arrivals(server: ModelServer) -> list[float]:
    return sorted(received.at for received in server.received)


def test_requests_a_minute_are_kept_to(ask: Ask, model_server: ModelServer) -> None:
    """A second's worth, two requests, may go at once after the first; each other waits half a second."""
    assert ask("--limit", "6", "--rpm", "120").code == 0

    times = arrivals(model_server)
    assert len(times) == 6
    assert times[-1] - times[0] >= 3 * 0.5 - 0.2


def test_tokens_a_minute_are_kept_to(ask: Ask, model_server: ModelServer) -> None:
    """A request takes 100 tokens in and 10 out; 13,200 a minute are two requests a second."""
    model_server.default = Answer(GOOD, input_tokens=100, output_tokens=10)
    assert ask("--limit", "8", "--tpm", "13200").code == 0

    times = arrivals(model_server)
    assert len(times) == 8
    assert times[-1] - times[0] >= 3 * 0.5 - 0.2


def test_money_that_cannot_be_counted_is_said(ask: Ask) -> None:
    ended = ask("--limit", "2", "--max-cost", "5")

    assert ended.code == 0
    assert ended.err.count("its price is unknown, so --max-cost does not count its calls") == 1


def test_money_that_is_spent_ends_the_run_and_a_larger_sum_goes_on(
    command: Ask, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LiteLLM's price map has a price for gpt-4o, whose calls are answered here by the loopback."""
    for name in ("OPENAI_API_BASE", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, f"{model_server.url}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-a-test-0123456789abcdef")
    model_server.default = Answer(GOOD, input_tokens=400_000, cached_tokens=0, output_tokens=0, reasoning_tokens=0)
    usual = ("run", "--graph", "basic", "--model", "openai/gpt-4o", "--conditions", "inferred", "--out", "run")
    usual = (*usual, "--limit", "4", "--concurrency", "1")

    # 2.50 US$ a million tokens: each call costs 1 US$.
    stopped = command(*usual, "--max-cost", "2.5")
    assert stopped.code == 1
    assert "stopped: --max-cost 2.5: another call could go beyond it, 2 US$ are spent and about 0 go to" in stopped.err
    assert "To go on: evals run" in stopped.err
    assert len(model_server.received) == 2

    went_on = command(*usual, "--max-cost", "9")
    assert went_on.code == 0
    assert len(model_server.received) == 4
    assert RunResult(Path("run")).accounting()["run"]["cost"] == pytest.approx(4.0)


def test_time_that_is_over_ends_the_run_and_the_same_command_goes_on(ask: Ask, model_server: ModelServer) -> None:
    model_server.default = Answer(GOOD, delay=0.2)
    began = time.monotonic()
    stopped = ask("--limit", "12", "--concurrency", "1", "--max-time", "1s")

    assert stopped.code == 1
    assert "stopped: --max-time of 1 s is over" in stopped.err
    assert time.monotonic() - began < 10
    asked = len(model_server.received)
    assert 0 < asked < 12

    model_server.default = Answer(GOOD)
    assert ask("--limit", "12").code == 0
    assert len(model_server.received) == 12


@pytest.mark.parametrize("retries", [0, 1])
def test_a_call_is_tried_again_so_often_and_its_item_is_left_to_the_next_start(
    retries: int, ask: Ask, model_server: ModelServer
) -> None:
    model_server.plan = [Answer(GOOD), *[server_error()] * (1 + retries)]
    ended = ask("--limit", "2", "--concurrency", "1", "--max-retries", retries)

    assert ended.code == 1
    assert "1 item failed for outside reasons; to try them again: evals run" in ended.err
    assert len(model_server.received) == 2 + retries

    assert ask("--limit", "2").code == 0
    assert len(model_server.received) == 3 + retries


def test_a_dry_run_asks_nothing_and_leaves_nothing(ask: Ask, model_server: ModelServer) -> None:
    ended = ask("--limit", "3", "--dry-run", "--format", "json")

    (estimate,) = ended.json
    assert ended.code == 0
    assert (estimate["items"], estimate["calls"], estimate["cost"]) == (3, 3, None)
    assert not model_server.received
    assert not Path("run").exists()


def test_a_dry_run_counts_what_is_missing(ask: Ask, model_server: ModelServer) -> None:
    assert ask("--limit", "2").code == 0
    (estimate,) = ask("--limit", "5", "--dry-run", "--format", "json").json

    assert estimate["calls"] == 3
    assert len(model_server.received) == 2


LEVELS = {"debug": (True, True), "info": (False, True), "warning": (False, False), "error": (False, False)}
"""Whether each call is in the log, and whether each retry is."""


@pytest.mark.parametrize(("level", "expected"), LEVELS.items())
def test_the_log_holds_what_its_level_says_and_no_words_of_a_prompt(
    level: str, expected: tuple[bool, bool], ask: Ask, model_server: ModelServer
) -> None:
    model_server.plan = [Answer(GOOD), rate_limited(0.01)]
    assert ask("--limit", "2", "--concurrency", "1", "--log-level", level).code == 0

    file = Path("run/log.txt")
    log = file.read_text() if file.exists() else ""
    assert ("answered in" in log, "try 1 failed" in log) == expected
    assert "selected_image" not in log
    with Store.read(Path("run")) as store:
        (text,) = store.query("SELECT text FROM texts WHERE text LIKE '%selected_image%' LIMIT 1")[0]
    assert "selected_image" in text


def test_a_level_that_is_none_is_wrong_input(ask: Ask) -> None:
    ended = ask("--log-level", "loud")

    assert ended.code == 2
    assert "debug" in ended.err


def test_a_call_takes_no_longer_than_the_user_says(ask: Ask, model_server: ModelServer) -> None:
    model_server.plan = [Answer(GOOD), Hang()]

    began = time.monotonic()
    ended = ask("--limit", "2", "--timeout", "1s", "--max-retries", "0")

    assert ended.code == 1
    assert "1 item failed for outside reasons" in ended.err
    assert time.monotonic() - began < 30
    failed = [item for item in RunResult(Path("run")).items() if item.status == "failed"]
    assert ["no reply within 1 s" in item.row["reason"] for item in failed] == [True]
