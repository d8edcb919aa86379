"""A row of a store that is damaged is one line with the file, not a traceback."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def test_damaged_row_is_named(command, tmp_path: Path) -> None:
    assert command("run", "--graph", "basic", "--conditions", "given", "--limit", "1", "--out", "r").code == 0
    with closing(sqlite3.connect(tmp_path / "r" / "run.sqlite")) as database, database:
        database.execute("UPDATE items SET row = substr(row, 1, 20)")
    ended = command("show", "r")
    assert ended.code == 2
    assert len(ended.said) == 1
    assert "r/run.sqlite: a row of it is damaged" in ended.err


def test_sampling_options_are_checked(command) -> None:
    ended = command("run", "--graph", "basic", "--temperature", "nan", "--out", "r")
    assert (ended.code, ended.said) == (2, ["error: --temperature must be a finite number of at least 0, not nan"])
