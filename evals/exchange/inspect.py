"""Inspect: its evaluation logs, one for each graph and model."""

from __future__ import annotations

from pathlib import Path

from evals.exchange._inspect_reading import read_log
from evals.exchange._inspect_writing import write_logs
from evals.exchange_format import ExchangeFormat, Export, Exported, ImportedLog, ImportOptions


def _write(export: Export) -> Exported:
    return write_logs(export)


def _read(path: Path, options: ImportOptions) -> ImportedLog:
    return read_log(path, options)


inspect = ExchangeFormat("inspect", "evaluation logs of Inspect (json; eval to read)", "logs", write=_write, read=_read)
