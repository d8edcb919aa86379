"""What came of a graph's work on one situation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel

from agents.asking import Status
from agents.step import Findings

Given = Callable[[str, Findings], BaseModel | None]
"""The oracle hook: the name of a step and the findings so far -> a finding that settles the step, or None to ask."""


@dataclass(frozen=True)
class Event:
    """One step as it went.

    Attributes:
        step: Name of the step.
        attempt: How often it had been asked before, from 0.
        source: Whether a model was asked, or an oracle gave the finding.
        status: What became of it.
        finding: The canonical finding; None unless `answered`.
        reason: Why there is none.
    """

    step: str
    attempt: int
    source: Literal["model", "given"]
    status: Status
    finding: BaseModel | None = None
    reason: str = ""


@dataclass(frozen=True)
class Outcome:
    """What came of a graph's work on one situation.

    Attributes:
        status: `answered`, or why there is no answer.
        answer: The canonical answer; None unless `answered`.
        reason: Why there is none; names the step that could not be read.
        findings: Last finding of each step.
        events: All steps as they went, in order.
    """

    status: Status
    answer: BaseModel | None = None
    reason: str = ""
    findings: Mapping[str, BaseModel] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
