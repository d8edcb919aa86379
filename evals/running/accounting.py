"""What a run took, from everything that it stored: calls, retries, tokens, money, seconds; of all its sessions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from evals.running.store import Store

TOKENS = ("input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens")
"""Kinds of tokens, as providers count them; cached ones are part of the input, reasoning ones of the output."""

_SUMS = ", ".join(
    [
        "COUNT(*)",
        "SUM(tries - 1)",
        # As real numbers, which do not overflow whatever a provider or a log counted.
        *(f"SUM(CAST(json_extract(reply, '$.usage.{kind}') AS REAL))" for kind in TOKENS),
        "SUM(json_extract(reply, '$.usage.output_tokens') IS NULL)",
        "SUM(json_extract(reply, '$.cost'))",
        "SUM(json_extract(reply, '$.cost') IS NULL)",
        "SUM(waited)",
        "SUM(worked)",
    ]
)
_NAMES = (
    *("calls", "retries", *TOKENS, "calls_without_usage"),
    *("cost_known", "calls_without_price", "seconds_waited", "seconds_worked"),
)

_BY_GRAPH = f"""
    WITH used AS (
        SELECT DISTINCT items.graph AS graph, items.model AS model, asked.value AS key
        FROM items, json_each(items.row, '$.calls') AS asked
    )
    SELECT used.graph, used.model, {_SUMS} FROM used JOIN calls USING (key) GROUP BY used.graph, used.model
"""


def account(store: Store) -> dict[str, Any]:
    """Adds up what a run took, all sessions together.

    Args:
        store: The run.

    Returns:
        `run`: the sums over all distinct calls; `models`: the same by model; `graphs`: by graph and model, where a call
        that several graphs share counts for each of them. The sums: `calls` that were answered, `retries` (requests
        that were tried again, those of failed calls included), `failed_calls`, tokens by kind (None where no provider
        said), `calls_without_usage`, `cost` in US dollars (None where any price is unknown), `cost_known`,
        `calls_without_price`, `seconds_waited` (for rates, pauses and backoff) and `seconds_worked` (requests under
        way, added up over all that ran side by side).
    """
    failed = store.query(
        "SELECT model, graph, COUNT(*), SUM(tries - 1), SUM(waited), SUM(worked) FROM failures GROUP BY 1, 2"
    )
    models = {model: _sums(row) for model, *row in store.query(f"SELECT model, {_SUMS} FROM calls GROUP BY model")}
    graphs = {(graph, model): _sums(row) for graph, model, *row in store.query(_BY_GRAPH)}
    for model, graph, *row in failed:
        for sums in (models.setdefault(model, _nothing()), graphs.setdefault((graph, model), _nothing())):
            sums["failed_calls"] += row[0]
            for name, more in zip(("retries", "seconds_waited", "seconds_worked"), row[1:], strict=True):
                sums[name] += more
    return {
        "run": _total(models.values()),
        "models": [{"model": model, **sums} for model, sums in sorted(models.items())],
        "graphs": [{"graph": graph, "model": model, **sums} for (graph, model), sums in sorted(graphs.items())],
    }


def _nothing() -> dict[str, Any]:
    """The sums of no call."""
    return _sums([0, 0, None, None, None, None, 0, 0.0, 0, 0.0, 0.0])


def _sums(row: Iterable[Any]) -> dict[str, Any]:
    sums: dict[str, Any] = dict(zip(_NAMES, row, strict=True))
    sums["cost_known"] = sums["cost_known"] or 0.0
    for kind in TOKENS:
        sums[kind] = None if sums[kind] is None else int(sums[kind])
    return _ordered(sums, 0)


def _ordered(sums: Mapping[str, Any], failed: int) -> dict[str, Any]:
    """The sums with stable keys in the order in which they are read."""
    cost = None if sums["calls_without_price"] else sums["cost_known"]
    return {"calls": sums["calls"], "failed_calls": failed, "retries": sums["retries"], "cost": cost} | {
        name: sums[name] for name in _NAMES if name not in ("calls", "retries")
    }


def _total(parts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    total = _nothing()
    failed = 0
    for part in parts:
        failed += part["failed_calls"]
        for name in _NAMES:
            total[name] = None if total[name] is None and part[name] is None else (total[name] or 0) + (part[name] or 0)
    return _ordered(total, failed)


def spent(store: Store) -> tuple[float, int]:
    """US dollars that a run has cost so far, known prices only, and of how many calls they are the prices."""
    ((cost, calls),) = store.query(
        "SELECT SUM(json_extract(reply, '$.cost')), COUNT(json_extract(reply, '$.cost')) FROM calls"
    )
    return cost or 0.0, calls


def lines(sums: Mapping[str, Any], is_vlm: Mapping[str, bool]) -> list[str]:
    """What a run took for people to read: a line for the run, and one for each graph and model where there are several.

    Args:
        sums: What `account` returned.
        is_vlm: Whether each model is a vision-language model; others have neither tokens nor a price.
    """
    if not any(is_vlm.get(row["model"], True) for row in sums["models"]):
        return [f"calls: {sums['run']['calls']:,}"] if sums["run"]["calls"] else []
    vlms = [row for row in sums["graphs"] if is_vlm.get(row["model"], True)]
    written = [f"took: {_words(_total(row for row in sums['models'] if is_vlm.get(row['model'], True)))}"]
    if len(vlms) > 1:
        written += [f"  {row['graph']} with {row['model']}: {_words(row)}" for row in vlms]
    return written


def _words(sums: Mapping[str, Any]) -> str:
    def tokens(kind: str) -> str:
        return "unknown" if sums[kind] is None else f"{sums[kind]:,}"

    return "; ".join(
        [
            f"{sums['calls']:,} calls, {sums['retries']:,} retries, {sums['failed_calls']:,} failed",
            f"tokens {tokens('input_tokens')} in ({tokens('cached_tokens')} cached), "
            f"{tokens('output_tokens')} out ({tokens('reasoning_tokens')} reasoning)"
            + (f", {sums['calls_without_usage']:,} calls not counted" if sums["calls_without_usage"] else ""),
            f"cost {cost_in_words(sums)}",
            f"waited {sums['seconds_waited']:,.0f} s, worked {sums['seconds_worked']:,.0f} s",
        ]
    )


def cost_in_words(sums: Mapping[str, Any]) -> str:
    """Money in words; what is unknown is said to be unknown."""
    if not sums["calls"]:
        return "unknown" if sums["failed_calls"] else "0.0000 US$"
    if sums["cost"] is not None:
        return f"{sums['cost']:.4f} US$"
    if sums["calls_without_price"] == sums["calls"]:
        return "unknown"
    return f"{sums['cost_known']:.4f} US$ and {sums['calls_without_price']:,} calls of unknown price"
