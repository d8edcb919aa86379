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
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"fig.svg", "fig.response.csv"}


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


@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_power_of_runs_that_differ_by_the_same_everywhere_is_printed(
    command: Command, tmp_path: Path, form: str
) -> None:
    """A difference of -0.1 in all of 12 scenes; huge effects too."""
    from evals.exchange import ImportOptions, import_log

    for graph, score in (("basic", 0.5), ("other", 0.4)):
        rows = [{"doc_id": place, "resps": [["A"]], "acc": score} for place in range(12)]
        file = tmp_path / "1_samples_sides.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        import_log(file, "lmms-eval", tmp_path / "run", ImportOptions(graph=graph, model="m"))
    for effect in ("0.03", "1e300"):
        code, out, err = command("power", tmp_path / "run", "--effect", effect, "--format", form)
        assert (code, err) == (0, "")
        assert "nan" not in out.lower()
        assert "1,000,000" not in out


def test_imported_scores_do_not_leave_as_predictions(command: Command, tmp_path: Path) -> None:
    from evals.exchange import ImportOptions, import_log

    file = tmp_path / "1_samples_mmb.jsonl"
    file.write_text(json.dumps({"doc_id": 47, "resps": [["A"]], "acc": 1}) + "\n")
    import_log(file, "lmms-eval", tmp_path / "run", ImportOptions(model="m"))
    code, _, err = command("export", tmp_path / "run", "--to", "povbench", "--out", tmp_path / "out")
    assert code == 2
    assert "mmb/47: is missing from the data" in err


@pytest.mark.parametrize("size", ["nan", "inf", "0"])
def test_a_report_of_no_size_is_refused(command: Command, folder: Path, size: str) -> None:
    code, _, err = command("report", folder, "--max-mb", size)
    assert code == 2
    assert "--max-mb must be a number from 1 on" in err
