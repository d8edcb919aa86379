"""The report in a real Chromium: what it shows, how it filters, that it is reached by keyboard and fits a phone."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import evals
from evals.cli import app
from evals.report import ReportError, write_report
from evals.report.charts import bar_panels
from evals.reporting.comparison import compare
from evals.reporting.result import RunResult
from evals.running.store import Store

pytestmark = pytest.mark.browser


def opened(chromium: Any, report: Path, **options: Any) -> Any:
    page = chromium(**options)
    page.goto(report.as_uri())
    page.wait_for_selector(".card")
    page.evaluate("document.getElementById('gallery').scrollIntoView({behavior: 'instant'})")
    return page


def until(page: Any, expression: str) -> None:
    """Waits until an expression holds; the page's policy forbids what playwright itself would wait with."""
    for _ in range(100):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never came true: {expression}")


def counted(page: Any) -> int:
    return int(re.search(r"of ([\d,]+) instances", page.inner_text("#counted"))[1].replace(",", ""))  # type: ignore[index]


def choose(page: Any, name: str, label: str) -> None:
    page.select_option(f"#filter-{name}", label=label)


def lines_of(markdown: str) -> list[list[str]]:
    """The cells of a Markdown table, line by line, without the line beneath the head."""
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    cells = [[cell.strip().replace("\\", "") for cell in line.split("|")[1:-1]] for line in lines]
    return [cells[0], *cells[2:]]


def cells_of(page: Any, place: str) -> list[list[str]]:
    """The cells of the page's table in a place, line by line."""
    cells: list[list[str]] = page.eval_on_selector_all(
        f"{place} .numbers tr", "rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim()))"
    )
    return cells


def test_every_number_of_the_tables_is_one_of_compare(chromium: Any, run: RunResult, report: Path) -> None:
    shown = CliRunner().invoke(
        app, ["compare", str(run.folder), "--baseline", "basic", "--by", "direction", "--format", "json"]
    )
    page = opened(chromium, report)
    assert json.loads(page.text_content("#comparison-json")) == json.loads(shown.stdout)
    whole = CliRunner().invoke(app, ["compare", str(run.folder), "--baseline", "basic", "--format", "md"])
    assert cells_of(page, "#comparison > .scroll") == lines_of(whole.stdout)
    split = CliRunner().invoke(
        app, ["compare", str(run.folder), "--baseline", "basic", "--by", "direction", "--format", "md"]
    )
    page.click("summary")
    assert cells_of(page, "details") == lines_of(split.stdout)
    assert page.eval_on_selector_all("#comparison .notes li", "notes => notes.length") > 3


def test_every_number_of_the_bars_is_one_of_compare(chromium: Any, run: RunResult, report: Path) -> None:
    rows = compare([run], "basic", by=["direction"]).rows
    page = opened(chromium, report)
    bars = page.eval_on_selector_all(
        ".bars .value", "cells => cells.map(cell => [Number(cell.dataset.row), cell.innerText])"
    )
    assert {row for row, _ in bars} == {place for place, row in enumerate(rows) if row["applicable"]}
    for place, text in bars:
        row = rows[place]
        if row["mean_low"] is None:
            assert text == ("–" if row["mean"] is None else f"{row['mean']:.3f}")
        else:
            assert text == f"{row['mean']:z.3f} [{row['mean_low']:z.3f}, {row['mean_high']:z.3f}]"


def test_bars_are_as_long_as_their_means(run: RunResult) -> None:
    comparison = compare([run], "basic", by=["direction"])
    bars = [
        bar
        for panel in bar_panels(comparison, "direction", ["basic", "s_cot", "o_plot"])
        for group in panel.groups.values()
        for bar in group
        if bar.mean
    ]
    ratios = {round(comparison.rows[bar.row]["mean"] / bar.mean, 3) for bar in bars}  # type: ignore[operator]
    assert len(ratios) == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_it_fits_the_width_and_says_nothing_to_the_console(
    width: int, scheme: str, chromium: Any, report: Path
) -> None:
    page = chromium(width=width, scheme=scheme)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(report.as_uri())
    page.wait_for_selector(".card")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.click(".card .open")
    page.wait_for_selector(".answer")
    assert page.evaluate("document.querySelector('dialog').scrollWidth") <= width
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", ground)[:3])) > 382) == (scheme == "light")
    assert said == []


