"""Where costly things are made once: pictures drawn on and encoded, and whatever interventions compute."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from tools.pictures import EncodedPicture, Picture, encode, load_pixels

T = TypeVar("T")

MEMORY = 256 * 1024 * 1024
"""Bytes of results kept in memory; the least recently used go first."""


@dataclass
class _Cache:
    """Results by key, one computation at a time a key, the least recently used dropped beyond `MEMORY` bytes."""

    results: OrderedDict[str, tuple[Any, int]] = field(default_factory=OrderedDict)
    running: dict[str, asyncio.Future[Any]] = field(default_factory=dict)
    size: int = 0

    def keep(self, key: str, result: Any, size: int) -> None:
        self.results[key] = (result, size)
        self.size += size
        while self.size > MEMORY and len(self.results) > 1:
            _, (_, freed) = self.results.popitem(last=False)
            self.size -= freed


@dataclass(frozen=True)
class Workbench:
    """Makes things once by content, off the event loop; one is shared by a whole run.

    Attributes:
        seed: What randomness is drawn from: the run's seed, the item and the repeat.
    """

    seed: str = "0"
    _cache: _Cache = field(default_factory=_Cache, repr=False, compare=False)

    def for_item(self, seed: str) -> Workbench:
        """The same workbench, with randomness of its own for one item."""
        return replace(self, seed=seed)

    def random(self, purpose: str) -> np.random.Generator:
        """A generator that depends on the item's seed and the purpose alone."""
        digest = hashlib.sha256(f"{self.seed}\0{purpose}".encode()).digest()
        return np.random.default_rng(int.from_bytes(digest[:16], "big"))

    def kept(self, key: str) -> Any:
        """A result that was computed once and is still in memory; None if it is not."""
        if key not in self._cache.results:
            return None
        self._cache.results.move_to_end(key)
        return self._cache.results[key][0]

    async def once(self, key: str, compute: Callable[[], T], size: Callable[[T], int] = lambda _: 1024) -> T:
        """Computes something in a worker thread, once for a key however many ask for it at the same time.

        Args:
            key: Names the result by the content it depends on.
            compute: Makes it.
            size: Bytes that a result takes, for the bound on memory.

        Returns:
            The result; a failed computation raises for all who wait and is tried anew by the next who asks.
        """
        cache = self._cache
        if key in cache.results:
            cache.results.move_to_end(key)
            result: T = cache.results[key][0]
            return result
        if key not in cache.running:
            cache.running[key] = asyncio.ensure_future(asyncio.to_thread(compute))
            cache.running[key].add_done_callback(lambda done: self._finished(key, done, size))
        return await asyncio.shield(cache.running[key])

    def _finished(self, key: str, done: asyncio.Future[Any], size: Callable[[Any], int]) -> None:
        self._cache.running.pop(key, None)
        if not done.cancelled() and done.exception() is None:
            self._cache.keep(key, done.result(), size(done.result()))

    async def encoded(self, picture: Picture) -> EncodedPicture:
        """The picture as it is sent, its markers drawn; decoded once and encoded once however often it is used."""
        if not picture.markers:
            return await self.once(f"encoded {picture.digest}", lambda: encode(picture), lambda made: len(made.data))
        pixels = await self.pixels(picture)
        return await self.once(
            f"encoded {picture.digest}", lambda: encode(picture, pixels), lambda made: len(made.data)
        )

    async def prepared(
        self,
        picture: Picture,
        form: str,
        prepare: Callable[[EncodedPicture], T],
        size: Callable[[T], int] = len,  # type: ignore[assignment]
    ) -> T:
        """The picture in the form in which an adapter sends it, made once of the encoded picture.

        Args:
            picture: The picture.
            form: Names what `prepare` makes.
            prepare: Makes it, in a worker thread.
            size: Bytes that it takes.
        """
        key = f"{form} {picture.digest}"
        if key in self._cache.results or key in self._cache.running:
            return await self.once(key, _not_kept, size)
        encoded = await self.encoded(picture)
        return await self.once(key, lambda: prepare(encoded), size)

    async def pixels(self, picture: Picture) -> NDArray[np.uint8]:
        """(H, W, 3) RGB pixels of the picture without its markers."""
        bare = replace(picture, markers=())
        return await self.once(f"pixels {bare.digest}", lambda: load_pixels(bare), lambda made: made.nbytes)


def _not_kept() -> NoReturn:
    raise AssertionError("a result that was kept a moment ago is gone")
