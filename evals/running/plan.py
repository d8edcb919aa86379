"""What a run consists of: its items in the order in which they go out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from agents.context import Context, Settings
from agents.conventions import Coordinates, convention_for
from agents.frame import Frame
from agents.model import Model
from agents.registry import unknown_name
from agents.workbench import Workbench
from evals.model_source import ModelSource
from evals.running.keys import item_key, item_version
from evals.running.limits import Limits
from evals.sample import Dataset, Sample
from graphs.bare import BareGraph
from graphs.builder import CompiledGraph, compile_graph
from graphs.errors import GraphError
from graphs.fingerprint import fingerprint
from graphs.loading import AnyGraph
from graphs.reasoning_graph import ReasoningGraph
from prompts.loader import Prompts


@dataclass(frozen=True)
class Plan:
    """What a run consists of.

    Attributes:
        dataset: Where samples and truth come from.
        samples: The samples, the instances of a scene together.
        graphs: The graphs.
        models: The models; each graph runs with each.
        repeats: How often each item is repeated.
        settings: What holds for every call.
        prompts: The templates.
        seed: Seed of all randomness that is our own.
        concurrency: Most requests to a model under way at a time.
        limits: What holds the run back: rates, money, time, retries.
        coordinates: Whether VLMs are asked for coordinates as the settings say, or each in its family's own convention.
    """

    dataset: Dataset
    samples: Sequence[Sample]
    graphs: Sequence[AnyGraph]
    models: Sequence[ModelSource]
    repeats: int = 1
    settings: Settings = field(default_factory=Settings)
    prompts: Prompts = field(default_factory=Prompts)
    seed: int = 0
    concurrency: int = 16
    limits: Limits = field(default_factory=Limits)
    coordinates: Coordinates = "paper"

    def settings_for(self, model: ModelSource) -> Settings:
        """The settings of a model's calls: with native coordinates, in the convention of its family.

        Raises:
            agents.conventions.ConventionError: If that is not known, or cannot be asked for.
        """
        if self.coordinates == "paper" or not model.is_vlm:
            return self.settings
        return replace(self.settings, convention=convention_for(model.name, self.coordinates))

    def context(self, item: Item, model: Model, workbench: Workbench) -> Context:
        """What the graph of an item works with.

        Args:
            item: The item.
            model: Who answers.
            workbench: That of the run; the item gets one of its own, which shares pictures.
        """
        mine = workbench.for_item(f"{self.seed}\0{item.sample.id}\0{item.repeat}")
        return Context({"reasoner": model}, mine, self.prompts, self.settings_for(item.model), item.repeat)


Place = tuple[str, str, str, int]
"""Sample, graph, model and repeat: where an item stands in a run."""


@dataclass(frozen=True, slots=True)
class Item:
    """One graph on one sample with one model, once.

    Attributes:
        version: Hash of what the item depends on besides the sample and the repeat.
    """

    sample: Sample
    graph: AnyGraph
    model: ModelSource
    repeat: int
    version: str

    @property
    def place(self) -> Place:
        """Where it stands in the run."""
        return self.sample.id, self.graph.name, self.model.name, self.repeat

    @property
    def key(self) -> str:
        """Hash of everything that it depends on."""
        return item_key(self.version, self.sample, self.repeat)


def applies(graph: AnyGraph, sample: Sample) -> bool:
    """Whether a graph applies to a sample's condition and its form; a bare graph applies to all."""
    if isinstance(graph, BareGraph):
        return True
    return graph.applies_to(sample.keys.get("condition")) and graph.fits(sample.situation.form.kind)


def compiled(graph: AnyGraph) -> CompiledGraph | BareGraph:
    """A graph in the form that runs."""
    return graph if isinstance(graph, BareGraph) else compile_graph(graph)


