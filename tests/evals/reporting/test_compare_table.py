"""A comparison on paper: for people, for programs, for Markdown and LaTeX."""

import csv
import io
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from evals.reporting.compare_table import as_csv, as_json, as_latex, as_markdown
from evals.reporting.comparison import Comparison
from evals.reporting.result import RunResult

WriteRun = Callable[..., RunResult]
SCENES = "abcdefgh"


@pytest.fixture
def comparison(write_run: WriteRun) -> Comparison:
    samples = [f"{scene}/{condition}" for scene in SCENES for condition in ("inferred", "given")]
    keys = {sample: {"condition": sample.partition("/")[2]} for sample in samples}
    worse: dict[str, Any] = {sample: 0.5 + 0.01 * place for place, sample in enumerate(samples)}
    better = {sample: value - 0.1 for sample, value in worse.items() if sample.endswith("inferred")}
    run = write_run(
        {"basic": worse, "o_plot": better},
        conditions=["inferred", "given"],
        applies={"o_plot": ["inferred"]},
        keys=keys,
    )
    return run.compare("basic")


def test_table_shows_difference_interval_test_and_says_how(comparison: Comparison) -> None:
    text = comparison.table(200)
    line = next(line for line in text.splitlines() if "o_plot" in line)
    # 8 scenes with the same sign: 2 of 256 sign patterns; every difference is -0.1, so the interval has no width.
    assert "-0.100 [-0.100, -0.100]" in line
    assert "0.008" in line
    assert "Δ: graph minus basic, paired on the instances that both answered (8 pairs in 8 scenes" in text
    assert "adjusted by Holm over the one contrast" in text
    assert "WARNING: only 8 scenes" in text


def test_what_does_not_apply_is_dashes(comparison: Comparison) -> None:
    line = [line for line in comparison.table(200).splitlines() if "o_plot" in line][1]
    assert set(line.split()[1:]) == {"–"}
    assert "does not apply" in comparison.table(200)


def test_what_does_not_fit_is_named(comparison: Comparison) -> None:
    text = comparison.table(60)
    assert max(map(len, text.split("\n\n")[0].splitlines())) <= 60
    assert "Left out for width: " in text


def test_what_does_not_fit_beside_goes_on_below(write_run: WriteRun) -> None:
    samples = [f"{scene}/{number}" for scene in SCENES for number in range(2)]
    run = write_run({"basic": dict.fromkeys(samples, 0.5), "cot": dict.fromkeys(samples[2:], 0.4) | {"a/0": None}})
    first, second, notes = run.compare("basic").table(80).split("\n\n", 2)
    assert all(max(map(len, block.splitlines())) <= 80 for block in (first, second))
    assert "Δ resp." in first + second
    assert "Δ worst" in first + second
    assert [line.split()[0] for line in second.splitlines()] == ["graph", "basic", "cot"]
    assert "Δ worst" not in notes.partition("Left out for width")[2]


def test_json_holds_the_rows_and_the_notes(comparison: Comparison) -> None:
    content = json.loads(as_json(comparison))
    assert content["rows"] == comparison.rows
    assert content["notes"] == comparison.notes
    assert (content["baseline"], content["metric"], content["runs"]) == ("basic", "l2", ["run"])


def test_csv_has_a_column_a_key(comparison: Comparison) -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(comparison))))
    assert len(rows) == len(comparison.rows)
    assert [float(row["difference"]) for row in rows if row["difference"]] == [pytest.approx(-0.1)]


def test_markdown_lines_have_equal_numbers_of_cells(comparison: Comparison) -> None:
    table = [line for line in as_markdown(comparison).splitlines() if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table}) == 1
    assert len(table) == 2 + len(comparison.rows)


def test_latex_lines_have_equal_numbers_of_cells_and_no_bare_special_characters(comparison: Comparison) -> None:
    text = as_latex(comparison)
    body = text.partition("\\toprule")[2].partition("\\bottomrule")[0]
    lines = [line for line in body.splitlines() if line.endswith("\\\\")]
    assert len({len(re.findall(r"(?<!\\)&", line)) for line in lines}) == 1
    assert "o\\_plot" in text
    assert not re.search(r"(?<!\\)[_#]", text)
    assert not re.search(r"(?<!\\)%", text.partition("\n")[2])


