"""What a row cost: calls, tokens, seconds and dollars, from the calls that a run stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evals.running.store import Store

TOKENS = ("input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens")
"""Kinds of tokens, as providers count them."""


@dataclass(frozen=True)
class CallCost:
    """What one call cost; None where the provider did not say."""

    tokens: Mapping[str, int | None]
    seconds: float | None
    cost: float | None


def call_costs(store: Store, keys: Iterable[str]) -> dict[str, CallCost]:
    """What stored calls cost, by key; calls that are not stored are left out."""
    costs = {}
    for key in set(keys):
        reply = store.reply(key)
        if reply is not None:
            usage = reply.get("usage") or {}
            tokens = {kind: usage.get(kind) for kind in TOKENS}
            costs[key] = CallCost(tokens, reply.get("seconds"), reply.get("cost"))
    return costs


def usage_of(items: Sequence[Sequence[str]], costs: Mapping[str, CallCost]) -> dict[str, Any]:
    """Sums up what items took, a call that several items share counted for each of them.

    Args:
        items: The keys of the calls of each item and repeat.
        costs: What calls cost.

    Returns:
        Means an item and repeat (`calls`, tokens by kind, `seconds`), each over the items of which all calls are
        known, None without such an item; `cost`, the sum of the known prices in US dollars, None if no price is known;
        `calls_without_usage` and `calls_without_cost`, how many calls that leaves out; `items_without_calls`, how many
        items and repeats have no recorded call (bare graphs that call a model themselves, logs of other tools).
    """
    known = [[costs.get(key) for key in keys] for keys in items]
    calls = [call for item in known for call in item]
    prices = [call.cost for call in calls if call is not None and call.cost is not None]
    row: dict[str, Any] = {"calls": _mean([float(len(keys)) for keys in items if keys])}
    for kind in TOKENS:
        row[kind] = _mean(_sums([[None if call is None else call.tokens[kind] for call in item] for item in known]))
    row["seconds"] = _mean(_sums([[None if call is None else call.seconds for call in item] for item in known]))
    row["cost"] = sum(prices) if prices else None
    row["calls_without_usage"] = sum(call is None or call.tokens["output_tokens"] is None for call in calls)
    row["calls_without_cost"] = len(calls) - len(prices)
    row["items_without_calls"] = sum(not keys for keys in items)
    return row


def _sums(items: Iterable[Sequence[float | None]]) -> list[float]:
    """The sum of each item of which every part is known."""
    return [sum(part for part in parts if part is not None) for parts in items if parts and None not in parts]


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
