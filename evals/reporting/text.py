"""Text from users' files and models on its way to a terminal."""

from __future__ import annotations

import unicodedata


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
