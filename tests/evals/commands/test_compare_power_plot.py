"""`evals compare`, `evals power` and `evals plot` on a real run of the built-in houses."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import evals
from evals.cli import main

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("runs") / "night"
    models = ["reference?facing=20&anchor=0.05", "random"]
    evals.run(["basic", "s_cot", "o_plot"], model=models, limit=4, repeats=2, out=place, progress=False)
    return place


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command line in this process: exit code, standard output, standard error."""

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["evals", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_compare_prints_a_table(command: Command, folder: Path) -> None:
    code, out, _ = command("compare", folder, "--baseline", "basic", "--by", "direction,condition,scene", "--published")
    assert code == 0
    assert "Δ: graph minus basic" in out
    assert "direction left" in out
    assert "NOT RUN HERE" in out


def test_json_holds_exactly_the_rows_that_python_gives(command: Command, folder: Path) -> None:
    _, out, _ = command("compare", folder, "--baseline", "basic", "--by", "direction", "--format", "json")
    assert json.loads(out)["rows"] == evals.RunResult(folder).compare("basic", by=["direction"]).rows


@pytest.mark.parametrize(("form", "start"), [("csv", "source,run,graph"), ("md", "| model"), ("latex", "% needs")])
def test_other_formats_go_to_standard_output(command: Command, folder: Path, form: str, start: str) -> None:
    code, out, err = command("compare", folder, "--baseline", "basic", "--format", form)
    assert (code, err) == (0, "")
    assert out.startswith(start)


def test_power_says_what_a_difference_takes(command: Command, folder: Path) -> None:
    code, out, _ = command("power", folder, "--effect", "0.03")
    assert code == 0
    assert "scenes needed" in out
    code, out, _ = command("power", folder, "--effect", "0.03", "--format", "json")
    assert {row["effect"] for row in json.loads(out)["rows"]} == {0.03}


def test_plot_writes_the_figure_and_its_numbers(command: Command, folder: Path, tmp_path: Path) -> None:
    code, _, err = command("plot", folder, "--kind", "response", "--out", tmp_path / "new" / "fig.svg")
    assert (code, err.count("\n")) == (0, 1)
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"fig.svg", "fig.csv"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare", "{run}", "--baseline", "basik"], "unknown baseline 'basik'; did you mean basic?"),
        (["compare", "{run}", "--by", "rooms"], "unknown grouping key 'rooms'"),
        (["compare", "{run}/nothing"], "holds no run"),
        (["compare", "{run}", "{run}"], "is given twice"),
        (["power", "{run}", "--effect", "-1"], "--effect must be above 0"),
        (["plot", "{run}", "--kind", "response", "--out", "figure.docx"], "takes a file that ends in"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(command: Command, folder: Path, arguments: list[str], said: str) -> None:
    code, out, err = command(*(argument.format(run=folder) for argument in arguments))
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