@pytest.mark.parametrize("name", ["a|b", "evil\x1b[2Jname", "$x_1$ & 50% #1", "[c]", "*"])
def test_names_of_models_cannot_break_what_they_are_pasted_into(write_run: WriteRun, name: str) -> None:
    samples = {f"{scene}/1": 0.5 for scene in SCENES}
    one, other = write_run({"basic": samples}, "one", model=name), write_run({"basic": samples}, "other")
    comparison = one.compare("basic", other)
    for text in (comparison.table(200), as_markdown(comparison), as_latex(comparison)):
        assert "\x1b" not in text
    table = [line for line in as_markdown(comparison).splitlines() if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table}) == 1
    body = as_latex(comparison).partition("\\toprule")[2].partition("\\bottomrule")[0]
    lines = [line for line in body.splitlines() if line.endswith("\\\\")]
    assert len({len(re.findall(r"(?<!\\)&", line)) for line in lines}) == 1
    assert not any(line.startswith(("[", "*")) for line in as_latex(comparison).splitlines())


def test_published_figures_stand_in_tables_of_their_own(comparison: Comparison, write_run: WriteRun) -> None:
    """Success rates judged by hand are not L2, and figures of papers are no rows of what was run."""
    keys = {f"{scene}/1": {"condition": "given"} for scene in SCENES}
    run = write_run({"basic": dict.fromkeys(keys, 0.5)}, "published", conditions=["given"], keys=keys)
    for text in (run.compare(published=True).table(200), as_markdown(run.compare(published=True))):
        ours, l2, success = re.split(r"\*{0,2}published, NOT RUN HERE: ", text)
        assert "GPT-5.4" not in ours
        assert "0.189 (97.6%)" in next(line for line in l2.splitlines() if "GPT-5.4" in line)
        assert "0.41" in next(line for line in success.splitlines() if "GPT-5.4" in line)


def test_mean_over_directions_stands_beside_the_pooled_mean(write_run: WriteRun) -> None:
    """Three instances to the left at 0.2, one up at 0.6: pooled 0.3, the mean of both directions 0.4."""
    values = {"a/1": 0.2, "b/1": 0.2, "c/1": 0.2, "d/1": 0.6}
    keys = {sample: {"direction": "up" if sample == "d/1" else "left"} for sample in values}
    comparison = write_run({"basic": values}, keys=keys, breakdown="direction").compare()
    (row,) = comparison.rows
    assert (row["mean"], row["mean_over_breakdown"]) == (pytest.approx(0.3), pytest.approx(0.4))
    header, line = comparison.table(200).splitlines()[:2]
    assert "direction mean" in header
    assert "0.400" in line


def test_unknown_cost_and_tokens_have_no_column_rather_than_zeros(comparison: Comparison) -> None:
    header = comparison.table(400).splitlines()[0]
    assert "cost" not in header
    assert "tokens" not in header


def test_long_names_of_models_stand_above_where_a_line_is_narrow(write_run: WriteRun) -> None:
    samples = {f"{scene}/1": 0.5 for scene in SCENES}
    name = "provider/a-model-with-a-name-that-nobody-would-call-short"
    one = write_run({"basic": samples, "x": samples}, "one", model=name)
    other = write_run({"basic": samples, "x": samples}, "other")
    lines = one.compare("basic", other).table(80).split("\n\n")[0].splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if name in line] == [f"one, {name}"]
    assert " p " in lines[0]


def test_latex_with_letters_that_pdflatex_lacks_says_what_sets_them(write_run: WriteRun) -> None:
    samples = {f"{scene}/1": 0.5 for scene in SCENES}
    plain, other = write_run({"basic": samples}, "plain"), write_run({"basic": samples}, "other", model="\u6a21\u578b")
    assert as_latex(plain.compare()).splitlines()[0] == "% needs \\usepackage{booktabs}"
    assert "xelatex or lualatex" in as_latex(other.compare()).splitlines()[0]
