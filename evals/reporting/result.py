"""The result of a run: a table that prints itself, a DataFrame, and the rows behind both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.asking import IN_REASONING
from evals.reporting.summary import ALL, Cell, summarise
from evals.running.accounting import account
from evals.running.store import Store, StoredItem
from evals.scorers import scorer_of

if TYPE_CHECKING:
    import pandas as pd

    from evals.reporting.comparison import Comparison


@dataclass(frozen=True)
class RunResult:
    """What a run holds.

    Attributes:
        folder: The run's folder.
    """

    folder: Path

    def items(self) -> list[StoredItem]:
        """All items as they are stored."""
        with Store.read(self.folder) as store:
            return list(store.items())

    def description(self) -> dict[str, Any]:
        """What the run was made of: data, graphs, models, settings."""
        with Store.read(self.folder) as store:
            return store.description()

    def accounting(self) -> dict[str, Any]:
        """What the run took, all sessions together: calls, retries, tokens, cost, seconds; see `account`."""
        with Store.read(self.folder) as store:
            return account(store)

    def frame(self) -> pd.DataFrame:
        """One row an item and repeat: its grouping keys, model (`no_vlm` labels it), status, answer, truth and scores.

        Returns:
            A DataFrame; scores are NaN where an item has no answer.
        """
        import pandas as pd

        items = self.items()
        models = self.description().get("models", {})
        rows = [_flat(item, no_vlm=not models[item.model]["is_vlm"]) for item in items]
        frame = pd.DataFrame(rows, columns=None if rows else ["sample", "graph", "model", "repeat", "status", "scene"])
        for form in {item.row["form"] for item in items}:
            scorer = scorer_of(form)
            scored = [
                number for number, item in enumerate(items) if item.row["form"] == form and item.row.get("answer")
            ]
            columns = scorer.score(
                [items[number].row["answer"] for number in scored], [items[number].row["truth"] for number in scored]
            )
            for name, values in columns.items():
                frame[name] = pd.Series(values, index=scored, dtype=float).reindex(frame.index)
        return frame

    def rows(self) -> list[dict[str, Any]]:
        """The rows of the table, with stable keys; see `evals.reporting.summary.summarise`."""
        description = self.description()
        frame = self.frame()
        cells = cells_of(description) if description else []
        if frame.empty and (not cells or any(cell.applicable for cell in cells)):
            return []
        scorer = scorer_of(description["form"])
        if frame.empty:
            named = [name for name in ("condition", description["breakdown"], "in_reasoning", "calls") if name]
            frame = frame.reindex(columns=[*frame.columns, *named, *(metric.name for metric in scorer.metrics)])
        return summarise(frame, cells, scorer, description["breakdown"])

    def table(self, width: int = 120, detail: bool | None = None) -> str:
        """The table as text.

        Args:
            width: Characters a line; the least important columns are left out, and named, where it is too narrow.
            detail: Whether each condition is split by direction; None does so for one graph with one model.
        """
        from evals.reporting.table import render

        return render(self.rows(), {**self.description(), "accounting": self.accounting()}, width, detail)

    def compare(
        self,
        baseline: str | None = None,
        *others: RunResult,
        by: Sequence[str] = (),
        explore: bool = False,
        published: bool = False,
    ) -> Comparison:
        """Compares the graphs of this run, and of others, on the same instances.

        Args:
            baseline: Name of the graph that the others are held against; None only describes.
            others: Further runs, paired by the sample's id.
            by: Grouping keys of the data set that conditions are split by.
            explore: Whether to adjust all contrasts together by the false discovery rate.
            published: Whether rows of the papers' tables are added.

        Returns:
            The comparison; print it, or take its `rows`. See `evals.reporting.comparison.compare`.
        """
        from evals.reporting.comparison import compare

        return compare([self, *others], baseline, by, explore, published)

    def __str__(self) -> str:
        return self.table()


def cells_of(description: Mapping[str, Any]) -> list[Cell]:
    """All cells of a run's table in order: graphs, models, conditions."""
    conditions: Sequence[str] = description["conditions"] or [ALL]
    return [
        Cell(
            graph=graph,
            model=model,
            no_vlm=not about_model["is_vlm"],
            condition=condition,
            applicable=about.get("fits", True)
            and (condition == ALL or not about["conditions"] or condition in about["conditions"]),
            beyond_paper=condition in about["beyond_paper"],
        )
        for graph, about in description["graphs"].items()
        for model, about_model in description["models"].items()
        for condition in conditions
    ]


def _flat(item: StoredItem, no_vlm: bool) -> dict[str, Any]:
    row = item.row
    answer: Mapping[str, Any] = row.get("answer") or {}
    truth: Mapping[str, Any] = row.get("truth") or {}
    return {
        "sample": item.sample,
        **row["keys"],
        "graph": item.graph,
        "model": item.model,
        "no_vlm": no_vlm,
        "repeat": item.repeat,
        "status": item.status,
        "reason": row.get("reason", ""),
        "in_reasoning": item.status == "answered" and row.get("reason") == IN_REASONING,
        **{f"answer_{name}": value for name, value in answer.items()},
        **{f"truth_{name}": value for name, value in truth.items()},
        "calls": len(row["calls"]),
        "seconds": row["seconds"],
    }
