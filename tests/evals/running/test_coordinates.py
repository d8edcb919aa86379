"""`--coordinates native`: each model is asked, and read, in its family's own convention."""

from pathlib import Path

import pytest
from loopback_server import Answer, ModelServer

import evals
from agents.conventions import ConventionError
from agents.models import open_model
from evals.running.store import StoreError

REPLY = Answer('{"selected_image": 0, "x": 250, "y": 900}')
QWEN, CLAUDE, UNKNOWN = "Qwen/Qwen3-VL-8B-Instruct", "claude-sonnet-4", "test-model"


def run(server: ModelServer, folder: Path, *names: str, **options: object) -> evals.RunResult:
    models = [open_model(f"{server.url}/v1#{name}", time_limit=5) for name in names]
    return evals.run("basic", model=models, limit=1, conditions=["inferred"], out=folder, progress=False, **options)  # type: ignore[arg-type]


def asked(server: ModelServer) -> dict[str, str]:
    """The last text that each model was sent."""
    return {one.json["model"]: one.json["messages"][0]["content"][-1]["text"] for one in server.received}


def test_each_family_is_asked_and_read_in_its_own(model_server: ModelServer, tmp_path: Path) -> None:
    model_server.default = REPLY

    result = run(model_server, tmp_path / "run", QWEN, CLAUDE, coordinates="native")

    texts = asked(model_server)
    assert "scale from 0 to 1000" in texts[QWEN]
    assert "pixels of" in texts[CLAUDE]
    points = {
        item.model.rpartition("#")[2]: (item.row["answer"]["x"], item.row["answer"]["y"]) for item in result.items()
    }
    assert points[QWEN] == pytest.approx((0.25, 0.9))
    assert points[CLAUDE] == pytest.approx((250 / 512, 900 / 512))
    assert "each model family's own convention; the papers asked for pixels" in str(result)


def test_paper_asks_all_for_pixels_and_says_nothing(model_server: ModelServer, tmp_path: Path) -> None:
    model_server.default = REPLY

    result = run(model_server, tmp_path / "run", QWEN)

    assert "pixels of" in asked(model_server)[QWEN]
    assert "Coordinates were asked for" not in str(result)


def test_models_that_are_no_vlm_are_left_alone(tmp_path: Path) -> None:
    result = evals.run("basic", limit=1, out=tmp_path / "run", coordinates="native", progress=False)

    assert [item.status for item in result.items()] == ["answered"] * len(result.items())


def test_a_family_that_nobody_knows_is_refused_before_anything_is_asked(
    model_server: ModelServer, tmp_path: Path
) -> None:
    with pytest.raises(ConventionError, match=r"test-model.*not known; take --coordinates paper"):
        run(model_server, tmp_path / "run", UNKNOWN, coordinates="native")
    assert not model_server.received
    assert not (tmp_path / "run").exists()


def test_a_run_is_not_gone_on_with_in_another_convention(model_server: ModelServer, tmp_path: Path) -> None:
    model_server.default = REPLY
    run(model_server, tmp_path / "run", QWEN)

    with pytest.raises(StoreError, match="convention was pixels, is native"):
        run(model_server, tmp_path / "run", QWEN, coordinates="native")
