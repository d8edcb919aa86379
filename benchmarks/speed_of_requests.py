"""CPU a request, throughput and shared bytes of requests with 30 pictures; prints tables of ratios, in one run.

    python benchmarks/speed_of_requests.py [requests] [rounds]

Each way of asking runs in a process of its own, whose CPU time is read after the first requests and at the end, so that
imports and first uses are left out. The server runs in another process and is not counted. A round takes all ways one
after the other; ratios are taken within a round, since the machine's other work changes from one to the next, and the
median of the rounds is printed with the lowest and the highest.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from fixed_latency_server import Served, serve
from picture_scenes import Scenes, write_scene

WARM = 10
AT_A_TIME = 8
LATENCY, LEVEL = 5.0, 16
WAYS = ("httpx", "url", "openai", "litellm", "hosted")
LABELS = {
    "httpx": "one prepared body, httpx",
    "url": "situate, URL adapter, store on",
    "openai": "OpenAI client",
    "litellm": "LiteLLM",
    "hosted": "situate, LiteLLM adapter, store on",
}


def content(paths: list[Path], text: str) -> list[dict[str, Any]]:
    """The parts of a message, as people write them by hand."""
    parts: list[dict[str, Any]] = []
    for number, path in enumerate(paths):
        url = "data:image/png;base64," + base64.b64encode(path.read_bytes()).decode()
        parts += [{"type": "text", "text": f"Image {number}:"}, {"type": "image_url", "image_url": {"url": url}}]
    return [*parts, {"type": "text", "text": text}]


async def repeated(ask: Callable[[], Awaitable[object]], count: int) -> float:
    """Asks so many times, some at a time; returns CPU seconds a request after the first ones."""
    done, began = 0, 0.0

    async def work() -> None:
        nonlocal done, began
        while done < WARM + count:
            done += 1
            if done == WARM:
                began = time.process_time()
            await ask()

    await asyncio.gather(*(work() for _ in range(AT_A_TIME)))
    return (time.process_time() - began) / count


async def by_httpx(url: str, paths: list[Path], count: int) -> float:
    """One body, prepared beforehand."""
    import httpx

    message = {"model": "test-model", "messages": [{"role": "user", "content": content(paths, "Where is it?")}]}
    body = json.dumps(message).encode()
    headers = {"Content-Type": "application/json"}
    async with httpx.AsyncClient(timeout=None, trust_env=False) as client:
        return await repeated(lambda: client.post(f"{url}/v1/chat/completions", content=body, headers=headers), count)


async def by_openai(url: str, paths: list[Path], count: int) -> float:
    """OpenAI's client, its messages prepared beforehand."""
    from openai import AsyncOpenAI

    messages: Any = [{"role": "user", "content": content(paths, "Where is it?")}]
    async with AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as client:
        return await repeated(lambda: client.chat.completions.create(model="test-model", messages=messages), count)


