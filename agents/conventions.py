"""In which convention each model family writes image coordinates when left to itself, in one table.

POVBench asks every general model for pixels (`paper`), which stays the default: published figures compare with nothing
else. `native` asks a model in its family's own convention. A convention is looked up by the model's name and never
inferred from the numbers that it writes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tools.coordinates import PIXELS, Convention
from tools.errors import UserError

Coordinates = Literal["paper", "native"]
"""Whether all models are asked for pixels, or each in its family's own convention."""

THOUSAND = Convention("0-1000", scale=1000.0)
THOUSAND_YX = Convention("0-1000, y first", scale=1000.0, order="yx")
PERCENT = Convention("0-100", scale=100.0, decimals=1)
UNIT = Convention("0-1", scale=1.0, decimals=3)
LOC_YX = Convention("0-1024, y first", scale=1024.0, order="yx")


class ConventionError(UserError):
    """A model whose native convention is not known, or cannot be asked for in text."""


@dataclass(frozen=True)
class Family:
    """One model family.

    Attributes:
        name: What it is called in messages.
        parts: Parts of a model's name that tell it, lower case.
        convention: How it writes coordinates; None where that is undocumented or cannot be asked for as text.
        note: What else there is to know.
    """

    name: str
    parts: tuple[str, ...]
    convention: Convention | None
    note: str = ""


FAMILIES = (
    Family("Qwen3-VL", ("qwen3-vl", "qwen3vl"), THOUSAND, "vendor pages also say 0-999"),
    Family(
        "Qwen2.5-VL",
        ("qwen2.5-vl", "qwen2_5-vl"),
        None,
        "pixels of the picture after its processor's resize, sides in multiples of 28: 512 becomes 504",
    ),
    Family("Qwen2-VL", ("qwen2-vl",), THOUSAND),
    Family("Gemini", ("gemini", "robotics-er"), THOUSAND_YX, "Gemini 3 is reported to do the same"),
    Family("MolmoPoint", ("molmopoint",), None, "special tokens, which its own decoder turns into pixels"),
    Family("Molmo2", ("molmo2",), THOUSAND, "padded with zeros, with an index of the image"),
    Family("Molmo", ("molmo",), PERCENT, "points in a form like XML"),
    Family("InternVL", ("internvl",), THOUSAND),
    Family(
        "Claude", ("claude",), PIXELS, "of the picture after the service's own resize, which leaves 512 x 512 alone"
    ),
    Family("GPT", ("gpt-",), PIXELS, "no firm contract"),
    Family("Gemma", ("gemma",), None, "undocumented"),
    Family("RoboPoint", ("robopoint",), UNIT, "a list of (x, y)"),
    Family("PaliGemma", ("paligemma",), LOC_YX, "location tokens"),
)
"""In any order: of several families whose parts a name contains, the longest part counts."""


def family_of(model: str) -> Family | None:
    """The family of a model, by its name; None where no family fits."""
    name = model.lower()
    order = sorted(FAMILIES, key=lambda family: -max(map(len, family.parts)))
    return next((family for family in order if any(part in name for part in family.parts)), None)


def convention_for(model: str, coordinates: Coordinates) -> Convention:
    """The convention in which a model is asked for coordinates.

    Args:
        model: Its name, of any form that `evals run` takes.
        coordinates: `paper` for pixels, `native` for its family's own convention.

    Raises:
        ConventionError: If `native` is wanted and not known for the model.
    """
    if coordinates == "paper":
        return PIXELS
    family = family_of(model)
    if family is None:
        known = ", ".join(family.name for family in FAMILIES if family.convention)
        raise ConventionError(
            f"model {model!r}: its native coordinates are not known; take --coordinates paper ({known})"
        )
    if family.convention is None:
        raise ConventionError(
            f"model {model!r}: the native coordinates of {family.name} cannot be asked for ({family.note}); "
            "take --coordinates paper"
        )
    return family.convention
