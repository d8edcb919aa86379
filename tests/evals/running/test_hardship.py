"""A disk that fills, a folder that two want, a clock that jumps, a user who is in a hurry."""

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest
from loopback_server import Answer, Hang, ModelServer
from run_process import start

import evals
from agents.model import Reply, Request
from evals.running.limits import Limits
from evals.running.runner import Interrupted
from evals.running.store import Store, StoreError

GOOD = '{"selected_image": 0, "x": 256, "y": 256}'


class Slow:
    name = "slow"
    identity = "slow"
    is_vlm = True

    def __init__(self, seconds: float = 0.01) -> None:
        self.seconds = seconds
        self.asked = 0

    async def reply(self, request: Request) -> Reply:
        self.asked += 1
        await asyncio.sleep(self.seconds)
        return Reply(GOOD)


FILES_OF_AT_MOST = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes}, {bytes}))
"""


def test_a_full_disk_is_told_and_nothing_that_was_stored_is_lost(model_server: ModelServer, tmp_path: Path) -> None:
    model_server.default = Answer(GOOD + " " * 20_000)
    model, folder = f"{model_server.url}/v1#test-model", tmp_path / "run"
    process = start(folder, model, ["basic"], before=FILES_OF_AT_MOST.format(bytes=1_000_000))
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 2, errors
    assert "StoreError" in errors
    assert "free space and start the run again" in errors
    assert "Traceback" not in errors
    with Store.read(folder) as store:
        assert store.query("PRAGMA integrity_check") == [("ok",)]
        stored = store.count_calls()
    assert 0 < stored < 123
    asked = len(model_server.received)
    assert asked - stored <= 4 + 4
    process = start(folder, model, ["basic"])
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert len(model_server.received) - asked == 123 - stored
    assert {item.status for item in evals.RunResult(folder).items()} == {"answered"}


def test_a_folder_that_another_process_writes_to_is_refused_and_left_alone(
    model_server: ModelServer, tmp_path: Path
) -> None:
    model_server.default = Answer(GOOD, delay=0.05)
    model, folder = f"{model_server.url}/v1#test-model", tmp_path / "run"
    first = start(folder, model, ["basic"])
    deadline = time.monotonic() + 60
    while not model_server.received and time.monotonic() < deadline:
        time.sleep(0.01)
    with pytest.raises(StoreError, match="another run is writing to it"):
        Store.create(folder)
    assert len(evals.RunResult(folder).items()) >= 0, "it can be read meanwhile"
    _, errors = first.communicate(timeout=120)
    assert first.returncode == 0, errors
    assert len(model_server.received) == len(evals.RunResult(folder).items()) == 123


def test_a_clock_that_jumps_changes_neither_waits_nor_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jumps = iter([1e9, -1e9, 4e9, 0.0, 5.0] * 1000)
    monkeypatch.setattr(time, "time", lambda: next(jumps))
    limits = Limits(rpm=6000, max_time=60)
    result = evals.run("basic", model=Slow(), out=tmp_path / "run", limit=5, limits=limits, progress=False)
    assert {item.status for item in result.items()} == {"answered"}
    assert len(result.items()) == 15
    assert all(0 <= item.row["seconds"] < 60 for item in result.items())
    assert 0 <= result.accounting()["run"]["seconds_worked"] < 60
    assert 0 <= result.accounting()["run"]["seconds_waited"] < 60


def test_a_time_limit_stops_the_run_and_the_next_start_goes_on(tmp_path: Path) -> None:
    model = Slow(0.1)
    with pytest.raises(Interrupted, match="--max-time"):
        evals.run(
            "basic", model=model, out=tmp_path / "run", concurrency=2, limits=Limits(max_time=0.5), progress=False
        )
    stored = len(evals.RunResult(tmp_path / "run").items())
    assert stored == model.asked < 123, "what was in flight was waited for and stored"
    model.seconds = 0.0
    assert len(evals.run("basic", model=model, out=tmp_path / "run", progress=False).items()) == 123
    assert model.asked == 123


def test_a_folder_whose_run_was_killed_as_it_began_can_be_used(tmp_path: Path) -> None:
    (tmp_path / "run" / "pictures").mkdir(parents=True)
    (tmp_path / "run" / "lock.sqlite").touch()
    Store.create(tmp_path / "run").close()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").touch()
    with pytest.raises(StoreError, match="holds other files"):
        Store.create(tmp_path / "other")


@pytest.mark.parametrize("behaviour", [Hang()])
def test_a_second_interrupt_stops_at_once(behaviour: Hang, model_server: ModelServer, tmp_path: Path) -> None:
    model_server.default = behaviour
    process = start(tmp_path / "run", f"{model_server.url}/v1#test-model", ["basic"])
    deadline = time.monotonic() + 60
    while len(model_server.received) < 4 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGINT)
    time.sleep(1)
    assert process.poll() is None, "the first waits for what is in flight"
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 2, errors
    assert "Interrupted" in errors
    assert "Traceback" not in errors
