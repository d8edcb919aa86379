"""A run that is killed goes on where it stopped."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from evals.reporting.result import RunResult
from evals.running.store import Store, StoreError

COUNTED_RUN = """
import asyncio, sys
from pathlib import Path
from agents import Reply
import evals

class Slow:
    name = "slow"; identity = "slow-1"; is_vlm = True
    async def reply(self, request):
        with open(sys.argv[2], "a") as log:
            log.write("asked\\n")
        await asyncio.sleep(0.02)
        return Reply('{"selected_image": 0, "x": 256, "y": 256}')

evals.run("basic", model=Slow(), out=sys.argv[1], concurrency=4, progress=False)
"""

CONCURRENCY = 4
ITEMS = 123


def start(folder: Path, log: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", COUNTED_RUN, str(folder), str(log)])


def asked(log: Path) -> int:
    return len(log.read_text().splitlines()) if log.exists() else 0


def test_run_killed_twice_finishes_and_asks_only_what_was_in_flight_twice(tmp_path: Path) -> None:
    folder, log = tmp_path / "run", tmp_path / "log"
    kills = 0
    for wanted in (20, 60):
        process = start(folder, log)
        deadline = time.monotonic() + 60
        while asked(log) < wanted and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        assert process.poll() is None, "the run ended before it was killed"
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        kills += 1
    assert start(folder, log).wait(timeout=120) == 0
    frame = RunResult(folder).frame()
    assert len(frame) == ITEMS
    assert set(frame["status"]) == {"answered"}
    distinct = len({key for item in RunResult(folder).items() for key in item.row["calls"]})
    assert asked(log) - distinct <= kills * CONCURRENCY


def ended(folder: Path) -> int:
    """Number of items of a run that have ended by now."""
    try:
        with Store.read(folder) as store:
            return len(store.item_keys())
    except StoreError:
        return 0


def test_interrupted_run_finishes_what_is_in_flight_and_says_how_to_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = ["run", "--graph", "s_cot_staged", "--repeats", "20", "--out", str(folder), "--format", "json"]
    main = "from evals.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", main, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    while not ended(folder) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert f"--out {folder}" in errors
    stored = len(RunResult(folder).items())
    assert 0 < stored < 20 * ITEMS
    shown = subprocess.run([sys.executable, "-c", main, "show", str(folder), "--format", "json"], capture_output=True)
    assert sum(row["n"] for row in json.loads(shown.stdout)["rows"] if row["breakdown"] == "all") == stored
