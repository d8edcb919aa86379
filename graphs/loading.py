"""Finds a graph by name, by `file.py:name`, or takes one that is there already."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from agents.registry import unknown_name
from graphs.bare import BareGraph
from graphs.errors import GraphError
from graphs.interventions import INTERVENTIONS
from graphs.library import GRAPHS
from graphs.reasoning_graph import ReasoningGraph
from graphs.source import source_of

AnyGraph = ReasoningGraph | BareGraph


def load_graph(spec: object) -> AnyGraph:
    """Finds a graph.

    Args:
        spec: A registered name, `file.py:name`, either followed by `+intervention` as often as wanted; or a
            `ReasoningGraph`, or a compiled LangGraph graph.

    Returns:
        The graph.

    Raises:
        GraphError: If its file is missing or raises, or what it names is no graph.
        agents.registry.UnknownNameError: If there is no such name.
    """
    if not isinstance(spec, str):
        return as_graph(spec, "graph")
    # A path may hold a plus itself.
    file, suffix, rest = spec.rpartition(".py")
    base, *additions = rest.split("+")
    is_file = bool(suffix) and base[:1] in ("", ":")
    graph = _from_file(Path(file + suffix), base[1:] or "graph") if is_file else GRAPHS.get(spec.split("+")[0])
    if not additions:
        return graph
    if isinstance(graph, BareGraph):
        raise GraphError(f"{spec}: interventions compose with a ReasoningGraph, not with a bare LangGraph graph")
    return graph.after(*(INTERVENTIONS.get(name) for name in additions))


def as_graph(thing: object, name: str) -> AnyGraph:
    """Takes a graph object; a compiled LangGraph graph becomes a `BareGraph` of that name.

    Raises:
        GraphError: If it is neither.
    """
    if isinstance(thing, BareGraph):
        return thing
    if isinstance(thing, ReasoningGraph):
        return thing if thing.name else replace(thing, name=name)
    if _is_langgraph(thing):
        return BareGraph(name, thing, _source_of(thing))  # type: ignore[arg-type]
    hints = {"StateGraph": "; compile it first (.compile())", "function": "; decorate it with @reasoning_graph"}
    hint = hints.get(type(thing).__name__, "")
    raise GraphError(
        f"{name}: a {type(thing).__name__} is neither a ReasoningGraph nor a compiled LangGraph graph{hint}"
    )


def _is_langgraph(thing: object) -> bool:
    from langgraph.pregel import Pregel

    return isinstance(thing, Pregel)


def _source_of(graph: Any) -> str:
    """Source of every node, as far as Python can show it; what tells one version of a graph from another."""
    pieces = [graph.get_graph().draw_mermaid()]
    for name, node in sorted(graph.nodes.items()):
        bound = node.bound
        function = getattr(bound, "afunc", None) or getattr(bound, "func", None)
        if function is not None:
            pieces.append(f"{name}\n{source_of(function)}")
        elif _is_langgraph(bound):
            pieces.append(f"{name}\n{_source_of(bound)}")
    return "\n".join(pieces)


def _from_file(path: Path, name: str) -> AnyGraph:
    if not path.is_file():
        raise GraphError(f"{path}: no such file; --graph takes a registered name or file.py:name")
    module = _import(path)
    if not hasattr(module, name):
        graphs = [
            key for key, value in vars(module).items() if isinstance(value, ReasoningGraph) or _is_langgraph(value)
        ]
        raise unknown_name(f"graph in {path}", name, graphs)
    thing = getattr(module, name)
    graph = as_graph(thing, path.stem if name == "graph" else name)
    if isinstance(graph, BareGraph):
        return BareGraph(graph.name, graph.langgraph, path.read_text(encoding="utf-8"))
    return graph


def _import(path: Path) -> ModuleType:
    """Imports a file as a module; its folder is searched last, so that it cannot shadow an installed package."""
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    module_name = f"situate_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except GraphError as error:
        line = next((frame.lineno for frame in reversed(_frames_in(error, path))), None)
        raise GraphError(f"{path}, line {line}: {error}" if line else f"{path}: {error}") from None
    except (Exception, SystemExit) as error:
        raise GraphError(f"{path} raises when it is imported\n{traceback_in(error, path)}") from error
    return module


def traceback_in(error: BaseException, path: Path | None) -> str:
    """A traceback, shortened to the frames in one file (to the last frame where none is in it)."""
    inside = _frames_in(error, path)
    if not inside and not isinstance(error, SyntaxError):
        inside = traceback.extract_tb(error.__traceback__)[-1:]
    lines = traceback.format_list(inside)
    said = traceback.format_exception_only(error)
    # LangGraph notes the ids of its own tasks on an error; they tell the user nothing.
    notes = getattr(error, "__notes__", [])
    return "".join([*lines, *(line for line in said if line.rstrip("\n") not in notes)]).rstrip()


def _frames_in(error: BaseException, path: Path | None) -> list[traceback.FrameSummary]:
    frames = traceback.extract_tb(error.__traceback__)
    return [frame for frame in frames if path is not None and Path(frame.filename).resolve() == path.resolve()]
