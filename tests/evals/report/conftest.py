"""Chromium without a network, and a run whose every text is hostile."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import evals
from agents.model import OutsideFailure, Reply, Request
from evals.datasets import open_dataset
from evals.report import write_report
from evals.reporting.result import RunResult

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium with a profile of its own, which playwright makes and removes.

    It ends with its module: while it lives an event loop runs, and tests that are coroutines could not.
    """
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed (pip install 'situate[browser]')"
    )
    executable = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if executable is None:
        pytest.skip("no Chromium is installed (apt-get install chromium, or name one in CHROMIUM)")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def chromium(browser: Any) -> Iterator[Any]:
    """A function that opens an empty page: (width, scheme) -> page."""
    contexts: list[Any] = []

    def open_page(width: int = 1280, scheme: str = "light") -> Any:
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme))
        return contexts[-1].new_page()

    yield open_page
    for context in contexts:
        context.close()


class Guesser:
    """Answers by the request's text; one in nine with prose, and one in thirteen not at all."""

    name = "maker/guesser"
    identity = "guesser"
    is_vlm = True

    async def reply(self, request: Request) -> Reply:
        number = sum(request.text.encode())
        if number % 13 == 0:
            raise OutsideFailure("429 too many requests")
        if number % 9 == 0:
            return Reply("I cannot tell.")
        frame = "" if request.purpose.view.bound_to is not None else f'"selected_image": {number % 5}, '
        return Reply(f'The lamp. {{{frame}"x": {number % 512}, "y": {number % 499}}}')


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunResult:
    folder = tmp_path_factory.mktemp("report") / "night"
    evals.run(["basic", "s_cot", "o_plot"], model=Guesser(), out=folder, progress=False)
    return RunResult(folder)


@pytest.fixture(scope="session")
def report(run: RunResult) -> Path:
    return write_report(run, run.folder / "report.html", open_dataset(None)).file
