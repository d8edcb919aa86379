"""Samples of both small data sets, and two ways to ask a model about one: a request by hand, and a whole graph."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest
from pydantic import BaseModel

from agents.context import Context
from agents.model import Message, Model, Purpose, Request, Sampling, Text
from agents.steps import STEPS
from agents.view import View
from agents.workbench import Workbench
from evals.datasets import open_dataset
from evals.models import open_models
from evals.sample import Dataset, Sample
from graphs.builder import CompiledGraph, compile_graph
from graphs.library import GRAPHS
from graphs.outcome import Given, Outcome
from graphs.reasoning_graph import ReasoningGraph
from prompts.loader import Prompts

GOLDEN = Path(__file__).parents[2] / "golden" / "povbench" / "dataset"

Reason = Callable[..., Awaitable[Outcome]]
Asked = Callable[..., Request]


@pytest.fixture(scope="session")
def builtin() -> Dataset:
    return open_dataset(None)


@pytest.fixture(scope="session")
def golden() -> Dataset:
    return open_dataset(GOLDEN)


@pytest.fixture(scope="session")
def samples(builtin: Dataset, golden: Dataset) -> dict[str, Sample]:
    """All samples of both data sets: 123 built-in ones and 78 golden ones."""
    return {sample.id: sample for dataset in (builtin, golden) for sample in dataset.samples()}


@pytest.fixture(scope="session")
def of_condition(samples: Mapping[str, Sample]) -> Callable[[str], list[Sample]]:
    return lambda condition: [sample for sample in samples.values() if sample.keys["condition"] == condition]


# A registry looks at every installed package for a name, which takes longer than all else here.
source = cache(open_models)
named_step = cache(STEPS.get)
named_graph = cache(GRAPHS.get)


@cache
def compiled_by_name(name: str) -> CompiledGraph:
    return compile_graph(named_graph(name))


@pytest.fixture(scope="session")
def reason() -> Reason:
    """Runs a graph on a sample with a model of a name, or one that is there already."""
    prompts = Prompts()

    async def run(
        sample: Sample,
        graph: str | ReasoningGraph,
        model: str | Model,
        repeat: int = 0,
        given: Given | None = None,
        seed: str = "0",
    ) -> Outcome:
        chosen = named_graph(graph) if isinstance(graph, str) else graph
        compiled = compile_graph(chosen, given) if given or chosen is graph else compiled_by_name(chosen.name)
        context = Context({"reasoner": source(model).for_sample(sample, seed)}, Workbench(seed), prompts, repeat=repeat)
        return await compiled.run(sample.situation, sample.hints, context)

    return run


@pytest.fixture(scope="session")
def asking() -> Asked:
    """Makes the request for one step, or for several and the answer, as the builder would."""

    def request(
        sample: Sample,
        steps: str | Sequence[str],
        findings: Mapping[str, BaseModel] | None = None,
        repeat: int = 0,
        frame: str | None = None,
        rejected: frozenset[int] = frozenset(),
        text: str = "the prompt",
    ) -> Request:
        names = (steps,) if isinstance(steps, str) else tuple(steps)
        form = sample.situation.form
        finds = form.answer_model() if names[-1] == "answer" else named_step(names[-1]).finds
        view = View.of(sample.situation.originals)
        view = View(view.frames, view.convention, view.bound_to, rejected)
        view = view if frame is None else view.bind(frame)
        purpose = Purpose(names, view, finds, form, findings or {})
        return Request((Message("user", (Text(text),)),), Sampling(256), None, repeat, purpose)

    return request
