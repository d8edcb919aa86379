"""What saving, resuming and scoring cost when a run is large, and how much memory 47 houses take; prints one table.

python benchmarks/speed_of_the_store.py
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fixed_latency_server import serve
from picture_scenes import Scenes, write_scene

from agents.model import Reply, Usage
from evals.running.keys import WrittenRequest, reply_record
from evals.running.plan import count_items
from evals.running.session import execute, make_plan, missing_items
from evals.running.store import Effort, Store, StoredItem

SAVED = 50_000
SCORED = 7_317
HOUSES, QUESTIONS = 47, 3


def save(folder: Path) -> tuple[float, float, float]:
    """Saves calls and items; returns seconds an item over the first and the last thousand, and bytes an item."""
    reply = reply_record(Reply("a sentence of reasoning. " * 40, usage=Usage(8000, 7000, 300, 0)))
    row = {"keys": {"scene": "s"}, "form": "frame_point", "answer": {"frame": "f", "x": 0.5, "y": 0.5}, "calls": ["k"]}
    marks = []
    with Store.create(folder) as store:
        for number in range(SAVED):
            if number in (0, 1000, SAVED - 1000):
                marks.append(time.perf_counter())
            request = WrittenRequest(f"{number}: " + "words of a prompt " * 150, "null", {"repeat": 0})
            store.save_call(f"{number:032}", "model", request, reply, Effort(1), 0.0)
            store.save_item(StoredItem(f"s{number}", "graph", "model", 0, f"{number:032}", "answered", row), 0.0)
        marks.append(time.perf_counter())
    return (marks[1] - marks[0]) / 1000, (marks[3] - marks[2]) / 1000, (folder / "run.sqlite").stat().st_size / SAVED


def resume(scene: list[Path], folder: Path) -> float:
    """Seconds in which a run of 50,000 items, all but one of them stored, finds the one that is missing."""
    plan = make_plan(["basic"], ["center"], Scenes([scene], SAVED))
    items = list(missing_items(plan, None))
    assert len(items) == count_items(plan) == SAVED
    with Store.create(folder) as store:
        store._connection.execute("BEGIN")
        for item in items[:-1]:
            values = (*item.place, item.key, "answered", "{}", 0.0)
            store._connection.execute("INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
        store._connection.execute("COMMIT")
    began = time.perf_counter()
    assert list(missing_items(plan, folder)) == items[-1:]
    return time.perf_counter() - began


def score() -> float:
    """Seconds in which stored answers are scored."""
    from evals.scorers import SCORERS

    scorer = SCORERS.get("frame_point")
    answers = [{"frame": "f", "x": number / SCORED, "y": 0.25} for number in range(SCORED)]
    truths = [{"x": 0.5, "y": 0.5, "in_frame": True, "frame_correct": True} for _ in answers]
    began = time.perf_counter()
    scorer.score(answers, truths)
    return time.perf_counter() - began


def memory_of_a_run(url: str, pictures: Path, folder: Path) -> None:
    """Runs questions about all houses and prints the most memory that the process had; in a process of its own."""
    scenes = [sorted(scene.glob("*.png")) for scene in sorted(pictures.iterdir())]
    plan = make_plan(["s_cot"], [f"{url}/v1#test-model"], Scenes(scenes, QUESTIONS))
    execute(plan, folder, lambda progress: None)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    """Measures everything and prints the table."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        first, last, size = save(folder / "saved")
        print(
            f"save a call and an item: {first * 1000:.2f} ms at the first, {last * 1000:.2f} ms at the 50,000th "
            f"({last / first:.2f}x), {size / 1000:.1f} KB each"
        )
        scene = write_scene(folder / "one", noisy=False, seed=0)
        print(f"find what is missing of 50,000 items: {resume(scene, folder / 'resumed'):.2f} s")
        print(f"score 7,317 answers: {score():.3f} s")
        pictures = folder / "pictures"
        for house in range(HOUSES):
            write_scene(pictures / f"{house:02}", noisy=True, seed=house)
        with serve(folder / "server", 0.0) as served:
            command = [sys.executable, __file__, "--memory", served.url, str(pictures), str(folder / "run")]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stderr)
        print(f"{HOUSES} houses of 30 pictures of 430 KB, 16 at a time: {float(done.stdout):.0f} MB")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--memory"]:
        memory_of_a_run(sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))
    else:
        main()
