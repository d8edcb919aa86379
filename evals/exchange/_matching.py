"""Finds the samples that the rows of a log are about, and reads replies as a run would have."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agents.view import View
from agents.wire import Unreadable
from evals.exchange_format import ExchangeError, ImportedItem, ImportedLog, ImportOptions
from evals.reporting.summary import UNANSWERED, UNSCORED
from evals.reporting.text import counted
from evals.running.keys import text_digest
from evals.sample import Dataset, Sample

LONGEST_KEY = 80
"""Characters of the longest text that is taken for a grouping key; longer ones are questions and answers."""

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
"""Where an object lay in memory: logs hold it in the place of what cannot be written, and it differs each time."""

_HOUSE_FIELDS = ("house_id", "pair_id", "direction")
_KINDS = {"a": "inferred", "b": "stated", "c": "given"}


@dataclass
class Matcher:
    """Matches the rows of a log with the samples of a dataset.

    Attributes:
        data: The dataset.
        samples: Its samples by id.
        unmatched: Names of the rows that fit no sample.
    """

    data: Dataset
    samples: Mapping[str, Sample] = field(init=False)
    unmatched: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.samples = {sample.id: sample for sample in self.data.samples()}

    def find(self, name: str, fields: Mapping[str, Any]) -> Sample | None:
        """Finds a sample by the row's own id, or by the fields that make up the id of a POVBench instance."""
        for wanted in (name, *_composed(fields)):
            if wanted in self.samples:
                return self.samples[wanted]
        self.unmatched.append(name)
        return None

    def notes(self) -> list[str]:
        """What must be said of the matching."""
        if not self.unmatched:
            return []
        some = ", ".join(self.unmatched[:3])
        return [f"{len(self.unmatched)} rows fit no sample of the data and are left out ({some})"]


def _composed(fields: Mapping[str, Any]) -> Iterable[str]:
    """The sample id that fields of a row make up: its own `sample_id`, or house, pair, direction and condition."""
    if isinstance(fields.get("sample_id"), str):
        yield fields["sample_id"]
    if all(isinstance(fields.get(name), str) for name in _HOUSE_FIELDS):
        kind = str(fields.get("condition", fields.get("type", "")))
        yield "/".join([*(fields[name] for name in _HOUSE_FIELDS), _KINDS.get(kind, kind)])


def read_again(
    sample: Sample, options: ImportOptions, graph: str, model: str, reply: str, prompt: str = ""
) -> ImportedItem:
    """Reads a reply about a sample as a run would, its points in pixels of the frames as the dataset has them."""
    assert options.data is not None
    item = ImportedItem(
        sample=sample.id,
        graph=graph,
        model=model,
        repeat=0,
        status="empty",
        form=sample.situation.form.kind,
        keys=dict(sample.keys),
        reason="the reply is empty",
        prompt=prompt,
        reply=reply,
        digest=sample.digest,
    )
    if not reply.strip():
        return item
    try:
        answer = sample.situation.form.read(reply, View.of(sample.situation.originals), options.reading).model_dump()
    except Unreadable as error:
        return replace(item, status="unreadable", reason=f"answer: {error}")
    truth = dict(options.data.truth_for(sample.id, answer))
    return replace(item, status="answered", reason="", answer=answer, truth=truth)


def recorded(
    name: str,
    graph: str,
    model: str,
    score: float | None,
    fields: Mapping[str, Any],
    scene: str | None,
    content: object = None,
) -> ImportedItem:
    """A sample with the score that another tool recorded; without one nobody knows whether it was answered.

    Args:
        name: Id of the sample.
        graph: Name of the graph.
        model: Name of the model.
        score: What was recorded.
        fields: The sample's own fields; those that can group become its keys.
        scene: Field that names the scene; None takes `scene`, or the sample by itself.
        content: What is asked and what is right, as plain values; equal numbers of two logs are the same sample only
            where these are equal too. None where the log does not say.
    """
    keys = grouping_keys(fields)
    return ImportedItem(
        sample=name,
        graph=graph,
        model=model,
        repeat=0,
        status=UNSCORED if score is None else "answered",
        form="recorded_score",
        keys={**keys, "scene": scene_of(name, keys, scene)},
        answer=None if score is None else {"score": score},
        truth=None if score is None else {},
        reason="the log holds no score of it" if score is None else "",
        digest="" if content is None else text_digest(_ADDRESS.sub("", json.dumps(content, sort_keys=True))),
    )


def unanswered(item: ImportedItem, status: str, reason: str) -> ImportedItem:
    """A sample that the model did not answer, whatever the other tool scored it."""
    return replace(item, status=status, answer=None, truth=None, reason=reason)


def assembled(matcher: Matcher, items: Sequence[ImportedItem], missing: Sequence[str]) -> ImportedLog:
    """The log whose replies were read again with a dataset."""
    notes = (*missing, *matcher.notes(), "replies were read again, and scored by the data's own scorer")
    return ImportedLog(matcher.data.name, items, notes, matcher.data.conditions, matcher.data.breakdown)


def as_recorded(name: str, items: Sequence[ImportedItem], missing: Sequence[str], metric: str) -> ImportedLog:
    """The log whose scores were taken over."""
    notes = [*missing, f"scores are the tool's own {metric}; higher is taken to be better and 0 to be the worst"]
    if silent := sum(item.status in UNANSWERED for item in items):
        notes.append(f"{counted(silent, 'item')} without an answer, whatever the tool scored them")
    if unscored := sum(item.status == UNSCORED for item in items):
        notes.append(f"{counted(unscored, 'item')} without a recorded score, neither answered nor unanswered")
    if again := sum(item.repeat > 0 for item in items):
        notes.append(f"{counted(again, 'row')} of samples that came before, taken for repeats of them")
    if items and all(item.keys["scene"] == item.sample for item in items):
        notes.append(
            "the log does not say which samples share a scene, so each counts as a cluster of its own (--scene FIELD)"
        )
    if bare := sum(not item.digest for item in items):
        notes.append(
            f"the log does not say what {counted(bare, 'item')} asked; other runs are paired with them by number only"
        )
    return ImportedLog(name, items, tuple(notes))


def numbered(items: Iterable[ImportedItem]) -> list[ImportedItem]:
    """Items in their order, those of the same sample, graph and model numbered as repeats."""
    seen: dict[tuple[str, str, str], int] = {}
    found = []
    for item in items:
        place = (item.sample, item.graph, item.model)
        found.append(replace(item, repeat=seen.get(place, 0)))
        seen[place] = seen.get(place, 0) + 1
    return found


def grouping_keys(fields: Mapping[str, Any], leave_out: Iterable[str] = ()) -> dict[str, str]:
    """Those of a row's fields that can group samples: short words and whole numbers."""
    skipped = set(leave_out)
    return {
        name: str(value)
        for name, value in fields.items()
        if name not in skipped
        and (isinstance(value, (bool, int)) or (isinstance(value, str) and 0 < len(value) <= LONGEST_KEY))
        and "\n" not in str(value)
    }


def scene_of(sample: str, keys: Mapping[str, str], field_name: str | None) -> str:
    """The scene of a row: the field that the user named, or `scene`, or the row by itself.

    Raises:
        ExchangeError: If the row lacks the field that the user named.
    """
    if field_name is not None and field_name not in keys:
        raise ExchangeError(f"{sample}: has no field {field_name!r} for --scene; it has {', '.join(keys) or 'none'}")
    return keys.get("scene" if field_name is None else field_name, sample)


def finite(value: object) -> float | None:
    """A score as a number; None for what is no finite number."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, (int, float)) and math.isfinite(value):
        return float(value)
    return None
