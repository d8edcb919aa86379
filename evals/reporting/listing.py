"""Lists what is there by name: graphs, steps, interventions, models, datasets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Rows = list[dict[str, Any]]


def graphs() -> Rows:
    """Reasoning graphs: their steps, how they are run, where they apply."""
    from graphs.library import GRAPHS

    return [
        {
            "name": graph.name,
            "summary": graph.summary,
            "mode": graph.mode,
            "interventions": [one.name for one in graph.interventions],
            "steps": [step.name for step in graph.steps],
            "conditions": list(graph.conditions) or ["all"],
            "beyond_paper": list(graph.beyond_paper),
            "forms": sorted({form for step in graph.steps for form in step.forms}) or ["all"],
            "max_tokens": graph.budget,
        }
        for graph in GRAPHS.all()
    ]


def steps() -> Rows:
    """Steps: what they find, and after what."""
    from agents.steps import STEPS

    return [
        {
            "name": step.name,
            "summary": (step.finds.__doc__ or "").split("\n")[0],
            "finds": list(step.finds.model_fields),
            "requires": list(step.requires),
            "forms": list(step.forms) or ["all"],
            "sees": step.sees,
            "role": step.role,
        }
        for step in STEPS.all()
    ]


def interventions() -> Rows:
    """Interventions: what they change, and which hints they see. Compose them with a graph as `graph+intervention`."""
    from graphs.interventions import INTERVENTIONS

    return [{"name": one.name, "summary": one.summary, "hints": list(one.needs)} for one in INTERVENTIONS.all()]


def models() -> Rows:
    """Models by name, with their options."""
    from evals.models import SAMPLE_MODELS

    return [
        {"name": kind.name, "summary": kind.summary, "vlm": False, "options": dict(kind.options)}
        for kind in SAMPLE_MODELS.all()
    ]


def datasets() -> Rows:
    """Layouts of datasets that are recognised."""
    from evals.datasets import DATASETS

    return [{"name": kind.name, "summary": kind.summary} for kind in DATASETS.all()]


def formats() -> Rows:
    """Formats in which runs leave (`evals export --to`) and logs come in (`evals import --from`)."""
    from evals.exchange import FORMATS

    return [
        {
            "name": one.name,
            "summary": one.summary,
            "export": one.write is not None,
            "import": one.read is not None,
        }
        for one in FORMATS.all()
    ]


LISTINGS: Mapping[str, Callable[[], Rows]] = {
    "graphs": graphs,
    "steps": steps,
    "interventions": interventions,
    "models": models,
    "datasets": datasets,
    "formats": formats,
}
