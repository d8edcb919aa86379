"""Rows of the papers' tables, to stand beside what was run here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "published_tables"
"""One file a benchmark."""


def published_rows(description: Mapping[str, Any], metric: str) -> list[dict[str, Any]]:
    """Rows of a benchmark's published tables, with keys of `evals.reporting.comparison.compare`.

    Args:
        description: What the run beside them was made of; its conditions are shown, of its data set's benchmark.
        metric: Name of the headline.
    """
    path = FOLDER / f"{description['dataset']}.json"
    if not path.is_file():
        return []
    content = json.loads(path.read_text())
    rows = []
    for table in content["tables"]:
        for entry in table["rows"]:
            for condition, mean in entry["means"].items():
                rows.append(entry | {"condition": condition, "mean": mean, "metric": table["metric"]})
    return rows
