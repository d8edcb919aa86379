"""Runs tasks in processes that end at once when the run that started them stops, however it stops."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from typing import TypeVar

Result = TypeVar("Result")

TASKS_A_PROCESS = 20
"""After so many a process is replaced, so that memory stays bounded."""


def in_processes(work: Callable[[int], Result], tasks: Iterable[int], workers: int) -> Iterator[tuple[int, Result]]:
    """Runs a function on numbers in several processes.

    Args:
        work: What to do; it and its results must be picklable.
        tasks: The numbers.
        workers: Processes at a time.

    Yields:
        (number, result) as they come. When the caller stops, by an error or an interrupt, what is in work is dropped.
    """
    waiting = iter(tasks)
    context = multiprocessing.get_context("spawn")
    stopped, stop = context.Pipe(duplex=False)
    with ProcessPoolExecutor(
        workers, context, _end_with_parent, (stopped,), max_tasks_per_child=TASKS_A_PROCESS
    ) as pool:
        running: dict[Future[Result], int] = {}
        try:
            while True:
                with _interrupts_held():
                    for number in itertools.islice(waiting, workers - len(running)):
                        running[pool.submit(work, number)] = number
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        except BaseException:
            stop.close()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Processes started here never see Ctrl-C, so they print no traceback; the one that started them decides."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent(stopped: Connection) -> None:
    """Makes this process end when the run that started it is killed or stops, instead of working on for nobody."""
    parent = multiprocessing.parent_process()

    def wait_for_end() -> None:
        wait_for([stopped] if parent is None else [stopped, parent.sentinel])
        os._exit(1)

    threading.Thread(target=wait_for_end, daemon=True).start()
