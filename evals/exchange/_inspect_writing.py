"""Writes a run as logs of Inspect, in its JSON format, which needs none of its packages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evals.exchange_format import Export, Exported
from evals.reporting.usage import call_costs, usage_of
from evals.running.runner import FAILED
from evals.running.store import Store, StoredItem
from evals.scorers import scorer_of

OWN = "situate"
"""Where a sample's metadata keep what only a run of Situate has."""

_STOPS = {"stop": "stop", "length": "max_tokens", "refusal": "content_filter"}


def write_logs(export: Export) -> Exported:
    """Writes a log for each graph and model; repeats are its epochs."""
    description = export.result.description()
    parts: dict[tuple[str, str], list[StoredItem]] = {}
    for item in export.items:
        parts.setdefault((item.graph, item.model), []).append(item)
    export.out.mkdir(parents=True)
    files: list[Path] = []
    with Store.read(export.result.folder) as store:
        for (graph, model), items in parts.items():
            log = _log(graph, model, items, description, store)
            file = export.out / f"{_stamp(log).replace(':', '-')}_{_plain(graph)}_{log['eval']['task_id']}.json"
            file.write_text(json.dumps(log, indent=1, allow_nan=False))
            files.append(file)
    return Exported(tuple(files), ("pictures stay in the run's folder; the logs name them by their hash",))


def _log(
    graph: str, model: str, items: Sequence[StoredItem], description: Mapping[str, Any], store: Store
) -> dict[str, Any]:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    scorer = scorer_of(items[0].row["form"])
    scores = _scores(items)
    samples = [_sample(item, scores.get(place), scorer.name, store) for place, item in enumerate(items)]
    ids = list(dict.fromkeys(item.sample for item in items))
    means = {
        metric.name: _mean([row[metric.name] for row in scores.values()])
        for metric in scorer.metrics
        if any(row[metric.name] is not None for row in scores.values())
    }
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "eval_id": _identifier("eval", graph, model, now),
            "run_id": _identifier("run", now),
            "created": now,
            "task": graph,
            "task_id": _identifier("task", graph, model),
            "task_version": 0,
            "dataset": {"name": description["dataset"], "samples": len(ids), "sample_ids": ids, "shuffled": False},
            "model": model,
            "config": {"epochs": 1 + max(item.repeat for item in items)},
            "metadata": {OWN: {"run": dict(description)}},
        },
        "plan": {"name": "plan", "steps": []},
        "results": {
            "total_samples": len(items),
            "completed_samples": sum(item.status != FAILED for item in items),
            "scores": [
                {
                    "name": name,
                    "scorer": scorer.name,
                    "params": {},
                    "metrics": {"mean": {"name": "mean", "value": value}},
                }
                for name, value in means.items()
            ],
        },
        "stats": {"started_at": now, "completed_at": now, "model_usage": {}},
        "samples": samples,
    }


def _stamp(log: Mapping[str, Any]) -> str:
    return str(log["eval"]["created"])


def _identifier(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:22]


def _plain(name: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in name)[:60]


def _scores(items: Sequence[StoredItem]) -> dict[int, dict[str, float | None]]:
    """The scores of the answered items, by their place."""
    places = [place for place, item in enumerate(items) if item.row.get("answer")]
    rows = [items[place].row for place in places]
    if not rows:
        return {}
    columns = scorer_of(rows[0]["form"]).score([row["answer"] for row in rows], [row["truth"] for row in rows])
    return {
        place: {
            name: None if values[index] != values[index] else float(values[index]) for name, values in columns.items()
        }
        for index, place in enumerate(places)
    }


def _mean(values: Sequence[float | None]) -> float:
    known = [value for value in values if value is not None]
    return sum(known) / len(known)


def _sample(item: StoredItem, scores: Mapping[str, float | None] | None, scorer: str, store: Store) -> dict[str, Any]:
    row = item.row
    calls = [call for call in (store.call(key) for key in row["calls"]) if call is not None]
    messages = [message for call in calls for message in (*_asked(call), _said(call["reply"]))]
    asked = _asked(calls[0]) if calls else []
    own = {name: row.get(name) for name in ("form", "digest", "answer", "truth", "reason", "findings", "events")}
    if calls:
        # Inspect's output is that of the last call alone, and its time that of the sample.
        own["took"] = usage_of([row["calls"]], call_costs(store, row["calls"]))
    sample: dict[str, Any] = {
        "id": item.sample,
        "epoch": item.repeat + 1,
        "input": asked or "",
        "target": json.dumps(row.get("truth")) if row.get("truth") else "",
        "messages": messages,
        "output": _output(item, calls),
        "scores": {},
        "metadata": {**row["keys"], OWN: {**own, "status": item.status, "keys": dict(row["keys"])}},
        "store": {},
        "events": [],
        "model_usage": {},
    }
    if row["seconds"] is not None:
        sample["total_time"] = row["seconds"]
    if scores is not None:
        sample["scores"] = {scorer: {"value": dict(scores), "answer": json.dumps(row["answer"])}}
    if item.status == FAILED:
        reason = str(row.get("reason", ""))
        sample["error"] = {"message": reason, "traceback": reason, "traceback_ansi": reason}
    return sample


def _asked(call: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"role": message["role"], "content": [_part(part) for part in message["parts"]]}
        for message in call["request"]["messages"]
    ]


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    if "text" in part:
        return {"type": "text", "text": part["text"]}
    return {"type": "image", "image": f"pictures/{part['picture']}"}


def _said(reply: Mapping[str, Any]) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": reply["text"]}]
    if reply["reasoning"]:
        content.insert(0, {"type": "reasoning", "reasoning": reply["reasoning"]})
    return {"role": "assistant", "content": content, "source": "generate"}


def _output(item: StoredItem, calls: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    if not calls:
        return {"model": item.model, "choices": []}
    reply = calls[-1]["reply"]
    usage = reply["usage"]
    known = {
        name: usage[ours]
        for name, ours in (
            ("input_tokens", "input_tokens"),
            ("output_tokens", "output_tokens"),
            ("input_tokens_cache_read", "cached_tokens"),
            ("reasoning_tokens", "reasoning_tokens"),
        )
        if usage[ours] is not None
    }
    output: dict[str, Any] = {
        "model": item.model,
        "choices": [{"message": _said(reply), "stop_reason": _STOPS.get(reply["finish_reason"], "unknown")}],
        "time": reply["seconds"],
    }
    if known:
        total = known.get("input_tokens", 0) + known.get("output_tokens", 0)
        output["usage"] = {"input_tokens": 0, "output_tokens": 0, **known, "total_tokens": total}
    return output
