"""What a graph reaches its models and tools through: LangGraph's runtime context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agents.forms import Reading
from agents.model import Model, Sampling
from agents.workbench import Workbench
from prompts.loader import Prompts
from tools.coordinates import PIXELS, Convention
from tools.errors import UserError


class RoleError(UserError):
    """A step asks a model whose role nobody fills."""


@dataclass(frozen=True)
class Settings:
    """What holds for every call of a run.

    Attributes:
        temperature: Sampling temperature; None leaves it to the provider.
        seed: Seed of the run; the seed sent with a call is this plus the repeat. None sends none.
        max_tokens: Most tokens a call; None takes the graph's own budget.
        reasoning_effort: For models that think; None leaves it to the provider.
        reading: How answers are found in replies.
        convention: How models are asked to write coordinates.
    """

    temperature: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    reasoning_effort: str | None = None
    reading: Reading = "strict"
    convention: Convention = PIXELS

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
