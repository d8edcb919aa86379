"""The store of a run: one SQLite file and a folder of pictures by content hash.

A reply is committed when it arrives, an item when it ends; both cost the same at the first and the last of many.
After a kill nothing that was committed is asked again.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.errors import UserError
from tools.pictures import EncodedPicture

DATABASE = "run.sqlite"
PICTURES = "pictures"
_VERSION = 1
_SUFFIXES = {"image/png": ".png", "image/jpeg": ".jpg"}

_TABLES = """
CREATE TABLE IF NOT EXISTS run (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS calls (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, request TEXT NOT NULL, reply TEXT NOT NULL, at REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS items (
    sample TEXT NOT NULL, graph TEXT NOT NULL, model TEXT NOT NULL, repeat INTEGER NOT NULL,
    key TEXT NOT NULL, status TEXT NOT NULL, row TEXT NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (sample, graph, model, repeat)
);
"""


class StoreError(UserError):
    """A run's folder cannot be used; the message says why and what to do."""


@dataclass(frozen=True)
class StoredItem:
    """One item as it ended.

    Attributes:
        sample: Id of the sample.
        graph: Name of the graph.
        model: Name of the model.
        repeat: Number of the repetition.
        key: What the item depends on, hashed.
        status: `answered`, why there is no answer, or `failed` for an outside reason.
        row: Everything else, as plain JSON values.
    """

    sample: str
    graph: str
    model: str
    repeat: int
    key: str
    status: str
    row: Mapping[str, Any]


class Store:
    """An open run folder. One process at a time may write to it; any number may read."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, lock: sqlite3.Connection | None) -> None:
        self.folder = folder
        self._connection = connection
        self._lock = lock

    @classmethod
    def create(cls, folder: Path) -> Store:
        """Opens a run folder for writing, making it if it is not there.

        Raises:
            StoreError: If it is no run folder, or another process is writing to it.
        """
        if folder.exists() and not folder.is_dir():
            raise StoreError(f"{folder}: is a file; give --out a folder")
        if folder.is_dir() and any(folder.iterdir()) and not (folder / DATABASE).is_file():
            raise StoreError(f"{folder}: holds other files and no run; give --out a new or an empty folder")
        try:
            (folder / PICTURES).mkdir(parents=True, exist_ok=True)
            lock = _locked(folder)
            connection = _connect(folder)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{folder}: cannot be written to ({error}); give --out another folder") from None
        return cls(folder, connection, lock)

    @classmethod
    def read(cls, folder: Path) -> Store:
        """Opens a run folder for reading.

        Raises:
            StoreError: If there is no run in it.
        """
        if not (folder / DATABASE).is_file():
            raise StoreError(f"{folder}: holds no run; give the folder that `evals run` named when it ended")
        try:
            return cls(folder, _connect(folder), None)
        except sqlite3.Error as error:
            raise StoreError(f"{folder / DATABASE}: cannot be read ({error}); it is not a run's store") from None

    def close(self) -> None:
        """Closes the store; everything is on disk already."""
        self._connection.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, name: str) -> Any:
        """A setting of the run; None if it was never set."""
        row = self._connection.execute("SELECT value FROM run WHERE name = ?", (name,)).fetchone()
        return None if row is None else json.loads(row[0])

    def set(self, name: str, value: object) -> None:
        """Sets a setting of the run."""
        self._write("INSERT OR REPLACE INTO run VALUES (?, ?)", (name, json.dumps(value)))

    def reply(self, key: str) -> dict[str, Any] | None:
        """The reply to a call that was made before."""
        row = self._connection.execute("SELECT reply FROM calls WHERE key = ?", (key,)).fetchone()
        return None if row is None else dict(json.loads(row[0]))

    def call(self, key: str) -> dict[str, Any] | None:
        """The request and the reply of a call, with the model's name."""
        row = self._connection.execute("SELECT model, request, reply FROM calls WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        return {"key": key, "model": row[0], "request": json.loads(row[1]), "reply": json.loads(row[2])}

    def save_call(self, key: str, model: str, request: Mapping[str, Any], reply: Mapping[str, Any], at: float) -> None:
        """Commits a call that was answered."""
        values = (key, model, json.dumps(request), json.dumps(reply), at)
        self._write("INSERT OR REPLACE INTO calls VALUES (?, ?, ?, ?, ?)", values)

    def count_calls(self) -> int:
        """Number of distinct calls that were answered."""
        return int(self._connection.execute("SELECT COUNT(*) FROM calls").fetchone()[0])

    def save_item(self, item: StoredItem, at: float) -> None:
        """Commits an item that ended, in the place of an earlier failure of the same item."""
        row = json.dumps(item.row)
        values = (item.sample, item.graph, item.model, item.repeat, item.key, item.status, row, at)
        self._write("INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)

    def item_keys(self) -> dict[tuple[str, str, str, int], tuple[str, str]]:
        """Key and status of every stored item, by sample, graph, model and repeat."""
        rows = self._connection.execute("SELECT sample, graph, model, repeat, key, status FROM items")
        return {(sample, graph, model, repeat): (key, status) for sample, graph, model, repeat, key, status in rows}

    def items(self) -> Iterator[StoredItem]:
        """All stored items in a stable order."""
        rows = self._connection.execute(
            "SELECT sample, graph, model, repeat, key, status, row FROM items ORDER BY sample, graph, model, repeat"
        )
        for sample, graph, model, repeat, key, status, row in rows:
            yield StoredItem(sample, graph, model, repeat, key, status, json.loads(row))

    def picture_path(self, digest: str) -> Path | None:
        """Where a picture that was sent lies; None if it is not there."""
        paths = (self.folder / PICTURES / f"{digest}{suffix}" for suffix in _SUFFIXES.values())
        return next((path for path in paths if path.is_file()), None)

    def save_picture(self, picture: EncodedPicture) -> None:
        """Writes a picture under its content hash, whole or not at all."""
        path = self.folder / PICTURES / f"{picture.digest}{_SUFFIXES[picture.media_type]}"
        if path.exists():
            return
        part = path.with_suffix(f".{os.getpid()}.part")
        try:
            part.write_bytes(picture.data)
            part.replace(path)
        except OSError as error:
            raise StoreError(
                f"{path}: cannot be written ({error.strerror}); free space and start the run again"
            ) from None

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        try:
            self._connection.execute(statement, values)
        except sqlite3.OperationalError as error:
            raise StoreError(
                f"{self.folder / DATABASE}: cannot be written ({error}); free space and start the run again, "
                "nothing that was answered is lost"
            ) from None


def _connect(folder: Path) -> sqlite3.Connection:
    # In a notebook the run goes on in a thread of its own; one thread at a time uses the connection.
    connection = sqlite3.connect(folder / DATABASE, isolation_level=None, timeout=30, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.executescript(_TABLES)
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in (0, _VERSION):
        connection.close()
        raise StoreError(
            f"{folder / DATABASE}: was written by another version of situate (store {version}, here {_VERSION})"
        )
    connection.execute(f"PRAGMA user_version = {_VERSION}")
    return connection


def _locked(folder: Path) -> sqlite3.Connection:
    """Holds an exclusive transaction on a small file of its own: the system lets go of it when the process dies."""
    lock = sqlite3.connect(folder / "lock.sqlite", isolation_level=None, timeout=0.2, check_same_thread=False)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        lock.close()
        raise StoreError(
            f"{folder}: another run is writing to it; wait for it to end or give --out another folder"
        ) from None
    return lock
