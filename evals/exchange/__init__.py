"""The formats by which runs leave and logs of other tools come in, one small file each, found by name."""

from __future__ import annotations

from pathlib import Path

from agents.registry import Registry
from evals.exchange_format import ExchangeError, ExchangeFormat, Export, Exported, ImportedLog, ImportOptions
from evals.reporting.result import RunResult

FORMATS = Registry("format", "evals.exchange", ExchangeFormat, "situate.formats")


def export_run(
    result: RunResult, to: str, out: Path, data: Path | None = None, graph: str | None = None, model: str | None = None
) -> Exported:
    """Writes a run in a format.

    Args:
        result: The run.
        to: Name of the format; dashes count as underscores.
        out: File or folder to write; must not be there yet.
        data: Folder of the dataset that the run was made on; None for the built-in one.
        graph: Only this graph.
        model: Only this model.

    Raises:
        ExchangeError: If the run cannot be written so.
    """
    form = FORMATS.get(_plain(to))
    if form.write is None:
        raise ExchangeError(f"{to}: logs of it come in, but runs do not leave so; formats: {', '.join(writable())}")
    items = [item for item in result.items() if graph in (None, item.graph) and model in (None, item.model)]
    if not items:
        raise ExchangeError(f"{result.folder}: holds no such item; see evals show {result.folder}")
    if out.exists():
        raise ExchangeError(f"{out}: is there already; give --out another name")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        return form.write(Export(result, items, out, data))
    except OSError as error:
        raise ExchangeError(f"{out}: cannot be written ({error.strerror}); give --out another name") from None


def import_log(log: Path, source: str, out: Path, options: ImportOptions) -> ImportedLog:
    """Reads a log of another tool into a run folder, adding to a run of the same data that is there.

    Args:
        log: The log: a file, or a folder of them where the tool writes several.
        source: Name of the format; dashes count as underscores.
        out: Folder of the run.
        options: What the log does not say by itself.

    Raises:
        ExchangeError: If the log cannot be read, or the folder holds another run.
    """
    from evals.exchange._run_folder import write_run

    form = FORMATS.get(_plain(source))
    if form.read is None:
        raise ExchangeError(f"{source}: runs leave so, but no log comes in; formats: {', '.join(readable())}")
    if not log.exists():
        raise ExchangeError(f"{log}: is not there; give the log that {source} wrote")
    try:
        read = form.read(log, options)
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        # Logs are files of others: a value of another kind than the tool writes can stand anywhere in them.
        raise ExchangeError(
            f"{log}: is not laid out as a log of {source} ({type(error).__name__}: {error}); "
            "give the file as it was written"
        ) from error
    if not read.items:
        raise ExchangeError(f"{log}: holds nothing that could be taken over{_reasons(read)}")
    return write_run(read, form.name, log.name, out)


def writable() -> list[str]:
    """Names of the formats in which runs leave."""
    return [form.name for form in FORMATS.all() if form.write is not None]


def readable() -> list[str]:
    """Names of the formats that come in."""
    return [form.name for form in FORMATS.all() if form.read is not None]


def _plain(name: str) -> str:
    return name.replace("-", "_")


def _reasons(read: ImportedLog) -> str:
    return f": {'; '.join(read.missing)}" if read.missing else ""


__all__ = ["FORMATS", "ExchangeError", "ImportOptions", "export_run", "import_log", "readable", "writable"]
