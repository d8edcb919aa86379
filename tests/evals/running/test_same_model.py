"""Rows of one model are never gone on with, or relabelled, by another one of the same name."""

import json
from pathlib import Path

import pytest

from agents.model import Reply, Request
from evals.reporting.result import RunResult
from evals.running.session import execute, make_plan
from evals.running.store import StoreError


class Named:
    """Answers a point of its own."""

    def __init__(self, name: str = "mine", identity: str = "v1", is_vlm: bool = True, x: int = 1) -> None:
        self.name, self.identity, self.is_vlm, self.x = name, identity, is_vlm, x

    async def reply(self, request: Request) -> Reply:
        return Reply(json.dumps({"selected_image": 0, "x": self.x, "y": 1}))


def run(folder: Path, model: object, limit: int = 2) -> None:
    plan = make_plan(["basic"], [model], None, ["inferred"], limit=limit)  # type: ignore[list-item]
    execute(plan, folder, lambda progress: None)


@pytest.mark.parametrize("limit", [2, 4])
def test_another_identity_under_the_same_name_is_refused(tmp_path: Path, limit: int) -> None:
    run(tmp_path, Named())
    with pytest.raises(StoreError, match="another model called mine: its identity was v1, is v2"):
        run(tmp_path, Named(identity="v2", x=9), limit)
    run(tmp_path, Named(), 4)
    assert len(RunResult(tmp_path).items()) == 4


def test_a_baselines_rows_never_become_those_of_a_vlm(tmp_path: Path) -> None:
    run(tmp_path, "center")
    with pytest.raises(StoreError, match="its is_vlm was False, is True"):
        run(tmp_path, Named("center", "center?#"))
    assert "center (no VLM)" in RunResult(tmp_path).table()


def test_another_script_in_the_same_file_is_refused(tmp_path: Path) -> None:
    script = tmp_path / "s.json"
    script.write_text('[{"text": "{\\"x\\": 1, \\"y\\": 1}"}]')
    run(tmp_path / "run", f"scripted?file={script}")
    run(tmp_path / "run", f"scripted?file={script}", 3)
    script.write_text('[{"text": "{\\"x\\": 2, \\"y\\": 2}"}]')
    with pytest.raises(StoreError, match="another model called scripted"):
        run(tmp_path / "run", f"scripted?file={script}", 3)


def test_another_model_of_another_name_is_welcome(tmp_path: Path) -> None:
    run(tmp_path, Named())
    run(tmp_path, Named("other", "v2", x=9))
    assert {item.model for item in RunResult(tmp_path).items()} == {"mine", "other"}