def items_of(plan: Plan, models: Sequence[ModelSource] | None = None) -> Iterator[Item]:
    """All items of a plan that apply, in the order in which they go out.

    The instances that show the same frames go out together, one graph after the other, so that consecutive requests
    begin with the same bytes and a server that caches prefixes reads the frames once.

    Args:
        plan: The plan.
        models: Only these of its models; None for all.
    """
    versions: dict[tuple[int, str, str, str], str] = {}

    def version(place: int, graph: AnyGraph, sample: Sample, model: ModelSource) -> str:
        about = (place, sample.situation.task, sample.situation.form.kind, model.name)
        if about not in versions:
            name = f"{model.name} seed={plan.seed}"
            graph_version = fingerprint(graph, plan.prompts, sample.situation)
            versions[about] = item_version(graph_version, name, model.identity, model.is_vlm, plan.settings_for(model))
        return versions[about]

    for _, together in groupby(plan.samples, key=_frames):
        scene = list(together)
        for place, graph in enumerate(plan.graphs):
            for sample in scene:
                if not applies(graph, sample):
                    continue
                for model in plan.models if models is None else models:
                    for repeat in range(plan.repeats):
                        yield Item(sample, graph, model, repeat, version(place, graph, sample, model))


def _frames(sample: Sample) -> tuple[Frame, ...]:
    """What consecutive samples must share to go out together: the frames, so the leading bytes of what is sent."""
    return sample.situation.frames


def count_items(plan: Plan) -> int:
    """Number of items of a plan that apply."""
    pairs = sum(1 for sample in plan.samples for graph in plan.graphs if applies(graph, sample))
    return pairs * len(plan.models) * plan.repeats


def first_instances(samples: Iterable[Sample], limit: int) -> list[Sample]:
    """The first instances in an order that is random but fixed, so that a larger limit only adds."""

    def instance(sample: Sample) -> str:
        return sample.keys.get("instance", sample.id)

    kept = list(samples)
    order = sorted({instance(sample) for sample in kept}, key=lambda name: hashlib.sha256(name.encode()).digest())
    chosen = set(order[:limit])
    return [sample for sample in kept if instance(sample) in chosen]


def check_fit(plan: Plan) -> None:
    """Checks, before anything is asked, that every graph can run on every sample it applies to.

    A graph whose steps do not fit the form of the data is a dash in tables, as long as another graph fits.

    Raises:
        GraphError: If the steps of no graph fit, a graph names a condition that nobody knows, or an intervention needs
            hints that are not there.
    """
    reasoning = [graph for graph in plan.graphs if isinstance(graph, ReasoningGraph)]
    for graph in reasoning:
        _check_conditions(graph, plan.dataset.conditions)
    forms = {sample.situation.form.kind: sample for sample in plan.samples}
    if len(reasoning) == len(plan.graphs) and not any(graph.fits(form) for graph in reasoning for form in forms):
        raise GraphError(_unfit(reasoning[0].name, *next(iter(forms.items()))))
    for graph in reasoning:
        for sample in plan.samples:
            if not applies(graph, sample):
                continue
            for intervention in graph.interventions:
                if missing := intervention.missing(sample.hints):
                    raise GraphError(
                        f"graph {graph.name}: intervention {intervention.name} needs to know {' and '.join(missing)}, "
                        f"which the data does not tell for {sample.id}; leave the graph out for this data"
                    )


def _check_conditions(graph: ReasoningGraph, known: Sequence[str]) -> None:
    """Refuses a condition that neither the data nor any graph of the library knows: it is mistyped."""
    from graphs.library import GRAPHS

    elsewhere = {condition for other in GRAPHS.all() for condition in other.conditions}
    for condition in (*graph.conditions, *graph.beyond_paper) if known else ():
        if condition not in known and condition not in elsewhere:
            raise unknown_name(f"graph {graph.name}: condition", condition, known)


def _unfit(name: str, form: str, sample: Sample) -> str:
    """The message for a graph whose steps do not fit a form, with the graphs that could run on a sample of it."""
    from graphs.library import GRAPHS

    fitting = [
        graph.name
        for graph in GRAPHS.all()
        if graph.fits(form) and not any(one.missing(sample.hints) for one in graph.interventions)
    ]
    return f"graph {name}: its steps do not fit answers of the form {form}; graphs that do: {', '.join(fitting)}"
