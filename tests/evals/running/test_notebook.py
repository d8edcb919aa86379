"""A run can be started where an event loop is running already, as in a notebook."""

from __future__ import annotations

from pathlib import Path

import evals


async def test_a_run_starts_inside_a_running_event_loop(tmp_path: Path) -> None:
    result = evals.run("basic", limit=2, out=tmp_path / "run", progress=False)
    assert {item.status for item in result.items()} == {"answered"}
