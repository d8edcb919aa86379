"""How many scenes a difference needs, held against figures from outside and against the comparison itself."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from evals.reporting.power import detectable, power_at, power_of, scenes_needed
from evals.reporting.result import RunResult
from evals.reporting.statistics import sign_flip
from evals.reporting.units import ComparisonError

WriteRun = Callable[..., RunResult]


@pytest.mark.parametrize(
    ("effect", "count", "power"),
    # G*Power 3.1, t tests, difference from constant, two tails, alpha 0.05.
    [(0.5, 34, 0.8077775), (0.2, 199, 0.8016964), (0.8, 15, 0.8213105)],
)
def test_power_agrees_with_the_usual_tables(effect: float, count: int, power: float) -> None:
    assert power_at(effect, 1.0, count, 0.05) == pytest.approx(power, abs=1e-5)
    assert scenes_needed(effect, 1.0, 0.05, 0.8) == count


def test_detectable_difference_has_the_wanted_power() -> None:
    found = detectable(0.05, 47, 0.05, 0.8)
    assert found is not None
    assert power_at(found, 0.05, 47, 0.05) == pytest.approx(0.8, abs=1e-6)


def test_too_few_scenes_find_nothing_however_large() -> None:
    """Of 5 scenes the rarest sign patterns are 2 of 32, more than 5 %; of 6 they are 2 of 64."""
    assert power_at(100.0, 1.0, 5, 0.05) == 0.0
    assert detectable(1.0, 5, 0.05, 0.8) is None
    assert scenes_needed(100.0, 1.0, 0.05, 0.8) == 6


def test_power_is_what_the_sign_flip_test_really_has() -> None:
    """A quick look with a fixed seed; whole comparisons stand in docs/statistics.md."""
    random = np.random.default_rng(5)
    scenes = np.repeat(np.arange(10), 8)
    spread = (0.04**2 + 0.1**2 / 8) ** 0.5
    draws = 200
    found = sum(
        (sign_flip(0.04 + random.normal(0, 0.04, 10)[scenes] + random.normal(0, 0.1, 80), list(scenes)) or 0) <= 0.05
        for _ in range(draws)
    )
    predicted = power_at(0.04, spread, 10, 0.05)
    assert found / draws == pytest.approx(predicted, abs=3 * (predicted * (1 - predicted) / draws) ** 0.5)


def outcomes(differences: list[float], level: float = 0.5) -> dict[str, dict[str, Any]]:
    base = {f"scene{place}/1": level for place, _ in enumerate(differences)}
    other = {sample: level + apart for sample, apart in zip(base, differences, strict=True)}
    return {"basic": base, "other": other}


def test_variance_of_a_scene_comes_from_the_run(write_run: WriteRun) -> None:
    """One instance a scene: the standard deviation of a scene is that of the differences, here sqrt(0.02 / 3)."""
    (row,) = power_of(write_run(outcomes([0.1, -0.1, 0.0, 0.0])), effect=0.1).rows
    assert row["scene_sd"] == pytest.approx((0.02 / 3) ** 0.5)
    assert (row["graph"], row["compared_with"], row["pairs"], row["scenes"]) == ("other", "basic", 4, 4)
    assert row["scenes_needed_low"] <= row["scenes_needed"] <= row["scenes_needed_high"]
    assert row["items_needed"] == row["scenes_needed"]


def test_contrasts_of_a_family_share_the_level(write_run: WriteRun) -> None:
    three = outcomes([0.1, -0.1, 0.0, 0.05, -0.02, 0.01, 0.03, -0.04])
    three["third"] = {sample: value + 0.01 * place for place, (sample, value) in enumerate(three["other"].items())}
    rows = power_of(write_run(three), effect=0.1).rows
    assert [(row["contrasts"], row["alpha"]) for row in rows] == [(2, 0.025), (2, 0.025)]


def test_one_graph_alone_is_a_pilot_with_twice_its_variance(write_run: WriteRun) -> None:
    found = power_of(write_run({"s_cot": {"a/1": 0.2, "b/1": 0.4, "c/1": 0.6, "d/1": 0.4}}), effect=0.1)
    assert found.rows[0]["scene_sd"] == pytest.approx((2 * 0.08 / 3) ** 0.5)
    assert "Only s_cot was run" in found.notes[0]


def test_graphs_that_never_differ_predict_nothing(write_run: WriteRun) -> None:
    found = power_of(write_run(outcomes([0.0, 0.0, 0.0])), effect=0.1)
    assert found.rows[0]["scenes_needed"] is None
    assert any("no variance to predict from" in note for note in found.notes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"effect": 0.0}, "--effect must be above 0"),
        ({"effect": float("nan")}, "--effect must be above 0"),
        ({"effect": 0.1, "alpha": 1.5}, "--alpha must lie between 0 and 1"),
        ({"effect": 0.1, "wanted": 0.01}, "--power between it and 1"),
        ({"effect": 0.1, "baseline": "basics"}, "did you mean basic"),
    ],
)
def test_senseless_questions_are_refused(write_run: WriteRun, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ComparisonError, match=message):
        power_of(write_run(outcomes([0.1, 0.2])), **options)


def test_a_difference_that_is_the_same_everywhere_takes_the_fewest_scenes_that_the_test_allows(
    write_run: WriteRun,
) -> None:
    """0.4 - 0.5 is not the same number twice in floating point; of 6 scenes 2 of 64 sign patterns are rare enough."""
    base = {f"scene{place}/{number}": 0.5 for place in range(7) for number in range(4)}
    run = write_run({"basic": base, "other": dict.fromkeys(base, 0.4)})
    found = power_of(run, effect=0.03)
    (row,) = found.rows
    assert (row["scene_sd"], row["power"], row["detectable"]) == (0.0, 1.0, 0.0)
    assert [row[f"scenes_needed{end}"] for end in ("", "_low", "_high")] == [6, 6, 6]
    assert row["items_needed"] == 24
    assert any("the same in every scene" in note for note in found.notes)
    contrast = next(row for row in run.compare("basic").rows if row["graph"] == "other")
    assert contrast["difference_design_effect"] is None
    assert (contrast["difference_low"], contrast["difference_high"]) == (pytest.approx(-0.1), pytest.approx(-0.1))


@pytest.mark.parametrize("effect", [1e3, 1e300])
def test_a_huge_difference_is_found_with_the_fewest_scenes(write_run: WriteRun, effect: float) -> None:
    (row,) = power_of(write_run(outcomes([0.1, -0.1, 0.0, 0.05, 0.02, -0.03])), effect=effect).rows
    assert (row["power"], row["scenes_needed"], row["scenes_needed_high"]) == (1.0, 6, 6)


def test_power_near_certainty_agrees_with_the_normal_distribution() -> None:
    """With 10,000 scenes and a tenth of a standard deviation the test has 10 standard errors."""
    from scipy.stats import norm

    assert power_at(0.03, 1.0, 10_000, 0.05) == pytest.approx(norm.sf(1.96 - 3), abs=1e-3)
    assert power_at(0.1, 1.0, 10_000, 0.05) == pytest.approx(norm.sf(1.96 - 10), abs=1e-12)


def test_no_power_because_of_few_scenes_is_said_to_be(write_run: WriteRun) -> None:
    found = power_of(write_run(outcomes([0.1, -0.1, 0.05])), effect=0.1)
    assert found.rows[0]["power"] == 0.0
    assert any("with under 6 scenes" in note for note in found.notes)
