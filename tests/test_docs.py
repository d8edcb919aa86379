"""The Python of docs/datasets.md and docs/forms.md runs as it stands, and the files that the docs name exist."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import evals

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def python_of(document: str) -> list[str]:
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def imported(code, file, monkeypatch):
    file.write_text(code)
    monkeypatch.syspath_prepend(file.parent)
    return importlib.import_module(file.stem)


def test_dataset_of_the_docs_is_run_and_scored(tmp_path, monkeypatch):
    (code,) = python_of("datasets.md")
    module = imported(code, tmp_path / "my_benchmark.py", monkeypatch)
    rows = []
    for number, room in enumerate(["kitchen", "kitchen", "hall"]):
        Image.fromarray(np.full((40, 60, 3), 40 * number, np.uint8)).save(tmp_path / f"{number}.png")
        rows.append({"id": f"{room}/{number}", "room": room, "picture": f"{number}.png", "question": "Left.", "x": 0.5})
    (tmp_path / "my_layout.json").write_text(json.dumps([{**row, "y": 0.8} for row in rows]))
    assert module.my_benchmark.recognises(tmp_path)
    opened = module.my_benchmark.open(tmp_path)
    (row,) = evals.run("basic", data=opened, model="center", out=tmp_path / "run", progress=False).rows()
    assert (row["n"], row["answered"], row["scenes"]) == (3, 3, 2)
    # The middle of the picture is 0.3 above each target.
    assert row["l2"] == pytest.approx(0.3)


def test_forms_and_scorer_of_the_docs_run(tmp_path, monkeypatch):
    module = imported("\n".join(python_of("forms.md")), tmp_path / "my_forms.py", monkeypatch)
    choice = module.Choice({"A": "the sofa", "B": "the desk"})
    assert choice.answer_model().model_validate({"answer": "B"}).answer == "B"
    box = module.Box3D().answer_model()
    assert box.model_validate({"center": [0, 0, 0], "size": [1, 1, 1], "rotation": [0, 90, 0]})
    scored = module.choice.score([{"answer": "A"}, {"answer": "B"}], [{"answer": "A"}, {"answer": "A"}])
    assert scored["correct"].tolist() == [1.0, 0.0]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_files_that_a_document_names_exist(document):
    folders = "docs|tests|evals|agents|graphs|prompts|benchmarks|scripts"
    named = re.findall(rf"`((?:{folders})/[\w./-]+)`", document.read_text())
    assert [name for name in named if not (ROOT / name).exists()] == []
