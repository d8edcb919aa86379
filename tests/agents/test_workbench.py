"""Costly things are made once, off the event loop, within bounds."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import agents.workbench
import tools.pictures
from agents.workbench import Workbench
from tools.markers import Disc, Ring
from tools.pictures import Picture, load_pixels, open_picture


@pytest.fixture
def picture(tmp_path: Path) -> Picture:
    Image.new("RGB", (64, 48), (10, 20, 30)).save(tmp_path / "room.png")
    return open_picture(tmp_path / "room.png")


class Counter:
    def __init__(self, result: object = 7, failures: int = 0) -> None:
        self.result, self.failures, self.calls = result, failures, 0
        self.threads: set[int] = set()

    def __call__(self) -> object:
        self.calls += 1
        self.threads.add(threading.get_ident())
        time.sleep(0.02)
        if self.calls <= self.failures:
            raise ValueError("no depth today")
        return self.result


async def test_many_who_ask_at_once_wait_for_one_computation() -> None:
    workbench, compute = Workbench(), Counter()
    results = await asyncio.gather(*(workbench.once("depth", compute) for _ in range(20)))
    assert results == [7] * 20
    assert compute.calls == 1
    assert threading.get_ident() not in compute.threads


async def test_a_result_stays_for_those_who_ask_later() -> None:
    workbench, compute = Workbench(), Counter(result=None)
    assert await workbench.once("depth", compute) is None
    assert await workbench.once("depth", compute) is None
    assert compute.calls == 1


async def test_other_keys_are_other_computations_at_the_same_time() -> None:
    workbench = Workbench()
    meeting = threading.Barrier(2)
    both = asyncio.gather(*(workbench.once(key, lambda: meeting.wait(5)) for key in ("one", "other")))
    assert sorted(await both) == [0, 1]


async def test_a_failed_computation_raises_for_all_and_is_tried_anew() -> None:
    workbench, compute = Workbench(), Counter(failures=1)
    outcomes = await asyncio.gather(*(workbench.once("depth", compute) for _ in range(20)), return_exceptions=True)
    assert [str(outcome) for outcome in outcomes] == ["no depth today"] * 20
    assert compute.calls == 1
    assert await workbench.once("depth", compute) == 7
    assert compute.calls == 2


async def test_one_who_gives_up_does_not_spoil_it_for_the_others() -> None:
    workbench, compute = Workbench(), Counter()
    impatient = asyncio.create_task(workbench.once("depth", compute))
    patient = asyncio.create_task(workbench.once("depth", compute))
    await asyncio.sleep(0.005)
    impatient.cancel()
    assert await patient == 7
    with pytest.raises(asyncio.CancelledError):
        await impatient
    assert compute.calls == 1


async def test_memory_is_bounded_and_the_least_recently_used_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents.workbench, "MEMORY", 100)
    workbench = Workbench()
    computed: list[str] = []

    async def ask(key: str, size: int = 40) -> None:
        await workbench.once(key, lambda: computed.append(key), lambda _: size)

    for key in ("a", "b", "a", "c", "a", "b"):
        await ask(key)
    assert computed == ["a", "b", "c", "b"]
    await ask("larger than all", 1000)
    await ask("a")
    assert computed == ["a", "b", "c", "b", "larger than all", "a"]


async def test_a_picture_is_decoded_once_and_encoded_once_however_often_it_is_used(
    picture: Picture, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[tuple[str, ...]] = []
    encoded: list[str] = []
    decode, encode = tools.pictures._decoded, agents.workbench.encode

    def counted_decode(one: Picture, data: bytes) -> object:
        decoded.append(tuple(type(marker).__name__ for marker in one.markers))
        return decode(one, data)

    def counted_encode(one: Picture, pixels: object = None) -> object:
        encoded.append(one.digest)
        return encode(one, pixels)  # type: ignore[arg-type]

    monkeypatch.setattr(tools.pictures, "_decoded", counted_decode)
    monkeypatch.setattr(agents.workbench, "encode", counted_encode)
    workbench = Workbench()
    marked = picture.with_markers(Disc(20, 20, 8))
    also_marked = picture.with_markers(Ring(20, 20, 15))
    await asyncio.gather(*(workbench.encoded(one) for one in [marked, also_marked] * 20))
    assert len(decoded) == 1
    assert sorted(encoded) == sorted([marked.digest, also_marked.digest])
    await asyncio.gather(*(workbench.encoded(picture) for _ in range(20)))
    assert encoded.count(picture.digest) == 1


async def test_a_marked_picture_is_sent_with_its_markers_and_looked_at_without(picture: Picture) -> None:
    workbench = Workbench()
    marked = picture.with_markers(Disc(20, 20, 8))
    assert np.array_equal(await workbench.pixels(marked), load_pixels(picture))
    sent = await workbench.encoded(marked)
    assert sent.digest == marked.digest != picture.digest
    path = picture.path.with_name("sent.png")
    path.write_bytes(sent.data)
    assert tuple(load_pixels(open_picture(path))[20, 20]) == (255, 0, 0)


async def test_items_share_results_but_not_randomness() -> None:
    run, compute = Workbench(), Counter()
    items = [run.for_item(seed) for seed in ("a", "b")]
    assert await asyncio.gather(*(item.once("depth", compute) for item in items)) == [7, 7]
    assert compute.calls == 1
    draws = [item.random("shuffle").random() for item in items]
    assert draws[0] != draws[1]


def test_randomness_depends_on_seed_and_purpose_alone() -> None:
    def draw(seed: str, purpose: str) -> list[float]:
        return Workbench().for_item(seed).random(purpose).random(4).tolist()

    assert draw("0", "shuffle") == draw("0", "shuffle")
    assert len({tuple(draw(seed, purpose)) for seed in ("0", "1", "") for purpose in ("shuffle", "frame", "")}) == 9
    workbench = Workbench(seed="0")
    workbench.random("frame").random(100)
    assert workbench.random("shuffle").random(4).tolist() == draw("0", "shuffle")


def test_randomness_is_the_same_on_every_machine() -> None:
    # Fixed once, so that a later version goes on with a stored run; NumPy promises PCG64's raw numbers.
    generator = Workbench(seed="0\0house/1").random("shuffle_frames")
    assert generator.bit_generator.random_raw() == 18057150222369828806
