"""Graphs are found by name or in a user's file, whose mistakes are told with their place."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.forms import FramePointAnswer
from agents.registry import UnknownNameError
from agents.situation import Situation
from graphs import GraphError, Hints, ReasoningGraph
from graphs.bare import BareGraph
from graphs.interventions import INTERVENTIONS
from graphs.library import GRAPHS
from graphs.loading import load_graph, traceback_in
from tools.errors import UserError

Make = Callable[..., Any]

OWN = """
from agents import frame_selection, target_estimation
from graphs import ReasoningGraph, reasoning_graph

graph = ReasoningGraph(steps=[frame_selection, target_estimation])
named = ReasoningGraph("of_its_own", steps=[frame_selection])

@reasoning_graph
def decorated() -> ReasoningGraph:
    return ReasoningGraph(steps=[target_estimation])

def forgotten() -> ReasoningGraph:
    return ReasoningGraph()

number = 3
"""

BARE = """
from typing import Any, TypedDict
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from agents import Context, Situation

class State(TypedDict, total=False):
    situation: Situation
    answer: Any

def think(state: State, runtime: Runtime[Context]) -> State:
    return {"answer": {"selected_image": 2, "x": 32, "y": 12}}

builder = StateGraph(State, context_schema=Context)
builder.add_node("think", think)
builder.add_edge(START, "think")
builder.add_edge("think", END)
graph = builder.compile()
"""


@pytest.fixture(autouse=True)
def _clean_imports() -> Iterator[None]:
    """Takes back what importing users' files does to the interpreter."""
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def made(source: str, name: str = "my_graph.py") -> Path:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(source)
        return tmp_path / name

    return made


def loaded(spec: object) -> ReasoningGraph:
    graph = load_graph(spec)
    assert isinstance(graph, ReasoningGraph)
    return graph


class TestNames:
    @pytest.mark.parametrize("name", GRAPHS.names())
    def test_find_a_registered_graph(self, name: str) -> None:
        assert loaded(name) is GRAPHS.get(name)
        assert loaded(name).name == name
        assert loaded(name).summary

    def test_compose_with_controls(self) -> None:
        graph = loaded("s_cot+shuffle_frames+blind")
        assert graph.name == "s_cot+shuffle_frames+blind"
        assert graph.interventions == (INTERVENTIONS.get("shuffle_frames"), INTERVENTIONS.get("blind"))

    @pytest.mark.parametrize(
        ("spec", "message"),
        [
            ("s_cott", "unknown graph 's_cott': did you mean s_cot"),
            ("s_cot_stage", "did you mean s_cot_staged"),
            ("zzz", "known: basic, cot, o_plot, oa_plot, s_cot, s_cot_checked, s_cot_staged"),
            ("s_cot+blnd", "unknown intervention 'blnd': did you mean blind"),
            ("s_cot+", "unknown intervention ''"),
            ("", "unknown graph ''"),
            ("+blind", "unknown graph ''"),
        ],
    )
    def test_that_nobody_carries_are_errors_with_the_nearest(self, spec: str, message: str) -> None:
        with pytest.raises(UnknownNameError) as caught:
            load_graph(spec)
        assert message in str(caught.value)

    def test_are_those_of_the_issue(self) -> None:
        assert GRAPHS.names() == ["basic", "cot", "o_plot", "oa_plot", "s_cot", "s_cot_checked", "s_cot_staged"]


