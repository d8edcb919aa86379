"""Checks the statistics by simulation; the figures in docs/statistics.md come from here.

    python benchmarks/check_statistics.py coverage    # intervals and tests on differences that are clustered by scene
    python benchmarks/check_statistics.py equal       # whole comparisons of two equal graphs, from runs on disk
    python benchmarks/check_statistics.py power       # how often a known difference is found, and what was predicted
    python benchmarks/check_statistics.py found       # the same for 26 scenes on differences alone, with more draws

Data as in a benchmark of houses: about 20 instances a scene, instances of a scene alike. Seeds are fixed.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import t

from evals.reporting.power import power_at, power_of
from evals.reporting.result import RunResult
from evals.reporting.statistics import clustered_mean, sign_flip
from evals.running.store import Store, StoredItem

DRAWS = 2_000
ITEMS_A_SCENE = 20


@dataclass(frozen=True)
class World:
    """How instances and graphs vary, in units of normalised L2.

    Attributes:
        scene: Standard deviation of the difference of two graphs between scenes.
        item: The same between the instances of a scene.
        effect: True difference, graph minus baseline.
    """

    scene: float = 0.04
    item: float = 0.15
    effect: float = 0.0

    @property
    def spread(self) -> float:
        """Standard deviation of what one scene tells of the difference; scenes of Poisson size weigh unequally."""
        return math.sqrt(self.scene**2 * (1 + 1 / ITEMS_A_SCENE) + self.item**2 / ITEMS_A_SCENE)

    def differences(self, scenes: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draws paired differences and the scene of each; scenes differ in size, as houses do."""
        sizes = np.maximum(1, random.poisson(ITEMS_A_SCENE, scenes))
        of = np.repeat(np.arange(scenes), sizes)
        drawn = random.normal(0, self.scene, scenes)[of] + random.normal(0, self.item, len(of))
        return self.effect + drawn, of


def coverage(draws: int) -> Iterator[str]:
    """How often 95 % intervals hold the truth, and how often a true null hypothesis is rejected at 5 %."""
    yield "| scenes | naive t | cluster-robust t | sign-flip rejects |"
    yield "|---|---|---|---|"
    for scenes in (5, 10, 20, 47):
        random = np.random.default_rng(scenes)
        world = World()
        naive = robust = rejected = 0
        for _ in range(draws):
            differences, of = world.differences(scenes, random)
            mean = clustered_mean(differences, list(of))
            half = float(t.ppf(0.975, len(of) - 1)) * differences.std(ddof=1) / math.sqrt(len(of))
            naive += abs(differences.mean()) <= half
            assert mean.low is not None
            assert mean.high is not None
            robust += mean.low <= 0 <= mean.high
            rejected += (sign_flip(differences, list(of)) or 0) <= 0.05
        yield f"| {scenes} | {naive / draws:.3f} | {robust / draws:.3f} | {rejected / draws:.3f} |"


def equal(comparisons: int) -> Iterator[str]:
    """How often two equal graphs are found to differ, whole comparisons of runs on disk."""
    rejected = _rejections(World(), 47, comparisons)
    yield f"two equal graphs, 47 scenes: {rejected} of {comparisons} comparisons reject at 5 %"


def power(comparisons: int) -> Iterator[str]:
    """How often a difference of 0.03 is found with as many scenes as `evals power` asks for."""
    world = World(effect=0.03)
    with tempfile.TemporaryDirectory() as folder:
        pilot = Path(folder) / "pilot"
        write_run(pilot, world, 1_000, np.random.default_rng(1))
        row = power_of(RunResult(pilot), effect=0.03, baseline="first").rows[0]
    scenes = row["scenes_needed"]
    exact = world.spread
    yield f"standard deviation a scene: {row['scene_sd']:.4f} from the pilot, {exact:.4f} by construction"
    yield f"power of {scenes} scenes: {power_at(0.03, row['scene_sd'], scenes, 0.05):.3f} by the pilot, " + (
        f"{power_at(0.03, exact, scenes, 0.05):.3f} by construction"
    )
    rejected = _rejections(world, scenes, comparisons)
    error = math.sqrt(0.8 * 0.2 / comparisons)
    told = f"found {rejected} of {comparisons} = {rejected / comparisons:.3f}, standard error {error:.3f}"
    yield f"{scenes} scenes for a power of 0.8: {told}"


def found(draws: int) -> Iterator[str]:
    """How often a difference of 0.03 is found in 26 scenes, on drawn differences without runs around them."""
    world, random = World(effect=0.03), np.random.default_rng(9)
    rejected = 0
    for _ in range(draws):
        differences, of = world.differences(26, random)
        rejected += (sign_flip(differences, list(of)) or 0) <= 0.05
    predicted = power_at(0.03, world.spread, 26, 0.05)
    error = math.sqrt(predicted * (1 - predicted) / draws)
    yield f"26 scenes: found {rejected / draws:.3f} of {draws}, predicted {predicted:.3f}, standard error {error:.3f}"


def _rejections(world: World, scenes: int, comparisons: int) -> int:
    random = np.random.default_rng(2)
    rejected = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(comparisons):
            run = Path(folder) / str(number)
            write_run(run, world, scenes, random)
            row = next(row for row in RunResult(run).compare("first").rows if row["graph"] == "second")
            rejected += row["p_adjusted"] <= 0.05
    return rejected


def write_run(folder: Path, world: World, scenes: int, random: np.random.Generator) -> None:
    """Writes a run of two graphs; the second differs from the first as the world says."""
    differences, of = world.differences(scenes, random)
    level = 0.5 + random.normal(0, 0.03, scenes)[of] + random.normal(0, 0.05, len(of))
    description: Mapping[str, Any] = {
        "dataset": "simulated",
        "form": "frame_point",
        "breakdown": None,
        "conditions": [],
        "graphs": {name: {"conditions": [], "beyond_paper": []} for name in ("first", "second")},
        "models": {"simulated": {"is_vlm": False}},
        "faults": 0,
        "settings": {},
    }
    truth = {"x": 0.0, "y": 0.0, "in_frame": True, "frame_correct": None}
    with Store.create(folder) as store:
        store.set("description", description)
        for number, scene in enumerate(of):
            for graph, value in (("first", level[number]), ("second", level[number] + differences[number])):
                row = {
                    "keys": {"scene": f"house {scene}"},
                    "form": "frame_point",
                    "answer": {"x": float(value), "y": 0.0},
                    "truth": truth,
                    "calls": [],
                    "seconds": 0.0,
                }
                store.save_item(StoredItem(f"instance {number}", graph, "simulated", 0, "", "answered", row), 0.0)


def main() -> None:
    """Runs one of the checks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=["coverage", "equal", "power", "found"])
    told = f"{DRAWS:,} for coverage, five times as many for found, 200 comparisons for equal and power"
    parser.add_argument("--draws", type=int, help=told)
    given = parser.parse_args()
    lines = {
        "coverage": lambda: coverage(given.draws or DRAWS),
        "equal": lambda: equal(given.draws or 200),
        "power": lambda: power(given.draws or 200),
        "found": lambda: found(given.draws or 5 * DRAWS),
    }[given.check]()
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
