"""The predictions layout of POVBench's authors: what their scripts write and their scorer reads."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from evals.datasets import open_dataset
from evals.datasets.povbench.benchmark import Instance, PovBench
from evals.datasets.povbench.fields import BrokenFileError, as_number, read_json
from evals.datasets.povbench.prediction_files import NO_PREDICTIONS, PredictionRow, Size, read_predictions
from evals.datasets.povbench.predictions import KINDS
from evals.datasets.povbench.summary import FAILED_TO_PARSE
from evals.exchange_format import (
    ExchangeError,
    ExchangeFormat,
    Export,
    Exported,
    ImportedItem,
    ImportedLog,
    ImportOptions,
)
from evals.reporting.text import counted
from evals.running.runner import FAILED
from evals.running.store import Store, StoredItem
from evals.sample import Dataset, Sample

_KIND_OF = {condition: kind for kind, condition in KINDS.items()}
_NOT_PARSED = "failed to parse JSON"
"""What the authors' scripts note for a reply without an answer; any other note is a request that failed."""


def _write(export: Export) -> Exported:
    """Writes a file for each graph, model and repeat, since the layout holds an instance once."""
    data = _benchmark(open_dataset(export.data))
    digests = {sample.id: sample.digest for sample in data.samples()}
    for item in export.items:
        if item.sample not in digests or digests[item.sample] != item.row["digest"]:
            what = "differs in" if item.sample in digests else "is missing from"
            raise ExchangeError(f"{item.sample}: {what} the data; give --data the folder that the run was made on")
    size = _common_size(data, {item.sample for item in export.items})
    models = export.result.description()["models"]
    parts: dict[tuple[str, str, int], list[StoredItem]] = {}
    for item in export.items:
        parts.setdefault((item.graph, item.model, item.repeat), []).append(item)
    export.out.mkdir(parents=True)
    files: list[Path] = []
    with Store.read(export.result.folder) as store:
        for number, ((graph, model, repeat), items) in enumerate(parts.items(), start=1):
            about = {"vlm": model, "screen_width": size[0], "screen_height": size[1]}
            content = {
                **about,
                # The authors' files have no place for these; their scorer passes over `metadata`.
                "metadata": {
                    **about,
                    "graph": graph,
                    "repeat": repeat,
                    "is_vlm": models.get(model, {}).get("is_vlm", True),
                },
                "predictions": [_prediction(item, data.instances[item.sample], size, store) for item in items],
            }
            file = export.out / f"{number:02d}_{_plain(graph)}__{_plain(model)}__{repeat}.json"
            file.write_text(json.dumps(content, indent=1, allow_nan=False))
            files.append(file)
    return Exported(tuple(files), ("findings, tokens and seconds have no place in the authors' layout",))


def _benchmark(data: Dataset) -> PovBench:
    if not isinstance(data, PovBench):
        raise ExchangeError(f"the povbench layout needs POVBench data, not {data.name}; give --data its folder")
    return data


def _common_size(data: PovBench, samples: set[str]) -> Size:
    """The size in which pixels are written; a file states one for all its exploration frames."""
    sizes = {
        view.frame.size
        for sample in samples
        for view in data.instances[sample].views
        if data.instances[sample].condition != "given"
    }
    shapes = {width / height for width, height in sizes}
    if len(shapes) > 1:
        raise ExchangeError("the frames differ in shape, and the authors' layout states one size; export them apart")
    return max(sizes, default=(512, 512))


def _prediction(item: StoredItem, instance: Instance, size: Size, store: Store) -> dict[str, Any]:
    answer: Mapping[str, Any] | None = item.row.get("answer")
    given = instance.condition == "given"
    if given and instance.pair.camera is not None:
        size = (instance.pair.camera.width, instance.pair.camera.height)
    reply = store.reply(item.row["calls"][-1]) if item.row["calls"] else None
    note = None
    if answer is None:
        note = f"request failed: {item.row.get('reason', '')}" if item.status == FAILED else _NOT_PARSED
    frames = [] if given else [view.frame.id for view in instance.views]
    return {
        "pair_id": instance.pair.id,
        "house_id": instance.house.id,
        "direction": instance.direction,
        "type": _KIND_OF[instance.condition],
        "sentence": instance.pair.sentences[instance.direction, instance.condition],
        **({} if given else {"candidate_images": frames}),
        **({} if given else {"predicted_image": None if answer is None else answer["frame"]}),
        "predicted_x": None if answer is None else answer["x"] * size[0],
        "predicted_y": None if answer is None else answer["y"] * size[1],
        "raw_response": "" if reply is None else reply["text"],
        "parse_error": note,
    }


def _plain(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "_+-." else "_" for letter in name)[:60]


