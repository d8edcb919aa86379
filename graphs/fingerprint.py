"""What tells one version of a graph from another in a stored run."""

from __future__ import annotations

import hashlib
import json

from agents.asking import templates_of
from agents.situation import Situation
from graphs.bare import BareGraph
from graphs.loading import AnyGraph
from graphs.source import source_of
from prompts.loader import Prompts


def fingerprint(graph: AnyGraph, prompts: Prompts, situation: Situation) -> str:
    """Hashes what a graph does: steps, templates, interventions, branches; a bare graph's source.

    The name counts only as far as a user's prompt of that name does, so a renamed graph keeps its calls.
    """
    if isinstance(graph, BareGraph):
        return _digest({"source": graph.source})
    return _digest(
        {
            "steps": [
                [
                    *(step.name, step.finds.model_json_schema(), step.requires, step.sees, step.role),
                    *(step.chooses_frame, step.instruction),
                ]
                for step in graph.steps
            ],
            "form": situation.form.instruction,
            "interventions": [
                [one.name, one.needs, one.revision, source_of(one.change), prompts.digest([one.template])]
                for one in graph.interventions
            ],
            "branches": [[one.after, one.back_to, one.at_most, source_of(one.when)] for one in graph.branches],
            "mode": graph.mode,
            "budget": graph.budget,
            "templates": prompts.digest(templates_of(graph.name, graph.steps, situation)),
        }
    )


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=list).encode()).hexdigest()[:32]
