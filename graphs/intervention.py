"""Interventions: what is changed about a situation before anyone reasons about it."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, fields

from agents.situation import Situation
from agents.workbench import Workbench
from graphs.errors import GraphError
from graphs.hints import Hints

Change = Callable[[Situation, Hints, Workbench], Situation | Awaitable[Situation]]


@dataclass(frozen=True)
class Intervention:
    """A named change to a situation.

    Attributes:
        name: Its name.
        change: The change itself; a plain or an async function.
        needs: Names of the hints that it may see; it receives no others.
        revision: Raised when its results change with the same code, e.g. by new weights of a depth model.
        summary: One line for listings.
    """

    name: str
    change: Change
    needs: tuple[str, ...] = ()
    revision: str = "1"
    summary: str = ""

    @property
    def template(self) -> str:
        """The template of what it says about what it changed; it may have none."""
        return f"interventions/{self.name}.j2"

    def missing(self, hints: Hints) -> list[str]:
        """Names of the hints that it needs and that are not there."""
        return [name for name in self.needs if not getattr(hints, name)]

    async def apply(self, situation: Situation, hints: Hints, workbench: Workbench) -> Situation:
        """Changes a situation, seeing only the hints that it declared.

        Raises:
            GraphError: If a hint that it needs is not there, or it returns no situation, or one without any frame.
        """
        if missing := self.missing(hints):
            raise GraphError(
                f"intervention {self.name} needs to know {' and '.join(missing)}, which this dataset does not tell"
            )
        allowed = Hints(
            **{field.name: getattr(hints, field.name) for field in fields(Hints) if field.name in self.needs}
        )
        changed: object = self.change(situation, allowed, workbench)
        if inspect.isawaitable(changed):
            changed = await changed
        if not isinstance(changed, Situation):
            raise GraphError(f"intervention {self.name} must return a Situation, not {type(changed).__name__}")
        if not changed.originals:
            raise GraphError(f"intervention {self.name} left no original frame; it must keep at least one to answer in")
        return changed


def intervention(needs: tuple[str, ...] = (), revision: str = "1") -> Callable[[Change], Intervention]:
    """Makes an intervention of a function and names it after the function.

    Args:
        needs: Names of the fields of `Hints` that it may see.
        revision: Raised when its results change with the same code.
    """
    if callable(needs) or isinstance(needs, str):
        raise GraphError('write @intervention() or @intervention(needs=("cameras", "anchor")), with the brackets')
    unknown = set(needs) - {field.name for field in fields(Hints)}
    if unknown:
        raise GraphError(
            f"no such hints: {', '.join(sorted(unknown))}; there are {', '.join(f.name for f in fields(Hints))}"
        )

    def named(change: Change) -> Intervention:
        summary = (inspect.getdoc(change) or "").split("\n")[0]
        return Intervention(getattr(change, "__name__", "unnamed"), change, needs, revision, summary)

    return named
