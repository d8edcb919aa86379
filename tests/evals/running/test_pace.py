"""When requests may go out: in turn, at a rate, after pauses."""

import asyncio

import pytest

from evals.running.limits import Ending, LimitError, Limits, Unfinished, seconds_of
from evals.running.pace import Gate, Pace, Rate


async def test_gate_lets_in_as_many_as_fit_in_the_order_in_which_they_came() -> None:
    gate = Gate(lambda: 2)
    order: list[int] = []

    async def visit(number: int) -> None:
        await gate.enter()
        order.append(number)
        assert gate.inside <= 2
        await asyncio.sleep(0)
        gate.leave()

    await asyncio.gather(*map(visit, range(20)))
    assert order == list(range(20))
    assert gate.inside == 0


async def test_gate_loses_no_place_when_those_who_wait_give_up() -> None:
    gate = Gate(lambda: 1)
    await gate.enter()
    waiting = [asyncio.ensure_future(gate.enter()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    gate.leave()
    waiting[1].cancel()  # It was let in and is cancelled before it knows.
    await asyncio.wait_for(waiting[2], 1)
    assert gate.inside == 1


async def test_gate_lets_more_in_when_its_capacity_has_grown() -> None:
    capacity = 1
    gate = Gate(lambda: capacity)
    await gate.enter()
    waiting = asyncio.ensure_future(gate.enter())
    await asyncio.sleep(0)
    capacity = 2
    gate.open()
    await asyncio.wait_for(waiting, 1)


def test_rate_spreads_requests_over_the_minute() -> None:
    rate = Rate(60)
    starts = [rate.reserve(1, 100.0) for _ in range(10)]
    assert starts[0] == 100.0
    assert starts[-1] == pytest.approx(108.0)  # One a second, of which the first second's worth goes at once.
    assert Rate(None).reserve(1e9, 5.0) == 5.0


def test_rate_counts_what_requests_really_took() -> None:
    rate = Rate(600)
    assert rate.reserve(600, 0.0) == 0.0
    rate.correct(-590)  # It took 10 units, which is a second's worth.
    assert rate.reserve(1, 0.0) == pytest.approx(0.0)
    rate = Rate(600)
    rate.reserve(10, 0.0)
    rate.correct(590)
    assert rate.reserve(1, 0.0) == pytest.approx(59.0)


async def test_pause_holds_back_all_requests_and_is_told() -> None:
    pace = Pace(4, Limits(), Ending())
    pace.pause(0.2)
    began = asyncio.get_running_loop().time()
    _, _, waited = await pace.enter(1)
    assert asyncio.get_running_loop().time() - began >= 0.19
    assert waited >= 0.19


async def test_the_end_of_a_run_ends_every_wait() -> None:
    ending = Ending()
    pace = Pace(4, Limits(), ending)
    pace.pause(600)
    waiting = asyncio.ensure_future(pace.enter(1))
    await asyncio.sleep(0.01)
    ending.stop("enough")
    with pytest.raises(Unfinished):
        await asyncio.wait_for(waiting, 1)
    assert pace.calls.inside == 0


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("2h", 7200), ("90m", 5400), ("1h30m", 5400), ("45s", 45), ("45", 45), ("1.5h", 5400), ("1d", 86400)],
)
def test_times_are_read(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "h", "2 hours", "-1h", "1h30", "1e3", "2x"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(LimitError, match="--max-time"):
        seconds_of(text)


@pytest.mark.parametrize("limit", ["rpm", "tpm", "max_cost", "max_time"])
@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf")])
def test_limits_must_be_positive(limit: str, value: float) -> None:
    with pytest.raises(LimitError, match=f"--{limit.replace('_', '-')}"):
        Limits(**{limit: value})
