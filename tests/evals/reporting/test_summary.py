"""Rows of a table: what is counted, what is averaged over what, and which keys stand in each."""

from __future__ import annotations

import math

import pytest

from evals.reporting.summary import ALL, Cell, overall_rows, summarise
from evals.scorers.frame_point import frame_point

CELL = Cell("g", "m", no_vlm=False, condition="inferred", applicable=True, beyond_paper=False)

KEYS = {
    "graph",
    "model",
    "no_vlm",
    "condition",
    "breakdown",
    "applicable",
    "beyond_paper",
    "n",
    "answered",
    "unanswered",
    "failed",
    "response_rate",
    "response_rate_published",
    "items",
    "scenes",
    "mean_over_breakdown",
    "l2_std",
    *(
        f"{name}{end}"
        for name in (
            "l2",
            "l2_in_frame",
            "hit_0.05",
            "hit_0.1",
            "hit_0.2",
            "frame_correct",
            "out_of_range",
            "in_frame",
            "abs_x",
            "abs_y",
        )
        for end in ("", "_low", "_high", "_n")
    ),
    "mean_over_breakdown_low",
    "mean_over_breakdown_high",
}


def test_ended_items_are_answered_unanswered_or_failed(items):
    statuses = ["answered", "answered", "unreadable", "empty", "truncated", "refused", "failed", "failed"]
    rows = [{"sample": str(n), "status": status, "l2": 0.5} for n, status in enumerate(statuses)]
    (row,) = summarise(items(rows), [CELL], frame_point, None)
    assert [row[key] for key in ("n", "answered", "unanswered", "failed", "items")] == [8, 2, 4, 2, 2]
    # Failures for outside reasons are not the model's; the paper counts them.
    assert row["response_rate"] == pytest.approx(2 / 6)
    assert row["response_rate_published"] == pytest.approx(2 / 8)


def test_repeats_are_averaged_before_items(items):
    rows = [
        {"sample": "one", "scene": "a", "repeat": 0, "l2": 0.1},
        {"sample": "one", "scene": "a", "repeat": 1, "l2": 0.2},
        {"sample": "one", "scene": "a", "repeat": 2, "l2": 0.3},
        {"sample": "two", "scene": "b", "repeat": 0, "l2": 0.8},
        {"sample": "two", "scene": "b", "repeat": 1, "status": "unreadable"},
        {"sample": "two", "scene": "b", "repeat": 2, "status": "failed"},
    ]
    (row,) = summarise(items(rows), [CELL], frame_point, None)
    # (0.2 + 0.8) / 2, not (0.1 + 0.2 + 0.3 + 0.8) / 4.
    assert row["l2"] == pytest.approx(0.5)
    assert (row["n"], row["answered"], row["items"], row["scenes"]) == (6, 4, 2, 2)
    # Population deviation of 0.1, 0.2, 0.3 and 0.8 about 0.35: sqrt((0.0625 + 0.0225 + 0.0025 + 0.2025) / 4).
    assert row["l2_std"] == pytest.approx(math.sqrt(0.29 / 4))


def test_both_overall_means_pool_items_or_average_the_directions(items):
    rows = [
        {"sample": "1", "direction": "left", "l2": 0.1},
        {"sample": "2", "direction": "left", "l2": 0.2},
        {"sample": "3", "direction": "left", "l2": 0.3},
        {"sample": "4", "direction": "up", "l2": 0.6},
        {"sample": "5", "direction": "front", "status": "unreadable"},
    ]
    whole, *parts = summarise(items(rows), [CELL], frame_point, "direction")
    assert whole["l2"] == pytest.approx(1.2 / 4)
    # (0.2 + 0.6) / 2: a direction without an answer has no mean.
    assert whole["mean_over_breakdown"] == pytest.approx(0.4)
    assert [(part["breakdown"], part["n"], part["answered"]) for part in parts] == [
        ("front", 1, 0),
        ("left", 3, 3),
        ("up", 1, 1),
    ]
    assert [part["l2"] for part in parts] == [None, pytest.approx(0.2), pytest.approx(0.6)]
    assert [part["mean_over_breakdown"] for part in parts] == [None] * 3
    assert list(overall_rows([whole, *parts])) == [whole]


