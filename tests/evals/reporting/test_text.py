"""Text on its way to a terminal."""

from __future__ import annotations

import pytest

from evals.reporting.text import printable

TEXTS = [
    ("plain – naïve 模型 👍🏽", "plain – naïve 模型 👍🏽"),
    ("\x1b[31mred", "\\x1b[31mred"),
    ("a\rb\x07\x00\x9b", "a\\rb\\x07\\x00\\x9b"),
    ("\u202egnp.exe", "\\u202egnp.exe"),
    ("\u200b\ufeff\u2028\u2029", "\\u200b\\ufeff\\u2028\\u2029"),
    ("\ud800", "\\ud800"),
    ("one\ntwo\tthree", "one\\ntwo\\tthree"),
]


@pytest.mark.parametrize(("text", "shown"), TEXTS)
def test_what_steers_a_terminal_is_shown_as_an_escape(text, shown):
    assert printable(text) == shown


def test_lines_and_tabs_stay_where_they_are_wanted():
    assert printable("one\n\ttwo\r\x1b", lines=True) == "one\n\ttwo\\r\\x1b"
