"""Runs against a server, in a process of their own that can be killed or starved."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

SCRIPT = """
import sys
import evals
from evals.running.limits import Limits
from evals.running.runner import Interrupted
from tools.errors import UserError

{before}
try:
    evals.run({graphs!r}, model={model!r}, out={folder!r}, concurrency={concurrency}, progress=False,
              limits=Limits(backoff=0.02, longest_wait=0.2), **{options!r})
except (UserError, Interrupted) as error:
    print(f"{{type(error).__name__}}: {{error}}", file=sys.stderr)
    sys.exit(2)
"""


def start(
    folder: Path, model: str, graphs: list[str], concurrency: int = 4, before: str = "", **options: Any
) -> subprocess.Popen[str]:
    """Starts a run; `before` is Python that goes first in its process."""
    script = SCRIPT.format(
        folder=str(folder), model=model, graphs=graphs, concurrency=concurrency, options=options, before=before
    )
    return subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
