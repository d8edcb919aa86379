"""Shows one instance of a run: prompt, pictures, replies, what each step found, score."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agents.registry import unknown_name
from evals.reporting.result import RunResult
from evals.reporting.text import printable
from evals.running.store import Store, StoredItem
from evals.scorers import scorer_of
from tools.errors import UserError


class ShowError(UserError):
    """There is no such item in the run."""


@dataclass(frozen=True)
class _Narrowed(RunResult):
    """What a run holds of one graph, one model, or both."""

    graph: str | None = None
    model: str | None = None

    def items(self) -> list[StoredItem]:
        wanted = (self.graph, self.model)
        return [item for item in super().items() if _fits(wanted, (item.graph, item.model))]

    def description(self) -> dict[str, Any]:
        description = super().description()
        for key, name in (("graphs", self.graph), ("models", self.model)):
            if name is not None:
                description[key] = {name: description[key][name]}
        return description


def _fits(wanted: tuple[object, ...], has: tuple[object, ...]) -> bool:
    return all(one is None or one == other for one, other in zip(wanted, has, strict=True))


def narrowed(result: RunResult, graph: str | None = None, model: str | None = None) -> RunResult:
    """A run as if it held one graph, one model, or both alone; what it took is still that of the whole run.

    Raises:
        agents.registry.UnknownNameError: If it holds no such graph or model; the message names the nearest.
    """
    description = result.description()
    for kind, name in (("graph", graph), ("model", model)):
        if name is not None and name not in description.get(f"{kind}s", {}):
            raise unknown_name(f"{kind} of {result.folder}", name, description.get(f"{kind}s", {}))
    return _Narrowed(result.folder, graph, model) if graph or model else result


def find_items(
    result: RunResult, sample: str, graph: str | None = None, model: str | None = None, repeat: int | None = None
) -> list[StoredItem]:
    """Finds the items of a sample, by its id or by any part of it that fits only one sample.

    Raises:
        ShowError: If none or several samples fit; the message names the nearest.
    """
    with Store.read(result.folder) as store:
        items = list(store.items())
    samples = sorted({item.sample for item in items})
    if not samples:
        raise ShowError(f"{result.folder}: no item has ended yet; start the run again, it goes on where it stopped")
    fitting = [name for name in samples if name == sample] or [name for name in samples if sample in name]
    if len(fitting) != 1:
        near = fitting or difflib.get_close_matches(sample, samples, n=5, cutoff=0.3) or samples
        what = f"fits {len(fitting)} items" if fitting else "fits no item"
        raise ShowError(f"{sample!r} {what} of {result.folder}; some: {', '.join(near[:5])}")
    chosen = [
        item
        for item in items
        if _fits((fitting[0], graph, model, repeat), (item.sample, item.graph, item.model, item.repeat))
    ]
    if not chosen:
        of_sample = [item for item in items if item.sample == fitting[0]]
        ran = sorted({f"{item.graph} with {item.model}" for item in of_sample})
        if repeat is not None:
            ran.append(f"repeats 0 to {max(item.repeat for item in of_sample)}")
        raise ShowError(f"{fitting[0]}: was not run so; it was run as {', '.join(ran)}")
    return chosen


def as_records(result: RunResult, items: list[StoredItem]) -> list[dict[str, Any]]:
    """Items with their calls and scores as plain JSON values."""
    models = result.description()["models"]
    with Store.read(result.folder) as store:
        records = []
        for item in items:
            calls = [store.call(key) for key in item.row["calls"]]
            records.append(
                {
                    "sample": item.sample,
                    "graph": item.graph,
                    "model": item.model,
                    "no_vlm": not models[item.model]["is_vlm"],
                    "repeat": item.repeat,
                    "status": item.status,
                    "scores": _scores(item),
                    **{name: value for name, value in item.row.items() if name != "calls"},
                    "calls": [_with_paths(call, store) for call in calls if call is not None],
                }
            )
    return records


def _scores(item: StoredItem) -> dict[str, float | None]:
    if not item.row.get("answer"):
        return {}
    columns = scorer_of(item.row["form"]).score([item.row["answer"]], [item.row["truth"]])
    return {name: None if values[0] != values[0] else float(values[0]) for name, values in columns.items()}


def _with_paths(call: dict[str, Any], store: Store) -> dict[str, Any]:
    """Names the stored file of each picture beside its hash."""
    for message in call["request"]["messages"]:
        for part in message["parts"]:
            if "picture" in part:
                path = store.picture_path(part["picture"])
                part["file"] = None if path is None else str(path)
    return call


def as_text(records: list[dict[str, Any]]) -> str:
    """Items for people to read; a request that was shown already is not shown again."""
    shown: dict[str, str] = {}
    return "\n\n".join(printable("\n".join(_lines(record, shown)), lines=True) for record in records)


def _lines(record: Mapping[str, Any], shown: dict[str, str]) -> Iterator[str]:
    yield f"━━ {record['sample']}"
    model = f"{record['model']} (no VLM)" if record["no_vlm"] else record["model"]
    yield f"graph {record['graph']}, model {model}, repeat {record['repeat']}: {record['status']}"
    if record.get("reason"):
        yield f"reason: {record['reason']}"
    for number, call in enumerate(record["calls"], start=1):
        steps = ", ".join(call["request"]["steps"])
        yield ""
        asked = f"{call['model']}, no VLM" if record["no_vlm"] else call["model"]
        yield f"── call {number}: {steps} ({asked})"
        request = json.dumps(call["request"]["messages"])
        if request in shown:
            yield f"    [the same request as {shown[request]}]"
        for message in call["request"]["messages"] if request not in shown else []:
            for part in message["parts"]:
                yield part["text"] if "text" in part else f"    [picture {part['file'] or part['picture']}]"
        shown.setdefault(request, f"call {number} of {record['graph']} with {model}")
        yield f"── reply {number} ({call['reply']['finish_reason']})"
        if call["reply"]["reasoning"]:
            yield f"reasoning: {call['reply']['reasoning']}"
        yield call["reply"]["text"]
    yield ""
    yield "── findings"
    for event in record.get("events", []):
        found = (
            json.dumps(event["finding"]) if event["finding"] is not None else f"{event['status']}: {event['reason']}"
        )
        given = " (given)" if event["source"] == "given" else ""
        again = f" (attempt {event['attempt'] + 1})" if event["attempt"] else ""
        yield f"{event['step']}{given}{again}: {found}"
    yield ""
    yield "── score"
    yield f"answer: {json.dumps(record.get('answer'))}"
    yield f"truth:  {json.dumps(record.get('truth'))}"
    for name, value in record["scores"].items():
        yield f"{name}: {'–' if value is None else format(value, '.4f')}"
