"""CSV: one row an item and repeat."""

from __future__ import annotations

from evals.exchange_format import ExchangeFormat, Export, Exported

NOT_A_TABLE = ("prompts, pictures, replies and findings do not fit a table; --to inspect holds the texts",)


def _write(export: Export) -> Exported:
    frame = export.result.frame()
    chosen = {(item.sample, item.graph, item.model, item.repeat) for item in export.items}
    places = zip(frame["sample"], frame["graph"], frame["model"], frame["repeat"], strict=True)
    frame[[place in chosen for place in places]].to_csv(export.out, index=False, lineterminator="\n")
    return Exported((export.out,), NOT_A_TABLE)


csv = ExchangeFormat("csv", "one row an item and repeat, for spreadsheets", "items.csv", write=_write)
