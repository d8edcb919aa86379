"""What any model and any user graph sees: frames, a question, and the form of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from agents.forms import Form
    from tools.camera import Camera
    from tools.pictures import Picture


@dataclass(frozen=True)
class Frame:
    """One picture shown to a model.

    Attributes:
        id: The dataset's own name for the frame, unique within a situation; answers refer to it, never to a number.
        picture: The picture, loaded late and known by its content hash.
        camera: The camera, when the question itself gives it away; privileged cameras stand in the hints.
        caption: What the dataset says of the view ("head view"), shown after the label; may be empty.
        source: `original` frames are numbered and can be answers; `derived` ones (depth, novel views) are neither.
        derived_from: Ids of the frames that a derived frame was made from.
        withheld: True when the frame exists but its picture is not shown (the `blind` control).
    """

    id: str
    picture: Picture
    camera: Camera | None = None
    caption: str = ""
    source: Literal["original", "derived"] = "original"
    derived_from: tuple[str, ...] = ()
    withheld: bool = False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.picture.size


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
