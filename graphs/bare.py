"""Bare LangGraph graphs: a user's own compiled graph, run on the same situations and scored alike.

Such a graph is invoked with `{"situation": Situation}` and finds models and tools in LangGraph's runtime context, an
`agents.Context`. It must leave its answer under the key `answer`: a reply's text, an object as a model would write it,
or a canonical answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from agents.asking import ANSWER, hear
from agents.context import Context
from agents.model import Reply
from agents.situation import Situation
from agents.view import View
from agents.wire import Unreadable, from_wire, to_wire
from graphs.errors import GraphError
from graphs.hints import Hints
from graphs.outcome import Event, Outcome

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph


@dataclass(frozen=True)
class BareGraph:
    """A user's own compiled LangGraph graph.

    Attributes:
        name: Name for tables.
        langgraph: The compiled graph.
        source: Text that tells one version of it from another in stored runs.
    """

    name: str
    langgraph: CompiledStateGraph[Any, Any, Any, Any]
    source: str

    async def run(self, situation: Situation, hints: Hints, context: Context) -> Outcome:  # noqa: ARG002
        """Runs the graph on one situation; hints never reach it.

        Raises:
            GraphError: If it leaves no `answer`.
        """
        end = await self.langgraph.ainvoke({"situation": situation}, context=context)
        if not isinstance(end, Mapping) or ANSWER not in end:
            raise GraphError(f"graph {self.name}: its final state has no key 'answer'")
        view = View.of(situation.originals, context.settings.convention)
        answer = end[ANSWER]
        form = situation.form
        if isinstance(answer, form.answer_model()):
            heard = hear(Reply("object"), lambda _: _checked(answer, view))
        elif isinstance(answer, str):
            heard = hear(Reply(answer), lambda text: form.read(text, view, context.settings.reading))
        elif isinstance(answer, Mapping):
            heard = hear(Reply("object"), lambda _: from_wire(form.answer_model(), answer, view))
        elif answer is None:
            heard = hear(Reply(""), _nothing)
        else:
            raise GraphError(
                f"graph {self.name}: 'answer' must be text, an object or a {form.answer_model().__name__}, "
                f"not {type(answer).__name__}"
            )
        event = Event(ANSWER, 0, "model", heard.status, heard.finding, heard.reason)
        return Outcome(heard.status, heard.finding, heard.reason, events=(event,))


def _checked(answer: BaseModel, view: View) -> BaseModel:
    """A canonical answer as it is, if it could have been read from a reply: its frame is shown, its numbers finite."""
    try:
        from_wire(type(answer), to_wire(answer, view), view)
    except KeyError as error:
        raise Unreadable(f"there is no frame {error}") from None
    return answer


def _nothing(text: str) -> BaseModel:
    raise Unreadable(f"the graph left no answer{text}")
