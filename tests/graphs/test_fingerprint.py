"""A fingerprint changes with what a graph does, and with nothing else."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph

from agents import anchor_localization, frame_selection, side_identification, target_estimation
from agents.situation import Situation
from agents.steps.anchor_localization import AnchorPoint
from graphs import Branch, Intervention, ReasoningGraph, blind, intervention, mark_anchor, shuffle_frames
from graphs.fingerprint import fingerprint
from graphs.library import GRAPHS
from graphs.loading import load_graph
from graphs.source import source_of
from prompts.loader import TEMPLATES, Prompts


def hidden(found: AnchorPoint) -> bool:
    return not found.visible


def seen(found: AnchorPoint) -> bool:
    return found.visible


BASE = ReasoningGraph(
    "mine",
    steps=[frame_selection, anchor_localization],
    interventions=[shuffle_frames],
    branches=[Branch("anchor_localization", hidden, "frame_selection")],
    mode="staged",
)


@pytest.fixture
def of(situation: Situation) -> Callable[..., str]:
    return lambda graph, prompts=None: fingerprint(graph, prompts or Prompts(), situation)


@pytest.mark.parametrize(
    "other",
    [
        replace(BASE, name="renamed"),
        replace(BASE, summary="Other words for listings."),
        replace(BASE, conditions=["inferred"]),
        replace(BASE, beyond_paper=["inferred"]),
        replace(BASE, max_tokens=1024),
    ],
)
def test_what_does_not_change_a_call_does_not_change_it(other: ReasoningGraph, of: Callable[..., str]) -> None:
    assert of(other) == of(BASE)


CHANGED = [
    replace(BASE, max_tokens=300),
    replace(BASE, steps=[frame_selection, anchor_localization, side_identification]),
    replace(BASE, steps=[frame_selection, replace(anchor_localization, sees="all")]),
    replace(BASE, steps=[frame_selection, replace(anchor_localization, role="describer")]),
    replace(BASE, steps=[frame_selection, replace(anchor_localization, finds=target_estimation.finds)]),
    replace(BASE, interventions=[]),
    replace(BASE, interventions=[blind]),
    replace(BASE, interventions=[shuffle_frames, blind]),
    replace(BASE, interventions=[blind, shuffle_frames]),
    replace(BASE, interventions=[replace(shuffle_frames, revision="2")]),
    replace(BASE, interventions=[replace(shuffle_frames, change=mark_anchor.change)]),
    replace(BASE, branches=[]),
    replace(BASE, branches=[Branch("anchor_localization", seen, "frame_selection")]),
    replace(BASE, branches=[Branch("anchor_localization", hidden, "frame_selection", at_most=2)]),
    replace(BASE, branches=[Branch("anchor_localization", hidden, "anchor_localization")]),
    replace(BASE, branches=[], mode="fused"),
]


def test_what_changes_a_call_changes_it(of: Callable[..., str]) -> None:
    prints = [of(graph) for graph in [BASE, *CHANGED]]
    assert len(set(prints)) == len(prints)


def test_registered_graphs_are_told_apart(of: Callable[..., str]) -> None:
    assert len({of(graph) for graph in GRAPHS.all()}) == len(GRAPHS.names())


@pytest.mark.parametrize(
    "template",
    [
        "steps/frame_selection.j2",
        "calls/staged.j2",
        "calls/staged_answer.j2",
        "forms/frame_point.j2",
        "tasks/situated_target.j2",
        "coordinates.j2",
    ],
)
def test_the_text_of_a_template_counts(template: str, tmp_path: Path, of: Callable[..., str]) -> None:
    path = tmp_path / "words" / template
    path.parent.mkdir(parents=True)
    path.write_text((TEMPLATES / template).read_text())
    assert of(BASE, Prompts(tmp_path / "words")) == of(BASE)
    path.write_text((TEMPLATES / template).read_text() + ".")
    assert of(BASE, Prompts(tmp_path / "words")) != of(BASE)


def test_templates_of_other_steps_and_tasks_do_not_count(tmp_path: Path, of: Callable[..., str]) -> None:
    for name in ("steps/scene_inventory.j2", "tasks/situated_target_observer_view.j2", "interventions/blind.j2"):
        (tmp_path / "words" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "words" / name).write_text("Other words.")
    assert of(BASE, Prompts(tmp_path / "words")) == of(BASE)
    assert of(BASE.after(blind), Prompts(tmp_path / "words")) != of(BASE.after(blind))


def test_a_whole_prompt_counts_for_the_graph_of_its_name_alone(tmp_path: Path, of: Callable[..., str]) -> None:
    (tmp_path / "words" / "graphs").mkdir(parents=True)
    (tmp_path / "words" / "graphs" / "mine.j2").write_text("All of it.")
    prompts = Prompts(tmp_path / "words")
    assert of(BASE, prompts) != of(BASE)
    assert of(replace(BASE, name="another"), prompts) == of(BASE)


def with_code(change: Any) -> ReasoningGraph:
    return ReasoningGraph(interventions=[Intervention("dim", change)])


def dimming(level: object) -> Intervention:
    @intervention()
    def dim(situation: Situation, hints: Any, workbench: Any) -> Situation:
        return replace(situation, question=f"{situation.question} {level}")

    return dim


def helped(situation: Situation, hints: Any, workbench: Any) -> Situation:
    def inner() -> Situation:
        return helper(situation)

    return inner()


def helper(situation: Situation) -> Situation:
    return replace(situation, question=SUFFIX)


SUFFIX = "?"


def test_what_an_intervention_closes_over_counts(of: Callable[..., str]) -> None:
    half, full = (ReasoningGraph(interventions=[dimming(level)]) for level in (0.5, 1.0))
    assert of(half) != of(full)
    assert of(half) == of(ReasoningGraph(interventions=[dimming(0.5)]))


def test_where_a_value_lies_in_memory_does_not_count(of: Callable[..., str]) -> None:
    one, other = Dimmer(0.5), Dimmer(0.5)
    assert of(ReasoningGraph(interventions=[dimming(one)])) == of(ReasoningGraph(interventions=[dimming(other)]))


def test_the_functions_and_constants_of_its_module_count(
    of: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = of(with_code(helped))
    monkeypatch.setitem(helped.__globals__, "SUFFIX", "!")
    changed = of(with_code(helped))
    monkeypatch.setitem(helped.__globals__, "helper", hidden)
    assert len({before, changed, of(with_code(helped))}) == 3


class Dimmer:
    def __init__(self, level: float) -> None:
        self.level = level

    def __call__(self, situation: Situation, hints: Any, workbench: Any) -> Situation:
        return replace(situation, question=str(self.level))

    def dim(self, situation: Situation, hints: Any, workbench: Any) -> Situation:
        return replace(situation, question=str(-self.level))


def dim_by(level: float, situation: Situation, hints: Any, workbench: Any) -> Situation:
    return replace(situation, question=str(level))


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        (functools.partial(dim_by, 0.5), functools.partial(dim_by, 0.5), functools.partial(dim_by, 1.0)),
        (Dimmer(0.5), Dimmer(0.5), Dimmer(1.0)),
        (Dimmer(0.5).dim, Dimmer(0.5).dim, Dimmer(1.0).dim),
        (Dimmer(0.5).dim, Dimmer(0.5).dim, Dimmer(0.5)),
        (lambda s, h, w: dim_by(0.5, s, h, w), lambda s, h, w: dim_by(0.5, s, h, w), lambda s, h, w: s),
    ],
    ids=["partial", "callable-object", "method", "method-or-call", "lambda"],
)
def test_any_kind_of_function_tells_its_versions_apart(one: Any, same: Any, other: Any, of: Callable[..., str]) -> None:
    assert of(with_code(one)) != of(with_code(other))
    if "lambda" not in getattr(one, "__name__", ""):
        # The source of a lambda is its whole line, so only other kinds can be written twice.
        assert of(with_code(one)) == of(with_code(same))


def test_a_function_without_source_is_known_by_its_code() -> None:
    spaces: list[dict[str, Any]] = [{}, {}, {}]
    for space, body in zip(spaces, ("x + 1", "x + 1", "x + 2"), strict=True):
        exec(f"def f(x):\n    return {body}", space)
    one, same, other = (source_of(space["f"]) for space in spaces)
    assert one == same != other


def test_a_decorated_function_counts_with_its_decorator() -> None:
    def twice(function: Callable[[int], int]) -> Callable[[int], int]:
        @functools.wraps(function)
        def wrapped(x: int) -> int:
            return 2 * function(x)

        return wrapped

    def plain(x: int) -> int:
        return x + 7

    source = source_of(twice(plain))
    assert "2 * function(x)" in source
    assert "x + 7" in source


@pytest.mark.parametrize(
    ("imported", "used"),
    [("from helper_of_mine import aside", "aside"), ("import helper_of_mine", "helper_of_mine.aside")],
    ids=["function", "module"],
)
def test_a_module_beside_the_users_file_counts(
    imported: str, used: str, tmp_path: Path, situation: Situation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])

    def version(words: str, folder: Path) -> str:
        folder.mkdir()
        (folder / "helper_of_mine.py").write_text(f"def aside(text):\n    return text + {words!r}\n")
        (folder / "mine.py").write_text(
            f"from dataclasses import replace\nfrom graphs import ReasoningGraph, intervention\n{imported}\n"
            "@intervention()\ndef said(situation, hints, workbench):\n"
            f"    return replace(situation, question={used}(situation.question))\n"
            "graph = ReasoningGraph('mine', interventions=[said])\n"
        )
        monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
        monkeypatch.delitem(sys.modules, "helper_of_mine", raising=False)
        return fingerprint(load_graph(f"{folder / 'mine.py'}:graph"), Prompts(), situation)

    one, same, other = version("!", tmp_path / "a"), version("!", tmp_path / "b"), version("?", tmp_path / "c")
    assert one == same != other


def test_what_stands_on_the_class_of_a_method_counts(of: Callable[..., str]) -> None:
    class Louder(Dimmer):
        level_of_all = 2

    assert of(with_code(Louder(0.5).dim)) != of(with_code(Dimmer(0.5).dim))


def test_functions_that_call_each_other_come_to_an_end() -> None:
    assert source_of(ping).count("def ping") == 1
    assert source_of(ping).count("def pong") == 1


def ping(x: int) -> int:
    return pong(x - 1) if x else 0


def pong(x: int) -> int:
    return ping(x - 1) if x else 1


def test_it_is_the_same_in_another_process(of: Callable[..., str]) -> None:
    code = """
