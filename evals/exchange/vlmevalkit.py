"""VLMEvalKit: its result tables, one row a question."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.exchange._matching import Matcher, as_recorded, assembled, finite, numbered, read_again, recorded, unanswered
from evals.exchange_format import ExchangeError, ExchangeFormat, ImportedItem, ImportedLog, ImportOptions

if TYPE_CHECKING:
    import pandas as pd

_SCORES = ("hit", "score")
"""Columns in which its evaluation leaves the score of a question."""

_CONTENT = ("question", "hint", "answer")
_OPTION = re.compile("[A-Z]")
"""Columns that make up a question: its options stand in columns named by their letters."""

_AS_TEXT = {"index": str}
_FORMULAS_ARE_TEXT = {"data_only": False}
"""A reply that begins with = was written as a formula, and nobody has worked it out."""
_WHOLE = re.compile(r"(?<=\d)\.0+$")
"""What a table adds to whole numbers where one of their column is missing."""

_NO_KEYS = ("index", "question", "prediction", "answer", "image", "image_path", "hint", "log", "res", *_SCORES)


def _read(path: Path, options: ImportOptions) -> ImportedLog:
    if path.is_dir():
        raise ExchangeError(f"{path}: is a folder; give one result table of it")
    rows = _rows(path)
    missing = ["pictures, prompts, findings, tokens and seconds stand in no table of VLMEvalKit"]
    model, dataset = _names(path, options)
    graph = options.graph or "vlmevalkit"
    if dataset == path.stem.removesuffix("_result"):
        missing.append(
            f"the table's name does not begin with the model's, so all of it names the data, {dataset}; questions of "
            "tables that begin otherwise are not paired with these"
        )
    if options.data is not None:
        matcher = Matcher(options.data)
        items = []
        for row in rows:
            sample = matcher.find(str(row["index"]), row)
            if sample is not None:
                items.append(
                    read_again(sample, options, graph, model, _text(row, "prediction"), _text(row, "question"))
                )
        return assembled(matcher, numbered(items), missing)
    score = _score_column(rows, options.metric, path)
    taken = (_item(row, f"{dataset}/{row['index']}", score, graph, model, options.scene) for row in rows)
    return as_recorded(dataset, numbered(taken), missing, score)


def _rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a table; pickles are refused, since reading one runs what it says."""
    import pandas as pd

    try:
        table = _table(path, pd)
    except ExchangeError:
        raise
    except (OSError, ValueError, KeyError, pd.errors.ParserError) as error:
        raise ExchangeError(f"{path}: cannot be read as a table ({error}); give VLMEvalKit's result table") from None
    if not {"index", "prediction"} <= set(table.columns):
        raise ExchangeError(f"{path}: has no columns index and prediction; give VLMEvalKit's result table")
    rows: list[dict[str, Any]] = json.loads(table.to_json(orient="records"))
    for number, row in enumerate(rows, start=1):
        row["index"] = _WHOLE.sub("", _text(row, "index").strip())
        if not row["index"]:
            raise ExchangeError(f"{path}: row {number} has no index; give the table as VLMEvalKit wrote it")
    return rows


def _table(path: Path, pandas: Any) -> pd.DataFrame:
    match path.suffix.lower():
        case ".tsv":
            table = pandas.read_csv(path, sep="\t", dtype=_AS_TEXT)
        case ".csv":
            table = pandas.read_csv(path, dtype=_AS_TEXT)
        case ".json":
            table = pandas.DataFrame(json.loads(path.read_text(encoding="utf-8")), dtype=object)
        case ".xlsx":
            try:
                table = pandas.read_excel(path, engine="openpyxl", dtype=_AS_TEXT, engine_kwargs=_FORMULAS_ARE_TEXT)
            except ImportError:
                raise ExchangeError(f"{path}: reading xlsx needs openpyxl: pip install 'situate[excel]'") from None
        case suffix:
            known = ".xlsx, .tsv, .csv or .json"
            raise ExchangeError(f"{path}: tables of the kind {suffix!r} are not read; give one as {known}")
    return table  # type: ignore[no-any-return]


def _names(path: Path, options: ImportOptions) -> tuple[str, str]:
    """Model and dataset of a table, which VLMEvalKit puts into its name with an underscore between them."""
    stem = path.stem.removesuffix("_result")
    for model in (options.model, *(parent.name for parent in path.resolve().parents[:2])):
        if model and stem.startswith(f"{model}_"):
            return options.model or model, stem.removeprefix(f"{model}_")
    if options.model:
        return options.model, stem
    raise ExchangeError(f"{path}: its name does not tell the model from the dataset; give --model NAME")


def _score_column(rows: Sequence[Mapping[str, Any]], wanted: str | None, path: Path) -> str:
    columns = list(rows[0]) if rows else []
    for name in (wanted,) if wanted else _SCORES:
        if name in columns and any(finite(row[name]) is not None for row in rows):
            return name
    cure = f"it has {', '.join(columns)}" if wanted else "give the table that its evaluation wrote, or --metric COLUMN"
    raise ExchangeError(f"{path}: has no column {wanted or ' or '.join(_SCORES)} with numbers; {cure}")


def _item(row: Mapping[str, Any], name: str, score: str, graph: str, model: str, scene: str | None) -> ImportedItem:
    fields = {column: value for column, value in row.items() if column not in _NO_KEYS}
    asked = [column for column in row if column in _CONTENT or _OPTION.fullmatch(column)]
    content = {column: _WHOLE.sub("", _text(row, column)) for column in asked}
    item = recorded(name, graph, model, finite(row.get(score)), fields, scene, content or None)
    truth = None if item.answer is None else {"target": _text(row, "answer")}
    item = replace(item, truth=truth, prompt=_text(row, "question"), reply=_text(row, "prediction"))
    # Its evaluation guesses an option where there is no prediction.
    return item if item.reply.strip() else unanswered(item, "empty", "the prediction is empty")


def _text(row: Mapping[str, Any], column: str) -> str:
    value = row.get(column)
    return "" if value is None else str(value)


vlmevalkit = ExchangeFormat("vlmevalkit", "result tables of VLMEvalKit (xlsx, tsv, csv, json)", read=_read)