def test_filters_combine(chromium: Any, run: RunResult, report: Path) -> None:
    frame = run.frame()
    page = opened(chromium, report)
    assert counted(page) == frame["sample"].nunique()
    choose(page, "key0", "stated")
    choose(page, "key1", "left")
    choose(page, "graph", "s_cot")
    choose(page, "status", "unreadable")
    wanted = frame[
        (frame["condition"] == "stated")
        & (frame["direction"] == "left")
        & (frame["graph"] == "s_cot")
        & (frame["status"] == "unreadable")
    ]
    assert counted(page) == len(wanted)
    choose(page, "status", "all")
    choose(page, "graph", "all")
    page.fill("#filter-search", "zzz nothing")
    until(page, "document.getElementById('counted').textContent.includes('0 of 0')")


def test_the_worst_come_first_and_so_does_the_biggest_disagreement(chromium: Any, run: RunResult, report: Path) -> None:
    frame = run.frame()
    scores = frame[frame["status"] == "answered"].pivot(index="sample", columns="graph", values="l2")
    page = opened(chromium, report)
    choose(page, "status", "answered")
    choose(page, "graph", "basic")
    first = float(page.text_content(".card .results td:last-child"))
    assert first == pytest.approx(scores["basic"].max(), abs=6e-4)
    choose(page, "order", "best first")
    assert float(page.text_content(".card .results td:last-child")) == pytest.approx(scores["basic"].min(), abs=6e-4)
    choose(page, "graph", "all")
    choose(page, "order", "biggest disagreement first")
    texts = page.eval_on_selector_all(
        ".card",
        "cards => cards.map(card => [...card.querySelectorAll('.results td:last-child')].map(td => td.textContent))",
    )
    worst = math.sqrt(2)  # An answer that cannot be read disagrees as much as the worst; a failed item not at all.
    counted = [[float(text) if text[0].isdigit() else worst for text in card if text != "failed"] for card in texts]
    spreads = [max(card) - min(card) for card in counted]
    assert spreads == sorted(spreads, reverse=True) or max(np.diff(spreads)) <= 1.1e-3  # Shown with three decimals.
    bad = frame[frame["status"] != "failed"].assign(l2=lambda rows: rows["l2"].fillna(worst)).groupby("sample")["l2"]
    seen = frame[frame["status"] == "answered"]["sample"].unique()
    assert spreads[0] == pytest.approx((bad.max() - bad.min())[seen].max(), abs=2e-3)


def test_a_card_shows_the_chosen_frames_with_truth_and_every_prediction(
    chromium: Any, run: RunResult, report: Path
) -> None:
    page = opened(chromium, report)
    choose(page, "order", "as in the data")
    first = run.items()[0].sample
    answered = [item for item in run.items() if item.sample == first and item.status == "answered"]
    card = page.query_selector(".card")
    frames = card.eval_on_selector_all(".view .frame", "labels => labels.map(label => label.title)")
    assert sorted(frames) == sorted({item.row["answer"]["frame"] for item in answered})
    until(
        page, "[...document.querySelector('.card').querySelectorAll('img')].every(picture => picture.naturalWidth > 0)"
    )
    letters = "".join(card.eval_on_selector_all(".view .letter", "all => all.map(one => one.textContent)"))
    assert sorted(letters) == sorted("ABC"[["basic", "s_cot", "o_plot"].index(item.graph)] for item in answered)
    x, y = card.eval_on_selector_all(".truth", "all => [all[0].getAttribute('cx'), all[0].getAttribute('cy')]")
    shown = next(item for item in answered if item.row["answer"]["frame"] == frames[0])
    assert float(x.rstrip("%")) == pytest.approx(100 * shown.row["truth"]["x"], abs=0.02)
    assert float(y.rstrip("%")) == pytest.approx(100 * shown.row["truth"]["y"], abs=0.02)


def test_everything_is_reached_by_keyboard(chromium: Any, report: Path) -> None:
    page = opened(chromium, report)
    page.focus("#filter-search")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "open"
    first = page.evaluate("document.activeElement.innerText")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open] .answer pre")
    assert page.inner_text("#dialog-title") == first
    page.keyboard.press("ArrowRight")
    until(page, f"document.getElementById('dialog-title').innerText !== {json.dumps(first)}")
    page.keyboard.press("Escape")
    assert page.query_selector("dialog[open]") is None
    assert page.evaluate("[...document.querySelectorAll('.open')].indexOf(document.activeElement)") == 1
    page.focus("#more")
    page.keyboard.press("Enter")
    assert page.evaluate("[...document.querySelectorAll('.open')].indexOf(document.activeElement)") == 24


