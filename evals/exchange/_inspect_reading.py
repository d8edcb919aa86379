"""Reads logs of Inspect: JSON by itself, its packed `.eval` files through its own package."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from agents.model import Usage
from evals.exchange._inspect_writing import OWN
from evals.exchange._matching import Matcher, as_recorded, assembled, finite, numbered, read_again, recorded, unanswered
from evals.exchange_format import ExchangeError, ImportedItem, ImportedLog, ImportOptions
from evals.reporting.usage import TOKENS
from evals.running.runner import FAILED

_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""How Inspect counts its grades: correct, incorrect, partial, no answer."""

_UNANSWERED = {"refusal": "refused", "invalid_response_format": "unreadable", "no_response": "empty"}
"""Statuses of the reasons that Inspect's scorers give."""

_PICTURES_ELSEWHERE = "pictures stand in no log, so none are taken over"


def read_log(path: Path, options: ImportOptions) -> ImportedLog:
    """Reads a log; one that Situate exported comes back with its answers, findings and scores."""
    log = _content(path)
    about, samples = log["eval"], log.get("samples") or []
    model, graph = options.model or str(about["model"]), options.graph or str(about["task"])
    missing = [_PICTURES_ELSEWHERE]
    if log.get("status") != "success":
        missing.append(f"the log broke off (its status is {log.get('status')!r}), so samples may be missing")
    own = ((about.get("metadata") or {}).get(OWN) or {}).get("run")
    if isinstance(own, dict) and all(OWN in (sample.get("metadata") or {}) for sample in samples):
        back = _returned(own, samples, graph, model, str(about["task"]), str(about["model"]))
        return replace(back, missing=(*missing, *(line for line in back.missing if line not in missing)))
    if options.data is not None:
        matcher = Matcher(options.data)
        items = []
        for sample in samples:
            found = matcher.find(str(sample["id"]), sample.get("metadata") or {})
            if found is None:
                continue
            item = read_again(found, options, graph, model, _reply(sample), _prompt(sample))
            items.append(_with_costs(item, sample))
        return assembled(matcher, numbered(items), missing)
    metric = _metric(samples, options.metric, path)
    taken = [_item(sample, graph, model, metric, options.scene) for sample in samples]
    name = (about.get("dataset") or {}).get("name") or about["task"]
    return as_recorded(str(name), taken, [*missing, "findings stand in no log of Inspect"], metric)


def _content(path: Path) -> dict[str, Any]:
    """The log as plain JSON values, its attachments put back in their places.

    Raises:
        ExchangeError: If it is no log, or a packed one and Inspect is not installed.
    """
    if path.is_dir():
        raise ExchangeError(
            f"{path}: is a folder; give its .json or .eval logs one after the other, with the same --out"
        )
    if path.suffix == ".eval":
        return _unpacked(path)
    try:
        log = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ExchangeError(f"{path}: cannot be read as JSON ({error}); give a .json or .eval log of Inspect") from None
    about = log.get("eval") if isinstance(log, dict) else None
    if not isinstance(about, dict) or not {"task", "model"} <= set(about):
        raise ExchangeError(f"{path}: is no log of Inspect; give a .json or .eval file of its log folder")
    for number, sample in enumerate(log.get("samples") or []):
        if not isinstance(sample, dict) or "id" not in sample:
            raise ExchangeError(f"{path}: sample {number} has no id; it is no log of Inspect")
    return {
        **log,
        "samples": [_resolved(sample, sample.get("attachments") or {}) for sample in log.get("samples") or []],
    }


def _unpacked(path: Path) -> dict[str, Any]:
    try:
        from inspect_ai.log import read_eval_log
    except ImportError:
        raise ExchangeError(
            f"{path}: packed logs are read by Inspect itself: pip install 'situate[inspect]'; or convert it: "
            "inspect log convert --to json"
        ) from None
    try:
        return dict(read_eval_log(path, resolve_attachments=True).model_dump(mode="json", exclude_none=True))
    except Exception as error:
        # Inspect raises whatever its archive and schema readers do.
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise ExchangeError(f"{path}: cannot be read as a log of Inspect ({first}); copy the file again") from error


def _resolved(value: Any, attachments: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _resolved(part, attachments) for name, part in value.items() if name not in ("events", "store")}
    if isinstance(value, list):
        return [_resolved(part, attachments) for part in value]
    if isinstance(value, str) and value.startswith("attachment://"):
        return attachments.get(value.removeprefix("attachment://"), value)
    return value