def test_the_mean_of_the_directions_has_an_interval_over_scenes(items):
    rows = [
        {"sample": f"{direction}{scene}{repeat}", "scene": scene, "direction": direction, "l2": value}
        for direction, scene, repeat, value in [
            ("left", "a", 0, 0.1), ("left", "a", 1, 0.2), ("left", "b", 0, 0.3), ("left", "b", 1, 0.6),
            ("up", "a", 0, 0.5), ("up", "b", 0, 0.9),
        ]
    ]  # fmt: skip
    whole, *parts = summarise(items(rows), [CELL], frame_point, "direction")
    # A tenth of the example by hand in test_statistics.py.
    half = math.sqrt(49 / 32 * 2 * 5 / 4) * math.tan(0.475 * math.pi) / 10
    assert whole["mean_over_breakdown"] == pytest.approx(0.5)
    assert whole["mean_over_breakdown_low"] == pytest.approx(0.5 - half)
    assert whole["mean_over_breakdown_high"] == pytest.approx(0.5 + half)
    assert [part["mean_over_breakdown_low"] for part in parts] == [None, None]


def test_a_metric_counts_the_items_that_have_it(items):
    rows = [
        {"sample": "1", "l2": 0.2, "l2_in_frame": 0.2, "frame_correct": 1.0},
        {"sample": "2", "l2": 0.6, "frame_correct": 0.0},
        {"sample": "3", "l2": 0.4},
    ]
    (row,) = summarise(items(rows), [CELL], frame_point, None)
    assert row["l2"] == pytest.approx(0.4)
    assert row["l2_in_frame"] == pytest.approx(0.2)
    assert row["frame_correct"] == pytest.approx(0.5)
    assert row["in_frame"] is None
    assert [row[f"{name}_n"] for name in ("l2", "l2_in_frame", "frame_correct", "in_frame")] == [3, 1, 2, 0]


def test_cells_take_their_own_items_alone(items):
    rows = [
        {"sample": f"{graph}{model}{condition}", "graph": graph, "model": model, "condition": condition, "l2": value}
        for value, (graph, model, condition) in enumerate(
            (g, m, c) for g in ("g", "h") for m in ("m", "n") for c in ("inferred", "given")
        )
    ]
    cells = [
        Cell(g, m, no_vlm=False, condition=c, applicable=True, beyond_paper=False)
        for g in ("g", "h")
        for m in ("m", "n")
        for c in ("inferred", "given")
    ]
    assert [row["l2"] for row in summarise(items(rows), cells, frame_point, None)] == list(range(8))
    whole = Cell("h", "n", no_vlm=False, condition=ALL, applicable=True, beyond_paper=False)
    assert summarise(items(rows), [whole], frame_point, None)[0]["l2"] == pytest.approx(6.5)


def test_every_row_has_the_same_keys_whatever_ended_in_it(items):
    away = Cell("g", "m", no_vlm=True, condition="given", applicable=False, beyond_paper=True)
    none = Cell("h", "m", no_vlm=False, condition="inferred", applicable=True, beyond_paper=False)
    rows = summarise(items([{"l2": 0.5}]), [CELL, away, none], frame_point, "direction")
    assert len(rows) == 4
    assert all(set(row) >= KEYS for row in rows)
    assert len({tuple(row) for row in rows}) == 1
    _, _, away_row, none_row = rows
    for row in (away_row, none_row):
        assert (row["n"], row["answered"], row["items"], row["scenes"]) == (0, 0, 0, 0)
        assert [row[key] for key in ("response_rate", "response_rate_published", "l2", "l2_low", "l2_std")] == [
            None
        ] * 5
    assert (away_row["no_vlm"], away_row["applicable"], away_row["beyond_paper"]) == (True, False, True)


def test_items_that_all_failed_leave_rates_and_means_open(items):
    rows = summarise(items([{"status": "failed"}, {"status": "failed"}]), [CELL], frame_point, "direction")
    assert all((row["response_rate"], row["response_rate_published"], row["l2"]) == (None, 0.0, None) for row in rows)
