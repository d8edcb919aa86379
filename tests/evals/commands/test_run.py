"""`evals run`: what it prints and stores, and what it refuses in one line."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

GRAPH = """
from agents import anchor_localization, frame_selection, side_identification, target_estimation
from graphs import ReasoningGraph, mark_anchor

graph = ReasoningGraph(
    "s_cot_marked",
    interventions=[mark_anchor],
    steps=[frame_selection, anchor_localization, side_identification, target_estimation],
)
staged = ReasoningGraph(steps=[frame_selection], mode="staged")
number = 3
"""


def overall(ended):
    return [row for row in ended.json["rows"] if row["breakdown"] == "all"]


def test_a_run_without_options_needs_no_data_and_names_its_folder(command, tmp_path):
    ended = command("run", "--graph", "s_cot", "--limit", 4)
    assert ended.code == 0
    assert "graph: s_cot\nmodel: reference (no VLM)" in ended.out
    (line,) = ended.said
    folder = re.fullmatch(r"stored in (runs/\d{8}-\d{6}-s_cot) \(evals show \1 ITEM\)", line)
    assert (tmp_path / folder[1] / "run.sqlite").is_file()


def test_another_run_at_the_same_second_gets_another_folder(command, tmp_path):
    for _ in range(3):
        assert command("run", "--graph", "basic", "--limit", 1, "--conditions", "given").code == 0
    assert len(list((tmp_path / "runs").iterdir())) == 3


def test_graphs_models_conditions_repeats_and_limit_span_the_table(command, data):
    ended = command(
        *("run", "--graph", "basic", "--graph", "oa_plot", "--model", "reference", "--model", "center"),
        *("--data", data, "--conditions", "inferred, given", "--repeats", 2, "--limit", 3, "--out", "run"),
        *("--format", "json"),
    )
    assert ended.code == 0
    cells = [(row["graph"], row["model"], row["condition"], row["n"]) for row in overall(ended)]
    assert cells == [
        (graph, model, condition, 0 if (graph, condition) == ("oa_plot", "given") else 6)
        for graph in ("basic", "oa_plot")
        for model in ("reference", "center")
        for condition in ("inferred", "given")
    ]


def test_csv_and_json_hold_the_same_rows(command):
    command("run", "--graph", "basic", "--limit", 3, "--out", "run")
    as_json = command("show", "run", "--format", "json").json["rows"]
    as_csv = list(csv.DictReader(io.StringIO(command("show", "run", "--format", "csv").out)))
    assert [{key: "" if value is None else str(value) for key, value in row.items()} for row in as_json] == as_csv


def test_interventions_compose_with_a_graph_by_name(command):
    ended = command(
        *("run", "--graph", "basic+blind", "--graph", "s_cot+shuffle_frames+random_frame", "--limit", 2),
        *("--conditions", "stated", "--out", "run", "--format", "json"),
    )
    assert ended.code == 0
    assert [(row["graph"], row["answered"]) for row in overall(ended)] == [
        ("basic+blind", 2),
        ("s_cot+shuffle_frames+random_frame", 2),
    ]


def test_a_graph_of_ones_own_runs_by_its_path(command, tmp_path):
    (tmp_path / "my_graph.py").write_text(GRAPH)
    ended = command("run", "--graph", "my_graph.py:graph", "--limit", 3, "--out", "run", "--format", "json")
    assert ended.code == 0
    assert {row["graph"] for row in overall(ended)} == {"s_cot_marked"}
    assert all(row["l2"] <= 1e-9 for row in overall(ended))


def test_detail_splits_conditions_by_direction(command):
    tables = [
        command("run", "--graph", "basic", "--limit", 8, "--out", "run", *option).out
        for option in ([], ["--detail"], ["--no-detail"])
    ]
    assert ["  left" in table for table in tables] == [True, True, False]


def test_failed_items_end_with_one_and_say_how_to_try_again(command, tmp_path):
    (tmp_path / "flaky.py").write_text(
        "from agents.model import OutsideFailure\n"
        "from graphs import ReasoningGraph, intervention\n\n"
        "@intervention()\n"
        "def flaky(situation, hints, workbench):\n"
        "    if 'left' in situation.question:\n"
        "        raise OutsideFailure('503')\n"
        "    return situation\n\n"
        "graph = ReasoningGraph(interventions=[flaky])\n"
    )
    ended = command("run", "--graph", "flaky.py", "--limit", 8, "--out", "run", "--format", "json")
    assert ended.code == 1
    failed = sum(row["failed"] for row in overall(ended))
    assert failed > 0
    again = "evals run --graph flaky.py --limit 8 --format json --out run"
    assert ended.said[-1] == f"{failed} items failed for outside reasons; to try them again: {again}"


# Arguments after `run`, and what the one line says.
REFUSED = [
    (["--graph", "s_cott"], ["unknown graph 's_cott'", "did you mean s_cot"]),
    (["--graph", "zzz"], ["unknown graph 'zzz'", "known: basic, cot"]),
    (["--graph", "basic+blindd"], ["unknown intervention 'blindd'", "did you mean blind?"]),
    (["--graph", "my_graph.py:grap"], ["unknown graph in my_graph.py 'grap'", "did you mean graph?"]),
    (["--graph", "my_graph.py:number"], ["a int is neither a ReasoningGraph nor a compiled LangGraph graph"]),
    (["--graph", "nowhere.py:graph"], ["nowhere.py: no such file"]),
    (["--graph", "basic", "--graph", "basic"], ["graph 'basic' is given twice"]),
    (["--graph", "basic", "--model", "refrence"], ["unknown model 'refrence'", "did you mean reference?"]),
    (["--graph", "basic", "--model", "gtp-5.4"], ["unknown model 'gtp-5.4'", "did you mean gpt-5.4?"]),
    (["--graph", "basic", "--model", "reference?fram=1"], ["unknown option", "did you mean frame?"]),
    (["--graph", "basic", "--model", "reference?frame=2"], ["frame is a probability"]),
    (["--graph", "basic", "--model", "center", "--model", "center"], ["model 'center' is given twice"]),
    (["--graph", "basic", "--model", "scripted"], ["needs its script"]),
    (["--graph", "basic", "--model", "scripted?file=none.json"], ["none.json: cannot be read as a script"]),
    (["--graph", "basic", "--conditions", "inferred,statd"], ["unknown condition 'statd'", "did you mean stated?"]),
    (["--graph", "basic", "--limit", "0"], ["--limit must be at least 1, not 0"]),
    (["--graph", "basic", "--repeats", "0"], ["--repeats must be at least 1, not 0"]),
    (["--graph", "basic", "--concurrency", "0"], ["--concurrency must be at least 1, not 0"]),
    (["--graph", "basic", "--prompts", "nowhere"], ["nowhere"]),
    (["--graph", "basic", "--out", "my_graph.py"], ["my_graph.py: is a file; give --out a folder"]),
    (["--graph", "basic", "--out", "full"], ["full: holds other files and no run"]),
]


@pytest.mark.parametrize(("arguments", "parts"), REFUSED, ids=[" ".join(case[0]) for case in REFUSED])
def test_what_cannot_be_run_is_refused_in_one_line(arguments, parts, command, tmp_path):
    (tmp_path / "my_graph.py").write_text(GRAPH)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear")
    ended = command("run", *arguments)
    assert (ended.code, ended.out) == (2, "")
    (line,) = ended.said
    assert line.startswith("error: ")
    assert all(part in line for part in parts), line


def test_options_that_are_no_numbers_are_refused(command):
    assert command("run", "--graph", "basic", "--limit", "many").code == 2
    assert command("run").code == 2
    assert command("run", "--graph", "basic", "--reading", "lenient").code == 2


RAISING = {
    "when imported": "import math\n\nlimit = math.sqrt(-1)\n",
    "when imported, deeper": "def deeper():\n    return {}['key']\n\n\ndeeper()\n",
    "in an intervention": (
        "from graphs import ReasoningGraph, intervention\n\n\n"
        "def deeper(values):\n    return values[7]\n\n\n"
        "@intervention()\ndef broken(situation, hints, workbench):\n    return deeper([])\n\n\n"
        "graph = ReasoningGraph('mine', interventions=[broken])\n"
    ),
    "in a branch": (
        "from agents import anchor_localization, frame_selection\n"
        "from graphs import Branch, ReasoningGraph\n\n\n"
        "def decide(found):\n    return found.absent\n\n\n"
        "graph = ReasoningGraph(\n    'mine',\n    steps=[frame_selection, anchor_localization],\n    mode='staged',\n"
        "    branches=[Branch('anchor_localization', decide, 'frame_selection')],\n)\n"
    ),
    "in a node of LangGraph": (
        "from langgraph.graph import END, START, StateGraph\n\n\n"
        "async def think(state):\n    raise RuntimeError('no idea')\n\n\n"
        "builder = StateGraph(dict)\nbuilder.add_node('think', think)\nbuilder.add_edge(START, 'think')\n"
        "builder.add_edge('think', END)\ngraph = builder.compile()\n"
    ),
}
ERRORS = [
    "ValueError: math domain error",
    "KeyError: 'key'",
    "IndexError: list index out of range",
    "AttributeError",
    "no idea",
]


@pytest.mark.parametrize(("source", "error"), list(zip(RAISING.values(), ERRORS, strict=True)), ids=RAISING)
def test_a_graph_that_raises_shows_its_own_lines_and_no_others(source, error, command, tmp_path):
    (tmp_path / "my_graph.py").write_text(source)
    ended = command("run", "--graph", "my_graph.py", "--limit", 2, "--out", "run")
    assert (ended.code, ended.out) == (2, "")
    assert ended.said[0].startswith("error: ")
    assert error in ended.err
    files = re.findall(r'File "(.+?)"', ended.err)
    assert files
    assert {file.rpartition("/")[2] for file in files} == {"my_graph.py"}
    assert "Traceback" not in ended.err


def test_a_graph_that_is_no_python_shows_the_line(command, tmp_path):
    (tmp_path / "my_graph.py").write_text("graph = ReasoningGraph(\n")
    ended = command("run", "--graph", "my_graph.py")
    assert ended.code == 2
    assert "SyntaxError" in ended.err
    assert {file.rpartition("/")[2] for file in re.findall(r'File "(.+?)"', ended.err)} == {"my_graph.py"}


def test_a_folder_of_another_run_is_refused_with_what_differs(command):
    first = ["run", "--graph", "basic", "--limit", 2, "--out", "run"]
    assert command(*first).code == 0
    for option, differs in [
        (["--seed", 1], "run_seed was 0, is 1"),
        (["--temperature", 0.5], "temperature was None, is 0.5"),
        (["--max-tokens", 99], "max_tokens was None, is 99"),
        (["--reading", "published"], "reading was strict, is published"),
    ]:
        ended = command(*first, *option)
        assert (ended.code, ended.out) == (2, "")
        (line,) = ended.said
        assert line.startswith("error: run: belongs to another run: ")
        assert differs in line
        assert line.endswith("give --out another folder")


def test_a_folder_of_a_run_on_other_data_is_refused(command, data):
    assert command("run", "--graph", "basic", "--limit", 2, "--out", "run").code == 0
    ended = command("run", "--graph", "basic", "--limit", 2, "--data", data, "--out", "run")
    assert (ended.code, ended.out) == (2, "")
    assert "run: belongs to a run on other data; give --out another folder" in ended.said[-1]


def test_a_graph_that_changed_since_is_refused(command, tmp_path):
    (tmp_path / "my_graph.py").write_text(GRAPH)
    arguments = ["run", "--graph", "my_graph.py", "--limit", 2, "--out", "run"]
    assert command(*arguments).code == 0
    (tmp_path / "my_graph.py").write_text(GRAPH.replace("[mark_anchor]", "[]"))
    ended = command(*arguments)
    assert ended.code == 2
    assert "as another version: the graph, its prompts or the data have changed since" in ended.said[-1]


def test_a_model_that_answers_badly_is_no_failure(command, tmp_path):
    (tmp_path / "replies.json").write_text(json.dumps([{"text": "I see a mug."}]))
    ended = command(
        *("run", "--graph", "basic", "--model", "scripted?file=replies.json", "--limit", 2, "--out", "run"),
        *("--format", "json"),
    )
    assert ended.code == 0
    assert all((row["answered"], row["unanswered"], row["response_rate"]) == (0, 2, 0) for row in overall(ended))


def test_a_request_that_a_script_does_not_expect_ends_the_run_with_two(command, tmp_path):
    (tmp_path / "replies.json").write_text(json.dumps([{"step": "frame_selection", "text": "{}"}]))
    ended = command("run", "--graph", "basic", "--model", "scripted?file=replies.json", "--limit", 2, "--out", "run")
    assert (ended.code, ended.out) == (2, "")
    (line,) = ended.said
    assert "the script has no reply for step 'answer' of sample train_house_0000" in line


def test_templates_of_ones_own_replace_the_built_in_ones(command, tmp_path):
    (tmp_path / "prompts" / "graphs").mkdir(parents=True)
    (tmp_path / "prompts" / "graphs" / "basic.j2").write_text("Where? {{ question }}")
    arguments = [
        "run",
        "--graph",
        "basic",
        "--limit",
        1,
        "--conditions",
        "given",
        "--prompts",
        "prompts",
        "--out",
        "run",
    ]
    assert command(*arguments).code == 0
    (call,) = command("show", "run", "given", "--format", "json").json[0]["calls"]
    assert call["request"]["messages"][0]["parts"][-1]["text"].startswith("Where? The ")
    (tmp_path / "prompts" / "graphs" / "basic.j2").write_text("Where? {{ questoin }}")
    ended = command(*arguments[:-1], "other")
    assert (ended.code, ended.out) == (2, "")
    (line,) = ended.said
    assert "basic.j2" in line
    assert "questoin" in line
