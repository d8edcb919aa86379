"""Requests as steps make them, for tests of models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agents.forms import FramePoint
from agents.model import Constraint, Image, Message, Purpose, Request, Sampling, Text
from agents.view import View
from agents.workbench import Workbench
from tools.pictures import Picture

POINT = Constraint(
    schema={
        "type": "object",
        "properties": {"x": {"type": "integer", "minimum": 0, "maximum": 9}, "why": {"type": "string", "maxLength": 5}},
        "required": ["x", "why"],
        "additionalProperties": False,
    },
    regex=r'\{"x": [0-9], "why": "[a-z]{0,5}"\}',
)


def request(
    text: str = "Where is it?",
    pictures: Sequence[Picture] = (),
    sampling: Sampling = Sampling(max_tokens=64),  # noqa: B008 - immutable
    constraint: Constraint | None = None,
    workbench: Workbench | None = None,
) -> Request:
    """One message: pictures, each behind its label, then the text."""
    form = FramePoint()
    parts: list[Text | Image] = []
    for number, picture in enumerate(pictures):
        parts += [Text(f"Image {number}:"), Image(picture)]
    purpose = Purpose(("answer",), View(()), form.answer_model(), form)
    message = Message("user", (*parts, Text(text)))
    return Request((message,), sampling, constraint, 0, purpose, workbench or Workbench())


def draw_pictures(folder: Path, number: int, side: int = 32) -> list[Picture]:
    """Small pictures that differ from each other."""
    import numpy as np
    from PIL import Image as PillowImage

    from tools.pictures import open_picture

    pictures = []
    for seed in range(number):
        pixels = np.random.default_rng(seed).integers(0, 255, (side, side, 3), dtype=np.uint8)
        PillowImage.fromarray(pixels).save(folder / f"frame {seed}.png")
        pictures.append(open_picture(folder / f"frame {seed}.png"))
    return pictures
