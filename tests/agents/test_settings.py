"""Settings with which no model can be asked are refused before a run begins."""

import math

import pytest

from agents.context import EFFORTS, Settings, SettingsError


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"temperature": math.inf}, "--temperature must be a finite number of at least 0, not inf"),
        ({"temperature": math.nan}, "--temperature must be a finite number of at least 0, not nan"),
        ({"temperature": -1}, "--temperature must be a finite number of at least 0, not -1"),
        ({"temperature": "hot"}, "--temperature must be a finite number"),
        ({"max_tokens": 0}, "--max-tokens must be a whole number of at least 1, not 0"),
        ({"max_tokens": -5}, "--max-tokens must be a whole number of at least 1, not -5"),
        ({"max_tokens": 1.5}, "--max-tokens must be a whole number of at least 1, not 1.5"),
        ({"reasoning_effort": "banana"}, "--reasoning-effort must be one of none, minimal, low, medium, high"),
    ],
)
def test_what_makes_no_sense_is_named(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        Settings(**wrong)  # type: ignore[arg-type]


def test_what_makes_sense_is_kept() -> None:
    assert Settings(temperature=0).temperature == 0
    assert Settings(temperature=1.3, max_tokens=1).max_tokens == 1
    assert [Settings(reasoning_effort=effort).reasoning_effort for effort in EFFORTS] == list(EFFORTS)
