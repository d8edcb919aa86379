"""Every command and every piece of Python in the README and in docs/ runs as it stands."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
GOLDEN = ROOT / "tests" / "golden" / "povbench"


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def named_files(text: str) -> dict[str, str]:
    """Python blocks that begin with the name of their file."""
    found = {}
    for block in blocks(text, "python"):
        first, _, _ = block.partition("\n")
        if match := re.fullmatch(r"# (\w+\.py)", first):
            found[match[1]] = block
    return found


COMMANDS = [line for block in blocks(README, "bash") for line in block.splitlines()]
PROMISED = [
    "pip install -e . && evals run --graph s_cot",
    "pip install -e '.[test]' && pytest",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as a reader of the README would have it: data, predictions, the files that it shows."""
    place = tmp_path_factory.mktemp("reader")
    shutil.copytree(GOLDEN / "dataset", place / "POVBench")
    shutil.copy(GOLDEN / "predictions.json", place / "predictions.json")
    for name, text in named_files(README).items():
        (place / name).write_text(text, encoding="utf-8")
    return place


def test_readme_holds_the_two_promised_commands_first() -> None:
    assert COMMANDS[:2] == PROMISED


def test_ci_runs_the_promised_commands_to_the_letter() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8").replace("--quiet ", "")
    for command in PROMISED:
        assert command in script


@pytest.mark.parametrize("command", COMMANDS[2:])
def test_command_of_the_readme_runs(command: str, folder: Path) -> None:
    arguments = shlex.split(command)
    assert arguments[0] == "evals"
    ran = subprocess.run(
        [sys.executable, "-c", "from evals.cli import main; main()", *arguments[1:]],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip()


def test_table_of_the_readme_is_what_its_command_prints(folder: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", "from evals.cli import main; main()", "show", "runs/readme"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    table = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in README.splitlines()
        if line.startswith("| s_cot")
    ]
    assert len(table) == 4
    for row in table:
        line = next(
            line
            for line in with_names(ran.stdout.splitlines())
            if line.startswith(f"{row[0]}  ") and f"  {row[1]}  " in line
        )
        for cell in row[2:]:
            assert f" {cell}" in line


def with_names(lines: list[str]) -> list[str]:
    """Repeats the graph's name, which a printed table shows once, before each of its rows."""
    named, graph = [], ""
    for line in lines:
        graph = line.split(" ")[0] or graph
        named.append(line if line[:1].strip() else f"{graph}  {line.strip()}")
    return named


def test_python_of_the_readme_runs(folder: Path) -> None:
    notebook = next(block for block in blocks(README, "python") if block.startswith("import evals"))
    model = "import evals\nfrom my_model import MyModel\nprint(evals.run('s_cot', model=MyModel(), limit=2))\n"
    for code, expected in ((notebook, "direction mean"), (model, "model: mine\n")):
        ran = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        assert expected in ran.stdout


def test_bare_langgraph_of_the_docs_runs_and_its_missing_calls_are_reported(tmp_path: Path) -> None:
    for name, text in named_files((ROOT / "docs" / "bare-langgraph.md").read_text(encoding="utf-8")).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = ["run", "--graph", "my_langgraph.py:graph", "--conditions", "given", "--limit", "3"]
    ran = subprocess.run(
        [sys.executable, "-c", "from evals.cli import main; main()", *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert "my_langgraph: 3 answers came without a recorded call" in ran.stdout
