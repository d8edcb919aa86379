"""Whether a model works: one small call with two pictures, a schema and a question that has one answer."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from agents.cures import cure_for
from agents.failures import one_line
from agents.forms import FramePoint
from agents.model import (
    Closing,
    Constraint,
    Image,
    Message,
    Model,
    OutsideFailure,
    Purpose,
    Reply,
    Request,
    Sampling,
    Text,
)
from agents.models import MODEL_ADAPTERS
from agents.presets import PRESETS, how_to_open
from agents.view import View
from evals.model_source import ModelError, OneModel
from evals.models import SAMPLE_MODELS, open_models
from tools.decoding import regex_from_schema
from tools.pictures import open_picture

_COLOURS = ("red", "blue")
_BUDGET = 512
"""Most tokens of the reply: enough for a model that thinks before a word."""

_QUESTION = 'Which colour has Image 1? Reply with JSON alone: {"colour": "red"} or {"colour": "blue"}.'


class _Colour(BaseModel, extra="forbid"):
    colour: Literal["red", "blue"]


def model_rows() -> list[dict[str, Any]]:
    """The paper's models, the ways to reach others, and the models that are no VLM, for a listing."""
    rows: list[dict[str, Any]] = [
        {
            "name": name,
            "summary": f"{preset.paper} ({preset.model})",
            "conditions": list(preset.conditions),
            "open": how_to_open(preset),
        }
        for name, preset in PRESETS.items()
    ]
    rows += [{"name": adapter.form, "summary": adapter.summary} for adapter in MODEL_ADAPTERS.all()]
    return rows + [{"name": kind.name, "summary": kind.summary} for kind in SAMPLE_MODELS.all()]


async def check_model(spec: str) -> dict[str, Any]:
    """Asks a model one small question.

    Args:
        spec: The model as `evals run` takes it.

    Returns:
        What came of it, as a row of a listing.

    Raises:
        ModelError: If the model is no VLM or does not answer; the message holds the cure.
    """
    source = open_models(spec)
    if not isinstance(source, OneModel):
        raise ModelError(f"model {spec!r} is no VLM and needs no check")
    model = source.model
    with tempfile.TemporaryDirectory() as folder:
        try:
            reply = await model.reply(_request(Path(folder)))
        except OutsideFailure as failure:
            message = "; ".join(filter(None, [str(failure), await cure_for(failure, model, len(_COLOURS))]))
            raise ModelError(one_line(message, most=1000)) from None
        finally:
            if isinstance(model, Closing):
                await model.close()
    return _row(model, reply)


def _row(model: Model, reply: Reply) -> dict[str, Any]:
    said = reply.reasoning if reply.only_reasoning else reply.text
    where = ", in its reasoning alone" if reply.only_reasoning else ""
    usage = reply.usage
    counts = {"in": usage.input_tokens, "cached": usage.cached_tokens, "out": usage.output_tokens}
    counts["reasoning"] = usage.reasoning_tokens
    return {
        "name": model.name,
        "summary": f"works; {_verdict(said)}{where}",
        "reply": one_line(said)[:200] or "empty",
        "finish_reason": reply.raw_finish_reason or reply.finish_reason,
        "served_by": reply.served_by or "it does not say",
        "seconds": f"{reply.seconds:.2f}",
        "tokens": ", ".join(f"{name} {'unknown' if count is None else count}" for name, count in counts.items()),
        "cost": "unknown" if reply.cost is None else f"{reply.cost:.6f} US$",
        "notes": list(reply.notes),
    }


def _verdict(said: str) -> str:
    try:
        colour = _Colour.model_validate_json(said).colour
    except ValueError:
        return "but the reply is not in the schema that was asked for, so replies will be read as free text"
    return "it keeps to the schema" if colour == _COLOURS[1] else "it keeps to the schema, but took Image 1 for Image 0"


def _request(folder: Path) -> Request:
    from PIL import Image as PillowImage

    parts: list[Text | Image] = []
    for number, colour in enumerate(_COLOURS):
        path = folder / f"{colour}.png"
        PillowImage.new("RGB", (64, 64), colour).save(path)
        parts += [Text(f"Image {number}:"), Image(open_picture(path))]
    schema = _Colour.model_json_schema()
    return Request(
        messages=(Message("user", (*parts, Text(_QUESTION))),),
        sampling=Sampling(max_tokens=_BUDGET),
        constraint=Constraint(schema, regex_from_schema(schema)),
        repeat=0,
        purpose=Purpose(("check",), View(()), _Colour, FramePoint()),
    )
