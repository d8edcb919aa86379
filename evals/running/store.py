"""The store of a run: one SQLite file and a folder of pictures by content hash.

A reply is committed when it arrives, an item when it ends; both cost the same at the first and the last of many.
After a kill nothing that was committed is asked again.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.failures import without_known_keys
from evals.running.keys import WrittenRequest, text_digest
from evals.running.logs import LOG
from tools.errors import UserError
from tools.pictures import EncodedPicture

DATABASE = "run.sqlite"
PICTURES = "pictures"
LOCK = "lock.sqlite"
_VERSION = 2
_SUFFIXES = {"image/png": ".png", "image/jpeg": ".jpg"}

_TABLES = """
CREATE TABLE IF NOT EXISTS run (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS texts (digest TEXT PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS calls (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, messages TEXT NOT NULL REFERENCES texts,
    bounds TEXT NOT NULL REFERENCES texts, rest TEXT NOT NULL, reply TEXT NOT NULL,
    tries INTEGER NOT NULL, waited REAL NOT NULL, worked REAL NOT NULL, at REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS failures (
    model TEXT NOT NULL, graph TEXT NOT NULL, kind TEXT NOT NULL, reason TEXT NOT NULL,
    tries INTEGER NOT NULL, waited REAL NOT NULL, worked REAL NOT NULL, at REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS items (
    sample TEXT NOT NULL, graph TEXT NOT NULL, model TEXT NOT NULL, repeat INTEGER NOT NULL,
    key TEXT NOT NULL, status TEXT NOT NULL, row TEXT NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (sample, graph, model, repeat)
);
"""


FAILED = "failed"
"""Status of an item that ended for an outside reason; the next start tries it again."""


_DESCRIBED = ("dataset", "form", "conditions", "graphs", "models")
"""What a run's description must say for its items to mean anything."""


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


@dataclass
class Effort:
    """What a call took besides its reply; grows while it is made.

    Attributes:
        tries: Requests that went out.
        waited: Seconds for which rates, pauses and backoff held it up.
        worked: Seconds for which its requests were under way.
    """

    tries: int = 0
    waited: float = 0.0
    worked: float = 0.0


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
        if folder.is_dir() and not (folder / DATABASE).is_file() and any(map(_is_foreign, folder.iterdir())):
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
            uri = f"{(folder / DATABASE).resolve().as_uri()}?mode=ro"
            connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=30)
            _check_version(connection, folder)
            return cls(folder, connection, None)
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
        row = self._one("SELECT value FROM run WHERE name = ?", name)
        return None if row is None else self._parsed(row[0])

    def description(self) -> dict[str, Any]:
        """What the run was made of; empty as long as it has not begun.

        Raises:
            StoreError: If there are items and nothing says what they belong to.
        """
        stored = self.get("description")
        described = stored if isinstance(stored, dict) else {}
        begun = self._one("SELECT 1 FROM items LIMIT ?", 1) is not None
        if begun and any(name not in described for name in _DESCRIBED):
            raise self._damaged("it does not say what the run was made of")
        return described

    def set(self, name: str, value: object) -> None:
        """Sets a setting of the run."""
        self._write(("INSERT OR REPLACE INTO run VALUES (?, ?)", (name, json.dumps(value))))

    def reply(self, key: str) -> dict[str, Any] | None:
        """The reply to a call that was made before."""
        row = self._one("SELECT reply FROM calls WHERE key = ?", key)
        return None if row is None else dict(self._parsed(row[0]))

    def call(self, key: str) -> dict[str, Any] | None:
        """The request and the reply of a call, with the model's name and what it took."""
        row = self._one(
            "SELECT model, (SELECT text FROM texts WHERE digest = messages), "
            "(SELECT text FROM texts WHERE digest = bounds), rest, reply, tries, waited, worked "
            "FROM calls WHERE key = ?",
            key,
        )
        if row is None:
            return None
        model, messages, bounds, rest, reply, tries, waited, worked = row
        return {
            "key": key,
            "model": model,
            "request": {
                "messages": self._parsed(messages),
                "constraint": self._parsed(bounds),
                **self._parsed(rest),
            },
            "reply": self._parsed(reply),
            "tries": tries,
            "waited": waited,
            "worked": worked,
        }

    def save_call(
        self, key: str, model: str, request: WrittenRequest, reply: Mapping[str, Any], effort: Effort, at: float
    ) -> None:
        """Commits a call that was answered; its texts are kept once however many calls share them."""
        texts = [(text_digest(text), text) for text in (request.messages, request.constraint)]
        row = (
            *(key, model, texts[0][0], texts[1][0], json.dumps(request.rest), json.dumps(_without_keys(reply))),
            *(effort.tries, effort.waited, effort.worked, at),
        )
        self._write(
            *(("INSERT OR IGNORE INTO texts VALUES (?, ?)", text) for text in texts),
            ("INSERT OR REPLACE INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row),
        )

    def save_failure(self, model: str, graph: str, kind: str, reason: str, effort: Effort, at: float) -> None:
        """Commits what a call took that failed for an outside reason."""
        values = (model, graph, kind, reason, effort.tries, effort.waited, effort.worked, at)
        self._write(("INSERT INTO failures VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values))

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        """Rows of a reading statement over the tables `calls`, `failures` and `items`."""
        return list(self._rows(statement))

    def count_calls(self) -> int:
        """Number of distinct calls that were answered."""
        return int(self.query("SELECT COUNT(*) FROM calls")[0][0])

    def has_calls(self, model: str) -> bool:
        """Whether a model has ever answered in this run."""
        return self._one("SELECT 1 FROM calls WHERE model = ? LIMIT 1", model) is not None

    def save_item(self, item: StoredItem, at: float) -> None:
        """Commits an item that ended, in the place of an earlier failure of the same item."""
        row = json.dumps(item.row)
        values = (item.sample, item.graph, item.model, item.repeat, item.key, item.status, row, at)
        self._write(("INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values))

    def item_keys(self) -> dict[tuple[str, str, str, int], tuple[str, str]]:
        """Key and status of every stored item, by sample, graph, model and repeat."""
        rows = self._rows("SELECT sample, graph, model, repeat, key, status FROM items")
        return {(sample, graph, model, repeat): (key, status) for sample, graph, model, repeat, key, status in rows}

    def items(self) -> Iterator[StoredItem]:
        """All stored items in a stable order."""
        rows = self._rows(
            "SELECT sample, graph, model, repeat, key, status, row FROM items ORDER BY sample, graph, model, repeat"
        )
        for sample, graph, model, repeat, key, status, row in rows:
            parsed = self._parsed(row)
            keys = parsed.get("keys") if isinstance(parsed, dict) else None
            if not isinstance(keys, dict) or "scene" not in keys or not isinstance(parsed.get("form"), str):
                raise self._damaged(f"the row of {sample} does not say what it is about")
            yield StoredItem(sample, graph, model, repeat, key, status, parsed)

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

    def _rows(self, statement: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Rows of a reading statement, one after the other."""
        try:
            # Not `yield from`, which would close the cursor of a reader that stops early, be the store closed or not.
            for row in self._connection.execute(statement, values):  # noqa: UP028
                yield row
        except sqlite3.DatabaseError as error:
            raise self._damaged(f"cannot be read ({error})") from None

    def _one(self, statement: str, value: object) -> tuple[Any, ...] | None:
        """The first row of a reading statement with one value."""
        return next(self._rows(statement, value), None)

    def _parsed(self, text: Any) -> Any:
        """What a cell of the database holds."""
        try:
            return json.loads(text)
        except (TypeError, ValueError):
            raise self._damaged("a row of it is damaged (no JSON)") from None

    def _damaged(self, wrong: str) -> StoreError:
        cure = "restore the file from a copy, or run again into another folder"
        return StoreError(f"{self.folder / DATABASE}: {wrong}; {cure}")

    def _write(self, *statements: tuple[str, tuple[object, ...]]) -> None:
        """Commits some statements together, or none of them."""
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            for statement, values in statements:
                connection.execute(statement, values)
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise StoreError(
                f"{self.folder / DATABASE}: cannot be written ({error}); free space and start the run again, "
                "nothing that was stored is lost"
            ) from None


def _without_keys(value: Any) -> Any:
    """A value without keys in its texts; its names and numbers, which a short key may look like, stay as they are."""
    if isinstance(value, str):
        return without_known_keys(value) if value else value
    if isinstance(value, Mapping):
        return {name: _without_keys(entry) for name, entry in value.items()}
    return [_without_keys(entry) for entry in value] if isinstance(value, (list, tuple)) else value


def _is_foreign(path: Path) -> bool:
    """Whether a file is none of ours; a run that was killed as it began leaves some of its own and no database."""
    return not path.name.startswith((PICTURES, DATABASE, LOCK, LOG))


def _connect(folder: Path) -> sqlite3.Connection:
    # In a notebook the run goes on in a thread of its own; one thread at a time uses the connection.
    connection = sqlite3.connect(folder / DATABASE, isolation_level=None, timeout=30, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    # Room for the indexes of a large run, and rarer copies into the database: saving costs the same at the last item.
    connection.execute("PRAGMA cache_size = -32768")
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    _check_version(connection, folder)
    connection.executescript(f"{_TABLES} PRAGMA user_version = {_VERSION};")
    return connection


def _check_version(connection: sqlite3.Connection, folder: Path) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in (0, _VERSION):
        connection.close()
        raise StoreError(
            f"{folder / DATABASE}: was written by another version of situate (store {version}, here {_VERSION}); "
            "read it with that version, or give another folder"
        )


def _locked(folder: Path) -> sqlite3.Connection:
    """Holds an exclusive transaction on a small file of its own: the system lets go of it when the process dies."""
    lock = sqlite3.connect(folder / LOCK, isolation_level=None, timeout=0.2, check_same_thread=False)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        lock.close()
        raise StoreError(
            f"{folder}: another run is writing to it; wait for it to end or give --out another folder"
        ) from None
    return lock
