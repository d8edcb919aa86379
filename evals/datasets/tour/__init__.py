"""Frames of a real house tour with hand-written commands: to be answered and looked at, never scored."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.forms import FramePoint
from agents.frame import Frame
from agents.situation import Situation
from evals.dataset_kind import DatasetError, dataset
from evals.sample import Dataset, Problem, Sample, Truth
from evals.scenes.tour import COMMANDS, FRAMES, NO_TRUTH, Scenario, read_commands
from graphs.hints import Hints
from tools.pictures import open_picture

CONDITIONS = ("inferred", "stated", "given")


@dataclass(eq=False)
class TourDataset:
    """One folder of frames with commands.

    Attributes:
        name: Registered name.
        conditions: The paper's three.
        breakdown: Tables split a condition by direction.
        problems: Always says that there is no ground truth.
        items: The samples.
        no_truth: Why there is no ground truth, said wherever the data are used.
    """

    name: str
    conditions: tuple[str, ...]
    breakdown: str | None
    problems: Sequence[Problem]
    items: tuple[Sample, ...]
    no_truth: str = NO_TRUTH

    def samples(self) -> Iterator[Sample]:
        """Yields every command, the conditions of a scenario together."""
        return iter(self.items)

    def truth_for(self, sample_id: str, answer: Mapping[str, Any]) -> Truth:  # noqa: ARG002 - the same for all
        """Says that there is none: `known` is false, `why` tells why."""
        return {"known": False, "why": NO_TRUTH}


def holds_tour(root: Path) -> bool:
    """Whether a folder has commands beside its frames."""
    return (root / COMMANDS).is_file() and (root / FRAMES).is_dir()


@dataset(recognises=holds_tour)
def tour(root: Path) -> Dataset:
    """Frames of a real video with hand-written commands (section 5.5); no ground truth.

    Raises:
        CommandFileError: If the commands break their form.
        DatasetError: If there are no frames or no commands yet.
    """
    root = root.resolve()
    commands = read_commands(root)
    frames = tuple(Frame(path.name, open_picture(path, root)) for path in sorted((root / FRAMES).glob("*.png")))
    if not frames or not commands.instances:
        raise DatasetError(
            f"{root}: has {len(frames)} frames and {commands.instances} commands; write some in {COMMANDS}"
        )
    by_name = {frame.id: frame for frame in frames}
    items = tuple(item for scenario in commands.scenarios for item in _samples(root.name, scenario, frames, by_name))
    return TourDataset("tour", CONDITIONS, "direction", (Problem(COMMANDS, "", NO_TRUTH, fatal=False),), items)


def _samples(
    scene: str, scenario: Scenario, frames: tuple[Frame, ...], by_name: Mapping[str, Frame]
) -> Iterator[Sample]:
    for condition in CONDITIONS:
        for direction, sentences in scenario.directions.items():
            question = getattr(sentences, condition)
            if question is None:
                continue
            given = condition == "given"
            shown = (by_name[str(scenario.observer_view)],) if given else frames
            task = "situated_target_observer_view" if given else "situated_target"
            situation = Situation(task=task, frames=shown, question=question, form=FramePoint())
            name = f"{scene}/{scenario.name}/{direction}"
            keys = {
                "scene": scene,
                "pair": scenario.name,
                "direction": direction,
                "condition": condition,
                "instance": name,
            }
            held = json.dumps([name, condition, question, [frame.picture.digest for frame in shown]])
            yield Sample(f"{name}/{condition}", situation, Hints(), keys, hashlib.sha256(held.encode()).hexdigest())
