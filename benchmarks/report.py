"""Makes a run of 2,439 instances with 5 graphs, writes its report, and measures it in Chromium.

    python benchmarks/report.py                    # needs pip install -e '.[browser]' and Debian's chromium
    python benchmarks/report.py --keep FOLDER      # leaves run, pictures and report there

The data set is as large as POVBench: 47 scenes with 30 frames, 813 instances in each of three conditions. Frames are
boxes and noise over gradients; replies have some 1,000 characters, as those of a free-text graph may.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from agents.forms import FramePoint
from agents.frame import Frame
from agents.model import Reply, Usage
from agents.situation import Situation
from evals.report import write_report
from evals.reporting.result import RunResult
from evals.running.keys import WrittenRequest, reply_record
from evals.running.store import Effort, Store, StoredItem
from evals.sample import Problem, Sample
from graphs.hints import Hints
from tools.pictures import open_picture

SCENES, FRAMES, INSTANCES = 47, 30, 813
CONDITIONS = ("inferred", "stated", "given")
DIRECTIONS = ("front", "left", "right", "up")
GRAPHS = ("basic", "cot", "s_cot", "o_plot", "oa_plot")
MODEL = "maker/vision-large"
STEPS = ("frame_selection", "observer_grounding", "anchor_localization", "target_estimation", "answer")
SENTENCE = "While looking for the keys by the {}, I noticed the small lamp on the {} side of the long cabinet."
THOUGHT = (
    "The person stands near the {} and looks towards the cabinet at {} degrees; from there the {} side lies where "
    "picture {} shows the {}. "
)


@dataclass(frozen=True)
class Large:
    """A dataset as large as the benchmark."""

    folder: Path
    name: str = "povbench"
    conditions: tuple[str, ...] = CONDITIONS
    breakdown: str | None = "direction"
    problems: Sequence[Problem] = ()

    def samples(self) -> Iterator[Sample]:
        """Yields all instances, those of a scene together."""
        frames = {scene: self._frames(scene) for scene in range(SCENES)}
        for number in range(INSTANCES):
            scene, direction = number * SCENES // INSTANCES, DIRECTIONS[number % 4]
            for condition in CONDITIONS:
                yield Sample(
                    id=f"house_{scene:02d}/pair_{number:03d}/{direction}/{condition}",
                    situation=Situation(
                        task="situated_target",
                        frames=frames[scene],
                        question=SENTENCE.format(f"shelf {number}", direction),
                        form=FramePoint(),
                    ),
                    hints=Hints(),
                    keys={"scene": f"house_{scene:02d}", "condition": condition, "direction": direction},
                    digest=f"{number}-{condition}",
                )

    def _frames(self, scene: int) -> tuple[Frame, ...]:
        return tuple(
            Frame(f"exploration_images/frame_{number:03d}.png", open_picture(self.folder / f"{scene}_{number}.png"))
            for number in range(FRAMES)
        )

    def truth_for(self, sample_id: str, answer: Mapping[str, Any]) -> Mapping[str, Any]:
        """Not used: the run holds its truths."""
        raise NotImplementedError


def draw_frames(folder: Path) -> None:
    """Draws all frames, 512 pixels square."""
    folder.mkdir()
    rng = np.random.default_rng(0)
    x, y = np.meshgrid(np.linspace(0, 1, 512), np.linspace(0, 1, 512))
    for scene in range(SCENES):
        for number in range(FRAMES):
            low, high = rng.integers(60, 200, (2, 3))
            picture = low + (high - low) * (x * rng.random() + y * rng.random())[..., None]
            for _ in range(25):
                left, top, width, height = rng.integers(0, 400), rng.integers(0, 400), *rng.integers(20, 180, 2)
                cv2.rectangle(
                    picture,
                    (left, top),
                    (left + width, top + height),
                    [int(one) for one in rng.integers(0, 255, 3)],
                    -1,
                )
            picture += rng.normal(0, 4, picture.shape)
            cv2.imwrite(
                str(folder / f"{scene}_{number}.png"),
                np.clip(picture, 0, 255).astype(np.uint8),
                [cv2.IMWRITE_PNG_COMPRESSION, 1],
            )


def make_run(folder: Path, data: Large) -> None:
    """Writes a run in which every graph has answered nearly every instance."""
    words = random.Random(0)
    with Store.create(folder) as store:
        settings = {"reading": "strict", "dataset": data.name}
        store.set("settings", settings)
        store.set(
            "description",
            {
                "dataset": data.name,
                "form": "frame_point",
                "breakdown": data.breakdown,
                "conditions": list(CONDITIONS),
                "graphs": {name: {"conditions": [], "beyond_paper": []} for name in GRAPHS},
                "models": {MODEL: {"is_vlm": True}},
                "faults": 0,
                "settings": settings,
            },
        )
        for sample in data.samples():
            target = words.random(), words.random()
            for graph in GRAPHS:
                save(store, sample, graph, target, words)


def save(store: Store, sample: Sample, graph: str, target: tuple[float, float], words: random.Random) -> None:
    """Saves an item with its call."""
    answered = words.random() > 0.05
    frame = f"exploration_images/frame_{words.randrange(FRAMES):03d}.png"
    answer = {"frame": frame, "x": words.random(), "y": words.random()}
    text = "".join(
        THOUGHT.format(words.randrange(99), words.randrange(360), words.choice(DIRECTIONS), words.randrange(30), "lamp")
        for _ in range(1 if graph == "basic" else 9)
    )
    key = f"{sample.digest}-{graph}"
    reply = Reply(f"{text}\n{answer}", usage=Usage(9_000, 8_000, 300), seconds=2.5, cost=0.01)
    store.save_call(key, MODEL, WrittenRequest("[]", "null", {"steps": []}), reply_record(reply), Effort(), 0.0)
    events = [
        {
            "step": step,
            "attempt": 0,
            "source": "model",
            "status": "answered",
            "finding": answer
            if step == "answer"
            else {"note": words.choice(DIRECTIONS), "x": round(words.random(), 4)},
            "reason": "",
        }
        for step in (("answer",) if graph == "basic" else STEPS)
    ]
    row = {
        "keys": dict(sample.keys),
        "form": "frame_point",
        "digest": sample.digest,
        "answer": answer if answered else None,
        "truth": {"x": target[0], "y": target[1], "in_frame": True, "frame_correct": None} if answered else None,
        "reason": "" if answered else "answer: no complete JSON object",
        "findings": {},
        "events": events,
        "calls": [key],
        "seconds": 2.5,
    }
    item = StoredItem(sample.id, graph, MODEL, 0, key, "answered" if answered else "unreadable", row)
    store.save_item(item, 0.0)


def measure(file: Path) -> None:
    """Opens the report in Chromium at both widths and prints what it took."""
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
    flags += ["--disable-component-update", "--disable-sync"]
    chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    with sync_playwright() as playwright:
        for width in (1280, 400):
            browser = playwright.chromium.launch(executable_path=chromium, args=flags)
            page = browser.new_page(viewport={"width": width, "height": 900})
            began = time.perf_counter()
            page.goto(file.resolve().as_uri(), wait_until="commit")
            page.wait_for_selector(".card")
            cards = time.perf_counter() - began
            paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
            took = page.evaluate(
                """async () => {
                    const order = document.getElementById("filter-order");
                    order.value = "disagreement";
                    const began = performance.now();
                    order.dispatchEvent(new Event("change"));
                    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
                    return performance.now() - began;
                }"""
            )
            page.click(".card .open")
            began = time.perf_counter()
            page.wait_for_selector(".answer")
            opened = time.perf_counter() - began
            print(
                f"{width} px: first paint {paint:.0f} ms, first cards {cards:.2f} s, another order {took:.0f} ms, "
                f"an instance opened {1000 * opened:.0f} ms"
            )
            browser.close()


def main() -> None:
    """Makes the run, writes its report and measures it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, help="folder to leave everything in; what is there is used again")
    folder = parser.parse_args().keep or Path(tempfile.mkdtemp())
    folder.mkdir(exist_ok=True)
    if not (folder / "frames").is_dir():
        draw_frames(folder / "frames")
    data = Large(folder / "frames")
    if not (folder / "run").is_dir():
        make_run(folder / "run", data)
    began = time.perf_counter()
    report = write_report(RunResult(folder / "run"), folder / "report.html", data)
    print(f"{len(GRAPHS)} graphs on {3 * INSTANCES:,} instances: {report.bytes / 1e6:.1f} MB", end=", ")
    print(f"written in {time.perf_counter() - began:.0f} s")
    print(*report.notes, sep="\n")
    measure(report.file)


if __name__ == "__main__":
    main()