class TestFiles:
    def test_give_a_graph_by_its_name_in_the_file(self, file: Make) -> None:
        path = file(OWN)
        assert [step.name for step in loaded(f"{path}:graph").steps] == ["frame_selection", "target_estimation"]
        assert loaded(f"{path}:decorated").name == "decorated"
        assert loaded(f"{path}:named").name == "of_its_own"

    def test_alone_mean_the_name_graph_and_name_it_after_the_file(self, file: Make) -> None:
        path = file(OWN)
        assert loaded(str(path)).name == "my_graph"
        assert loaded(f"{path}:graph") == loaded(str(path))

    def test_compose_with_controls(self, file: Make) -> None:
        path = file(OWN)
        assert loaded(f"{path}:decorated+blind").name == "decorated+blind"
        assert loaded(f"{path}+blind+random_frame").name == "my_graph+blind+random_frame"

    @pytest.mark.parametrize("name", ["a folder+more/my graph.py", "c++/x.py", "weird.py.d/y.py", "ünïcode/größe.py"])
    def test_may_lie_anywhere(self, file: Make, name: str) -> None:
        path = file(OWN, name)
        assert loaded(f"{path}:decorated+blind").name == "decorated+blind"
        assert loaded(str(path)).name == path.stem

    def test_that_are_missing_are_named(self, tmp_path: Path) -> None:
        for spec in ("nothing.py", "nothing.py:graph", "nothing.py:graph+blind"):
            with pytest.raises(GraphError, match=r"nothing\.py: no such file; --graph takes"):
                load_graph(str(tmp_path / spec))
        (tmp_path / "folder.py").mkdir()
        with pytest.raises(GraphError, match=r"folder\.py: no such file"):
            load_graph(str(tmp_path / "folder.py"))

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("decorate", "did you mean decorated"),
            ("zzz", "known: decorated, graph, named"),
            ("named.steps", "did you mean named"),
        ],
    )
    def test_without_the_name_say_which_graphs_they_hold(self, file: Make, name: str, message: str) -> None:
        path = file(OWN)
        with pytest.raises(UnknownNameError) as caught:
            load_graph(f"{path}:{name}")
        assert f"unknown graph in {path}" in str(caught.value)
        assert message in str(caught.value)

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("number", "number: a int is neither a ReasoningGraph nor a compiled LangGraph graph"),
            ("forgotten", "a function is neither.*; decorate it with @reasoning_graph"),
            ("ReasoningGraph", "neither a ReasoningGraph nor"),
        ],
    )
    def test_whose_name_is_no_graph_are_told(self, file: Make, name: str, message: str) -> None:
        with pytest.raises(GraphError, match=message):
            load_graph(f"{file(OWN)}:{name}")

    def test_with_an_uncompiled_graph_are_told_to_compile_it(self, file: Make) -> None:
        with pytest.raises(GraphError, match=r"builder: a StateGraph is neither.*; compile it first \(\.compile\(\)\)"):
            load_graph(f"{file(BARE)}:builder")


class TestMistakes:
    """What a user's file raises is shown with the user's file and line, and none of ours."""

    @pytest.mark.parametrize(
        ("source", "line", "said"),
        [
            ("x = 1\ny = x / 0\n", 2, "ZeroDivisionError: division by zero"),
            ("def f():\n    return undefined_name\n\nf()\n", 2, "NameError: name 'undefined_name' is not defined"),
            ("import no_such_package_here\n", 1, "ModuleNotFoundError: No module named 'no_such_package_here'"),
            ("import json\n\ndata = json.loads('{')\n", 3, "JSONDecodeError"),
            ("from agents import no_such_step\n", 1, "ImportError: cannot import name 'no_such_step'"),
            ("graph = (\n", 1, "SyntaxError: '(' was never closed"),
            ("x = 1\n  y = 2\n", 2, "IndentationError: unexpected indent"),
            ("import sys\n\nsys.exit('bye')\n", 3, "SystemExit: bye"),
            ("from graphs.library import GRAPHS\n\nGRAPHS.get('s_cott')\n", 3, "unknown graph 's_cott'"),
        ],
    )
    def test_come_with_file_line_and_message(self, file: Make, source: str, line: int, said: str) -> None:
        path = file(source)
        with pytest.raises(GraphError) as caught:
            load_graph(str(path))
        message = str(caught.value)
        assert message.startswith(f"{path} raises when it is imported\n")
        assert f'File "{path}", line {line}' in message
        assert said in message
        others = [text for text in message.splitlines() if text.lstrip().startswith("File ") and str(path) not in text]
        assert others == []

    def test_that_are_ours_to_tell_come_in_one_line_with_the_place(self, file: Make) -> None:
        path = file(
            "from agents import frame_selection\nfrom graphs import ReasoningGraph\n\n"
            "graph = ReasoningGraph(\n    steps=[frame_selection, frame_selection]\n)\n"
        )
        with pytest.raises(GraphError) as caught:
            load_graph(str(path))
        assert str(caught.value) == f"{path}, line 4: graph: step frame_selection appears twice"

    def test_leave_no_half_imported_module_behind(self, file: Make) -> None:
        path = file("x = 1 / 0")
        with pytest.raises(GraphError):
            load_graph(str(path))
        path.write_text(OWN)
        assert loaded(str(path)).name == "my_graph"

    def test_outside_the_file_show_the_last_frame(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="invalid literal") as caught:
            int("x")
        assert "ValueError" in traceback_in(caught.value, tmp_path / "other.py")
        assert "test_loading.py" in traceback_in(caught.value, tmp_path / "other.py")
        assert "test_loading.py" in traceback_in(caught.value, None)


