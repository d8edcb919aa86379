"""Runs that are killed with kill -9 at random moments lose nothing, and ask again only what was in flight."""

import random
import threading
import time
from pathlib import Path

import pytest
from loopback_server import Answer, Behaviour, ModelServer, rate_limited, server_error
from run_process import start

import evals
from evals.running.store import Store

GOOD = '{"selected_image": 0, "x": 256, "y": 256}'
CONCURRENCY = 8


def killed_and_finished(
    server: ModelServer, folder: Path, kills: int, graphs: list[str], wanted: int, seed: int
) -> None:
    chance = random.Random(seed)
    lock = threading.Lock()
    refused = 0

    def play(_: object) -> Behaviour:
        nonlocal refused
        with lock:
            luck, delay = chance.random(), 0.02 + 0.05 * chance.random()
            refused += luck < 0.04
        if luck < 0.02:
            return rate_limited(0.05)
        return server_error() if luck < 0.04 else Answer(GOOD, delay=delay)

    server.default = play
    for _ in range(kills):
        asked = len(server.received)
        process = start(folder, f"{server.url}/v1#test-model", graphs, CONCURRENCY)
        # The moment is counted from the first request, or most kills would hit the imports.
        deadline = time.monotonic() + 60
        while len(server.received) <= asked and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(chance.random() * 0.8)
        process.kill()
        process.communicate()
    process = start(folder, f"{server.url}/v1#test-model", graphs, CONCURRENCY)
    _, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors

    result = evals.RunResult(folder)
    items = result.items()
    assert len(items) == wanted
    assert "failed" not in {item.status for item in items}
    assert len({(item.sample, item.graph) for item in items}) == len(items)
    with Store.read(folder) as store:
        distinct = store.count_calls()
        assert store.query("PRAGMA integrity_check") == [("ok",)]
        assert all(store.reply(key) is not None for item in items for key in item.row["calls"])
    assert len(server.received) - refused - distinct <= kills * CONCURRENCY
    sums = result.accounting()["run"]
    assert sums["calls"] == distinct
    assert (sums["input_tokens"], sums["output_tokens"]) == (100 * distinct, 10 * distinct)
    # What a killed process had retried dies with it; what is counted did happen.
    assert sums["retries"] <= refused
    asked = len(server.received)
    process = start(folder, f"{server.url}/v1#test-model", graphs, CONCURRENCY)
    process.communicate(timeout=120)
    assert len(server.received) == asked


def test_run_killed_twice_ends_with_all_items_and_right_sums(model_server: ModelServer, tmp_path: Path) -> None:
    killed_and_finished(model_server, tmp_path / "run", 2, ["basic"], 123, seed=1)


@pytest.mark.slow
def test_run_killed_ten_times_ends_with_all_items_and_right_sums(model_server: ModelServer, tmp_path: Path) -> None:
    # O-Plot does not apply where the observer's own view is given, which is a third of the built-in instances.
    killed_and_finished(model_server, tmp_path / "run", 10, ["basic", "s_cot", "o_plot"], 123 + 123 + 82, seed=2)
