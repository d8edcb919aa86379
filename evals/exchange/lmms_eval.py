"""lmms-eval: the samples that `--log_samples` writes, a JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from evals.exchange._matching import Matcher, as_recorded, assembled, finite, numbered, read_again, recorded, unanswered
from evals.exchange_format import ExchangeError, ExchangeFormat, ImportedItem, ImportedLog, ImportOptions

_NO_METRIC = frozenset(
    {"doc_id", "doc", "target", "arguments", "input", "resps", "filtered_resps", "filter", "metrics", "doc_hash"}
    | {"prompt_hash", "target_hash", "schema_version", "task_name", "token_counts"}
)
_SCORE_KEYS = ("score", "correct", "accuracy", "acc")
"""Where tasks of lmms-eval keep the number when a sample's metric is an object."""


def _read(path: Path, options: ImportOptions) -> ImportedLog:
    if path.is_dir():
        raise ExchangeError(f"{path}: is a folder; give one *_samples_*.jsonl of it")
    rows, cut = _of_one_filter(list(_rows(path)))
    task = path.stem.rpartition("_samples_")[2].removeprefix("samples_")
    model = options.model or (path.parent.name if path.parent.name not in ("", ".") else "unknown")
    graph = options.graph or task
    missing = ["pictures, findings and tokens stand in no samples file of lmms-eval"]
    missing += cut
    if options.model is None:
        missing.append(f"the log does not name its model; the folder's name counts, {model} (--model NAME)")
    if options.data is not None:
        matcher = Matcher(options.data)
        items = []
        for row in rows:
            sample = matcher.find(str(_doc(row).get("id", row["doc_id"])), _doc(row))
            if sample is not None:
                items.append(read_again(sample, options, graph, model, _reply(row), _prompt(row)))
        return assembled(matcher, numbered(items), missing)
    metric = _metric(rows, options.metric, path)
    taken = (_item(row, f"{task}/{row['doc_id']}", graph, model, metric, options.scene) for row in rows)
    return as_recorded(task, numbered(taken), missing, metric)


def _doc(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return row["doc"] if isinstance(row.get("doc"), dict) else {}


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                try:
                    row = json.loads(line)
                except ValueError as error:
                    raise ExchangeError(f"{path}: line {number} is no JSON ({error}); copy the file again") from None
                if not isinstance(row, dict) or not isinstance(row.get("doc_id"), (int, str)):
                    raise ExchangeError(
                        f"{path}: line {number} is no sample of lmms-eval; give a *_samples_*.jsonl of --log_samples"
                    )
                yield row
    except (OSError, UnicodeDecodeError) as error:
        raise ExchangeError(f"{path}: cannot be read ({error}); give a *_samples_*.jsonl of --log_samples") from None


def _of_one_filter(rows: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows of the first filter, and what had to be left out: a filter more is no repeat of a sample."""
    notes = []
    filters = list(dict.fromkeys(str(row.get("filter", "none")) for row in rows))
    if len(filters) > 1:
        notes.append(f"of the filters {', '.join(filters)} only the first is taken")
        rows = [row for row in rows if str(row.get("filter", "none")) == filters[0]]
    if any(isinstance(row.get("resps"), list) and _replies(row["resps"]) > 1 for row in rows):
        notes.append("of several replies a sample only the first is kept; the score is the tool's over all of them")
    return rows, notes


def _replies(value: object) -> int:
    """Number of texts in a nested list."""
    return sum(map(_replies, value)) if isinstance(value, list) else int(isinstance(value, str))


def _metric(rows: list[dict[str, Any]], wanted: str | None, path: Path) -> str:
    found = sorted({name for row in rows for name, value in row.items() if _value(name, value) is not None})
    if wanted is not None and wanted in found:
        return wanted
    if wanted is not None or len(found) != 1:
        have = ", ".join(found) or "none"
        raise ExchangeError(f"{path}: give --metric one of its metrics; it has {have}")
    return found[0]


def _value(name: str, value: object) -> float | None:
    if name in _NO_METRIC:
        return None
    if isinstance(value, Mapping):
        numbers = [finite(value[key]) for key in _SCORE_KEYS if key in value]
        return next((number for number in numbers if number is not None), None)
    return finite(value)


def _reply(row: Mapping[str, Any]) -> str:
    """The first reply of a row, as the model gave it where that is there, else as the task's filter left it."""
    for name in ("resps", "filtered_resps"):
        value = row.get(name)
        while isinstance(value, list) and value:
            value = value[0]
        if isinstance(value, str):
            return value
    return ""


def _prompt(row: Mapping[str, Any]) -> str:
    """The text that was asked; later versions call it `input`."""
    value = row.get("input", row.get("arguments"))
    if isinstance(value, Mapping):
        value = next((part for part in value.values()), None)
    while isinstance(value, list) and value:
        value = value[0]
    return value if isinstance(value, str) else ""


def _item(row: Mapping[str, Any], name: str, graph: str, model: str, metric: str, scene: str | None) -> ImportedItem:
    # Its own `doc_hash` is over pictures as Python prints them, which is not the same twice.
    content = [_doc(row), row.get("target")] if _doc(row) else None
    item = recorded(name, graph, model, _value(metric, row.get(metric)), _doc(row), scene, content)
    truth = None if item.answer is None else {"target": str(row.get("target", ""))}
    item = replace(item, truth=truth, prompt=_prompt(row), reply=_reply(row))
    said_nothing = isinstance(row.get("resps"), list) and _replies(row["resps"]) and not item.reply.strip()
    return unanswered(item, "empty", "the reply is empty") if said_nothing else item


lmms_eval = ExchangeFormat("lmms_eval", "samples that lmms-eval writes with --log_samples (JSONL)", read=_read)