class TestFolder:
    def test_of_the_file_is_searched_for_its_own_modules(self, file: Make) -> None:
        file("from agents import frame_selection\nSTEPS = [frame_selection]\n", "parts_of_my_graph.py")
        path = file(
            "from parts_of_my_graph import STEPS\nfrom graphs import ReasoningGraph\n"
            "graph = ReasoningGraph(steps=STEPS)"
        )
        assert len(loaded(str(path)).steps) == 1

    def test_of_the_file_shadows_no_installed_package(self, file: Make) -> None:
        for name in ("json", "agents", "graphs", "tools", "jsonschema", "colorsys"):
            file("raise RuntimeError('shadowed')", f"{name}.py")
        path = file(
            "import json, colorsys, jsonschema, tools.camera\nfrom graphs import ReasoningGraph\n"
            "graph = ReasoningGraph(summary=json.dumps([colorsys.__file__, jsonschema.__file__]))"
        )
        for module in ("colorsys", "jsonschema"):
            sys.modules.pop(module, None)
        places = json.loads(loaded(str(path)).summary)
        assert not [place for place in places if Path(place).parent == path.parent]

    def test_is_added_to_the_path_once(self, file: Make) -> None:
        path = file(OWN)
        for _ in range(3):
            load_graph(str(path))
        assert sys.path.count(str(path.parent)) == 1
        assert sys.path[-1] == str(path.parent)


class TestObjects:
    def test_of_ours_are_taken_as_they_are(self) -> None:
        graph = ReasoningGraph("mine", max_tokens=7)
        assert load_graph(graph) is graph

    def test_without_a_name_get_one(self) -> None:
        graph = loaded(ReasoningGraph(max_tokens=7))
        assert (graph.name, graph.max_tokens) == ("graph", 7)

    @pytest.mark.parametrize("thing", [None, 3, object(), ["s_cot"], ReasoningGraph])
    def test_that_are_no_graphs_are_errors(self, thing: object) -> None:
        with pytest.raises(UserError, match="neither a ReasoningGraph nor a compiled LangGraph graph"):
            load_graph(thing)


class TestBareGraph:
    async def test_of_a_file_runs_to_its_end(
        self, file: Make, situation: Situation, script: Make, context: Make
    ) -> None:
        path = file(BARE)
        graph = load_graph(str(path))
        assert isinstance(graph, BareGraph)
        assert (graph.name, graph.source) == ("my_graph", BARE)
        outcome = await graph.run(situation, Hints(), context(script()))
        assert outcome.answer == FramePointAnswer(frame="f2", x=0.5, y=0.25)

    def test_does_not_compose_with_interventions(self, file: Make) -> None:
        with pytest.raises(GraphError, match=r"my_graph\.py\+blind: interventions compose with a ReasoningGraph"):
            load_graph(f"{file(BARE)}+blind")
