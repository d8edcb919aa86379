"""What is measured: the command line and the Python API, datasets, runner, store, scorers, statistics, reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evals.api import run
    from evals.reporting.result import RunResult

__all__ = ["RunResult", "run"]


def __getattr__(name: str) -> object:
    """Imports the public names when they are used, so that the command line starts at once."""
    if name == "run":
        from evals.api import run

        return run
    if name == "RunResult":
        from evals.reporting.result import RunResult

        return RunResult
    raise AttributeError(f"module 'evals' has no attribute {name!r}")
