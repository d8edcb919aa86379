"""`evals models`, `evals doctor` and `evals data get`, as a user gives them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from loopback_server import Answer, ModelServer, Refusal


def evals(*arguments: str, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    script = "import sys; from evals.cli import main; sys.argv[0] = 'evals'; main()"
    kept = {name: value for name, value in os.environ.items() if not name.endswith(("_KEY", "_TOKEN"))}
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**kept, **environment},
    )


def test_the_papers_models_are_listed_with_how_to_open_them() -> None:
    rows = {row["name"]: row for row in json.loads(evals("models", "list", "--format", "json").stdout)}

    assert rows["gpt-5.4"]["open"] == "openai/gpt-5.4"
    assert rows["robopoint"]["conditions"] == ["given"]
    assert "vllm serve Qwen/Qwen3-VL-8B-Instruct" in rows["qwen3-vl-8b"]["open"]
    assert {"provider/name", "http://host:port/v1#name", "reference"} <= set(rows)


def test_a_preset_without_an_api_says_what_to_do() -> None:
    done = evals("run", "--graph", "basic", "--model", "qwen3-vl-8b")

    assert done.returncode == 2
    assert "vllm serve Qwen/Qwen3-VL-8B-Instruct" in done.stderr


def test_a_mistyped_model_is_told_the_nearest() -> None:
    done = evals("run", "--graph", "basic", "--model", "gpt-5.5")

    assert done.returncode == 2
    assert "did you mean gpt-5.4" in done.stderr


def test_one_small_call_proves_that_a_model_works(model_server: ModelServer) -> None:
    model_server.default = Answer('{"colour": "blue"}')

    done = evals("models", "check", f"{model_server.url}/v1#test-model", "--format", "json")

    assert done.returncode == 0, done.stderr
    row = json.loads(done.stdout)
    assert "it keeps to the schema" in row["summary"]
    assert row["tokens"] == "in 100, cached 64, out 10, reasoning 4"
    assert row["cost"] == "unknown"
    assert len(model_server.received) == 1
    assert model_server.received[0].body.count(b"data:image/png") == 2


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer('{"colour": "red"}'), "took Image 1 for Image 0"),
        (Answer("It is blue."), "not in the schema"),
        (Answer(None, '{"colour": "blue"}'), "in its reasoning alone"),
    ],
)
def test_what_is_odd_about_a_model_is_said(model_server: ModelServer, answer: Answer, words: str) -> None:
    model_server.default = answer

    assert words in evals("models", "check", f"{model_server.url}/v1#test-model").stdout


def test_a_model_that_does_not_work_is_said_with_the_cure(model_server: ModelServer) -> None:
    model_server.default = Refusal(401, "bad key very-secret-word")

    done = evals("models", "check", f"{model_server.url}/v1#m", SITUATE_API_KEY="very-secret-word")

    assert done.returncode == 2
    assert "set SITUATE_API_KEY" in done.stderr
    assert "very-secret-word" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_doctor_names_versions_extras_and_keys_but_never_their_values() -> None:
    done = evals("doctor", OPENAI_API_KEY="very-secret-word", MISTRAL_API_KEY="other-secret-word")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "OPENAI_API_KEY: set" in done.stdout
    assert "MISTRAL_API_KEY: set" in done.stdout
    assert "ANTHROPIC_API_KEY: not set" in done.stdout
    assert "secret" not in done.stdout
    assert "situate: " in done.stdout
    assert "test: " in done.stdout


def make_package(folder: Path, name: str) -> None:
    (folder / name).mkdir()
    (folder / name / "__init__.py").touch()


def test_a_shadowed_package_is_named_with_the_cure(tmp_path: Path) -> None:
    make_package(tmp_path, "tools")

    done = evals("--help", cwd=tmp_path)

    assert done.returncode == 2
    assert f"package 'tools' of situate is shadowed: Python finds it at {tmp_path / 'tools'}" in done.stderr
    assert "Traceback" not in done.stderr


def test_doctor_says_what_would_shadow_a_package(tmp_path: Path) -> None:
    make_package(tmp_path, "agents")
    script = "import sys; sys.path = [p for p in sys.path if p]; from evals.cli import main; main()"

    done = subprocess.run(
        [sys.executable, "-c", script, "doctor"], capture_output=True, text=True, check=False, cwd=tmp_path
    )

    assert done.returncode == 1
    assert f"folder {tmp_path} holds a 'agents' of its own" in done.stdout


def test_a_dataset_that_the_hub_does_not_have_is_told_the_nearest() -> None:
    done = evals("data", "get", "povbnch")

    assert done.returncode == 2
    assert "did you mean povbench" in done.stderr


def test_a_hub_that_does_not_answer_is_one_line(model_server: ModelServer, tmp_path: Path) -> None:
    done = evals("data", "get", "povbench", "--to", str(tmp_path / "data"), HF_ENDPOINT="http://127.0.0.1:9")

    assert done.returncode == 2
    assert done.stderr.startswith("error: owl-owl/POVBench: cannot be downloaded")
    assert "Traceback" not in done.stderr
