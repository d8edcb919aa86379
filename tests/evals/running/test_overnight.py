"""What would spoil a night: a server that hangs, resets, forbids one picture, or echoes keys; and a user in a hurry."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from loopback_server import Answer, Behaviour, Hang, ModelServer, Raw, Received, Refusal, Reset

import evals
from agents.models import open_model
from evals.running.limits import Limits, ModelUnusableError
from evals.running.preflight import PreflightError
from evals.running.store import DATABASE, StoreError

GOOD = '{"selected_image": 0, "x": 256, "y": 256}'
QUICK = Limits(backoff=0.02, longest_wait=0.3)


def run(server: ModelServer, folder: Path, *names: str, timeout: float = 5.0, **options: Any) -> evals.RunResult:
    models = [open_model(f"{server.url}/v1#{name}", time_limit=timeout) for name in names or ("test-model",)]
    plan = {"limit": 4, "conditions": ["inferred"], "concurrency": 4, "limits": QUICK, **options}
    return evals.run("basic", model=models, out=folder, progress=False, **plan)


def test_a_server_that_never_answers_stops_the_run_at_its_first_request(
    model_server: ModelServer, tmp_path: Path
) -> None:
    model_server.default = Hang()
    with pytest.raises(PreflightError, match=r"no reply within 0\.5 s; .*--timeout"):
        run(model_server, tmp_path / "run", timeout=0.5)
    assert len(model_server.received) == 2


def test_a_plain_error_of_one_model_does_not_wait_for_another_that_hangs(
    model_server: ModelServer, tmp_path: Path
) -> None:
    def by_model(received: Received) -> Behaviour:
        return Hang() if received.json["model"] == "stuck" else Refusal(404, "no such model")

    model_server.default = by_model
    began = time.monotonic()
    with pytest.raises(PreflightError, match=r"404 no such model; .*name one that the server serves"):
        run(model_server, tmp_path / "run", "stuck", "unknown", timeout=60)
    assert time.monotonic() - began < 20


def test_what_ends_a_run_in_the_middle_comes_with_its_cure(model_server: ModelServer, tmp_path: Path) -> None:
    model_server.default = lambda _: Answer(GOOD) if len(model_server.received) <= 2 else Refusal(401, "expired")
    with pytest.raises(ModelUnusableError, match=r"401 expired; .*set SITUATE_API_KEY to a key .*is stored"):
        run(model_server, tmp_path / "run", limit=20)


def test_one_picture_that_a_provider_forbids_fails_alone(model_server: ModelServer, tmp_path: Path) -> None:
    forbidden = Refusal(403, "not for you")
    model_server.default = lambda _: forbidden if len(model_server.received) == 3 else Answer(GOOD)
    statuses = [item.status for item in run(model_server, tmp_path / "run", limit=12).items()]
    assert sorted(statuses) == ["answered"] * 11 + ["failed"]


def test_a_flagged_input_is_a_refusal(model_server: ModelServer, tmp_path: Path) -> None:
    flagged = Refusal(403, "This model requires moderation. Your input was flagged for violence.")
    model_server.default = lambda _: flagged if len(model_server.received) == 3 else Answer(GOOD)
    statuses = [item.status for item in run(model_server, tmp_path / "run", limit=12).items()]
    assert sorted(statuses) == ["answered"] * 11 + ["refused"]


def test_a_connection_that_breaks_now_and_then_does_not_slow_the_others_down(
    model_server: ModelServer, tmp_path: Path
) -> None:
    """One in ten breaks: halved each time, four at a time would be one at a time before the tenth answer."""

    def mostly(_: Received) -> Behaviour:
        return Reset() if len(model_server.received) % 10 == 5 else Answer(GOOD, delay=0.2)

    model_server.default = mostly
    result = run(model_server, tmp_path / "run", limit=44)
    assert {item.status for item in result.items()} == {"answered"}
    last = [one.at for one in model_server.received[-12:]]
    assert last[-1] - last[0] < 11 * 0.2 * 0.75, "four at a time take a quarter of this, one at a time all of it"


@pytest.mark.parametrize("key", ["of-a-test-42\n", "  of-a-test-42", 'of"a\\test-42', "short7"])
def test_a_key_reaches_nothing_that_is_kept_however_it_is_written(
    key: str, model_server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITUATE_API_KEY", key)

    def echo(received: Received) -> Behaviour:
        sent = received.headers["authorization"]
        return Refusal(500, f"you sent {sent}") if len(model_server.received) == 2 else Answer(f"{sent} {GOOD}")

    model_server.default = echo
    result = run(model_server, tmp_path / "run", limits=Limits(max_retries=0))
    assert {item.status for item in result.items()} == {"answered", "failed"}
    for path in (path for path in (tmp_path / "run").rglob("*") if path.is_file()):
        assert not re.search(re.escape(key.strip().replace("\\", "\\\\")).encode(), path.read_bytes()), path
        assert key.strip().encode() not in path.read_bytes(), path


@pytest.mark.parametrize("value", ["100000", "reasoning", "finish_reason"])
def test_a_variable_that_looks_like_a_key_damages_no_reply(
    value: str, model_server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOST_TOKENS", value)
    model_server.default = Answer(GOOD, input_tokens=100_000)
    result = run(model_server, tmp_path / "run")
    assert {item.status for item in result.items()} == {"answered"}
    assert result.accounting()["run"]["input_tokens"] == 400_000


def test_counts_that_no_database_holds_are_unknown(model_server: ModelServer, tmp_path: Path) -> None:
    model_server.default = Answer(GOOD, input_tokens=2**63 - 1, output_tokens=10**40)
    sums = run(model_server, tmp_path / "run").accounting()["run"]
    assert (sums["calls"], sums["input_tokens"], sums["output_tokens"]) == (4, None, None)


def test_a_slash_that_says_nothing_names_no_other_model(model_server: ModelServer) -> None:
    assert open_model(f"{model_server.url}/v1/#m").name == open_model(f"{model_server.url}/v1#m").name


def test_a_damaged_database_is_named(model_server: ModelServer, tmp_path: Path) -> None:
    model_server.default = Answer(GOOD)
    run(model_server, tmp_path / "run", limit=44)
    database = tmp_path / "run" / DATABASE
    head = database.read_bytes()[:4096]
    database.write_bytes(head + os.urandom(database.stat().st_size - len(head)))
    with pytest.raises(StoreError, match=f"{DATABASE}: cannot be read .*restore the file from a copy"):
        evals.RunResult(tmp_path / "run").items()


def test_the_first_interrupt_sends_nothing_more(model_server: ModelServer, tmp_path: Path) -> None:
    model_server.default = Answer(GOOD)
    main = "from evals.cli import main; main()"
    model = f"{model_server.url}/v1#test-model"
    command = ["run", "--graph", "basic", "--model", model, "--rpm", "30", "--out", str(tmp_path / "run")]
    process = subprocess.Popen([sys.executable, "-c", main, *command], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while len(model_server.received) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    sent = len(model_server.received)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130, said
    assert len(model_server.received) == sent
    assert len(evals.RunResult(tmp_path / "run").items()) == sent


def test_the_reasons_of_failed_items_are_said(
    model_server: ModelServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from evals.commands.run import _say_why

    model_server.default = lambda _: Answer(GOOD) if len(model_server.received) <= 1 else Raw(b"{}")
    _say_why(run(model_server, tmp_path / "run", limits=Limits(max_retries=0)))
    assert "3 items failed: OutsideFailure: " in capsys.readouterr().err


def test_items_that_always_fail_do_not_end_a_run_whose_others_are_answered(
    model_server: ModelServer, tmp_path: Path
) -> None:
    """Those that fail are tried again for longer, so that they all end last."""

    def by_question(received: Received) -> Behaviour:
        asked = received.json["messages"][0]["content"][-1]["text"]
        return Refusal(503, "not this one") if "right" in asked.partition('"')[2].partition('"')[0] else Answer(GOOD)

    model_server.default = by_question
    limits = Limits(backoff=0.5, max_retries=2)
    result = run(model_server, tmp_path / "run", limit=None, repeats=5, concurrency=16, limits=limits)
    statuses = [item.status for item in result.items()]
    assert len(statuses) == 205
    assert statuses.count("failed") > 32


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        ("DELETE FROM run WHERE name = 'description'", "does not say what the run was made of"),
        ("UPDATE items SET row = '{}'", "does not say what it is about"),
    ],
)
def test_a_store_that_lacks_what_it_needs_is_named(
    statement: str, wrong: str, model_server: ModelServer, tmp_path: Path
) -> None:
    model_server.default = Answer(GOOD)
    run(model_server, tmp_path / "run")
    with closing(sqlite3.connect(tmp_path / "run" / DATABASE)) as database:
        database.execute(statement)
        database.commit()
    with pytest.raises(StoreError, match=f"{DATABASE}: .*{wrong}; restore the file"):
        evals.RunResult(tmp_path / "run").frame()
