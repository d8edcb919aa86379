"""A step of reasoning: what must be found, in which words, after what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel


@dataclass(frozen=True)
class Step:
    """A step of reasoning. It never names a provider and never owns the form of the answer.

    Attributes:
        name: Its name; the instruction is `prompts/templates/steps/<name>.j2`.
        finds: Canonical model of what must be found.
        requires: Names of steps that must come earlier, where the graph has them at all.
        forms: Kinds of form that the step makes sense for; empty for all.
        sees: Whether a staged call shows all frames or only the one that was chosen.
        role: Role of the model that is asked.
        chooses_frame: True when its finding settles the frame; such a step drops out where there is but one.
        instruction: The instruction itself, a template, for a step that has no file among the templates.
    """

    name: str
    finds: type[BaseModel]
    requires: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    sees: Literal["all", "chosen"] = "chosen"
    role: str = "reasoner"
    chooses_frame: bool = False
    instruction: str = ""

    @property
    def template(self) -> str:
        """The template of the step's instruction."""
        return f"steps/{self.name}.j2"


Findings = Mapping[str, BaseModel]
"""Canonical findings by the name of the step that made them."""
