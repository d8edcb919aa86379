"""What decides the bytes of a dataset, and the folder that is made with it and with nothing else."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evals.scenes.dataset import write_json
from evals.scenes.errors import DatasetFolderError
from evals.scenes.explore import LEAST_PIXELS, MOST_FRAMES, SIDE

VERSION = 2
"""Of the recipe; a folder made by another is not continued."""

RENDERERS = ("embree", "thor")
META, UNFINISHED, LOCK = "meta.json", ".unfinished", "lock.sqlite"
NAME = "houses made by Situate in POVBench's layout"


@dataclass(frozen=True)
class Settings:
    """What decides the bytes of a dataset.

    Attributes:
        seed: The dataset's seed.
        rooms: Rooms a house, None for a mix.
        renderer: One of `RENDERERS`.
        side: Width and height of the pictures, pixels.
        frames: Largest number of frames of a walk.
        pairs: Largest number of pairs a house, None to follow the number of rooms.
        judge: Name of the model that judges placements, empty for geometry.
        paraphrase: Name of the model that rewords sentences, empty for none.
    """

    seed: int
    rooms: int | None = None
    renderer: str = "embree"
    side: int = SIDE
    frames: int = MOST_FRAMES
    pairs: int | None = None
    judge: str = ""
    paraphrase: str = ""


def meta_of(settings: Settings, source: str = "generated", digest: str = "") -> dict[str, Any]:
    """What `meta.json` says besides the number of houses.

    Args:
        settings: The dataset's settings.
        source: Name of the house file, or `generated`.
        digest: SHA-256 of the house file; empty for generated houses.
    """
    return {
        "name": NAME,
        "recipe": VERSION,
        "source": source,
        **({"source_sha256": digest} if digest else {}),
        **asdict(settings),
        "least_pixels": LEAST_PIXELS,
    }


@contextmanager
def claimed(out: Path, meta: dict[str, Any]) -> Iterator[None]:
    """Holds a dataset's folder while houses are made in it, and counts them in `meta.json` at the end.

    The folder must be new, empty, or begun with the same settings; while no house is finished in it, other settings may
    take it over. One process at a time makes houses in a folder; the system lets go of it when that process dies.

    Args:
        out: The folder.
        meta: What `meta_of` says.

    Raises:
        DatasetFolderError: If the folder holds something else, another process has it, or it cannot be written.
    """
    _check(out, meta)
    unfinished = out / UNFINISHED
    try:
        unfinished.mkdir(parents=True, exist_ok=True)
        lock = _locked(out, unfinished / LOCK)
    except (OSError, sqlite3.Error) as error:
        wrong = (error.strerror if isinstance(error, OSError) else "") or str(error)
        raise DatasetFolderError(f"{out}: cannot be used ({wrong}): choose another --out") from error
    try:
        _check(out, meta)
        for draft in unfinished.iterdir():
            if draft.is_dir():
                shutil.rmtree(draft, ignore_errors=True)
        _write_meta(out, meta)
        yield
        _write_meta(out, meta)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
        lock.close()


def _locked(out: Path, path: Path) -> sqlite3.Connection:
    lock = sqlite3.connect(path, isolation_level=None, timeout=0.2, check_same_thread=False)
    try:
        lock.execute("BEGIN EXCLUSIVE")
        taken = not path.exists()  # It was cleared away by a process that ended while this one waited for it.
    except sqlite3.OperationalError as error:
        taken = error.sqlite_errorcode == sqlite3.SQLITE_BUSY
        if not taken:
            lock.close()
            raise
    if taken:
        lock.close()
        raise DatasetFolderError(
            f"{out}: another process makes houses in it: wait for it to end or choose another --out"
        )
    return lock


def _finished(out: Path) -> int:
    return sum(1 for folder in (out / "artifacts").glob("train_house_*") if folder.is_dir())


def _check(out: Path, meta: dict[str, Any]) -> None:
    """Makes sure that a folder may be written to, without changing anything in it."""
    path = out / META
    try:
        names = {entry.name for entry in out.iterdir()} if out.exists() else set()
        text = path.read_bytes() if path.is_file() else None
    except OSError as error:
        raise DatasetFolderError(f"{out}: cannot be used ({error.strerror}): choose another --out") from error
    if text is None:
        if others := sorted(names - {UNFINISHED}):
            raise DatasetFolderError(f"{out}: holds other files ({', '.join(others[:3])}): choose an empty --out")
        return
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DatasetFolderError(f"{path}: is broken ({error}): choose an empty --out") from error
    begun = found if isinstance(found, dict) else {}
    differing = [
        f"{key} was {_shown(begun.get(key))}, now {_shown(meta.get(key))}"
        for key in dict.fromkeys([*meta, "source_sha256"])
        if begun.get(key) != meta.get(key)
    ]
    if differing and (begun.get("name") != NAME or _finished(out)):
        raise DatasetFolderError(
            f"{out}: was begun with other settings ({'; '.join(differing[:3])}): use the same or an empty --out"
        )


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 30 else f"{text[:15]}…"


def _write_meta(out: Path, meta: dict[str, Any]) -> None:
    """Writes `meta.json` with the number of finished houses, whole or not at all."""
    draft = out / UNFINISHED / META
    write_json(draft, {**meta, "houses": _finished(out)})
    try:
        draft.replace(out / META)
    except OSError as error:
        raise DatasetFolderError(f"{out / META}: cannot be written ({error.strerror}): check --out") from error
