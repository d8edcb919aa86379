"""Text from users' files and models on its way to a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any


def printable(text: str, lines: bool = False) -> str:
    """Shows control characters and direction overrides as escapes, so that no text can steer a terminal.

    Args:
        text: Any text.
        lines: Whether line ends and tabs stay as they are.
    """
    kept = "\n\t" if lines else ""
    return "".join(
        character
        if character in kept or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
        else character.encode("unicode_escape").decode()
        for character in text
    )


def coordinates_note(description: Mapping[str, Any]) -> list[str]:
    """A line for a run whose models were not asked for pixels as the papers' were; none for all others."""
    convention = (description.get("settings") or {}).get("convention") or "pixels"
    if convention == "pixels":
        return []
    asked = "each model family's own convention" if convention == "native" else f"the convention {convention}"
    return [f"Coordinates were asked for in {asked}; the papers asked for pixels."]


def counted(count: int, what: str) -> str:
    """A number with its noun, whose plural ends in s: `1 item`, `1,200 items`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"
