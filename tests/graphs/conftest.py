"""A house of three frames, what is privileged about it, and a model that says what it is told to say."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from agents.context import Context, Settings
from agents.forms import FramePoint
from agents.frame import Frame
from agents.model import Reply, Request
from agents.situation import Situation
from agents.workbench import Workbench
from graphs.hints import Hints, ObjectHint
from prompts.loader import Prompts
from tools.camera import Camera
from tools.pictures import open_picture

Say = str | Reply | BaseException


@dataclass
class Script:
    """Answers each request by the last step it asks for; a list is said one after the other."""

    replies: Mapping[str, Say | Sequence[Say]]
    requests: list[Request] = field(default_factory=list)
    name: str = "script"
    identity: str = "script"
    is_vlm: bool = False

    async def reply(self, request: Request) -> Reply:
        self.requests.append(request)
        step = request.purpose.steps[-1]
        said = self.replies[step]
        if not isinstance(said, str | Reply | BaseException):
            said = said[self.asked.count(step) - 1]
        if isinstance(said, BaseException):
            raise said
        return Reply(said) if isinstance(said, str) else said

    @property
    def asked(self) -> list[str]:
        """The last step of each request."""
        return [request.purpose.steps[-1] for request in self.requests]


@pytest.fixture
def script() -> Callable[..., Script]:
    """Makes a model that answers every built-in step about `f1`, but for those given: `script(answer="...")`."""
    usual: dict[str, Say | Sequence[Say]] = {
        "frame_selection": '{"selected_image": 1}',
        "observer_grounding": '{"observer": "sink", "x": 3, "y": 4, "facing": 30}',
        "anchor_identification": '{"anchor": "bed"}',
        "directional_frame": '{"front": 210, "left": 300, "right": 120}',
        "anchor_localization": '{"visible": true, "x": 32, "y": 24}',
        "scene_inventory": '{"objects": []}',
        "side_identification": '{"side": "left"}',
        "spatial_reasoning": '{"reasoning": "to the left"}',
        "target_estimation": '{"x": 16, "y": 12}',
        "answer": '{"selected_image": 1, "x": 16, "y": 12}',
    }
    return lambda **replies: Script({**usual, **replies})


@pytest.fixture
def frames(tmp_path: Path) -> tuple[Frame, ...]:
    """Three frames of 64 x 48."""
    made = []
    for number in range(3):
        path = tmp_path / f"f{number}.png"
        Image.new("RGB", (64, 48), (40 * number, 100, 200)).save(path)
        made.append(Frame(f"f{number}", open_picture(path)))
    return tuple(made)


@pytest.fixture
def situation(frames: tuple[Frame, ...]) -> Situation:
    return Situation("situated_target", frames, "I was at the sink; it lay left of the bed.", FramePoint())


@pytest.fixture
def one_frame(situation: Situation) -> Situation:
    return dataclasses.replace(situation, task="situated_target_observer_view", frames=situation.frames[:1])


@pytest.fixture
def hints() -> Hints:
    """All frames look along z from the origin; sink and bed stand before them in `f0` and `f1`."""
    camera = Camera((0, 0, 0), yaw=0, horizon=0, fov=90, width=64, height=48)
    seen = frozenset({"f0", "f1"})
    corners = tuple((x, y, z) for x in (0.5, 1.5) for y in (-0.5, 0.5) for z in (2.0, 4.0))
    return Hints(
        cameras={f"f{number}": camera for number in range(3)},
        observer_camera=camera,
        observer=ObjectHint("Sink|1", "Sink", (-1, 0, 2), (-1, 0, 2), (-1, 0, 2), (1, 1, 1), (), seen),
        anchor=ObjectHint("Bed|1", "Bed", (1, 0, 3), (1, 0, 3), (1, 0, 3), (1, 1, 2), corners, seen),
        surface="on the floor",
    )


@pytest.fixture
def context() -> Callable[..., Context]:
    """Makes the context of an item: `context(model, repeat=2, seed="1")`."""

    def made(
        model: Script,
        repeat: int = 0,
        seed: str = "0",
        prompts: Prompts | None = None,
        settings: Settings | None = None,
    ) -> Context:
        return Context({"reasoner": model}, Workbench(seed=seed), prompts or Prompts(), settings or Settings(), repeat)

    return made


@pytest.fixture
def reachable() -> Callable[[Any], Iterator[Any]]:
    """Yields every object that can be reached from one through attributes, entries and closures."""

    def walk(root: Any) -> Iterator[Any]:
        waiting, seen = [root], set()
        while waiting:
            thing = waiting.pop()
            if id(thing) in seen or isinstance(thing, type):
                continue
            seen.add(id(thing))
            yield thing
            if isinstance(thing, Mapping):
                waiting += [*thing.keys(), *thing.values()]
            elif isinstance(thing, list | tuple | set | frozenset):
                waiting += thing
            elif not isinstance(thing, str | bytes | int | float):
                waiting += vars(thing).values() if hasattr(thing, "__dict__") else []
                cells = getattr(thing, "__closure__", None) or ()
                waiting += [cell.cell_contents for cell in cells]

    return walk
