"""Tables for people and for programs: what is shown, what is labelled, what is left out and said."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from rich.cells import cell_len

from evals.reporting.summary import Cell, summarise
from evals.reporting.table import as_csv, as_json, listing, number, render, text_table
from evals.scorers.frame_point import frame_point

WIDE = 400


def describe(graphs=("g",), models=(("m", True),), **more):
    return {
        "form": "frame_point",
        "breakdown": "direction",
        "graphs": {graph: {"conditions": [], "beyond_paper": []} for graph in graphs},
        "models": {model: {"is_vlm": is_vlm} for model, is_vlm in models},
        "faults": 0,
        "accounting": {"run": {"calls": 2}, "graphs": [], "models": []},
        **more,
    }


@pytest.fixture
def rows(items):
    """Rows of one graph in Inferred with two answered items, and of what a test changes of the cell."""

    def make(**cell):
        about = {"no_vlm": False, "condition": "inferred", "applicable": True, "beyond_paper": False, **cell}
        made = items(
            [{"sample": "1", "scene": "a", "l2": 0.25}, {"sample": "2", "scene": "b", "direction": "up", "l2": 0.5}]
        )
        return summarise(made, [Cell("g", "m", **about)], frame_point, "direction")

    return make


def lines(text):
    return [re.split(r"\s{2,}", line.strip()) for line in text.splitlines()]


def described(run):
    return {**run.description(), "accounting": run.accounting()}


def test_a_row_shows_counts_mean_interval_and_mean_of_the_directions(rows):
    head, whole, *_ = lines(render(rows(), describe(), WIDE, detail=False))
    shown = dict(zip(head, whole, strict=True))
    assert (shown["condition"], shown["n"], shown["answered"], shown["failed"]) == ("Inferred", "2", "2", "0")
    assert shown["resp."] == "100.0%"
    # Mean 0.375, standard error 0.125, t with one degree of freedom 12.706: 0.375 -+ 1.588.
    assert shown["L2 [95 %]"] == "0.375 [-1.213, 1.963]"
    assert shown["direction mean"] == "0.375"
    assert shown["sd"] == "0.125"
    assert shown["in-frame L2"] == "–"


def test_one_graph_with_one_model_is_split_by_direction_unless_told_otherwise(rows):
    names = [
        [line[0] for line in lines(render(rows(), describe(), WIDE, detail))][1:4] for detail in (None, True, False)
    ]
    assert names[0] == names[1] == ["Inferred", "left", "up"]
    assert "left" not in names[2]
    several = render(rows(), describe(models=[("m", True), ("n", True)]), WIDE, None)
    assert "  up" not in several


def test_a_condition_that_a_graph_does_not_apply_to_is_a_row_of_dashes(rows):
    given = rows(condition="given", applicable=False)
    _, inferred, dashes, *rest = lines(render([*rows(), *given], describe(), WIDE, detail=False))
    assert inferred[0] == "Inferred"
    assert dashes[0] == "Given"
    assert set(dashes[1:]) == {"–"}
    assert ["–: the graph does not apply to the condition."] in rest


def test_what_the_paper_did_not_measure_has_a_star_with_its_meaning(rows):
    text = render(rows(beyond_paper=True), describe(), WIDE, detail=False)
    assert lines(text)[1][0] == "Inferred *"
    assert "*: our extension, the paper did not measure this graph in this condition." in text
    for cell in ({}, {"beyond_paper": True, "applicable": False}):
        assert "*" not in render(rows(**cell), describe(), WIDE, detail=False)


def test_failures_put_the_published_response_rate_beside_ours(items):
    made = items([{"sample": "1", "l2": 0.5}, {"sample": "2", "status": "failed"}])
    cell = Cell("g", "m", no_vlm=False, condition="inferred", applicable=True, beyond_paper=False)
    text = render(summarise(made, [cell], frame_point, None), describe(), WIDE, detail=False)
    head, row, *_ = lines(text)
    shown = dict(zip(head, row, strict=True))
    assert (shown["failed"], shown["resp."], shown["resp. published"]) == ("1", "100.0%", "50.0%")


@pytest.mark.parametrize("scenes", [2, 9, 10])
def test_few_scenes_are_said_to_be_too_few(items, scenes):
    cell = Cell("g", "m", no_vlm=False, condition="inferred", applicable=True, beyond_paper=False)
    made = items([{"sample": str(n), "scene": str(n), "l2": 0.5} for n in range(scenes)])
    text = render(summarise(made, [cell], frame_point, None), describe(), WIDE, detail=False)
    assert f"clustered by scene ({scenes} scenes" in text
    assert ("too few to trust them" in text) is (scenes < 10)


def test_faults_of_the_data_are_said(rows):
    assert "Faults in the data: 3;" in render(rows(), describe(faults=3), WIDE, detail=False)


NUMBERS = [
    (None, ".3f", "–"),
    (3, ".3f", "3"),
    (0.0, ".3f", "0.000"),
    (-0.0, ".3f", "0.000"),
    (-0.0004, ".3f", "0.000"),
    (-0.0006, ".3f", "-0.001"),
    (-1e-12, ".1%", "0.0%"),
    (0.12345, ".1%", "12.3%"),
    (0.5, ".3f", "0.500"),
]


@pytest.mark.parametrize(("value", "form", "text"), NUMBERS)
def test_numbers_are_rounded_and_zero_has_no_sign(value, form, text):
    assert number(value, form) == text


def test_an_interval_about_zero_has_no_negative_zero(items):
    cell = Cell("g", "m", no_vlm=False, condition="inferred", applicable=True, beyond_paper=False)
    made = items(
        [{"sample": str(n), "scene": str(n % 3), "l2": value} for n, value in enumerate([0, 1e-16, 1e-15] * 3)]
    )
    text = render(summarise(made, [cell], frame_point, "direction"), describe(), WIDE, detail=True)
    assert "0.000 [0.000, 0.000]" in text
    assert "-0.000" not in text


def columns_of(text):
    return re.split(r"\s{2,}", text.splitlines()[0].strip())


@pytest.mark.parametrize("width", [60, 80, 100, 120, 160, 200, WIDE])
@pytest.mark.parametrize("detail", [True, False])
def test_what_does_not_fit_is_left_out_whole_and_named(run, run_rows, width, detail):
    text = render(run_rows, described(run), width, detail)
    table = text.split("\n\n")[0].splitlines()
    every, shown = (columns_of(one) for one in (render(run_rows, described(run), WIDE, detail), text))
    wanted = every if shown[0] == "graph" else every[2:]
    assert shown == wanted[: len(shown)]
    assert all(cell_len(line) <= width for line in table)
    assert "…" not in text
    said = f"Left out for width: {', '.join(wanted[len(shown) :])} (--format json has them all)."
    assert (said in text) is (shown != wanted)


def test_on_a_narrow_terminal_names_stand_above_their_rows_and_scores_stay_in_sight(run, run_rows):
    lines_of_80 = render(run_rows, described(run), 80, detail=False).splitlines()
    assert columns_of(lines_of_80[0])[:2] == ["condition", "n"]
    assert "L2 [95 %]" in lines_of_80[0]
    headings = [line for line in lines_of_80 if line.startswith(("s_cot, ", "o_plot, "))]
    assert headings == [
        f"{graph}, {model}"
        for graph in ("s_cot", "o_plot")
        for model in ("reference?anchor=0.1 (no VLM)", "center (no VLM)", "moody")
    ]
    for place, line in enumerate(lines_of_80):
        if line in headings:
            assert lines_of_80[place + 1].startswith("Inferred")


def test_columns_fit_to_the_last_character():
    columns = [("condition", ["Inferred"]), ("n", ["12"]), ("model", ["模型"])]
    # 9 + 2, 2 + 2, 5: Chinese characters take two cells each.
    assert text_table(columns, 20)[1] == []
    assert text_table(columns, 19)[1] == ["model"]
    assert text_table(columns, 40)[0].splitlines()[1] == "Inferred   12  模型"


def test_models_that_are_no_vlm_are_labelled_in_every_format(run, run_rows):
    names = {"reference?anchor=0.1": True, "center": True, "moody": False}
    table = render(run_rows, described(run), WIDE, None)
    for name, no_vlm in names.items():
        assert (f"{name} (no VLM)" in table) is no_vlm
    assert "(no VLM): reads hints or guesses" in table
    for row in json.loads(as_json(run_rows, described(run)))["rows"]:
        assert row["no_vlm"] is names[row["model"]]
    for row in csv.DictReader(io.StringIO(as_csv(run_rows))):
        assert row["no_vlm"] == str(names[row["model"]])
    frame = run.frame()
    assert {(row.model, row.no_vlm) for row in frame.itertuples()} == set(names.items())


def test_a_single_model_is_labelled_beneath_the_table(rows):
    labelled = render(rows(no_vlm=True), describe(models=[("m", False)]), WIDE, None)
    assert "model: m (no VLM)" in labelled
    assert "(no VLM)" not in render(rows(), describe(), WIDE, None)


def test_every_cell_of_a_run_is_a_row(run_rows):
    rows = [row for row in run_rows if row["breakdown"] == "all"]
    assert [(row["graph"], row["model"], row["condition"]) for row in rows] == [
        (graph, model, condition)
        for graph in ("s_cot", "o_plot")
        for model in ("reference?anchor=0.1", "center", "moody")
        for condition in ("inferred", "stated", "given")
    ]
    for row in rows:
        away = (row["graph"], row["condition"]) == ("o_plot", "given")
        assert (row["applicable"], row["n"]) == (not away, 0 if away else 24)
        assert row["beyond_paper"] is ((row["graph"], row["condition"]) == ("s_cot", "given"))
    moody = [row for row in rows if row["model"] == "moody" and row["applicable"]]
    assert all(row["answered"] and row["unanswered"] and row["failed"] for row in moody)


def test_json_holds_no_nan_and_numbers_in_full(run, run_rows):
    text = as_json(run_rows, described(run))
    assert "NaN" not in text
    parsed = json.loads(text, parse_constant=pytest.fail)
    assert parsed["rows"] == run_rows
    assert set(parsed["run"]["models"]) == {"reference?anchor=0.1", "center", "moody"}
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_json([{"l2": float("nan")}], {})


def test_csv_holds_a_row_a_row_and_nothing_for_none(run_rows):
    parsed = list(csv.DictReader(io.StringIO(as_csv(run_rows))))
    assert len(parsed) == len(run_rows)
    assert list(parsed[0]) == list(run_rows[0])
    away = [row for row in parsed if row["applicable"] == "False"]
    assert all((row["n"], row["l2"]) == ("0", "") for row in away)


def test_csv_of_no_rows_has_the_columns_that_are_known():
    assert as_csv([], ["file", "what"]) == "file,what\n"
    assert as_csv([]) == ""


def test_csv_writes_lists_and_objects_as_json():
    text = as_csv([{"name": "a", "steps": ["x", "y"], "options": {"frame": 0.0}, "empty": []}])
    (row,) = csv.DictReader(io.StringIO(text))
    assert (json.loads(row["steps"]), json.loads(row["options"]), row["empty"]) == (["x", "y"], {"frame": 0.0}, "[]")


EVIL = "evil\x1b[31m\u202e\r\x07name"


def test_no_name_steers_the_terminal(items):
    rows = summarise(
        items([{"graph": EVIL, "model": EVIL, "direction": EVIL, "l2": 0.5}]),
        [Cell(EVIL, EVIL, no_vlm=True, condition="inferred", applicable=True, beyond_paper=False)],
        frame_point,
        "direction",
    )
    one = describe(graphs=[EVIL], models=[(EVIL, False)])
    several = describe(graphs=[EVIL, "g"], models=[(EVIL, False), ("m", True)])
    texts = [render(rows, about, WIDE, detail=True) for about in (one, several)]
    texts += [as_csv(rows), listing([{"name": EVIL, "summary": EVIL, "steps": [EVIL]}])]
    for text in texts:
        assert not set(text) & set("\x1b\u202e\r\x07")
        assert "evil\\x1b[31m" in text


def test_a_run_in_which_nothing_has_ended_says_so():
    assert render([], describe(), WIDE, None) == "no item has ended yet"


def test_a_listing_says_what_there_is_and_leaves_out_what_there_is_not():
    text = listing(
        [
            {
                "name": "a",
                "summary": "Does.",
                "vlm": False,
                "options": {"frame": 0.0, "x": ""},
                "conditions": ["b", "c"],
            },
            {"name": "d", "summary": "Is.", "vlm": True, "options": {}, "conditions": [], "max_tokens": 256},
        ]
    )
    assert text.splitlines() == [
        "a (no VLM): Does.",
        "    options: frame=0.0, x=",
        "    conditions: b, c",
        "d: Is.",
        "    vlm: True",
        "    max tokens: 256",
    ]


@pytest.mark.parametrize(
    ("scenes", "said"), [("aa", "no interval can be made of 1 scene (two are needed)"), ("ab", "(2 scenes, too few")]
)
def test_an_interval_that_cannot_be_made_is_said(scenes, said, items):
    made = items([{"sample": str(n), "scene": scene, "l2": 0.2 + n} for n, scene in enumerate(scenes)])
    cell = Cell("g", "m", no_vlm=False, condition="inferred", applicable=True, beyond_paper=False)
    assert said in render(summarise(made, [cell], frame_point, None), describe(), WIDE, detail=False)


def test_a_result_prints_its_table_in_120_characters(run, run_rows):
    assert str(run) == render(run_rows, described(run), 120, None)
