"""The number of requests at a time finds its level; checked against servers that are simulated by arithmetic alone."""

import heapq
from collections.abc import Callable

import pytest

from evals.running.level import START, Level


def simulate(level: Level, latency: Callable[[int], float], capacity: float, seconds: float) -> list[int]:
    """Keeps a level full for a while; requests beyond a server's capacity are refused at once.

    Returns:
        The level at each event.
    """
    now, in_flight, allowed = 0.0, 0, []
    events: list[tuple[float, int, float, bool]] = []
    serial = 0
    while now < seconds:
        while in_flight < level.allowed:
            in_flight += 1
            serial += 1
            refused = in_flight > capacity
            took = 0.01 if refused else latency(in_flight)
            heapq.heappush(events, (now + took, serial, now, refused))
        now, _, sent_at, refused = heapq.heappop(events)
        in_flight -= 1
        if refused:
            level.refused(sent_at, now)
        else:
            level.answered(sent_at, now, full=True)
        allowed.append(level.allowed)
    return allowed


def test_level_never_goes_beyond_the_ceiling_and_reaches_it_where_latency_holds() -> None:
    for ceiling in (1, 3, 16, 100):
        levels = simulate(Level(ceiling), lambda in_flight: 1.0, capacity=1e9, seconds=30)
        assert levels[0] == min(START, ceiling)
        assert max(levels) == levels[-1] == ceiling


def test_level_doubles_while_latency_holds() -> None:
    levels = simulate(Level(256), lambda in_flight: 1.0, capacity=1e9, seconds=30)
    assert sorted(set(levels)) == [16, 32, 64, 128, 256]


def test_level_stays_low_where_more_requests_only_wait_longer() -> None:
    """A server that works at 16 requests at a time: beyond that, latency grows as the number does."""
    levels = simulate(Level(512), lambda in_flight: max(1.0, in_flight / 16), capacity=1e9, seconds=300)
    late = levels[len(levels) // 2 :]
    assert max(late) <= 40


def test_level_grows_where_more_requests_give_more_answers_although_each_takes_longer() -> None:
    """A server that batches: four times the requests, twice the latency."""
    levels = simulate(Level(256), lambda in_flight: (in_flight / 16) ** 0.5, capacity=1e9, seconds=200)
    assert levels[-1] == 256


def test_level_swings_below_the_capacity_of_a_server_that_refuses() -> None:
    levels = simulate(Level(256), lambda in_flight: 1.0, capacity=50, seconds=400)
    late = levels[len(levels) // 2 :]
    assert max(late) <= 56
    assert sum(late) / len(late) > 30


def test_refusals_of_requests_that_went_out_together_halve_the_level_once() -> None:
    level = Level(16)
    for moment in (1.0, 1.01, 1.02):
        level.refused(sent_at=0.0, now=moment)
    assert level.allowed == 8
    level.refused(sent_at=1.5, now=2.0)
    assert level.allowed == 4


def test_level_does_not_fall_below_one() -> None:
    level = Level(4)
    for moment in range(1, 10):
        level.refused(sent_at=moment - 0.5, now=float(moment))
    assert level.allowed == 1


@pytest.mark.parametrize("full", [False])
def test_answers_say_nothing_of_a_level_that_was_not_used_up(full: bool) -> None:
    level = Level(64)
    for moment in range(100):
        level.answered(float(moment), moment + 1.0, full)
    assert level.allowed == START
