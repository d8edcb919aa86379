"""Puts a report together and writes it."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined

from evals.report.charts import bar_panels, error_maps
from evals.report.details import pack_details
from evals.report.gallery import Gallery, gallery_of
from evals.report.thumbnails import Thumbnails, thumbnails_of
from evals.reporting.compare_table import as_json, columns_of
from evals.reporting.comparison import Comparison, compare
from evals.reporting.result import RunResult
from evals.reporting.summary import ALL
from evals.reporting.table import Columns, number
from evals.reporting.text import printable
from evals.running.store import StoredItem
from evals.sample import Dataset, Sample
from evals.scorers import scorer_of
from tools.errors import UserError

MEGABYTE = 1_000_000

_NAMES = ("run", "model", "condition", "group", "graph", "table")
"""Columns of names, aligned to the left."""

_SHARE_OF_DETAILS = 0.4
"""Most of the file that replies and findings may take, so that pictures have room."""


class ReportError(UserError):
    """A report cannot be made or written."""


@dataclass(frozen=True)
class Report:
    """A report as it was written.

    Attributes:
        file: The file.
        bytes: Its size.
        pictures: Number of frames whose pictures are in it.
        notes: What limits the file and what is not in it, a line each.
    """

    file: Path
    bytes: int
    pictures: int
    notes: tuple[str, ...]


def write_report(
    result: RunResult, out: Path, data: Dataset | None = None, baseline: str | None = None, limit: int = 15 * MEGABYTE
) -> Report:
    """Writes the report of a run.

    Args:
        result: The run.
        out: The file to write; one that is there is replaced.
        data: Dataset of the run, for sentences and pictures; samples that are not in it as they were run are shown
            without them.
        baseline: Graph that the others are held against; None takes `basic` where it is one of several.
        limit: Bytes that the file should not pass; replies are cut and pictures shrunk or left out to keep to it.

    Returns:
        What was written.

    Raises:
        ReportError: If the run is empty, or the file cannot be written.
    """
    description, items = result.description(), result.items()
    if not items:
        raise ReportError(f"{result.folder}: no item has ended yet; start the run again, it goes on where it stopped")
    graphs = list(description["graphs"])
    if baseline is None and "basic" in graphs and len(graphs) > 1:
        baseline = "basic"
    breakdown = description["breakdown"]
    comparison = compare([result], baseline, by=[breakdown] if breakdown else [])
    frame = result.frame()
    scores = frame[scorer_of(description["form"]).headline]
    gallery = gallery_of(items, list(scores), description, _samples(data, items))
    index = _script_json(gallery.index)
    details = pack_details(items, result.folder, gallery, int(limit * _SHARE_OF_DETAILS))
    room = limit - len(index) - details.bytes - len(as_json(comparison)) - MEGABYTE // 2
    pictures = thumbnails_of(gallery.frames_wanted, max(room, 0))
    notes = _notes(gallery, details.notes, details.bytes, pictures, len(index), limit)
    text = _render(
        result.folder.resolve().name, description, frame, comparison, gallery, index, details.chunks, pictures, notes
    )
    _write(out, text)
    return Report(out, len(text.encode()), len(pictures.encoded), tuple(notes))


def _samples(data: Dataset | None, items: Sequence[StoredItem]) -> dict[str, Sample]:
    """The samples of the data that are still what the run was made on."""
    if data is None:
        return {}
    digests = {item.sample: item.row["digest"] for item in items}
    return {
        sample.id: sample
        for sample in data.samples()
        if sample.id in digests and digests[sample.id] in (None, sample.digest)
    }


def _notes(
    gallery: Gallery, details: Sequence[str], detail_bytes: int, pictures: Thumbnails, index_bytes: int, limit: int
) -> list[str]:
    """What limits the file and what is not in it, a line each."""
    notes = []
    if gallery.unknown:
        notes.append(
            f"{gallery.unknown} of {gallery.count} instances have neither sentence nor pictures here, since the data "
            "of the run were not given (evals report --data FOLDER)."
        )
    if pictures.wanted:
        left_out = pictures.wanted - len(pictures.encoded)
        told = f"; {left_out} are left out for size, those of the best answered instances first" if left_out else ""
        notes.append(
            f"{len(pictures.encoded):,} of {pictures.wanted:,} chosen frames are in the file, at most "
            f"{pictures.side} pixels wide{told}."
        )
    notes += details
    notes.append(
        f"What makes up the file: pictures {_mb(pictures.bytes)}, replies and findings {_mb(detail_bytes)}, index "
        f"{_mb(index_bytes)}; it is kept below {_mb(limit)} (evals report --max-mb)."
    )
    return notes


def _mb(count: int) -> str:
    return f"{count / MEGABYTE:.1f} MB"


def _render(
    name: str,
    description: Mapping[str, Any],
    items: pd.DataFrame,
    comparison: Comparison,
    gallery: Gallery,
    index: str,
    chunks: Mapping[str, str],
    pictures: Thumbnails,
    notes: Sequence[str],
) -> str:
    environment = Environment(
        loader=PackageLoader("evals.report", "."), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters["printable"] = lambda text: printable(str(text), lines=True)
    style, script = (files("evals.report").joinpath(file).read_text("utf-8") for file in ("report.css", "report.js"))
    whole = replace(comparison, rows=[row for row in comparison.rows if row["group"] == ALL])
    columns, split = columns_of(whole), columns_of(comparison)
    return environment.get_template("report.html.j2").render(
        name=name,
        description=description,
        facts=_facts(description, gallery, len(items)),
        columns=_without_model(columns),
        tables=_by_model(columns),
        split_columns=_without_model(split),
        split_tables=_by_model(split),
        names=_NAMES,
        comparison_notes=comparison.notes,
        comparison=_escaped(as_json(comparison)),
        panels=bar_panels(comparison, description["breakdown"], list(description["graphs"])),
        breakdown=description["breakdown"],
        metric=comparison.metric,
        worst=number(scorer_of(description["form"]).worst, comparison.metric.format),
        maps=error_maps(items, list(description["graphs"]), description["models"]),
        graphs=list(description["graphs"]),
        several_models=len(description["models"]) > 1,
        index=index,
        chunks=chunks,
        pictures=pictures.encoded,
        notes=notes,
        style=style,
        script=script,
        style_hash=_hash(style),
        script_hash=_hash(script),
    )


def _without_model(columns: Columns) -> Columns:
    return [(name, cells) for name, cells in columns if name != "model"]


def _by_model(columns: Columns) -> list[tuple[str, list[tuple[str, ...]]]]:
    """The rows of a table by model, whose name stands above them; one model alone is left to the notes."""
    models = next((cells for name, cells in columns if name == "model"), None)
    rows = list(zip(*(cells for _, cells in _without_model(columns)), strict=True))
    tables: list[tuple[str, list[tuple[str, ...]]]] = []
    for place, row in enumerate(rows):
        # A name that the line above has already is blank.
        if not tables or (models is not None and models[place]):
            tables.append(("" if models is None else models[place], []))
        tables[-1][1].append(row)
    return tables


def _facts(description: Mapping[str, Any], gallery: Gallery, items: int) -> list[tuple[str, str]]:
    """What the run was made of, as names and values."""
    models = [
        f"{name}{'' if about['is_vlm'] else ' (no VLM)'}" for name, about in sorted(description["models"].items())
    ]
    settings = description.get("settings") or {}
    shown = [
        f"{name} {value}"
        for name, value in settings.items()
        if value not in (None, "", {})
        and not isinstance(value, Mapping)
        and name not in ("dataset", "imported", "form")
    ]
    facts = [
        ("data", str(description["dataset"])),
        ("models", ", ".join(models)),
        ("graphs", ", ".join(description["graphs"])),
        ("instances", f"{gallery.count:,} in {gallery.scenes:,} scenes"),
        ("items", f"{items:,} (instance, graph, model, repeat)"),
    ]
    if shown:
        facts.append(("settings", ", ".join(shown)))
    for source in description.get("imported", []):
        facts.append(("imported", f"{source['file']} from {source['from']}"))
    return facts


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _script_json(value: object) -> str:
    return _escaped(json.dumps(value, separators=(",", ":"), allow_nan=False))


def _escaped(text: str) -> str:
    """JSON that can stand in a script element: nothing in it can end the element or open a comment."""
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _write(out: Path, text: str) -> None:
    part = out.with_name(f"{out.name}.{os.getpid()}.part")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8")
        part.replace(out)
    except OSError as error:
        raise ReportError(f"{out}: cannot be written ({error.strerror}); give --out another name") from None
