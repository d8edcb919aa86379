"""No key reaches disk, screen or store; prompts and replies stand in the store alone."""

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from loopback_server import Answer, Behaviour, ModelServer, Received, Refusal

from agents.failures import without_known_keys
from evals.running.logs import run_log, warnings_on_screen

KEY = "squeamish-ossifrage-4711"
GOOD = '{"selected_image": 0, "x": 256, "y": 256}'
MAIN = "from evals.cli import main; main()"


def everything_under(folder: Path) -> Iterator[tuple[Path, bytes]]:
    for path in folder.rglob("*"):
        if path.is_file():
            yield path, path.read_bytes()


def authorization(received: Received) -> str:
    return {name.lower(): value for name, value in received.headers.items()}["authorization"]


def echoing(received: Received) -> Behaviour:
    """A server that repeats the request's headers wherever it can."""
    header = authorization(received)
    match len(echoing.seen):  # type: ignore[attr-defined]
        case 0:
            behaviour: Behaviour = Refusal(500, f"cannot handle {header}")
        case 1:
            behaviour = Answer(f"You sent {header}. {GOOD}", reasoning=f"They sent {header}.")
        case 2:
            behaviour = Refusal(400, f"content filter: {header}", "content_filter")
        case 3:
            behaviour = Answer(GOOD, model=header)
        case 4:
            behaviour = Answer(GOOD, finish=header)
        case 5 | 6:
            behaviour = Refusal(400, f"bad: {header}")
        case 7:
            behaviour = Refusal(401, f"Incorrect API key provided: {header}")
        case _:
            behaviour = Answer(GOOD)
    echoing.seen.append(received)  # type: ignore[attr-defined]
    return behaviour


@pytest.mark.parametrize("level", ["debug", "info"])
def test_no_key_is_found_in_any_file_or_output_of_a_run(level: str, model_server: ModelServer, tmp_path: Path) -> None:
    echoing.seen = []  # type: ignore[attr-defined]
    model_server.default = echoing
    command = [
        "run",
        "--graph",
        "basic",
        "--model",
        f"{model_server.url}/v1#test-model",
        "--out",
        str(tmp_path / "run"),
    ]
    command += ["--concurrency", "1", "--limit", "3", "--log-level", level, "--format", "json"]
    environment = {**os.environ, "SITUATE_API_KEY": KEY}
    outputs = b""
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", MAIN, *command], capture_output=True, env=environment, cwd=tmp_path, timeout=120
        )
        outputs += done.stdout + done.stderr
    assert all(authorization(received) == f"Bearer {KEY}" for received in model_server.received)
    assert KEY.encode() not in outputs
    found = [str(path) for path, content in everything_under(tmp_path) if KEY.encode() in content]
    assert found == []
    assert len(echoing.seen) > 8  # type: ignore[attr-defined]
    log = (tmp_path / "run" / "log.txt").read_text(encoding="utf-8")
    assert "[key]" in log
    for prompted in ("selected_image", "Image 0", "base64"):
        assert prompted not in log


def test_what_other_libraries_log_is_shown_without_keys(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("SOME_API_KEY", KEY)
    with warnings_on_screen(), run_log(tmp_path, "debug"):
        logging.getLogger("some.library").warning("headers: %s", {"Authorization": f"Bearer {KEY}"})
        logging.getLogger("some.library").debug("body: the prompt")
        try:
            raise RuntimeError(f"https://host/?key={KEY}")
        except RuntimeError:
            logging.getLogger("evals.running").exception("it broke")
    shown = capsys.readouterr().err
    assert "headers" in shown
    assert KEY not in shown
    written = (tmp_path / "log.txt").read_text(encoding="utf-8")
    assert "it broke" in written
    assert "the prompt" not in written
    assert KEY not in written


def test_log_level_decides_what_is_written(tmp_path: Path) -> None:
    ours = logging.getLogger("evals.running.somewhere")
    with run_log(tmp_path, "warning"):
        ours.info("a detail")
        ours.warning("a warning")
    ours.warning("after the run")
    assert "a warning" in (tmp_path / "log.txt").read_text(encoding="utf-8")
    assert "detail" not in (tmp_path / "log.txt").read_text(encoding="utf-8")
    assert "after" not in (tmp_path / "log.txt").read_text(encoding="utf-8")


def test_texts_without_known_keys_are_kept_to_the_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_TOKEN", KEY)
    text = "token: 1234567890 sk-not-really-a-key Bearer of news"
    assert without_known_keys(text) == text
    assert without_known_keys(f"a {KEY} b") == "a [key] b"