from pathlib import Path
from agents.forms import FramePoint
from agents.situation import Situation
from graphs.fingerprint import fingerprint
from graphs.loading import load_graph
from prompts.loader import Prompts
situation = Situation("situated_target", (), "?", FramePoint())
print(fingerprint(load_graph("s_cot_checked+shuffle_frames"), Prompts(), situation))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == of(GRAPHS.get("s_cot_checked").after(shuffle_frames))


class State(TypedDict, total=False):
    situation: Situation
    answer: Any


def bare(node: Any, name: str = "think") -> Any:
    builder = StateGraph(State)
    builder.add_node(name, node)
    builder.add_edge(START, name)
    builder.add_edge(name, END)
    return builder.compile()


def answering(text: str) -> Callable[[State], State]:
    def think(state: State) -> State:
        return {"answer": text}

    return think


def test_a_bare_graph_is_known_by_its_nodes_and_edges(of: Callable[..., str]) -> None:
    graphs = [
        bare(answering("left")),
        bare(answering("right")),
        bare(answering("left"), "ponder"),
        bare(lambda state: {"answer": "left"}),
        bare(bare(answering("left"))),
        bare(bare(answering("right"))),
    ]
    prints = [of(load_graph(graph)) for graph in graphs]
    assert len(set(prints)) == len(prints)
    assert of(load_graph(bare(answering("left")))) == prints[0]


def test_a_bare_graph_of_a_file_is_known_by_the_file(tmp_path: Path, of: Callable[..., str]) -> None:
    source = (
        "from typing import Any, TypedDict\nfrom langgraph.graph import StateGraph\n"
        "class State(TypedDict, total=False):\n    situation: Any\n    answer: Any\n"
        "builder = StateGraph(State)\nbuilder.add_node('think', lambda state: {'answer': ANSWER})\n"
        "builder.set_entry_point('think')\ngraph = builder.compile()\nANSWER = 'left'\n"
    )
    (tmp_path / "bare_by_file.py").write_text(source)
    before = of(load_graph(str(tmp_path / "bare_by_file.py")))
    assert of(load_graph(str(tmp_path / "bare_by_file.py"))) == before
    (tmp_path / "bare_by_file.py").write_text(source.replace("'left'", "'right'"))
    assert of(load_graph(str(tmp_path / "bare_by_file.py"))) != before
