"""What a run's folder says of itself, and whether a plan may go on with what is in it."""

from __future__ import annotations

from typing import Any

from evals.model_source import ModelSource
from evals.running.keys import settings_record
from evals.running.logs import redacted
from evals.running.plan import Plan, applies, items_of
from evals.running.store import FAILED, Store, StoreError
from evals.sample import no_truth
from graphs.bare import BareGraph


def settings_of(plan: Plan) -> dict[str, Any]:
    """The settings of a run as they are stored."""
    settings = settings_record(plan.settings)
    if plan.coordinates == "native":
        settings["convention"] = "native"
    return {**settings, "run_seed": plan.seed, "dataset": plan.dataset.name}


def check_same_run(plan: Plan, store: Store) -> None:
    """Refuses a folder whose stored rows mean something else than this plan's.

    Raises:
        StoreError: Says what differs.
    """
    stored, wanted = store.get("settings"), settings_of(plan)
    if stored is not None and stored != wanted:
        differs = [
            f"{name} was {stored.get(name)}, is {value}" for name, value in wanted.items() if stored.get(name) != value
        ]
        raise StoreError(f"{store.folder}: belongs to another run: {'; '.join(differs)}; give --out another folder")
    keys = store.item_keys()
    if not keys:
        return
    _check_same_models(plan, store, {place[2] for place, (_, status) in keys.items() if status != FAILED})
    known = {place[0] for place in keys}
    if not known & {sample.id for sample in plan.samples}:
        raise StoreError(f"{store.folder}: belongs to a run on other data; give --out another folder")
    for item in items_of(plan):
        key, status = keys.get(item.place, ("", FAILED))
        if status != FAILED and key != item.key:
            raise StoreError(
                f"{store.folder}: holds {item.graph.name} on {item.sample.id} as another version: the graph, its "
                "prompts or the data have changed since; give --out another folder"
            )


def _check_same_models(plan: Plan, store: Store, answered: set[str]) -> None:
    """Refuses a model that only shares the name with one whose rows are stored.

    Raises:
        StoreError: Says which model, and what differs.
    """
    models = (store.get("description") or {}).get("models", {})
    for source in plan.models:
        stored = models.get(source.name, {}) if source.name in answered else {}
        for name, value in _about(source).items():
            if name in stored and stored[name] != value:
                raise StoreError(
                    f"{store.folder}: holds answers of another model called {source.name}: its {name} was "
                    f"{stored[name]}, is {value}; give the model another name or --out another folder"
                )


def _about(source: ModelSource) -> dict[str, Any]:
    """What is stored of a model."""
    return {"is_vlm": source.is_vlm, "identity": redacted(source.identity)}


def describe(plan: Plan, store: Store, graphs: set[str], models: set[str]) -> None:
    """Writes what a run is made of, for tables; what an earlier session ran stays in it.

    A graph or a model of which no item ever ended, because it raises at once, is not part of the run. A graph that
    applies nowhere is: its row of dashes says so.

    Args:
        plan: What is run.
        store: The run.
        graphs: Names of the graphs of the plan of which an item has ended.
        models: Names of the models of the plan of which an item has ended.
    """
    earlier = store.get("description") or {}
    nowhere = {
        graph.name: not any(applies(graph, sample) for sample in plan.samples)
        for graph in plan.graphs
        if graph.name not in graphs
    }
    nothing = all(nowhere.get(graph.name, False) for graph in plan.graphs)
    ran = {sample.keys["condition"] for sample in plan.samples if "condition" in sample.keys}
    ran |= set(earlier.get("conditions", []))
    forms = {sample.situation.form.kind for sample in plan.samples}
    described = {
        graph.name: {
            "conditions": [] if isinstance(graph, BareGraph) else list(graph.conditions),
            "beyond_paper": [] if isinstance(graph, BareGraph) else list(graph.beyond_paper),
            "fits": isinstance(graph, BareGraph) or any(graph.fits(form) for form in forms),
        }
        for graph in plan.graphs
        if graph.name in graphs or nowhere[graph.name] or graph.name in earlier.get("graphs", {})
    }
    about = {
        source.name: _about(source)
        for source in plan.models
        if source.name in models or nothing or source.name in earlier.get("models", {})
    }
    description = {
        "dataset": plan.dataset.name,
        "form": plan.samples[0].situation.form.kind,
        "breakdown": plan.dataset.breakdown,
        "conditions": [condition for condition in plan.dataset.conditions if condition in ran],
        "graphs": _in_order({**earlier.get("graphs", {}), **described}, [graph.name for graph in plan.graphs]),
        "models": _in_order({**earlier.get("models", {}), **about}, [source.name for source in plan.models]),
        "no_truth": no_truth(plan.dataset),
        "faults": sum(problem.fatal for problem in plan.dataset.problems),
        "settings": settings_of(plan),
    }
    store.set("description", {**earlier, **description})


def _in_order(rows: dict[str, Any], plan: list[str]) -> dict[str, Any]:
    """Rows of earlier sessions as they were, then those of this plan in its order, whichever ended first."""
    earlier = [name for name in rows if name not in plan]
    return {name: rows[name] for name in [*earlier, *(name for name in plan if name in rows)]}
