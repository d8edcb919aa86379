"""Asks a model for one step, for the answer, or for all steps and the answer in one call, and reads the reply."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel

from agents.context import Context
from agents.forms import read_finding
from agents.frame import Frame
from agents.model import Constraint, Image, Message, Purpose, Reply, Request, Text
from agents.situation import Situation
from agents.step import Findings, Step
from agents.view import View, label
from agents.wire import Unreadable, has_points, shape, to_wire, wire_model
from prompts.loader import WHOLE_PROMPTS
from tools.decoding import regex_from_schema

ANSWER = "answer"
"""Name of the step that the builder appends; no step of a graph may carry it."""

Status = Literal["answered", "unreadable", "empty", "truncated", "refused"]
"""What became of a request that was answered at all."""


@dataclass(frozen=True)
class Heard:
    """What a reply says.

    Attributes:
        status: What became of the request.
        finding: The canonical finding; None unless `answered`.
        reason: Why it could not be read; where it could, what is odd about the reply, else empty.
    """

    status: Status
    finding: BaseModel | None = None
    reason: str = ""


async def ask_step(
    step: Step, situation: Situation, view: View, findings: Findings, context: Context, budget: int
) -> Heard:
    """Asks for one step in a constrained call that shows what earlier steps found.

    Args:
        step: The step.
        situation: What is seen.
        view: How frames are numbered; bound once a frame has been chosen.
        findings: What earlier steps found.
        context: Models and tools.
        budget: Most tokens of the reply.
    """
    constraint = _constraint(wire_model(step.finds, view))
    view_words = _view_words(situation, view)
    words = _words(situation, view, step.sees, step.finds, findings, context, view_words) | {
        "step": _instruction(step, view_words, context),
        "rejected": [label(number) for number in sorted(view.rejected)],
        "shape": shape(constraint.schema),
    }
    request = Request(
        messages=_messages(situation, view, context.prompts.render("calls/staged.j2", words), step.sees),
        sampling=context.settings.sampling(budget, context.repeat),
        constraint=constraint,
        repeat=context.repeat,
        purpose=Purpose((step.name,), view, step.finds, situation.form, dict(findings)),
        workbench=context.workbench,
    )
    reply = await context.model(step.role).reply(request)
    return hear(reply, lambda text: read_finding(step.finds, text, view))


async def ask_answer(situation: Situation, view: View, findings: Findings, context: Context, budget: int) -> Heard:
    """Asks for the answer alone in a constrained call that shows what the steps found."""
    finds = situation.form.answer_model()
    constraint = _constraint(wire_model(finds, view))
    view_words = _view_words(situation, view)
    words = _words(situation, view, "chosen", finds, findings, context, view_words) | {
        "answer": _answer_words(situation, view_words, constraint.schema, context)
    }
    request = Request(
        messages=_messages(situation, view, context.prompts.render("calls/staged_answer.j2", words), "chosen"),
        sampling=context.settings.sampling(budget, context.repeat),
        constraint=constraint,
        repeat=context.repeat,
        purpose=Purpose((ANSWER,), view, finds, situation.form, dict(findings)),
        workbench=context.workbench,
    )
    reply = await context.model().reply(request)
    return hear(reply, lambda text: situation.form.read(text, view, context.settings.reading))


async def ask_fused(
    graph: str, steps: Sequence[Step], situation: Situation, view: View, given: Findings, context: Context, budget: int
) -> Heard:
    """Asks for all steps and the answer in one free call that ends in the final JSON, as the papers measured.

    Args:
        graph: Name of the graph; a user's `graphs/<name>.j2` replaces the whole text, with controls (`+blind`) too.
        steps: Steps to reason through, in order; those with a given finding are left out.
        situation: What is seen.
        view: How frames are numbered.
        given: Findings that are written into the prompt as known facts.
        context: Models and tools.
        budget: Most tokens of the reply.
    """
    finds = situation.form.answer_model()
    schema = _constraint(wire_model(finds, view)).schema
    asked = [step for step in steps if step.name not in given]
    view_words = _view_words(situation, view)
    words = _words(situation, view, "all", finds, given, context, view_words) | {
        "steps": [_instruction(step, view_words, context) for step in asked],
        "answer": _answer_words(situation, view_words, schema, context),
        "shape": shape(schema),
    }
    whole = _whole_prompt(graph)
    template = whole if context.prompts.has(whole) else "calls/fused.j2"
    request = Request(
        messages=_messages(situation, view, context.prompts.render(template, words), "all"),
        sampling=context.settings.sampling(budget, context.repeat),
        constraint=None,
        repeat=context.repeat,
        purpose=Purpose((*(step.name for step in asked), ANSWER), view, finds, situation.form, dict(given)),
        workbench=context.workbench,
    )
    reply = await context.model().reply(request)
    return hear(reply, lambda text: situation.form.read(text, view, context.settings.reading))


IN_REASONING = "the answer stands in the reasoning alone"
"""Mark of an answer that the provider returned as reasoning, with an empty text beside it."""


def hear(reply: Reply, read: Callable[[str], BaseModel]) -> Heard:
    """Reads a reply; one that cannot be read is a non-response, told apart by why."""
    try:
        if reply.only_reasoning:
            return Heard("answered", read(reply.reasoning), IN_REASONING)
        return Heard("answered", read(reply.text))
    except Unreadable as unreadable:
        if reply.finish_reason in ("refusal", "content_filter"):
            return Heard("refused", reason=f"the model refused: {unreadable}")
        if reply.finish_reason == "length":
            return Heard("truncated", reason=f"the reply was cut off: {unreadable}")
        if not reply.text.strip():
            return Heard("empty", reason="the reply is empty")
        return Heard("unreadable", reason=str(unreadable))


def templates_of(graph: str, steps: Sequence[Step], situation: Situation) -> list[str]:
    """Names of all templates that the calls of some steps about a situation may use."""
    return [
        _whole_prompt(graph),
        "calls/fused.j2",
        "calls/staged.j2",
        "calls/staged_answer.j2",
        "coordinates.j2",
        f"tasks/{situation.task}.j2",
        situation.form.template,
        *(step.template for step in steps),
    ]


@lru_cache(maxsize=512)
def _constraint(wire: type[BaseModel]) -> Constraint:
    """The constraint of a wire model, worked out once: items with frames of one number and size share it."""
    schema = wire.model_json_schema()
    return Constraint(schema, regex_from_schema(schema))


def _whole_prompt(graph: str) -> str:
    return f"{WHOLE_PROMPTS}/{graph.partition('+')[0]}.j2"


def _words(
    situation: Situation,
    view: View,
    sees: Literal["all", "chosen"],
    finds: type[BaseModel],
    findings: Findings,
    context: Context,
    view_words: Mapping[str, object],
) -> dict[str, object]:
    """The variables that every call's template may use."""
    shown = [view.bound_to] if sees == "chosen" and view.bound_to is not None else range(len(view.frames))
    notes = [context.prompts.render(note.template, dict(note.values), note.text) for note in situation.notes]
    words: dict[str, object] = {
        **view_words,
        "shown": [label(number) for number in shown],
        "notes": notes,
        "question": situation.question,
        "known": [{"title": _title(name), "json": _fact(finding, view)} for name, finding in findings.items()],
    }
    words["task"] = context.prompts.render(f"tasks/{situation.task}.j2", words)
    words["coordinates"] = context.prompts.render("coordinates.j2", words) if has_points(finds) else ""
    return words


