"""What a file of `agents.models` has to offer: which model names are its own, and how it opens one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agents.model import Model
from tools.errors import UserError


class ModelNameError(UserError):
    """A model's name that leads to no model, or a key that it needs and that is not there."""


@dataclass(frozen=True)
class ModelAdapter:
    """One way to reach models.

    Attributes:
        name: Registered name, the name of its file.
        form: What its model names look like, for messages and listings.
        takes: Says from the name alone whether a model is its own.
        open: Opens a model: (name as the user wrote it, seconds that one call may take) -> model. Asks no server.
        summary: One line on what it reaches.
    """

    name: str
    form: str
    takes: Callable[[str], bool]
    open: Callable[[str, float], Model]
    summary: str


SCHEMA_FORMS = ("auto", "regex", "json", "off")
"""How a constraint is sent: the best form that the server is known to take, one form for sure, or not at all."""


def split_schema_option(spec: str, query: str) -> str:
    """Reads the one option of a model's name, `schema=…`.

    Args:
        spec: The whole name, for messages.
        query: What stands behind its `?`; may be empty.

    Raises:
        ModelNameError: If it is another option or another value.
    """
    if not query:
        return "auto"
    option, _, value = query.partition("=")
    if option != "schema" or value not in SCHEMA_FORMS:
        raise ModelNameError(
            f"model {spec.replace(query, '…')!r}: the only option is schema={'|'.join(SCHEMA_FORMS)}, not {option!r}; "
            "a key belongs into the environment, temperature, seed and the like are options of evals run"
        )
    return value
