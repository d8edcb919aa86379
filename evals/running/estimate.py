"""What a run would ask for, before anything is paid: calls, pictures, tokens and an upper bound of their cost.

The graphs of a few samples run with a stand-in that answers every constrained call with the least that its schema
allows, so that the requests are the real ones; pictures are counted, not sent.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.model import InFrontOf, Model, Price, Reply, Request
from agents.picture_tokens import picture_tokens
from agents.workbench import Workbench
from evals.model_source import OneModel
from evals.running.plan import Item, Plan, compiled
from graphs.bare import BareGraph

SAMPLES = 5
"""Items of a graph and a condition that are really gone through; the others are taken to be like them."""

CHARACTERS_A_TOKEN = 4
"""Of English text, a common rule of thumb."""


@dataclass(frozen=True)
class Estimate:
    """What one graph would ask of one model.

    Attributes:
        model: The model's name.
        graph: The graph's name.
        items: Items that are missing.
        calls: Requests, rounded up; a graph that turns back makes more.
        pictures: Pictures in all requests together.
        most_pictures: Most pictures in one request.
        input_tokens: Tokens of all requests, by the family's formula for pictures and a rule of thumb for text.
        output_tokens: Most tokens of all replies: calls times the budget of each.
        cost: US dollars if nothing is cached and every reply takes its whole budget; None where the price is unknown.
        formula: The family whose formula counts pictures.
        turns_back: Whether the graph has ways back, so that calls are a lower bound.
    """

    model: str
    graph: str
    items: int
    calls: int
    pictures: int
    most_pictures: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    formula: str
    turns_back: bool


async def estimate(plan: Plan, missing: Iterable[Item]) -> list[Estimate]:
    """Estimates what the missing items of a plan would take, a model and a graph a line.

    Args:
        plan: The run.
        missing: The items that it still has to do; those of models that are no VLM are left out.
    """
    groups: dict[tuple[str, str], dict[str, list[Item]]] = defaultdict(lambda: defaultdict(list))
    for item in missing:
        if item.model.is_vlm:
            groups[item.model.name, item.graph.name][item.sample.keys.get("condition", "")].append(item)
    workbench = Workbench()
    return [await _estimate(list(conditions.values()), plan, workbench) for conditions in groups.values()]


async def _estimate(conditions: Sequence[Sequence[Item]], plan: Plan, workbench: Workbench) -> Estimate:
    item = conditions[0][0]
    family = picture_tokens(item.model.name)
    calls = pictures = tokens_in = tokens_out = 0.0
    most = 0
    for items in conditions:
        heard = [await _requests(one, plan, workbench) for one in items[:: max(1, len(items) // SAMPLES)][:SAMPLES]]
        share = len(items) / len(heard)
        for request in (request for requests in heard for request in requests):
            calls += share
            pictures += share * len(request.pictures)
            most = max(most, len(request.pictures))
            seen = sum(family.count(*picture.size) for picture in request.pictures)
            tokens_in += share * (seen + len(request.text) / CHARACTERS_A_TOKEN)
            tokens_out += share * request.sampling.max_tokens
    price = _price(item)
    return Estimate(
        model=item.model.name,
        graph=item.graph.name,
        items=sum(map(len, conditions)),
        calls=round(calls),
        pictures=round(pictures),
        most_pictures=most,
        input_tokens=round(tokens_in),
        output_tokens=round(tokens_out),
        cost=None if price is None else tokens_in * price.input + tokens_out * price.output,
        formula=family.family,
        turns_back=not isinstance(item.graph, BareGraph) and bool(item.graph.branches),
    )


def _price(item: Item) -> Price | None:
    price = getattr(item.model.model, "price", None) if isinstance(item.model, OneModel) else None
    return price if isinstance(price, Price) else None


async def _requests(item: Item, plan: Plan, workbench: Workbench) -> list[Request]:
    """The requests that an item makes while every reply says the least that it may."""
    stand_in = _StandIn(item.model.for_sample(item.sample, str(plan.seed)))
    context = plan.context(item, stand_in, workbench)
    try:
        await compiled(item.graph).run(item.sample.situation, item.sample.hints, context)
    except Exception:
        # A bare graph may trip over the stand-in's replies; what it asked until then counts.
        if not (isinstance(item.graph, BareGraph) and stand_in.heard):
            raise
    return stand_in.heard


@dataclass(frozen=True)
class _StandIn(InFrontOf):
    """Answers what a schema asks for with the least that it allows, and free calls with nothing."""

    model: Model
    heard: list[Request] = field(default_factory=list)

    async def reply(self, request: Request) -> Reply:
        self.heard.append(request)
        if request.constraint is None:
            return Reply("")
        schema = request.constraint.schema
        return Reply(json.dumps(_least(schema, schema.get("$defs", {}))))


def _least(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> object:
    """The least value that a schema of ours allows."""
    if "$ref" in schema:
        return _least(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    for listed in ("anyOf", "enum"):
        if listed in schema:
            first = schema[listed][0]
            return _least(first, definitions) if listed == "anyOf" else first
    if "const" in schema:
        return schema["const"]
    match schema.get("type"):
        case "object":
            return {name: _least(entry, definitions) for name, entry in schema.get("properties", {}).items()}
        case "array":
            return [_least(schema["items"], definitions) for _ in range(schema.get("minItems", 0))]
        case "string":
            return ""
        case "boolean":
            return False
        case "null":
            return None
    return schema.get("minimum", 0)


def estimate_rows(estimates: Sequence[Estimate]) -> list[dict[str, str]]:
    """The estimates as rows of a listing, their sums last."""
    rows = [
        {
            "name": f"{one.graph} on {one.model}",
            "summary": f"{one.items:,} items, {'at least ' if one.turns_back else ''}{one.calls:,} calls, "
            f"{_dollars([one.cost])}",
            "pictures": f"{one.pictures:,}, at most {one.most_pictures} a call",
            "tokens_in": f"about {one.input_tokens:,}, pictures counted as {one.formula}",
            "tokens_out": f"at most {one.output_tokens:,}",
        }
        for one in estimates
    ]
    if len(rows) > 1:
        calls = sum(one.calls for one in estimates)
        cost = _dollars([one.cost for one in estimates])
        rows.append({"name": "together", "summary": f"{calls:,} calls, {cost}"})
    return rows


def _dollars(costs: Sequence[float | None]) -> str:
    known = [cost for cost in costs if cost is not None]
    words = [f"up to about {sum(known):,.2f} US$"] if known else []
    return " and ".join([*words, *(["an unknown price"] if len(known) < len(costs) else [])])