def _view_words(situation: Situation, view: View) -> dict[str, object]:
    max_x, max_y = view.limits
    sizes = {frame.size for frame in view.frames}
    return {
        "frames": [
            {"label": label(number), "width": frame.size[0], "height": frame.size[1]}
            for number, frame in enumerate(view.frames)
        ],
        "single": view.bound_to is not None,
        "chosen": label(view.bound_to) if view.bound_to is not None and len(view.frames) > 1 else "",
        "convention": view.convention,
        "size": view.bound_frame.size if view.bound_frame else (sizes.pop() if len(sizes) == 1 else None),
        "max_x": f"{max_x:g}",
        "max_y": f"{max_y:g}",
        "question": situation.question,
    }


def _instruction(step: Step, view_words: Mapping[str, object], context: Context) -> dict[str, str]:
    words = context.prompts.render(step.template, view_words, step.instruction)
    return {"title": _title(step.name), "instruction": words}


def _answer_words(
    situation: Situation, view_words: Mapping[str, object], schema: Mapping[str, Any], context: Context
) -> str:
    words = {**view_words, "form": situation.form, "shape": shape(schema)}
    return context.prompts.render(situation.form.template, words, situation.form.instruction)


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _fact(finding: BaseModel, view: View) -> str:
    """A finding as JSON, its numbers as short as a model would write them."""
    decimals = max(2, view.convention.decimals)
    return json.dumps(_rounded(to_wire(finding, view), decimals), ensure_ascii=False)


def _rounded(value: Any, decimals: int) -> Any:
    if isinstance(value, float):
        rounded = round(value, decimals)
        return int(rounded) if rounded.is_integer() else rounded
    if isinstance(value, dict):
        return {key: _rounded(entry, decimals) for key, entry in value.items()}
    if isinstance(value, list):
        return [_rounded(entry, decimals) for entry in value]
    return value


def _messages(situation: Situation, view: View, text: str, sees: Literal["all", "chosen"]) -> tuple[Message, ...]:
    """One message, pictures first, so that the requests of a scene share their leading bytes."""
    chosen = view.bound_frame if sees == "chosen" else None
    parts: list[Text | Image] = []
    for number, frame in enumerate(view.frames):
        if chosen is None or frame.id == chosen.id:
            parts += _shown(frame, label(number) if len(view.frames) > 1 else "")
    for frame in situation.frames:
        if frame.source == "derived" and (chosen is None or chosen.id in frame.derived_from):
            parts += _shown(frame, "")
    return (Message("user", (*parts, Text(text))),)


def _shown(frame: Frame, name: str) -> list[Text | Image]:
    if frame.withheld:
        return []
    caption = " ".join(filter(None, [f"{name}:" if name else "", frame.caption]))
    return [*([Text(caption)] if caption else []), Image(frame.picture)]