async def by_litellm(url: str, paths: list[Path], count: int) -> float:
    """LiteLLM, its messages prepared beforehand."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import litellm

    litellm.suppress_debug_info = True
    messages = [{"role": "user", "content": content(paths, "Where is it?")}]

    async def ask() -> object:
        return await litellm.acompletion(
            model="openai/test-model", messages=messages, api_base=f"{url}/v1", api_key="none", num_retries=0
        )

    return await repeated(ask, count)


def by_situate(model: str, paths: list[Path], count: int, folder: Path, at_a_time: int = AT_A_TIME) -> float:
    """A whole run: graph, prompts, adapter, store."""
    from evals.running.runner import Progress
    from evals.running.session import execute, make_plan

    began: list[tuple[int, float]] = []

    def report(progress: Progress) -> None:
        if progress.done >= WARM and not began:
            began.append((progress.done, time.process_time()))

    plan = make_plan(["s_cot"], [model], Scenes([paths], WARM + count), concurrency=at_a_time)
    execute(plan, folder, report)
    first, before = began[0]
    return (time.process_time() - before) / (WARM + count - first)


def measure(way: str, url: str, paths: list[Path], count: int, folder: Path) -> float:
    """CPU seconds a request of one way; runs in a process of its own."""
    if way in ("httpx", "openai", "litellm"):
        ask = {"httpx": by_httpx, "openai": by_openai, "litellm": by_litellm}[way]
        return asyncio.run(ask(url, paths, count))
    if way == "hosted":
        os.environ.update(OPENAI_API_KEY="none", OPENAI_API_BASE=f"{url}/v1", OPENAI_BASE_URL=f"{url}/v1")
        return by_situate("openai/test-model", paths, count, folder)
    return by_situate(f"{url}/v1#test-model", paths, count, folder)


def in_a_process(way: str, served: Served, scene: Path, count: int, folder: Path) -> float:
    """Measures one way in a process of its own."""
    command = [sys.executable, __file__, "--measure", way, served.url, str(scene), str(count), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return float(done.stdout.split()[-1])


def throughput(scene: Path, folder: Path) -> float:
    """Share of requests / (latency / concurrency), the one request before the run left out."""
    count = 10 * LEVEL
    with serve(folder / "server", LATENCY) as served:
        by_situate(f"{served.url}/v1#test-model", sorted(scene.glob("*.png")), 1 + count - WARM, folder / "run", LEVEL)
        times = [tuple(map(float, line.split())) for line in served.times.read_text().splitlines()]
    later = sorted(times)[1:]
    took = max(ended for _, ended in later) - min(arrived for arrived, _ in later)
    return len(later) * LATENCY / LEVEL / took


def shared(served: Served) -> tuple[float, int]:
    """Share of the bytes of two requests that are a common beginning, and how many pictures lie within it."""
    one, other = ((served.bodies / f"body_{number}").read_bytes() for number in (2, 3))
    shortest = min(len(one), len(other))
    same = next(
        (place for place in range(0, shortest, 4096) if one[place : place + 4096] != other[place : place + 4096]),
        shortest,
    )
    while same < shortest and one[same] == other[same]:
        same += 1
    return same / len(one), one[:same].count(b'"image_url":{')


def main(count: int = 40, rounds: int = 5) -> None:
    """Measures everything and prints the tables."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        cpu: dict[tuple[str, str], list[float]] = {}
        rows: list[str] = []
        for kind in ("smooth", "noisy"):
            scene = folder / kind
            paths = write_scene(scene, kind == "noisy", seed=1)
            size = sum(path.stat().st_size for path in paths) / len(paths) / 1000
            for number, way in itertools.product(range(rounds), WAYS):
                of_round = folder / f"{kind} {number} {way}"
                with serve(of_round / "server", 0.0) as served:
                    took = in_a_process(way, served, scene, count, of_round / "run")
                    cpu.setdefault((kind, way), []).append(took)
                    if way == "url" and number == 0:
                        share, pictures = shared(served)
                        rows.append(
                            f"{kind}: {size:.0f} KB a picture, {share:.2%} of a request is a common beginning "
                            f"with the next one of the scene, {pictures} of {len(paths)} pictures within it"
                        )
        print(f"CPU a request, ms, median of {rounds} rounds of {count} requests each, {AT_A_TIME} at a time")
        print(f"{'':36}{'smooth':>9}{'ratio':>25}{'noisy':>9}{'ratio':>25}  against")
        for way in WAYS:
            base = "litellm" if way == "hosted" else "httpx"
            cells = "".join(figures(cpu[kind, way], cpu[kind, base]) for kind in ("smooth", "noisy"))
            print(f"{LABELS[way]:36}{cells}  {LABELS[base]}")
        print(*rows, sep="\n")
        share = throughput(folder / "smooth", folder / "throughput")
        print(f"throughput: {share:.1%} of requests / (latency / concurrency), {LATENCY:g} s, {LEVEL} at a time")


def figures(seconds: list[float], base: list[float]) -> str:
    """Cells of one way: milliseconds, ratio to the base of the same round, its lowest and highest."""
    ratios = [one / other for one, other in zip(seconds, base, strict=True)]
    spread = f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
    return f"{statistics.median(seconds) * 1000:9.1f}{spread:>25}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        way, url, scene, count, folder = sys.argv[2:]
        print(measure(way, url, sorted(Path(scene).glob("*.png")), int(count), Path(folder)))
    else:
        main(*map(int, sys.argv[1:3]))
