"""What an instance shows when it is opened: findings and replies, packed some instances at a time."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.report.gallery import CHUNK, Gallery
from evals.running.store import Store, StoredItem

REPLY_LENGTHS = (8_000, 2_000, 500, 0)
"""Characters of a reply that are kept; the first that fits counts."""

_SHOWN_APART = frozenset(
    {"keys", "form", "digest", "answer", "truth", "reason", "findings", "events", "calls", "seconds", "replies"}
)
"""Stored values that have a place of their own on the page."""


@dataclass(frozen=True)
class Details:
    """Packed details.

    Attributes:
        chunks: Gzip of JSON in base64, by the number of the chunk.
        bytes: Their size together.
        notes: What was cut, a line each.
    """

    chunks: Mapping[str, str]
    bytes: int
    notes: tuple[str, ...]


def pack_details(items: Sequence[StoredItem], folder: Path, gallery: Gallery, limit: int) -> Details:
    """Packs the details of all items.

    Args:
        items: The items.
        folder: Folder of their run, which holds the replies.
        gallery: The gallery that they belong to.
        limit: Bytes that they should not pass; replies are cut to keep to it.

    Returns:
        For each chunk an object: number of the sample, then `graph|model|repeat` in numbers, then `truth`, `answer`,
        `reason`, `seconds`, `findings` (step, value, what else there is to say), `replies` (steps, text, reasoning,
        finish reason), `more` (other stored values).
    """
    packed: dict[str, str] = {}
    for length in REPLY_LENGTHS:
        packed = _packed(items, folder, gallery, length)
        size = sum(map(len, packed.values()))
        if size <= limit:
            break
    notes: tuple[str, ...] = ()
    if length == 0:
        notes = ("Replies are left out for size; evals show has them.",)
    elif length != REPLY_LENGTHS[0]:
        notes = (f"Replies are cut after {length:,} characters for size; evals show has them whole.",)
    return Details(packed, size, notes)


def _packed(items: Sequence[StoredItem], folder: Path, gallery: Gallery, length: int) -> dict[str, str]:
    graphs = {name: number for number, name in enumerate(gallery.index["graphs"])}
    models = {name: number for number, (name, _) in enumerate(gallery.index["models"])}
    content: dict[str, dict[str, dict[str, Any]]] = {}
    with Store.read(folder) as store:
        for item in items:
            place = gallery.places[item.sample]
            of_sample = content.setdefault(str(place // CHUNK), {}).setdefault(str(place), {})
            name = f"{graphs[item.graph]}|{models[item.model]}|{item.repeat}"
            of_sample[name] = _detail(item, store if length else None, length)
    # The time is left at 0 so that the same run gives the same file.
    return {
        chunk: base64.b64encode(gzip.compress(json.dumps(samples, separators=(",", ":")).encode(), 6, mtime=0)).decode()
        for chunk, samples in content.items()
    }


def _detail(item: StoredItem, store: Store | None, length: int) -> dict[str, Any]:
    row = item.row
    replies = [store.reply(key) for key in row["calls"]] if store is not None else []
    steps = [event["step"] for event in row.get("events", [])]
    return {
        "answer": row.get("answer"),
        "truth": row.get("truth"),
        "reason": row.get("reason") or "",
        "seconds": row.get("seconds"),
        "findings": [
            [
                event["step"],
                event["finding"],
                " ".join(
                    [
                        *(["given"] if event["source"] == "given" else []),
                        *([f"attempt {event['attempt'] + 1}"] if event["attempt"] else []),
                        *([f"{event['status']}: {event['reason']}"] if event["finding"] is None else []),
                    ]
                ),
            ]
            for event in row.get("events", [])
        ],
        "replies": [
            [
                steps[number] if len(steps) == len(replies) else "",
                reply["text"][:length],
                reply["reasoning"][:length],
                reply["finish_reason"],
                len(reply["text"]) > length or len(reply["reasoning"]) > length,
            ]
            for number, reply in enumerate(replies)
            if reply is not None
        ],
        "more": {name: value for name, value in row.items() if name not in _SHOWN_APART},
    }
