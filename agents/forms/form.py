"""The form of an answer: what it holds, how it is asked for, how it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import BaseModel

from agents.view import View
from agents.wire import Unreadable, from_wire, wire_model
from tools.replies import last_object

Reading = Literal["strict", "published"]
"""How an answer is found in a reply: the last complete object outside thinking, or as the benchmark's authors did."""


@dataclass(frozen=True)
class Form:
    """The form of an answer. A new form is a subclass with a `kind` and an `answer` model; the rest is derived.

    Attributes:
        kind: Short name; graphs and scorers say which kinds they take.
        answer: The canonical model of an answer.
        instruction: The template that asks for an answer, for a form that has no file among the templates.
    """

    kind: ClassVar[str]
    answer: ClassVar[type[BaseModel]]
    instruction: ClassVar[str] = ""

    @property
    def template(self) -> str:
        """The template that asks for an answer of this form."""
        return f"forms/{self.kind}.j2"

    def answer_model(self) -> type[BaseModel]:
        """The canonical model of an answer; forms whose answers depend on the question override it."""
        return self.answer

    def read(self, text: str, view: View, reading: Reading = "strict") -> BaseModel:
        """Reads a reply.

        Args:
            text: The reply's text.
            view: The view with which it was asked for.
            reading: How the answer is found in the text.

        Returns:
            The canonical answer.

        Raises:
            Unreadable: If the text holds no answer of this form.
        """
        if reading == "published":
            return self._read_as_published(text, view)
        return read_finding(self.answer_model(), text, view)

    def _read_as_published(self, text: str, view: View) -> BaseModel:
        """Forms whose benchmark published a reading of its own override this."""
        return read_finding(self.answer_model(), text, view)


def read_finding(finding: type[BaseModel], text: str, view: View) -> BaseModel:
    """Reads the last complete JSON object outside thinking that has a finding's keys.

    Raises:
        Unreadable: If there is no such object, or a value in it cannot be read.
    """
    keys = tuple(wire_model(finding, view).model_fields)
    found = last_object(text, keys)
    if found is None:
        raise Unreadable(f"no complete JSON object with {', '.join(keys)}")
    return from_wire(finding, found, view)
