"""Two graphs on one instance: every difference is shown, and nothing in a reply can steer a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import evals
from agents.model import Reply, Request
from evals.cli import app
from evals.reporting.result import RunResult
from evals.reporting.show import ShowError
from evals.reporting.side_by_side import Line, compare_lines, side_by_side
from evals.reporting.side_by_side_text import as_text

ESCAPE = "\x1b[2J\x1b]0;owned\x07"


class Hostile:
    name = "hostile"
    identity = "hostile"
    is_vlm = True

    async def reply(self, request: Request) -> Reply:
        frame = "" if request.purpose.view.bound_to is not None else '"selected_image": 1, '
        return Reply(f'{ESCAPE}[red]markup[/red] {{{frame}"x": 10, "y": 20}}', reasoning=ESCAPE)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    folder = tmp_path_factory.mktemp("diff") / "run"
    evals.run(
        ["basic", "s_cot", "o_plot"],
        model=[Hostile(), "reference"],
        conditions=["inferred"],
        limit=1,
        out=folder,
        progress=False,
    )
    return RunResult(folder)


@pytest.fixture(scope="module")
def sample(run: RunResult) -> str:
    return run.items()[0].sample


def test_lines_that_replace_each_other_say_in_which_words() -> None:
    assert compare_lines(["same", "point at the cup"], ["same", "point at the mug", "more"])[0] == Line("equal", "same")
    old, new = compare_lines(["point at the cup"], ["point at the mug"])
    assert (old.op, old.text[slice(*old.changed[0])]) == ("only_a", "cup")
    assert (new.op, new.text[slice(*new.changed[0])]) == ("only_b", "mug")


def test_both_sides_can_be_put_together_from_the_lines() -> None:
    a, b = ["1", "2", "3", "5"], ["0", "2", "3", "4", "5"]
    lines = compare_lines(a, b)
    assert [line.text for line in lines if line.op != "only_b"] == a
    assert [line.text for line in lines if line.op != "only_a"] == b


def test_prompts_pictures_findings_and_answers_stand_side_by_side(run: RunResult, sample: str) -> None:
    (pair,) = side_by_side(run, "basic", "o_plot", sample, "reference")
    assert [pair[side]["graph"] for side in "ab"] == ["basic", "o_plot"]
    assert pair["a"]["scores"]["l2"] == pytest.approx(0, abs=1e-2)
    assert any(line["op"] == "only_b" and "red" in line["text"] for line in pair["prompts"])
    changed = [picture for picture in pair["pictures"] if not picture["same"]]
    assert changed
    assert all(Path(picture["b"]).is_file() for picture in changed)
    assert pair["findings"][-1]["step"] == "answer"


def test_every_model_that_both_ran_with_is_shown(run: RunResult, sample: str) -> None:
    assert [pair["model"] for pair in side_by_side(run, "basic", "s_cot", sample)] == ["hostile", "reference"]


def test_replies_can_neither_steer_a_terminal_nor_use_markup(run: RunResult, sample: str) -> None:
    text = as_text(side_by_side(run, "basic", "s_cot", sample), 120, color=False)
    assert "\x1b" not in text
    assert "[red]markup[/red]" in text


def test_no_line_is_wider_than_the_terminal(run: RunResult, sample: str) -> None:
    text = as_text(side_by_side(run, "basic", "s_cot", sample), 80, color=False)
    assert max(map(len, text.splitlines())) <= 80


def test_json_holds_the_same(run: RunResult, sample: str) -> None:
    shown = CliRunner().invoke(app, ["diff", str(run.folder), "basic", "s_cot", sample, "--format", "json"])
    assert json.loads(shown.stdout) == side_by_side(run, "basic", "s_cot", sample)


def test_a_graph_that_was_not_run_is_named(run: RunResult, sample: str) -> None:
    with pytest.raises(ShowError, match="basic with hostile"):
        side_by_side(run, "basic", "cot", sample)


def test_a_repeat_that_was_not_run_is_named(run: RunResult, sample: str) -> None:
    with pytest.raises(ShowError, match="repeat 3"):
        side_by_side(run, "basic", "s_cot", sample, repeat=3)
