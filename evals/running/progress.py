"""The progress bar of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from evals.running.runner import Progress


@contextmanager
def show_progress(stream: TextIO | None) -> Iterator[Callable[[Progress], None]]:
    """Shows how far a run has come: a moving bar on a terminal, nothing on a file or None.

    Yields:
        What to call after each item.
    """
    if stream is None or not stream.isatty():
        yield lambda progress: None  # noqa: ARG005
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(file=stream), transient=True) as bar:
        task = bar.add_task("", total=None)

        def report(progress: Progress) -> None:
            counts = ", ".join(f"{count} {status}" for status, count in sorted(progress.ended.items()))
            bar.update(task, total=progress.total, completed=progress.done, description=counts)

        yield report
