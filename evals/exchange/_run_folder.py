"""Writes what a log held as a run folder, so that everything that takes runs takes it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from agents.model import Reply
from evals.exchange_format import ExchangeError, ImportedItem, ImportedLog
from evals.running.keys import WrittenRequest, digest, reply_record
from evals.running.store import Effort, Store, StoredItem
from evals.scorers import scorer_of


def write_run(log: ImportedLog, source: str, file: str, out: Path) -> ImportedLog:
    """Writes a log as a run, or adds it to an imported run of the same data.

    Args:
        log: What was read.
        source: Name of the format it came in.
        file: Name of its file, kept as a note.
        out: Folder of the run.

    Returns:
        The log, with what must be said of how it fits the run that was there.

    Raises:
        ExchangeError: If the folder holds another run, or items of the same graph and model.
    """
    forms = {item.form for item in log.items}
    if len(forms) != 1:
        raise ExchangeError(f"{file}: mixes answers of the forms {', '.join(sorted(forms))}; import them apart")
    _check_answers(log, file)
    _check_places(log, file)
    settings = {"imported": True, "dataset": log.dataset, "form": forms.pop()}
    with Store.create(out) as store:
        stored = store.get("settings")
        if stored not in (None, settings):
            raise ExchangeError(f"{out}: holds another run ({_said(stored)}); give --out another folder")
        taken = set(store.item_keys())
        for item in log.items:
            if (item.sample, item.graph, item.model, item.repeat) in taken:
                raise ExchangeError(
                    f"{out}: holds {item.graph} with {item.model} on {item.sample} already; "
                    "give --graph or --model another name, or --out another folder"
                )
        if taken and not {sample for sample, *_ in taken} & {item.sample for item in log.items}:
            note = f"no sample of {file} has the id of one that was imported before, so nothing can be paired"
            log = replace(log, missing=(*log.missing, note))
        store.set("settings", settings)
        store.set("description", _description(log, settings, source, file, store.get("description") or {}))
        for item in log.items:
            _save(item, store)
    return log


def _check_answers(log: ImportedLog, file: str) -> None:
    """Refuses answers that the form's scorer cannot take, before anything is written."""
    answered = [item for item in log.items if item.answer is not None]
    if not answered:
        return
    try:
        scorer_of(answered[0].form).score(
            [item.answer or {} for item in answered], [item.truth or {} for item in answered]
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ExchangeError(f"{file}: holds an answer that cannot be scored ({error}); correct it") from None


def _check_places(log: ImportedLog, file: str) -> None:
    """Refuses items of which one would take the place of another."""
    seen = set()
    for item in log.items:
        place = (item.sample, item.graph, item.model, item.repeat)
        if place in seen:
            raise ExchangeError(
                f"{file}: holds {item.graph} with {item.model} on {item.sample}, repeat {item.repeat + 1}, twice; "
                "import its parts one by one, with --graph names of your choice"
            )
        seen.add(place)


def _said(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {settings[name]}" for name in ("dataset", "form") if name in settings)


def _save(item: ImportedItem, store: Store) -> None:
    calls: list[str] = []
    if item.prompt or item.reply:
        messages = [{"role": "user", "parts": [{"text": item.prompt}]}] if item.prompt else []
        request = WrittenRequest(
            messages=json.dumps(messages),
            constraint=json.dumps(None),
            rest={"sampling": {}, "repeat": item.repeat, "steps": ["answer"]},
        )
        key = digest([item.sample, item.graph, item.model, item.repeat, item.prompt, item.reply])
        # A time that the log does not say is unknown, and not none at all.
        reply = {**reply_record(Reply(item.reply, usage=item.usage, cost=item.cost)), "seconds": item.call_seconds}
        # How often the other tool asked, and how long it waited, its log does not say.
        effort = Effort(tries=1, worked=item.call_seconds or 0.0)
        store.save_call(key, item.model, request, reply, effort, time.time())
        calls = [key]
    row = {
        "keys": dict(item.keys),
        "form": item.form,
        "digest": item.digest or None,
        "answer": None if item.answer is None else dict(item.answer),
        "truth": None if item.truth is None else dict(item.truth),
        "reason": item.reason,
        "findings": {},
        "events": [],
        **item.more,
        "calls": calls,
        "seconds": item.seconds,
    }
    key = digest([asdict(replace(item, more={})), "imported"])
    store.save_item(StoredItem(item.sample, item.graph, item.model, item.repeat, key, item.status, row), time.time())


def _description(
    log: ImportedLog, settings: Mapping[str, Any], source: str, file: str, earlier: Mapping[str, Any]
) -> dict[str, Any]:
    """What the run is made of, as `evals run` writes it, and where it came from."""
    graphs = {
        item.graph: {"conditions": [], "beyond_paper": [], **log.graphs.get(item.graph, {})} for item in log.items
    }
    models = {item.model: {"is_vlm": True, **log.models.get(item.model, {})} for item in log.items}
    ran = {item.keys["condition"] for item in log.items if "condition" in item.keys} | set(
        earlier.get("conditions", [])
    )
    conditions: Sequence[str] = [name for name in log.conditions if name in ran]
    return {
        "dataset": log.dataset,
        "form": settings["form"],
        "breakdown": log.breakdown,
        "conditions": [*conditions, *sorted(ran - set(conditions))] if _all_have_condition(log) else [],
        "graphs": {**earlier.get("graphs", {}), **graphs},
        "models": {**earlier.get("models", {}), **models},
        "faults": 0,
        "settings": dict(settings),
        "imported": [*earlier.get("imported", []), {"from": source, "file": file}],
        "remarks": list(dict.fromkeys([*earlier.get("remarks", []), *log.missing])),
    }


def _all_have_condition(log: ImportedLog) -> bool:
    return all("condition" in item.keys for item in log.items)
