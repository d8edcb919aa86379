"""What a format has to offer by which runs leave and logs of other tools come in, and what such a log holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from agents.model import Usage
from evals.reporting.result import RunResult
from evals.running.store import StoredItem
from evals.sample import Dataset
from tools.errors import UserError


class ExchangeError(UserError):
    """A run cannot be written in a format, or a log of another tool cannot be read."""


@dataclass(frozen=True)
class Export:
    """What is written.

    Attributes:
        result: The run.
        items: Its items, those of the graphs and models that were asked for.
        out: The file, or the folder, that is written.
        data: Folder of the dataset that the run was made on, opened by formats that need it; None for the built-in one.
    """

    result: RunResult
    items: Sequence[StoredItem]
    out: Path
    data: Path | None


@dataclass(frozen=True)
class Exported:
    """What was written.

    Attributes:
        files: The files.
        notes: What did not go into them, a line each.
    """

    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ImportOptions:
    """What a log does not say by itself.

    Attributes:
        data: Dataset whose samples the log's are; None takes the log's own scores.
        graph: Name of the graph in the run; None takes the task of the log.
        model: Name of the model; None takes the log's.
        metric: Which of several scores counts.
        scene: Field of the log that says which samples belong together.
        reading: How answers are found in replies where `data` is given.
    """

    data: Dataset | None = None
    graph: str | None = None
    model: str | None = None
    metric: str | None = None
    scene: str | None = None
    reading: Literal["strict", "published"] = "strict"


@dataclass(frozen=True)
class ImportedItem:
    """One sample of a log.

    Attributes:
        sample: Its id in the run.
        graph: Name of the graph.
        model: Name of the model.
        repeat: Number of the repetition, from 0.
        status: `answered`, why there is no answer, `failed` for an outside reason, or `unscored` where the log holds
            no score.
        form: Kind of the answer's form.
        keys: Grouping keys; `scene` is always there.
        answer: Canonical answer; None unless answered.
        truth: What it is held against; None unless answered.
        reason: Why there is no answer.
        prompt: Text that the model was sent, where the log holds it.
        reply: What it replied.
        usage: Tokens.
        seconds: Time of the item; None where the log does not say.
        call_seconds: Time of its calls to the model; None where the log does not say.
        cost: US dollars; None where the log does not say.
        digest: Hash of the sample; empty where the data are not there.
        more: Further stored values: findings, events.
    """

    sample: str
    graph: str
    model: str
    repeat: int
    status: str
    form: str
    keys: Mapping[str, str]
    answer: Mapping[str, Any] | None = None
    truth: Mapping[str, Any] | None = None
    reason: str = ""
    prompt: str = ""
    reply: str = ""
    usage: Usage = field(default_factory=Usage)
    seconds: float | None = None
    call_seconds: float | None = None
    cost: float | None = None
    digest: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ImportedLog:
    """What a log holds.

    Attributes:
        dataset: What the samples are called together.
        items: The samples.
        missing: What the log lacks or what was taken for granted, a line each.
        conditions: Conditions in the order in which tables show them.
        breakdown: Grouping key that tables split a condition by.
        models: What is known of the models, by name.
        graphs: What is known of the graphs, by name.
    """

    dataset: str
    items: Sequence[ImportedItem]
    missing: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    breakdown: str | None = None
    models: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    graphs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class ExchangeFormat:
    """A format by which runs leave or logs come in.

    Attributes:
        name: Registered name.
        summary: One line on what it is.
        default: What the output is called where the user does not say: a name with a suffix is a file.
        write: Writes a run; None where runs do not leave in this format.
        read: Reads a log; None where none comes in.
    """

    name: str
    summary: str
    default: str = ""
    write: Callable[[Export], Exported] | None = None
    read: Callable[[Path, ImportOptions], ImportedLog] | None = None
