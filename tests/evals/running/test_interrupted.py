"""Ctrl-C: once finishes what is under way, twice stops at once, and both say how to go on."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evals.running.runner import Interrupted

GRAPH = """
import asyncio
from graphs import ReasoningGraph, intervention

@intervention()
async def slow(situation, hints, workbench):
    open("begun", "w").close()
    await asyncio.sleep({seconds})
    return situation

graph = ReasoningGraph("slow_graph", interventions=[slow])
"""


def start(folder: Path, seconds: float) -> "subprocess.Popen[str]":
    (folder / "slow.py").write_text(GRAPH.format(seconds=seconds))
    main = "from evals.cli import main; main()"
    command = [sys.executable, "-c", main, "run", "--graph", "slow.py:graph", "--concurrency", "2", "--out", "r"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)
    deadline = time.monotonic() + 60
    while not (folder / "begun").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    return process


@pytest.mark.parametrize(("times", "seconds"), [(1, 0.5), (2, 30)])
def test_interrupted_run_says_how_to_go_on(tmp_path: Path, times: int, seconds: float) -> None:
    process = start(tmp_path, seconds)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    first = process.stderr.readline()
    assert "finishing requests under way" in first
    for _ in range(times - 1):
        process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=25)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert "To go on: evals run --graph slow.py:graph" in said


def test_the_exception_says_it_too() -> None:
    assert "interrupted; what was answered is stored" in str(Interrupted())
    assert str(Interrupted("--max-time of 1 s is over")).startswith("stopped: --max-time of 1 s is over; ")
