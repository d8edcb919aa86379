"""A step, an intervention and a form of a user's own bring their words with them."""

import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from agents import Situation, Step, Workbench, frame_selection
from agents.model import Reply, Request
from evals.running.session import PlanError, execute, make_plan
from graphs import Hints, ReasoningGraph, intervention
from tools.coordinates import FrameX, FrameY


class Exit(BaseModel):
    """Where the nearest doorway is."""

    x: FrameX
    y: FrameY


find_exit = Step(
    "find_exit",
    finds=Exit,
    requires=("frame_selection",),
    instruction="Find the doorway nearest to the landmark in {{ chosen or 'that image' }}.",
)


@intervention()
def hurry(situation: Situation, hints: Hints, workbench: Workbench) -> Situation:
    """Asks to be quick."""
    return situation.with_note("interventions/hurry.j2", {"how": "very"}, text="Be {{ how }} quick about it.")


class Listening:
    """Answers with the first frame and its middle, and keeps the prompts."""

    name = identity = "listening"
    is_vlm = True

    def __init__(self) -> None:
        self.heard: list[str] = []

    async def reply(self, request: Request) -> Reply:
        self.heard.append(request.text)
        return Reply(json.dumps({"selected_image": 1, "x": 256, "y": 256}))


def run(tmp_path: Path, mode: str, prompts: Path | None = None) -> list[str]:
    model = Listening()
    graph = ReasoningGraph("exit_first", interventions=[hurry], steps=[frame_selection, find_exit], mode=mode)  # type: ignore[arg-type]
    plan = make_plan([graph], [model], None, ["inferred"], limit=1, prompts=prompts)
    assert execute(plan, tmp_path / mode, lambda progress: None).ended == {"answered": 1}
    return model.heard


def test_words_of_own_steps_and_notes_reach_staged_and_fused_prompts(tmp_path: Path) -> None:
    selection, exit_asked, answer = run(tmp_path, "staged")
    assert "Find the doorway nearest to the landmark in Image 1." in exit_asked
    assert all("Be very quick about it." in prompt for prompt in (selection, exit_asked, answer))
    (fused,) = run(tmp_path, "fused")
    assert "Find exit: Find the doorway nearest to the landmark in that image." in fused


def test_prompt_of_a_graph_that_is_not_run_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "prompts" / "graphs"
    folder.mkdir(parents=True)
    (folder / "exit_frist.j2").write_text("{{ task }} {{ answer }}", encoding="utf-8")
    with pytest.raises(PlanError, match=r"exit_frist\.j2 replaces the prompt of no fused graph"):
        run(tmp_path, "fused", folder.parent)
    (folder / "exit_frist.j2").rename(folder / "exit_first.j2")
    assert run(tmp_path, "fused", folder.parent)[0].count("You are the mind of a robot") == 1
