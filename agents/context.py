"""What a graph reaches its models and tools through: LangGraph's runtime context."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from agents.forms import Reading
from agents.model import Model, Sampling
from agents.workbench import Workbench
from prompts.loader import Prompts
from tools.coordinates import PIXELS, Convention
from tools.errors import UserError

EFFORTS = ("none", "minimal", "low", "medium", "high")
"""What providers take as a reasoning effort."""


class SettingsError(UserError):
    """A setting that no model can be asked with."""


class RoleError(UserError):
    """A step asks a model whose role nobody fills."""


@dataclass(frozen=True)
class Settings:
    """What holds for every call of a run.

    Attributes:
        temperature: Sampling temperature, at least 0; None leaves it to the provider.
        seed: Seed of the run; the seed sent with a call is this plus the repeat. None sends none.
        max_tokens: Most tokens a call, at least 1; None takes the graph's own budget.
        reasoning_effort: One of `EFFORTS`, for models that think; None leaves it to the provider.
        reading: How answers are found in replies.
        convention: How models are asked to write coordinates.

    Raises:
        SettingsError: If temperature, max_tokens or reasoning_effort are none.
    """

    temperature: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    reasoning_effort: str | None = None
    reading: Reading = "strict"
    convention: Convention = PIXELS

    def __post_init__(self) -> None:
        heat: object = self.temperature
        number = isinstance(heat, (int, float)) and not isinstance(heat, bool) and 0 <= heat < math.inf
        if heat is not None and not number:
            raise SettingsError(f"--temperature must be a finite number of at least 0, not {heat!r}")
        most: object = self.max_tokens
        whole = isinstance(most, int) and not isinstance(most, bool) and most >= 1
        if most is not None and not whole:
            raise SettingsError(f"--max-tokens must be a whole number of at least 1, not {most!r}")
        if self.reasoning_effort not in (None, *EFFORTS):
            raise SettingsError(
                f"--reasoning-effort must be one of {', '.join(EFFORTS)}, not {self.reasoning_effort!r}"
            )

    def sampling(self, budget: int, repeat: int) -> Sampling:
        """How a call with a token budget is drawn in one repetition."""
        return Sampling(
            max_tokens=budget if self.max_tokens is None else self.max_tokens,
            temperature=self.temperature,
            seed=None if self.seed is None else self.seed + repeat,
            reasoning_effort=self.reasoning_effort,
        )


@dataclass(frozen=True)
class Context:
    """The models and tools of one item.

    Attributes:
        models: Models by role; `reasoner` is always there.
        workbench: Pictures and whatever interventions compute.
        prompts: The templates.
        settings: Settings of the run.
        repeat: Number of the repetition, from 0.
    """

    models: Mapping[str, Model]
    workbench: Workbench = field(default_factory=Workbench)
    prompts: Prompts = field(default_factory=Prompts)
    settings: Settings = Settings()
    repeat: int = 0

    def model(self, role: str = "reasoner") -> Model:
        """The model that fills a role.

        Raises:
            RoleError: If nobody fills it.
        """
        if role not in self.models:
            raise RoleError(f"a step asks the model of role {role!r}, but the run has only {', '.join(self.models)}")
        return self.models[role]
