"""A graph of one node is called as it is; LangGraph's walk over the same graph ends in the same outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from agents.model import OutsideFailure
from agents.situation import Situation
from graphs import Hints, ReasoningGraph, blind
from graphs.builder import compile_graph
from graphs.library import GRAPHS

Make = Callable[..., Any]


@pytest.mark.parametrize("reply", ['{"selected_image": 1, "x": 8, "y": 6}', "the middle", ""])
async def test_both_ways_ask_the_same_and_end_the_same(
    reply: str, situation: Situation, script: Make, context: Make
) -> None:
    compiled = compile_graph(GRAPHS.get("s_cot"))
    assert compiled.only_node is not None
    asked, walked = script(answer=reply), script(answer=reply)

    outcome = await compiled.run(situation, Hints(), context(asked))

    assert outcome == await replace(compiled, only_node=None).run(situation, Hints(), context(walked))
    assert [request.text for request in asked.requests] == [request.text for request in walked.requests]


async def test_a_failure_outside_comes_through(situation: Situation, script: Make, context: Make) -> None:
    with pytest.raises(OutsideFailure, match="429"):
        await compile_graph(GRAPHS.get("s_cot")).run(situation, Hints(), context(script(answer=OutsideFailure("429"))))


@pytest.mark.parametrize(
    "graph",
    [GRAPHS.get("s_cot_staged"), ReasoningGraph("seen_blind", interventions=[blind])],
    ids=["staged", "intervention"],
)
def test_more_than_one_node_goes_through_langgraph(graph: ReasoningGraph) -> None:
    assert compile_graph(graph).only_node is None