def test_arrow_keys_and_buttons_of_an_opened_instance_go_on_and_on(chromium: Any, report: Path) -> None:
    page = opened(chromium, report)
    titles = page.eval_on_selector_all(".card .open", "buttons => buttons.map(button => button.innerText)")
    page.focus(".card .open")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open] .answer")

    def shown(place: int) -> None:
        until(page, f"document.getElementById('dialog-title').innerText === {json.dumps(titles[place])}")
        assert page.evaluate("document.getElementById('dialog').contains(document.activeElement)")

    for place in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        shown(place)
    page.keyboard.press("ArrowLeft")
    shown(2)
    page.focus("[aria-label='Next instance']")
    for place in (3, 4):
        page.keyboard.press("Enter")
        shown(place)
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Next instance"
    page.focus("[aria-label='Previous instance']")
    for place in (3, 2, 1, 0):
        page.keyboard.press("Enter")
        shown(place)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Close"
    page.keyboard.press("ArrowRight")
    shown(1)


def test_maps_of_errors_say_of_whom_they_are_in_the_order_of_the_table(chromium: Any, tmp_path: Path) -> None:
    """Models in the order in which they were asked for; every one of them here is none that sees."""
    models = ["random", "anchor", "center"]
    result = evals.run("basic", model=models, limit=2, repeats=2, out=tmp_path / "run", progress=False)
    page = opened(chromium, write_report(result, tmp_path / "report.html").file)
    captions = page.eval_on_selector_all("figcaption .model", "all => all.map(one => one.innerText)")
    assert captions == [f"{model} (no VLM)" for model in models]
    rows = page.eval_on_selector_all("#comparison .numbers th.model", "all => all.map(one => one.innerText)")
    assert captions == rows[: len(models)]
    assert "All conditions fall into one map." in page.inner_text("#errors .hint")
    told = page.inner_text(".card .results td:last-child")
    assert re.fullmatch(r"repeats: \d\.\d{3}, \d\.\d{3}", told)


def test_long_names_without_a_place_to_break_fit_a_phone(chromium: Any, tmp_path: Path) -> None:
    from evals.exchange import ImportOptions, import_log

    name = "a" * 75
    rows = [
        {"doc_id": number, "doc": {"scene": f"{number % 4}", "condition": name}, "resps": [["A"]], "acc": number % 2}
        for number in range(8)
    ]
    log = tmp_path / "model" / "1_samples_sides.jsonl"
    log.parent.mkdir()
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_log(log, "lmms-eval", tmp_path / "run", ImportOptions(graph="g" * 75, model="m" * 75))
    with Store.create(tmp_path / "run") as store:
        store.set("description", {**store.get("description"), "breakdown": "condition"})
    page = chromium(width=400)
    page.goto(write_report(RunResult(tmp_path / "run"), tmp_path / "report.html").file.as_uri())
    page.wait_for_selector(".card")
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_the_tables_are_there_without_javascript(chromium: Any, report: Path) -> None:
    text = report.read_text("utf-8")
    assert text.index('class="numbers"') < text.index("<script")


def test_a_small_limit_is_kept_and_what_was_left_out_is_written(run: RunResult, tmp_path: Path) -> None:
    from evals.datasets import open_dataset

    written = write_report(run, tmp_path / "small.html", open_dataset(None), limit=600_000)
    assert written.bytes < 600_000
    assert any("left out for size" in note for note in written.notes)
    assert "left out for size" in written.file.read_text("utf-8")


def test_without_the_data_it_says_what_is_missing(chromium: Any, run: RunResult, tmp_path: Path) -> None:
    written = write_report(run, tmp_path / "bare.html")
    assert any("--data FOLDER" in note for note in written.notes)
    page = opened(chromium, written.file)
    assert page.text_content(".card .blank") == "no picture"
    assert page.query_selector(".card .letter") is not None


def test_imported_scores_make_a_report_too(chromium: Any, tmp_path: Path) -> None:
    from evals.exchange import ImportOptions, import_log

    rows = [
        {"doc_id": number, "doc": {"room": f"room {number % 4}"}, "resps": [["A"]], "acc": number % 2}
        for number in range(8)
    ]
    log = tmp_path / "model" / "1_samples_sides.jsonl"
    log.parent.mkdir()
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_log(log, "lmms-eval", tmp_path / "run", ImportOptions(scene="room"))
    page = opened(chromium, write_report(RunResult(tmp_path / "run"), tmp_path / "run" / "report.html").file)
    assert counted(page) == 8
    assert page.inner_text(".bars .value").startswith("0.500")
    assert "higher is taken to be better" in page.inner_text("#comparison .notes")


def test_an_empty_run_is_refused_in_a_line(tmp_path: Path) -> None:
    with Store.create(tmp_path / "run") as store:
        store.set("description", {"graphs": {}, "models": {}, "breakdown": None})
    with pytest.raises(ReportError, match="no item has ended yet"):
        write_report(RunResult(tmp_path / "run"), tmp_path / "report.html")
