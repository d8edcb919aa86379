"""Scenes of pictures as large as those of real benchmarks, and a dataset of questions about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from agents.forms import FramePoint
from agents.frame import Frame
from agents.situation import Situation
from evals.sample import Problem, Sample
from graphs.hints import Hints
from tools.pictures import open_picture

SIDE = 512
FRAMES = 30


def write_scene(folder: Path, noisy: bool, seed: int) -> list[Path]:
    """Writes 30 PNG pictures of 512 x 512: smooth ones of about 200 KB, or noisy ones of about 430 KB."""
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(seed)
    paths = []
    for number in range(FRAMES):
        path = folder / f"frame_{number:03}.png"
        paths.append(path)
        if path.exists():
            continue
        coarse = random.integers(0, 255, (8, 8, 3), dtype=np.uint8)
        smooth = cv2.resize(coarse, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC).astype(np.int16)
        strength = 4 if noisy else 0
        pixels = np.clip(smooth + random.integers(-strength, strength + 1, smooth.shape), 0, 255).astype(np.uint8)
        cv2.imwrite(str(path), pixels, [cv2.IMWRITE_PNG_COMPRESSION, 3])
    return paths


@dataclass
class Scenes:
    """A dataset of questions about the scenes in a folder.

    Attributes:
        scenes: The pictures of each scene.
        questions: Questions a scene.
    """

    scenes: Sequence[Sequence[Path]]
    questions: int
    name: str = "scenes"
    conditions: tuple[str, ...] = ()
    breakdown: str | None = None
    problems: Sequence[Problem] = ()

    def samples(self) -> Iterator[Sample]:
        """Yields the questions, those about a scene together."""
        for place, paths in enumerate(self.scenes):
            frames = tuple(Frame(path.name, open_picture(path)) for path in paths)
            for number in range(self.questions):
                question = f"Where is the thing that number {number} saw to the left of the table?"
                situation = Situation("situated_target", frames, question, FramePoint())
                name = f"{place}/{number}"
                yield Sample(name, situation, Hints(), {"scene": str(place)}, f"{paths[0]} {name}")

    def truth_for(self, sample_id: str, answer: Mapping[str, Any]) -> Mapping[str, Any]:
        """The middle of every frame."""
        return {"x": 0.5, "y": 0.5, "in_frame": True, "frame_correct": None}
