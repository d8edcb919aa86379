"""CSV and Parquet: every item, with the values that the run holds."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from evals.exchange import ExchangeError, export_run
from evals.reporting.result import RunResult


def test_csv_holds_every_item(run: RunResult, out: Path) -> None:
    export_run(run, "csv", out)
    table = pd.read_csv(out)
    assert len(table) == len(run.items())
    assert table["l2"].mean() == pytest.approx(run.frame()["l2"].mean(), abs=1e-12)
    assert set(table["status"]) == {"answered", "unreadable", "failed"}


def test_only_a_graph_and_a_model_can_be_exported(run: RunResult, out: Path) -> None:
    export_run(run, "csv", out, graph="s_cot", model="moody")
    table = pd.read_csv(out)
    assert set(table["graph"]) == {"s_cot"}
    assert set(table["model"]) == {"moody"}


def test_parquet_keeps_values_and_types(run: RunResult, out: Path) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed (pip install 'situate[parquet]')")
    export_run(run, "parquet", out)
    table = pd.read_parquet(out)
    pd.testing.assert_series_equal(table["l2"], run.frame()["l2"])
    assert table["repeat"].dtype.kind == "i"


def test_parquet_without_pyarrow_names_the_command_that_installs_it(
    run: RunResult, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evals.exchange.parquet.find_spec", lambda name: None)
    with pytest.raises(ExchangeError, match=r"pip install 'situate\[parquet\]'"):
        export_run(run, "parquet", out)


def test_nothing_is_written_over(run: RunResult, out: Path) -> None:
    out.write_text("mine")
    with pytest.raises(ExchangeError, match="is there already"):
        export_run(run, "csv", out)
    assert out.read_text() == "mine"


def test_an_unknown_graph_is_refused(run: RunResult, out: Path) -> None:
    with pytest.raises(ExchangeError, match="holds no such item"):
        export_run(run, "csv", out, graph="nothing")


def test_a_format_that_only_comes_in_is_refused_with_those_that_go_out(run: RunResult, out: Path) -> None:
    with pytest.raises(ExchangeError, match="csv, inspect, parquet, povbench"):
        export_run(run, "lmms-eval", out)
