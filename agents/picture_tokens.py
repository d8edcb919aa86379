"""How many tokens a picture takes, by the formulas that providers document; an estimate, never a bill."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class PictureTokens:
    """The formula of one family.

    Attributes:
        family: What it is called in listings.
        names: Parts of a model's name that tell the family, lower case; the first family that fits counts.
        count: (width, height) in pixels -> tokens.
    """

    family: str
    names: tuple[str, ...]
    count: Callable[[int, int], int]


def _patches(side: int) -> Callable[[int, int], int]:
    return lambda width, height: math.ceil(width / side) * math.ceil(height / side)


def _gpt_tiles(base: int, tile: int) -> Callable[[int, int], int]:
    """OpenAI's high detail: into 2048 x 2048, the shorter side at most 768, then tiles of 512."""

    def count(width: int, height: int) -> int:
        scale = min(1.0, 2048 / max(width, height))
        scale *= min(1.0, 768 / (min(width, height) * scale))
        return base + tile * math.ceil(width * scale / 512) * math.ceil(height * scale / 512)

    return count


def _gemini_crops(width: int, height: int) -> int:
    """Gemini 2.x: 258 tokens for a small picture, else 258 a crop of two thirds of the shorter side."""
    if max(width, height) <= 384:
        return 258
    unit = max(1, math.floor(min(width, height) / 1.5))
    return 258 * math.ceil(width / unit) * math.ceil(height / unit)


FAMILIES = (
    PictureTokens("Qwen3-VL", ("qwen3-vl", "qwen3.5", "qwen3vl"), _patches(32)),
    PictureTokens("Qwen2-VL, Qwen2.5-VL", ("qwen2-vl", "qwen2.5-vl"), _patches(28)),
    PictureTokens("Gemini 3", ("gemini-3",), lambda width, height: 1120),  # noqa: ARG005
    PictureTokens("Gemini 2", ("gemini",), _gemini_crops),
    PictureTokens("Gemma 3, 4", ("gemma",), lambda width, height: 256),  # noqa: ARG005
    PictureTokens("Claude", ("claude",), lambda width, height: math.ceil(width * height / 750)),
    PictureTokens("GPT-5", ("gpt-5",), _gpt_tiles(70, 140)),
    PictureTokens("GPT-4o, 4.1", ("gpt-4",), _gpt_tiles(85, 170)),
)

GENERIC = PictureTokens("generic, 32 x 32 pixels a token", (), _patches(32))


def picture_tokens(model: str) -> PictureTokens:
    """The formula for a model, by its name; a generic one where none is known."""
    name = model.lower()
    return next((family for family in FAMILIES if any(part in name for part in family.names)), GENERIC)
