"""CSV: one row an item and repeat."""

from __future__ import annotations

from evals.exchange_format import ExchangeFormat, Export, Exported
from evals.reporting.text import counted

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of texts that a spreadsheet works out instead of showing them."""

NOT_A_TABLE = ("prompts, pictures, replies and findings do not fit a table; --to inspect holds the texts",)


def _write(export: Export) -> Exported:
    frame = export.result.frame()
    chosen = {(item.sample, item.graph, item.model, item.repeat) for item in export.items}
    places = zip(frame["sample"], frame["graph"], frame["model"], frame["repeat"], strict=True)
    table = frame[[place in chosen for place in places]]
    table.to_csv(export.out, index=False, lineterminator="\n")
    texts = {cell for name in table.columns for cell in table[name] if isinstance(cell, str)}
    formulas = sum(text.startswith(_FORMULA) for text in texts)
    told = f"{counted(formulas, 'text')} that a spreadsheet takes for a formula: open the file as text"
    return Exported((export.out,), (*NOT_A_TABLE, *([told] if formulas else [])))


csv = ExchangeFormat("csv", "one row an item and repeat, for spreadsheets", "items.csv", write=_write)
