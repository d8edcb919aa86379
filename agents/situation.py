"""What any model and any user graph sees: frames, a question, and the form of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from agents.forms import Form
from agents.frame import Frame


@dataclass(frozen=True)
class Note:
    """What an intervention has to say about what it changed.

    Attributes:
        template: Name of the template that says it.
        values: The template's variables, as pairs.
        text: The template itself, where there is no file of that name.
    """

    template: str
    values: tuple[tuple[str, str | float | bool], ...] = ()
    text: str = ""


@dataclass(frozen=True)
class Situation:
    """A question about some frames, and nothing that would give the answer away.

    Attributes:
        task: Name of the template in `prompts/templates/tasks` that states the task.
        frames: Originals in the order in which they are numbered, then derived frames.
        question: The sentence or question itself.
        form: The form of the answer.
        notes: What interventions have to say about what they changed, in order; shown before the question.
    """

    task: str
    frames: tuple[Frame, ...]
    question: str
    form: Form
    notes: tuple[Note, ...] = ()

    @property
    def originals(self) -> tuple[Frame, ...]:
        """The frames that are numbered and can be answers, in numbered order."""
        return tuple(frame for frame in self.frames if frame.source == "original")

    def with_note(
        self, template: str, values: Mapping[str, str | float | bool] | None = None, text: str = ""
    ) -> Situation:
        """Returns this situation with one more note.

        Args:
            template: Name of the template, `interventions/<name>.j2`.
            values: Its variables.
            text: The template itself, for an intervention that has no file among the templates.
        """
        return replace(self, notes=(*self.notes, Note(template, tuple((values or {}).items()), text)))