def _read(path: Path, options: ImportOptions) -> ImportedLog:
    if options.data is None:
        raise ExchangeError("predictions of POVBench hold no truth; give --data the folder of the data")
    data = _benchmark(options.data)
    samples = {sample.id: sample for sample in data.samples()}
    logs = [_read_part(part, options, data, samples) for part in _parts(path)]
    return ImportedLog(
        dataset=data.name,
        items=[item for log in logs for item in log.items],
        missing=tuple(dict.fromkeys(line for log in logs for line in log.missing)),
        conditions=data.conditions,
        breakdown=data.breakdown,
        models={name: about for log in logs for name, about in log.models.items()},
    )


def _parts(path: Path) -> list[Path]:
    """What is read on its own: each file that names its graph, as exports do; files of the authors' all together.

    Raises:
        ExchangeError: If a folder holds both kinds.
    """
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.glob("*.json") if file.name not in NO_PREDICTIONS)
    named = [file for file in found if _names_graph(file)]
    if not named:
        return [path]
    if len(named) < len(found):
        strange = next(file for file in found if file not in named)
        raise ExchangeError(f"{strange}: does not name its graph as {named[0].name} does; import them from two folders")
    return named


def _names_graph(file: Path) -> bool:
    try:
        content = read_json(file.resolve(), file.resolve().parent)
    except BrokenFileError:
        return False
    about = content.get("metadata") if isinstance(content, dict) else None
    return isinstance(about, dict) and "graph" in about


def _read_part(path: Path, options: ImportOptions, data: PovBench, samples: Mapping[str, Sample]) -> ImportedLog:
    read = read_predictions(path, {sample.keys["scene"] for sample in samples.values()})
    model = options.model or str(read.metadata.get("vlm") or "unknown")
    graph = options.graph or str(read.metadata.get("graph") or path.stem)
    repeat = read.metadata.get("repeat", 0)
    missing = [*read.problems, "prompts, findings, tokens and seconds stand in no predictions file"]
    items: list[ImportedItem] = []
    strange: list[str] = []
    for row in read.rows:
        sample = samples.get(f"{row.house}/{row.pair}/{row.direction}/{KINDS[row.kind]}")
        if sample is None:
            strange.append(row.place)
            continue
        items.append(replace(_item(row, sample, data, graph, model), repeat=repeat if isinstance(repeat, int) else 0))
    if strange:
        missing.append(
            f"left out, without a usable instance in the data: {counted(len(strange), 'row')} ({strange[0]})"
        )
    asked = {item.keys["condition"] for item in items}
    absent = sum(sample.keys["condition"] in asked for sample in samples.values()) - len(items)
    if absent:
        missing.append(f"no prediction for {counted(absent, 'instance')} that the data have in these conditions")
    if any("predicted_points" in row.values for row in read.rows):
        missing.append("of several predicted points, the centroid is the answer, as in the published error")
    models = {model: {"is_vlm": read.metadata.get("is_vlm", True) is True}}
    return ImportedLog(data.name, items, tuple(missing), data.conditions, data.breakdown, models)


def _item(row: PredictionRow, sample: Sample, data: PovBench, graph: str, model: str) -> ImportedItem:
    instance = data.instances[sample.id]
    status, reason, answer = "answered", "", _answer(row, instance)
    note = row.values.get("parse_error")
    if answer is None:
        outside = bool(note) and note not in FAILED_TO_PARSE and row.values.get("predicted_x") is None
        status, reason = (FAILED, str(note)) if outside else ("unreadable", str(note or "no point in a known frame"))
    return ImportedItem(
        sample=sample.id,
        graph=graph,
        model=model,
        repeat=0,
        status=status,
        form=sample.situation.form.kind,
        keys=dict(sample.keys),
        answer=answer,
        truth=None if answer is None else dict(data.truth_for(sample.id, answer)),
        reason=reason,
        reply=str(row.values.get("raw_response") or ""),
        digest=sample.digest,
    )


def _answer(row: PredictionRow, instance: Instance) -> dict[str, Any] | None:
    """The canonical answer of a row; None where it points nowhere or into a frame that is not there."""
    width, height = row.size
    frame: Any = row.values.get("predicted_image")
    if row.kind == "c":
        frame = instance.views[0].frame.id
        if instance.pair.camera is not None:
            width, height = instance.pair.camera.width, instance.pair.camera.height
    x, y = as_number(row.values.get("predicted_x")), as_number(row.values.get("predicted_y"))
    if x is None or y is None or frame not in {view.frame.id for view in instance.views}:
        return None
    points = _points(row.values.get("predicted_points"))
    if points:
        pooled = np.clip(np.array(points) / (width, height), 0, 1).mean(axis=0)
        return {"frame": frame, "x": float(pooled[0]), "y": float(pooled[1])}
    return {"frame": frame, "x": x / width, "y": y / height}


def _points(listed: object) -> Sequence[tuple[float, float]]:
    found = []
    for point in listed if isinstance(listed, list) else []:
        numbers = [as_number(value) for value in point[:2]] if isinstance(point, list) else []
        if len(numbers) == 2 and numbers[0] is not None and numbers[1] is not None:
            found.append((numbers[0], numbers[1]))
    return found


povbench = ExchangeFormat(
    "povbench", "the authors' predictions layout; `evals score` reads it", "predictions", write=_write, read=_read
)
