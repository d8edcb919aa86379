"""Parquet: the same table as CSV with its types kept."""

from __future__ import annotations

from importlib.util import find_spec

from evals.exchange.csv import NOT_A_TABLE
from evals.exchange_format import ExchangeError, ExchangeFormat, Export, Exported


def _write(export: Export) -> Exported:
    if find_spec("pyarrow") is None:
        raise ExchangeError("--to parquet needs pyarrow: pip install 'situate[parquet]'")
    frame = export.result.frame()
    chosen = {(item.sample, item.graph, item.model, item.repeat) for item in export.items}
    places = zip(frame["sample"], frame["graph"], frame["model"], frame["repeat"], strict=True)
    frame[[place in chosen for place in places]].to_parquet(export.out, engine="pyarrow", index=False)
    return Exported((export.out,), NOT_A_TABLE)


parquet = ExchangeFormat("parquet", "the same table as csv with its types kept", "items.parquet", write=_write)
