"""A script, no VLM: replays given replies and fails on a request that it does not expect."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.model import Reply, Request
from evals.model_source import ModelError, sample_model
from evals.sample import Sample

_KEYS: Mapping[str, type] = {
    "sample": str,
    "step": str,
    "contains": str,
    "repeat": int,
    "text": str,
    "finish_reason": str,
    "reasoning": str,
}


class UnexpectedRequestError(ModelError):
    """A request that no line of the script answers."""


@dataclass(frozen=True)
class Line:
    """One line of a script: which requests it answers, and with what.

    Attributes:
        text: The reply's text.
        step: Last step that the request must ask for (`answer` for the answer); None for any.
        contains: Text that the request must contain; empty for any.
        sample: Id of the sample that the request must be about; None for any.
        repeat: Repetition that it must be of; None for any.
        finish_reason: The reply's finish reason.
        reasoning: Reasoning apart from the text.
    """

    text: str
    step: str | None = None
    contains: str = ""
    sample: str | None = None
    repeat: int | None = None
    finish_reason: str = "stop"
    reasoning: str = ""

    def answers(self, request: Request, sample: str | None) -> bool:
        """Whether the line answers a request about a sample."""
        return (
            self.step in (None, request.purpose.steps[-1])
            and self.contains in request.text
            and (self.sample is None or self.sample == sample)
            and self.repeat in (None, request.repeat)
        )


@dataclass(frozen=True)
class Scripted:
    """Answers each request with the first line that fits it.

    Attributes:
        lines: The script.
        sample: Id of the sample that requests are about, where it is known.
    """

    lines: Sequence[Line]
    name: str = "scripted"
    sample: str | None = None
    is_vlm: bool = False

    @property
    def identity(self) -> str:
        """Name, sample and script: another script is another model."""
        return f"{self.name}@{self.sample}#{_digest(self.lines)}"

    async def reply(self, request: Request) -> Reply:
        """Replays the first line that fits.

        Raises:
            UnexpectedRequestError: If none does.
        """
        for line in self.lines:
            if line.answers(request, self.sample):
                return Reply(line.text, reasoning=line.reasoning, finish_reason=line.finish_reason)
        raise UnexpectedRequestError(
            f"the script has no reply for step {request.purpose.steps[-1]!r} of sample {self.sample}, "
            f"whose request begins {request.text[:80]!r}"
        )


def _script(options: Mapping[str, float | str]) -> str:
    """Digest of the script: another one under the same name answers something else."""
    return _digest(_lines(options))


def _digest(lines: Sequence[Line]) -> str:
    return hashlib.sha256(repr(tuple(lines)).encode()).hexdigest()[:16]


def _lines(options: Mapping[str, float | str]) -> tuple[Line, ...]:
    if not options["file"]:
        raise ModelError("model 'scripted' needs its script: scripted?file=replies.json")
    return read_script(Path(str(options["file"])))


@sample_model(options={"file": ""}, content=_script)
def scripted(sample: Sample, options: Mapping[str, float | str], seed: str) -> Scripted:  # noqa: ARG001
    """Replays the replies of a JSON file (scripted?file=replies.json); fails on a request that it does not expect."""
    return Scripted(_lines(options), name=f"scripted?file={options['file']}", sample=sample.id)


def read_script(path: Path) -> tuple[Line, ...]:
    """Reads a script: a JSON list of objects with the keys of `Line`.

    Raises:
        ModelError: If the file is missing or is no such list.
    """
    try:
        rows: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        why = getattr(error, "strerror", None) or error
        raise ModelError(f"{path}: cannot be read as a script ({why}); give a JSON list of replies") from None
    if not isinstance(rows, list):
        raise ModelError(f"{path}: a script is a JSON list of replies, not a {type(rows).__name__}")
    lines = []
    for number, row in enumerate(rows):
        if not isinstance(row, dict) or "text" not in row or not set(row) <= set(_KEYS):
            raise ModelError(
                f"{path}: reply {number}: must be an object with `text` and any of {', '.join(sorted(_KEYS))}"
            )
        for name, value in row.items():
            if type(value) is not _KEYS[name]:
                raise ModelError(f"{path}: reply {number}: {name} must be {_KEYS[name].__name__}, not {value!r:.60}")
        lines.append(Line(**row))
    return tuple(lines)
