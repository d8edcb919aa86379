"""Runs the command line in this process, as its entry point does, on copies of the golden data set."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evals.cli import main

GOLDEN = Path(__file__).parents[2] / "golden" / "povbench"
HOUSE = "train_house_05305"


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> list[str]:
        """The lines on standard error."""
        return self.err.splitlines()

    @property
    def json(self) -> Any:
        return json.loads(self.out, parse_constant=pytest.fail)


Command = Callable[..., Ended]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Runs `evals` with arguments, in a folder of its own."""

    def run(*arguments: object) -> Ended:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["evals", *map(str, arguments)])
        capsys.readouterr()
        try:
            main()
            code = 0
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        printed = capsys.readouterr()
        return Ended(code, printed.out, printed.err)

    return run


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A copy of the golden data set: 26 instances a condition, 12 of them in the house that tests break."""
    return Path(shutil.copytree(GOLDEN / "dataset", tmp_path / "POVBench"))


@pytest.fixture
def house(data: Path) -> Path:
    return data / "artifacts" / HOUSE


def change(file: Path, how: Callable[[Any], object]) -> None:
    content = json.loads(file.read_text())
    how(content)
    file.write_text(json.dumps(content))