def _returned(
    run: Mapping[str, Any], samples: Sequence[Mapping[str, Any]], graph: str, model: str, task: str, named: str
) -> ImportedLog:
    """The items of a log that was exported from a run."""
    items = []
    for sample in samples:
        own = sample["metadata"][OWN]
        item = ImportedItem(
            sample=str(sample["id"]),
            graph=graph,
            model=model,
            repeat=int(sample["epoch"]) - 1,
            status=str(own["status"]),
            form=str(own["form"]),
            keys=own["keys"],
            answer=own["answer"],
            truth=own["truth"],
            reason=own["reason"] or "",
            prompt=_prompt(sample),
            reply=_reply(sample),
            digest=own["digest"] or "",
            more={name: own[name] for name in ("findings", "events") if own.get(name)},
        )
        item = _with_costs(item, sample)
        if took := own.get("took"):
            tokens = Usage(**{kind: None if took[kind] is None else round(took[kind]) for kind in TOKENS})
            item = replace(item, usage=tokens, call_seconds=took["seconds"], cost=took["cost"])
        items.append(item)
    return ImportedLog(
        dataset=str(run["dataset"]),
        items=items,
        missing=(_PICTURES_ELSEWHERE, "of several calls a sample, only the first prompt and the last reply"),
        conditions=tuple(run["conditions"]),
        breakdown=run["breakdown"],
        models={model: run["models"].get(named, {})},
        graphs={graph: run["graphs"].get(task, {})},
    )


def _with_costs(item: ImportedItem, sample: Mapping[str, Any]) -> ImportedItem:
    output = sample.get("output") or {}
    usage = output.get("usage") or {}
    tokens = Usage(
        usage.get("input_tokens"),
        usage.get("input_tokens_cache_read"),
        usage.get("output_tokens"),
        usage.get("reasoning_tokens"),
    )
    whole, call = finite(sample.get("total_time")), finite(output.get("time"))
    return replace(item, usage=tokens, seconds=whole, call_seconds=whole if call is None else call)


def _metric(samples: Sequence[Mapping[str, Any]], wanted: str | None, path: Path) -> str:
    found = sorted({name for sample in samples for name, _ in _values(sample)})
    if wanted is None and len(found) == 1:
        return found[0]
    if not found and samples and all(sample.get("error") for sample in samples):
        raise ExchangeError(f"{path}: all of its samples ended in an error, so there is no score; run it again")
    if wanted is None or wanted not in found:
        raise ExchangeError(f"{path}: give --metric one of its scores; it has {', '.join(found) or 'none'}")
    return wanted


def _grades(sample: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """The scores of a sample as they stand, by scorer, or by scorer and key where a scorer gives several."""
    for scorer, score in (sample.get("scores") or {}).items():
        value = score.get("value") if isinstance(score, dict) else None
        for name, one in value.items() if isinstance(value, dict) else [("", value)]:
            yield f"{scorer}.{name}" if name else scorer, one


def _values(sample: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """The scores of a sample that are numbers."""
    for name, grade in _grades(sample):
        number = _LETTERS.get(grade) if isinstance(grade, str) else finite(grade)
        if number is not None:
            yield name, number


def _item(sample: Mapping[str, Any], graph: str, model: str, metric: str, scene: str | None) -> ImportedItem:
    values = dict(_values(sample))
    content = [_prompt(sample), sample.get("choices"), sample.get("target")]
    item = recorded(str(sample["id"]), graph, model, values.get(metric), sample.get("metadata") or {}, scene, content)
    item = replace(
        _with_costs(item, sample),
        repeat=int(sample.get("epoch", 1)) - 1,
        prompt=_prompt(sample),
        reply=_reply(sample),
    )
    reason = ((sample.get("scores") or {}).get(metric.partition(".")[0]) or {}).get("reason")
    if sample.get("error"):
        error = str(sample["error"].get("message", ""))
        return unanswered(item, FAILED, error)
    if reason in _UNANSWERED:
        return unanswered(item, _UNANSWERED[reason], f"Inspect says {reason}")
    if dict(_grades(sample)).get(metric) == "N":
        return unanswered(item, "unreadable" if item.reply.strip() else "empty", "Inspect's grade is N, no answer")
    target = sample.get("target")
    return replace(item, truth={"target": target} if item.answer else None)


def _prompt(sample: Mapping[str, Any]) -> str:
    asked = sample.get("input")
    return asked if isinstance(asked, str) else "\n".join(_text(message) for message in asked or [])


def _reply(sample: Mapping[str, Any]) -> str:
    output = sample.get("output") or {}
    choices = output.get("choices") or []
    return _text(choices[0].get("message") or {}) if choices else str(output.get("completion") or "")


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(
        str(part["text"]) for part in content or [] if isinstance(part, dict) and part.get("type") == "text"
    )
