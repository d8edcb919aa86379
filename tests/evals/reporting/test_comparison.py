"""Graphs side by side: which instances are paired, what is tested, what a row costs, and what is said beneath."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from evals.reporting.comparison import Comparison, compare
from evals.reporting.result import RunResult
from evals.reporting.units import ComparisonError

WriteRun = Callable[..., RunResult]
SCENES = tuple("abcdef")


def row(comparison: Comparison, graph: str, **wanted: Any) -> dict[str, Any]:
    """The one row of a graph, over the whole condition unless told otherwise."""
    wanted = {"graph": graph, "group": "all", "source": "run", **wanted}
    (found,) = (one for one in comparison.rows if all(one[name] == value for name, value in wanted.items()))
    return found


def outcomes(*values: Any) -> dict[str, Any]:
    """One instance a scene."""
    return {f"{scene}/1": value for scene, value in zip(SCENES, values, strict=False)}


def test_difference_is_paired_on_the_instances_that_both_answered(write_run: WriteRun) -> None:
    run = write_run({"basic": outcomes(0.5, 0.4, 0.3, None), "other": outcomes(0.4, 0.2, None, 0.1)})
    found = row(run.compare("basic"), "other")
    # Both answered a and b: -0.1 and -0.2.
    assert found["difference"] == pytest.approx(-0.15)
    assert (found["pairs"], found["unpaired"]) == (2, 2)
    # Own answered instances: 0.7/3 against 1.2/3.
    assert found["difference_answered"] == pytest.approx(0.7 / 3 - 1.2 / 3)
    # Worst case, no answer as sqrt 2: (0.7 + √2)/4 against (1.2 + √2)/4.
    assert found["difference_worst_case"] == pytest.approx(-0.5 / 4)
    assert found["worst_case"] == pytest.approx((0.7 + 2**0.5) / 4)
    assert found["difference_response_rate"] == pytest.approx(0.0)


def test_repeats_are_averaged_before_anything_else(write_run: WriteRun) -> None:
    run = write_run({"basic": outcomes([0.2, 0.4], [0.5, None]), "other": outcomes([0.2, 0.2], [0.4, 0.6])})
    comparison = run.compare("basic")
    basic, other = row(comparison, "basic"), row(comparison, "other")
    assert (basic["n"], basic["items"], basic["answered"], basic["unanswered"]) == (4, 2, 3, 1)
    assert basic["mean"] == pytest.approx((0.3 + 0.5) / 2)
    # 0.2 - 0.3 and 0.5 - 0.5.
    assert other["difference"] == pytest.approx(-0.05)
    # Answered 2 of 2 and 1 of 2 against all.
    assert other["difference_response_rate"] == pytest.approx(0.25)
    assert basic["variance_between_repeats"] == pytest.approx(0.02)


def test_failures_for_outside_reasons_are_nobodys_errors(write_run: WriteRun) -> None:
    run = write_run({"basic": outcomes(0.5, 0.5, 0.5), "other": outcomes(0.4, "failed", None)})
    comparison = run.compare("basic")
    found = row(comparison, "other")
    assert (found["answered"], found["failed"], found["unanswered"]) == (1, 1, 1)
    assert found["response_rate"] == pytest.approx(1 / 2)
    assert found["response_rate_published"] == pytest.approx(1 / 3)
    assert found["worst_case"] == pytest.approx((0.4 + 2**0.5) / 2)
    assert any("1 of 6 items and repeats failed for outside reasons" in note for note in comparison.notes)


def test_scenes_and_not_instances_are_what_is_tested(write_run: WriteRun) -> None:
    """Twenty instances in three scenes: only 8 sign patterns, so no p-value can be small."""
    instances = [f"{scene}/{number}" for scene in "abc" for number in range(20)]
    run = write_run({"basic": dict.fromkeys(instances, 0.5), "other": dict.fromkeys(instances, 0.1)})
    comparison = run.compare("basic")
    found = row(comparison, "other")
    assert (found["test"], found["p"], found["pair_scenes"]) == ("sign_flip", pytest.approx(2 / 8), 3)
    assert any("WARNING: only 3 scenes" in note for note in comparison.notes)
    assert any("no p-value can be smaller than 0.25" in note for note in comparison.notes)


RIGHT = [1, 1, 1, 1, 1, 1, 0, 1], [0, 0, 0, 0, 0, 0, 1, 1]
"""Six for the first, one for the second, one for both: exact McNemar 2 * (1 + 7) / 128, worked out elsewhere."""


def test_choices_of_independent_instances_have_the_exact_mcnemar_test(write_run: WriteRun) -> None:
    samples = [f"{place}/1" for place in range(8)]
    other, basic = (dict(zip(samples, right, strict=True)) for right in RIGHT)
    comparison = write_run({"basic": basic, "other": other}, form="recorded_score").compare("basic")
    found = row(comparison, "other")
    assert (found["test"], found["p"], found["p_mcnemar"]) == ("mcnemar", pytest.approx(0.125), pytest.approx(0.125))
    assert any("exact McNemar test" in note for note in comparison.notes)


def test_choices_that_share_scenes_are_tested_by_scene(write_run: WriteRun) -> None:
    """Both instances of a scene count together: sums 2, 2, 2 and -1 + 0, reached or beaten by 4 of 16 sign patterns."""
    samples = [f"{place // 2}/{place}" for place in range(8)]
    other, basic = (dict(zip(samples, right, strict=True)) for right in RIGHT)
    found = row(write_run({"basic": basic, "other": other}, form="recorded_score").compare("basic"), "other")
    assert (found["test"], found["p"], found["p_mcnemar"]) == ("sign_flip", pytest.approx(4 / 16), pytest.approx(0.125))


def test_an_unanswered_choice_is_wrong_in_the_worst_case(write_run: WriteRun) -> None:
    run = write_run({"basic": outcomes(1, 1, 0), "other": outcomes(1, None, 1)}, form="recorded_score")
    found = row(run.compare("basic"), "other")
    assert found["worst_case"] == pytest.approx(2 / 3)
    assert found["difference_worst_case"] == pytest.approx(0.0)
    assert found["difference"] == pytest.approx(0.5)


def test_holm_adjusts_within_a_model_and_a_condition(write_run: WriteRun) -> None:
    """Six scenes, all better: p = 2/64 each; three graphs in one condition, one in the other."""
    samples = {f"{scene}/{condition}": condition for scene in SCENES for condition in ("inferred", "given")}
    keys = {sample: {"condition": condition} for sample, condition in samples.items()}
    inferred = [sample for sample, condition in samples.items() if condition == "inferred"]
    better, worse = dict.fromkeys(samples, 0.1), dict.fromkeys(samples, 0.5)
    run = write_run(
        {"basic": worse, "x": better, "y": dict.fromkeys(inferred, 0.2), "z": dict.fromkeys(inferred, 0.3)},
        conditions=["inferred", "given"],
        applies={"y": ["inferred"], "z": ["inferred"]},
        keys=keys,
    )
    comparison = run.compare("basic")
    for graph, condition, family in [
        ("x", "inferred", 3),
        ("y", "inferred", 3),
        ("z", "inferred", 3),
        ("x", "given", 1),
    ]:
        found = row(comparison, graph, condition=condition)
        assert (found["adjustment"], found["family"]) == ("holm", family)
        assert found["p"] == pytest.approx(2 / 64)
        assert found["p_adjusted"] == pytest.approx(family * 2 / 64)
    missing = row(comparison, "y", condition="given")
    assert (missing["applicable"], missing["mean"], missing["difference"]) == (False, None, None)


def test_groups_are_tested_only_when_exploring(write_run: WriteRun) -> None:
    samples = [f"{scene}/{side}" for scene in SCENES for side in ("left", "right")]
    keys = {sample: {"direction": sample.partition("/")[2]} for sample in samples}
    run = write_run({"basic": dict.fromkeys(samples, 0.5), "x": dict.fromkeys(samples, 0.4)}, keys=keys)
    declared = row(run.compare("basic", by=["direction"]), "x", group="direction", value="left")
    assert declared["difference"] == pytest.approx(-0.1)
    assert declared["p_adjusted"] is None
    explored = row(run.compare("basic", by=["direction"], explore=True), "x", group="direction", value="left")
    assert (explored["adjustment"], explored["family"]) == ("benjamini-hochberg", 3)
    assert explored["p_adjusted"] == pytest.approx(2 / 64)


def test_any_grouping_key_of_the_data_splits_and_numbers_are_ordered_as_numbers(write_run: WriteRun) -> None:
    samples = outcomes(0.1, 0.2, 0.3)
    keys = {sample: {"room_count": count} for sample, count in zip(samples, ("10", "9", "2"), strict=True)}
    comparison = write_run({"basic": samples}, keys=keys).compare(by=["room_count", "scene"])
    assert [one["value"] for one in comparison.rows] == ["all", "2", "9", "10", "a", "b", "c"]


def test_unknown_names_are_refused_with_what_there_is(write_run: WriteRun) -> None:
    run = write_run({"basic": outcomes(0.1, 0.2), "s_cot": outcomes(0.1, 0.2)})
    with pytest.raises(ComparisonError, match=r"'sceen'; did you mean scene\?.* The data has: scene"):
        run.compare("basic", by=["sceen"])
    with pytest.raises(ComparisonError, match=r"'x'\. The data has: scene"):
        run.compare("basic", by=["x"])
    with pytest.raises(ComparisonError, match=r"'nope'\. The runs have the graphs: basic, s_cot"):
        run.compare("nope")
    with pytest.raises(ComparisonError, match=r"'s-cot'; did you mean s_cot\?.* basic, s_cot"):
        run.compare("s-cot")


def test_an_empty_run_and_no_run_are_refused(write_run: WriteRun) -> None:
    with pytest.raises(ComparisonError, match="no item has ended yet"):
        write_run({}).compare()
    with pytest.raises(ComparisonError, match="no run to compare"):
        compare([])


def test_runs_are_paired_by_instance_and_their_settings_are_told_apart(write_run: WriteRun) -> None:
    cold = write_run({"basic": outcomes(0.5, 0.5)}, "cold", settings={"temperature": 0})
    warm = write_run({"basic": outcomes(0.4, 0.2)}, "warm", settings={"temperature": 1})
    comparison = cold.compare("cold:basic", warm)
    found = row(comparison, "basic", run="warm")
    assert (found["compared_with"], found["difference"]) == ("cold:basic", pytest.approx(-0.2))
    assert row(comparison, "basic", run="cold")["is_baseline"]
    assert "Settings differ between cold and warm: temperature 0 and 1." in comparison.notes


def test_a_graph_of_another_run_is_held_against_the_only_baseline(write_run: WriteRun) -> None:
    first = write_run({"basic": outcomes(0.5, 0.5)}, "first")
    second = write_run({"s_cot": outcomes(0.4, 0.2)}, "second")
    assert row(first.compare("basic", second), "s_cot")["compared_with"] == "first:basic"


def test_instances_with_the_same_id_and_other_content_are_not_paired(write_run: WriteRun) -> None:
    first = write_run({"basic": outcomes(0.5, 0.5)}, "first")
    second = write_run({"s_cot": outcomes(0.4, 0.2)}, "second", digest="changed")
    comparison = first.compare("basic", second)
    found = row(comparison, "s_cot")
    assert (found["pairs"], found["different_content"], found["difference"]) == (0, 2, None)
    assert any("same id and other content" in note for note in comparison.notes)


def test_a_model_without_the_baseline_is_said_to_have_none(write_run: WriteRun) -> None:
    first = write_run({"basic": outcomes(0.5, 0.5)}, "first")
    second = write_run({"s_cot": outcomes(0.4, 0.2)}, "second", model="other")
    assert "No basic with other to hold second against." in first.compare("basic", second).notes


def test_answers_of_different_forms_have_no_common_table(write_run: WriteRun) -> None:
    points, scores = write_run({"basic": outcomes(0.5)}, "p"), write_run({"x": outcomes(1)}, "s", form="recorded_score")
    with pytest.raises(ComparisonError, match=r"recorded_score, those of .* of the form frame_point"):
        compare([points, scores])


def test_the_same_run_twice_is_refused(write_run: WriteRun) -> None:
    run = write_run({"basic": outcomes(0.5)})
    with pytest.raises(ComparisonError, match="is given twice"):
        compare([run, run])


def test_tokens_seconds_and_cost_come_from_the_stored_calls(write_run: WriteRun) -> None:
    replies = {
        "first": {"usage": {"input_tokens": 1000, "output_tokens": 10}, "seconds": 1.5, "cost": 0.01},
        "second": {"usage": {"input_tokens": 500, "output_tokens": 30}, "seconds": 0.5, "cost": None},
    }
    comparison = write_run({"basic": outcomes(0.5, 0.4)}, replies=replies).compare()
    found = row(comparison, "basic")
    assert (found["calls"], found["input_tokens"], found["output_tokens"], found["seconds"]) == (2, 1500, 40, 2)
    assert found["cached_tokens"] is None
    # Two items share both calls; one of the two calls has no price.
    assert (found["cost"], found["calls_without_cost"], found["calls_without_usage"]) == (pytest.approx(0.02), 2, 0)
    assert "Unknown, and not counted as 0: 2 calls without a known price." in comparison.notes


def test_unknown_usage_is_unknown_and_not_nothing(write_run: WriteRun) -> None:
    replies = {"call": {"usage": {"input_tokens": None, "output_tokens": None}, "seconds": 1.0, "cost": None}}
    found = row(write_run({"basic": outcomes(0.5, 0.4)}, replies=replies).compare(), "basic")
    assert (found["input_tokens"], found["cost"], found["calls_without_usage"]) == (None, None, 2)


def test_answers_without_a_recorded_call_have_no_cost_that_is_known(write_run: WriteRun) -> None:
    comparison = write_run({"basic": outcomes(0.5, 0.4)}).compare()
    found = row(comparison, "basic")
    assert (found["calls"], found["seconds"], found["cost"], found["items_without_calls"]) == (None, None, None, 2)
    assert "Unknown, and not counted as 0: 2 items and repeats without a recorded call." in comparison.notes


def test_a_graph_that_has_not_begun_is_a_row_of_nothing(write_run: WriteRun) -> None:
    found = row(write_run({"basic": outcomes(0.5, 0.4), "later": {}}).compare("basic"), "later")
    assert (found["n"], found["mean"], found["pairs"], found["p"], found["response_rate"]) == (0, None, 0, None, None)


def test_published_rows_stand_beside_and_are_marked(write_run: WriteRun) -> None:
    samples = [f"{scene}/inferred" for scene in SCENES]
    keys = {sample: {"condition": "inferred"} for sample in samples}
    run = write_run({"basic": dict.fromkeys(samples, 0.5)}, conditions=["inferred"], keys=keys)
    comparison = run.compare(published=True)
    paper = row(comparison, "s_cot", source="published", metric="l2")
    assert (paper["mean"], paper["n"], paper["p"]) == (0.294, None, None)
    assert set(paper) == set(row(comparison, "basic"))
    assert any("NOT RUN HERE" in note for note in comparison.notes)


def test_published_rows_of_other_data_are_missed_aloud(write_run: WriteRun) -> None:
    notes = write_run({"basic": outcomes(0.5)}, dataset="mine").compare(published=True).notes
    assert any("No published figures for data of the kind mine" in note for note in notes)


def test_rows_are_plain_json_with_the_same_keys(write_run: WriteRun) -> None:
    run = write_run({"basic": outcomes(0.5, None), "x": outcomes(None, None)})
    rows = run.compare("basic", by=["scene"]).rows
    assert len({tuple(one) for one in rows}) == 1
    assert json.loads(json.dumps(rows, allow_nan=False)) == rows


def test_few_scenes_of_the_pairs_are_warned_of_however_many_each_graph_has(write_run: WriteRun) -> None:
    """Each graph answers in 12 scenes, both in 3 of them: all signs equal, 2 of 8 patterns, so p is 0.25 at best."""
    first, second = [f"{scene}/1" for scene in range(12)], [f"{scene}/1" for scene in range(9, 21)]
    samples = list(dict.fromkeys([*first, *second]))
    run = write_run(
        {
            "basic": {sample: 0.5 if sample in first else None for sample in samples},
            "cot": {sample: 0.4 if sample in second else None for sample in samples},
            "s_cot": {sample: 0.3 if sample in first else None for sample in samples},
        }
    )
    comparison = run.compare("basic")
    found = row(comparison, "cot")
    assert (found["scenes"], found["pairs"], found["pair_scenes"], found["p"]) == (12, 3, 3, pytest.approx(0.25))
    (warning,) = (note for note in comparison.notes if note.startswith("WARNING"))
    assert "only 3 scenes in cot;" in warning
    assert "With 3 scenes (cot) no p-value can be smaller than 0.25." in comparison.notes
    table = comparison.table(200)
    assert "pair scenes" in table.splitlines()[0]


def test_runs_that_share_no_instance_are_said_to_and_nothing_is_made_of_them(write_run: WriteRun) -> None:
    night = write_run({"basic": outcomes(0.5, 0.5)}, "night")
    other = write_run({"s_cot": {"x/1": 0.4, "y/1": 0.2}}, "other")
    comparison = night.compare("night:basic", other)
    found = row(comparison, "s_cot")
    for key in ("difference", "difference_answered", "difference_worst_case", "test", "p", "p_mcnemar"):
        assert found[key] is None
    assert (found["shared"], found["pairs"]) == (0, 0)
    assert "No instance is shared by other and night:basic: nothing is compared." in comparison.notes
    assert not any("McNemar" in note or "unknown contrasts" in note for note in comparison.notes)


def test_graphs_that_never_answered_the_same_instance_have_no_difference(write_run: WriteRun) -> None:
    run = write_run({"basic": outcomes(0.5, 0.5, None, None), "cot": outcomes(None, None, 0.1, 0.2)})
    comparison = run.compare("basic")
    assert (row(comparison, "cot")["shared"], row(comparison, "cot")["test"]) == (4, None)
    assert "No instance was answered by both cot and basic: there is no Δ." in comparison.notes
    assert not any("test" in note for note in comparison.notes if note.startswith("p:"))


def test_pairs_of_one_scene_have_no_test_and_it_is_said(write_run: WriteRun) -> None:
    run = write_run({"basic": {"a/1": 0.5, "a/2": 0.4}, "cot": {"a/1": 0.2, "a/2": 0.1}})
    notes = run.compare("basic").notes
    assert "p: none; all pairs lie in one scene, and a test needs two." in notes


def test_a_key_that_only_one_of_two_runs_has_splits_that_run_alone(write_run: WriteRun) -> None:
    first = write_run({"basic": outcomes(0.5, 0.5)}, "first")
    keys = {sample: {"size": size} for sample, size in zip(outcomes(0, 0), ("big", "small"), strict=True)}
    second = write_run({"s_cot": outcomes(0.4, 0.2)}, "second", keys=keys)
    comparison = first.compare("basic", second, by=["size"])
    assert row(comparison, "s_cot")["difference"] == pytest.approx(-0.2)
    assert {one["value"]: (one["mean"], one["shared"]) for one in comparison.rows if one["group"] == "size"} == {
        "big": (pytest.approx(0.4), 0),
        "small": (pytest.approx(0.2), 0),
    }
    assert "first has no size to split by, and no rows of it." in comparison.notes


def test_a_graph_that_has_not_ended_is_said_not_to_have(write_run: WriteRun) -> None:
    run = write_run({"basic": outcomes(0.5, 0.5, 0.5, 0.5), "s_cot": outcomes(0.4)}, "half")
    assert "Not ended: 3 of 4 instances of s_cot (evals run with the same --out goes on)." in run.compare().notes
    repeats = write_run({"basic": outcomes([0.5, 0.5], [0.5, 0.5]), "s_cot": outcomes([0.4, 0.4], 0.4)}, "repeats")
    assert any("Not ended: 1 of 4 items and repeats of s_cot (" in note for note in repeats.compare().notes)
    keys = {"a/1": {"condition": "given"}, "b/1": {"condition": "inferred"}, "c/1": {"condition": "inferred"}}
    done = {"basic": outcomes(0.5, 0.5, 0.5), "o_plot": {"b/1": 0.1, "c/1": 0.2}}
    applies = {"o_plot": ["inferred"]}
    whole = write_run(done, "whole", conditions=["inferred", "given"], applies=applies, keys=keys)
    assert not any("Not ended" in note for note in whole.compare().notes)


def test_differences_that_turn_when_no_answer_counts_as_the_worst_are_warned_of(write_run: WriteRun) -> None:
    """Both answered a: 0.1 less. In the worst case of three: (0.4 + 2 * sqrt 2)/3 against 0.5."""
    run = write_run({"basic": outcomes(0.5, 0.5, 0.5), "cot": outcomes(0.4, None, None), "x": outcomes(0.4, 0.4, 0.4)})
    comparison = run.compare("basic")
    found = row(comparison, "cot")
    assert found["difference"] == pytest.approx(-0.1)
    assert found["difference_worst_case"] == pytest.approx((0.4 + 2 * 2**0.5) / 3 - 0.5)
    (warning,) = (note for note in comparison.notes if "opposite signs" in note)
    assert warning.startswith("WARNING: Δ and Δ worst have opposite signs in cot:")


def test_instances_and_items_are_counted_apart(write_run: WriteRun) -> None:
    """Three instances, two repeats each; one was never answered, one failed once."""
    run = write_run({"basic": outcomes([0.2, 0.4], [None, None], [0.5, "failed"])})
    comparison = run.compare()
    found = row(comparison, "basic")
    assert (found["n"], found["instances"], found["items"]) == (6, 3, 2)
    header, line = comparison.table(200).splitlines()[:2]
    assert line[header.index("instances") : header.index("instances") + 9].strip() == "2/3"


def test_distances_that_happen_to_be_0_and_1_are_no_choices(write_run: WriteRun) -> None:
    samples = [f"{place}/1" for place in range(8)]
    other, basic = (dict(zip(samples, right, strict=True)) for right in RIGHT)
    found = row(write_run({"basic": basic, "other": other}).compare("basic"), "other")
    # Sums 1 six times and -1 once: of 128 sign patterns those with at most one of the other sign, 2 * (1 + 7).
    assert (found["test"], found["p"], found["p_mcnemar"]) == ("sign_flip", pytest.approx(16 / 128), None)


def test_intervals_of_response_rates_stay_between_none_and_all(write_run: WriteRun) -> None:
    run = write_run({"basic": outcomes(0.5, 0.5, 0.5, None), "full": outcomes(0.1, 0.1, 0.1, 0.1)})
    comparison = run.compare()
    basic, full = row(comparison, "basic"), row(comparison, "full")
    # 3 of 4: standard error 0.25, t with 3 degrees of freedom 3.182: 0.75 - 0.796 and 0.75 + 0.796.
    assert (basic["response_rate"], basic["response_rate_low"], basic["response_rate_high"]) == (0.75, 0.0, 1.0)
    assert (full["response_rate"], full["response_rate_low"], full["response_rate_high"]) == (1.0, None, None)


def test_a_key_that_is_named_twice_splits_once(write_run: WriteRun) -> None:
    run = write_run({"basic": outcomes(0.1, 0.2)})
    assert run.compare(by=["scene", "scene"]).rows == run.compare(by=["scene"]).rows


def test_answers_without_a_known_score_are_counted(write_run: WriteRun) -> None:
    run = write_run({"basic": outcomes(0.5, float("nan"), 0.3)}, form="recorded_score")
    comparison = run.compare()
    assert (row(comparison, "basic")["mean"], row(comparison, "basic")["unknown"]) == (pytest.approx(0.4), 1)
    assert any("1 of 3 items and repeats that were answered, their" in note for note in comparison.notes)


def test_scores_below_what_counts_as_the_worst_are_warned_of(write_run: WriteRun) -> None:
    run = write_run({"basic": outcomes(-1.0, 0.5, -0.2)}, form="recorded_score")
    assert any(note.startswith("WARNING: 2 scores of run worse than 0,") for note in run.compare().notes)
    fine = write_run({"basic": outcomes(2.0, 0.5)}, "fine")
    assert not any("worse than" in note for note in fine.compare().notes)
