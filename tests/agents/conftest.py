"""Frames, a situation, and a model that says what it is told to say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PIL import Image

from agents.context import Context, Settings
from agents.forms import FramePoint
from agents.frame import Frame
from agents.model import Reply, Request
from agents.situation import Situation
from prompts.loader import Prompts
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
            said = said[sum(earlier.purpose.steps[-1] == step for earlier in self.requests) - 1]
        if isinstance(said, BaseException):
            raise said
        return Reply(said) if isinstance(said, str) else said


@pytest.fixture
def script() -> Callable[..., Script]:
    """Makes a model of replies by step: `script(answer="...")`."""
    return lambda **replies: Script(replies)


@pytest.fixture
def make_frames(tmp_path: Path) -> Callable[..., tuple[Frame, ...]]:
    """Makes frames `f0`, `f1`, ... of the given sizes."""

    def made(*sizes: tuple[int, int]) -> tuple[Frame, ...]:
        frames = []
        for number, size in enumerate(sizes):
            path = tmp_path / f"f{number}.png"
            Image.new("RGB", size, (40 * number, 100, 200)).save(path)
            frames.append(Frame(f"f{number}", open_picture(path)))
        return tuple(frames)

    return made


@pytest.fixture
def situation(make_frames: Callable[..., tuple[Frame, ...]]) -> Situation:
    """Three frames of 64 x 48."""
    frames = make_frames((64, 48), (64, 48), (64, 48))
    return Situation("situated_target", frames, "I was at the sink; it lay left of the bed.", FramePoint())


@pytest.fixture
def one_frame(situation: Situation) -> Situation:
    return replace(situation, task="situated_target_observer_view", frames=situation.frames[:1])


@pytest.fixture
def context() -> Callable[..., Context]:
    """Makes the context of an item: `context(model, temperature=0.5, repeat=2, describer=other, prompts=...)`."""

    def made(
        model: Script,
        repeat: int = 0,
        prompts: Prompts | None = None,
        roles: Mapping[str, Script] | None = None,
        settings: Settings | None = None,
    ) -> Context:
        models = {"reasoner": model, **(roles or {})}
        return Context(models, prompts=prompts or Prompts(), settings=settings or Settings(), repeat=repeat)

    return made
