"""Nothing that a model, a dataset or a user's names hold can run in the report or ask for anything."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evals.datasets import open_dataset
from evals.report import write_report
from evals.reporting.result import RunResult
from evals.running.keys import WrittenRequest
from evals.running.store import Effort, Store, StoredItem
from evals.sample import Sample

pytestmark = pytest.mark.browser

ATTACKS = (
    "<script>window.ran = 1</script>",
    "</script><script>window.ran = 1</script>",
    "</SCRIPT ><script>window.ran=1</script>",
    "<!--<script>",
    "--></script><img src=x onerror=window.ran=1>",
    '"><img src=x onerror="window.ran=1">',
    "'><svg onload=window.ran=1>",
    "<svg><script>window.ran=1</script></svg>",
    "<img src='http://127.0.0.1:9/pixel.png'>",
    "<iframe src='javascript:parent.ran=1'></iframe>",
    "<a href='javascript:window.ran=1'>x</a>",
    "<style>@import 'http://127.0.0.1:9/a.css'; body{background:url(http://127.0.0.1:9/b.png)}</style>",
    "<link rel=stylesheet href=http://127.0.0.1:9/c.css><meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>",
    "<base href='http://127.0.0.1:9/'><form action='http://127.0.0.1:9/'><input autofocus onfocus=window.ran=1>",
    "<body onload=window.ran=1><details open ontoggle=window.ran=1>",
    "<math><mtext><table><mglyph><style><img src=x onerror=window.ran=1>",
    "{{ 7 * 7 }}{% raw %}{{ config }}",
    "${window.ran = 1}`;window.ran=1;//",
    "\\u003cscript>window.ran=1</script>",
    "];window.ran=1;[\u2028\u2029",
    "\ud800 lone surrogate \x00 null \x1b[31m",
    "\u202egnp.exe\u202c",
    "__proto__",
    "constructor",
)


class HostileData:
    """The built-in houses with an attack in every sentence, their samples under the run's own ids."""

    def __init__(self, samples: list[Sample]) -> None:
        self.listed = samples
        self.name, self.conditions, self.breakdown, self.problems = "x", (), None, ()

    def samples(self) -> Iterator[Sample]:
        return iter(self.listed)

    def truth_for(self, sample_id: str, answer: Any) -> Any:
        raise NotImplementedError


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a run whose ids, keys, names, findings, checks, reasons and replies are all attacks."""
    folder = tmp_path_factory.mktemp("hostile") / "<img src=x onerror=window.ran=1>"
    real = next(open_dataset(None).samples())
    graphs, models = ["basic", *ATTACKS[:4]], [ATTACKS[5], "__proto__"]
    samples = []
    with Store.create(folder) as store:
        settings = {"dataset": ATTACKS[0], "reading": ATTACKS[1]}
        description = {
            "dataset": ATTACKS[1],
            "form": "frame_point",
            "breakdown": "direction",
            "conditions": list(ATTACKS[:3]),
            "graphs": {name: {"conditions": [], "beyond_paper": []} for name in graphs},
            "models": {name: {"is_vlm": True} for name in models},
            "faults": 0,
            "settings": settings,
            "imported": [{"from": "inspect", "file": ATTACKS[1]}],
            "remarks": list(ATTACKS),
        }
        store.set("description", description)
        for number, attack in enumerate(ATTACKS):
            # Neither SQLite nor Arrow takes lone surrogates; in findings and replies, which are JSON, they can stand.
            whole = attack.encode(errors="ignore").decode()
            sample = f"{number} {whole}"
            keys = {"scene": whole, "condition": ATTACKS[number % 3], "direction": ATTACKS[number % 5]}
            samples.append(
                replace(
                    real, id=sample, situation=replace(real.situation, question=attack), keys=keys, digest=str(number)
                )
            )
            for graph in graphs:
                for model in models:
                    store.save_item(item(sample, graph, model, keys, attack, number, store), 0.0)
    return write_report(RunResult(folder), folder / "report.html", HostileData(samples)).file  # type: ignore[arg-type]


def item(
    sample: str, graph: str, model: str, keys: dict[str, str], attack: str, number: int, store: Store
) -> StoredItem:
    key = f"{sample}{graph}{model}"
    whole = keys["scene"]
    reply = {"text": attack, "reasoning": attack, "finish_reason": attack, "usage": {}, "seconds": 0.0, "cost": None}
    store.save_call(key, model, WrittenRequest("[]", "null", {"steps": [attack]}), reply, Effort(), 0.0)
    answered = number % 3 != 0
    row = {
        "keys": keys,
        "form": "frame_point",
        "digest": str(number),
        "answer": {"frame": whole, "x": 0.5, "y": 0.5} if answered else None,
        "truth": {"x": 0.4, "y": 0.4, "in_frame": True, "frame_correct": None, "note": whole} if answered else None,
        "reason": whole,
        "findings": {},
        "events": [
            {
                "step": attack,
                "attempt": 1,
                "source": "given",
                "status": "answered",
                "finding": {attack: attack, "nested": [attack, {attack: [attack]}]},
                "reason": attack,
            },
            {"step": "x", "attempt": 0, "source": "model", "status": attack, "finding": None, "reason": attack},
        ],
        "checks": [{"name": attack, "passed": False, "why": attack}],
        "calls": [key],
        "seconds": 0.1,
    }
    return StoredItem(sample, graph, model, 0, key, "answered" if answered else whole, row)


def test_nothing_runs_and_nothing_is_requested(hostile: Path, chromium: Any) -> None:
    page = chromium()
    requested: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.goto(hostile.as_uri())
    page.wait_for_selector(".card")
    while page.is_visible("#more"):
        page.click("#more")
    for place in range(len(ATTACKS)):
        page.evaluate(f"document.querySelectorAll('.open')[{2 * place}].click()")
        page.wait_for_selector("dialog[open] .answer pre")
        page.keyboard.press("Escape")
    for control in page.query_selector_all("select"):
        for option in control.query_selector_all("option"):
            control.select_option(option.get_attribute("value"))
    page.wait_for_timeout(200)
    assert page.evaluate("window.ran") is None
    assert said == []
    assert [url for url in requested if not url.startswith("data:image/webp;")] == [page.url]
    assert set(page.evaluate("[...document.querySelectorAll('script')].map(script => script.type)")) == {
        "application/json",
        "text/plain",
        "",
    }
    foreign = (
        "iframe, link, base, object, embed, math, form:not(#filters), style ~ style, img:not([src^='data:image/webp'])"
    )
    assert page.query_selector_all(foreign) == []


def test_attacks_are_shown_as_the_text_that_they_are(hostile: Path, chromium: Any) -> None:
    page = chromium()
    page.goto(hostile.as_uri())
    page.wait_for_selector(".card")
    page.select_option("#filter-order", "data")
    shown = page.eval_on_selector_all(".card .open", "all => all.map(one => one.textContent)")
    assert ATTACKS[0] in shown
    page.click(".card .open")
    page.wait_for_selector("dialog[open] .answer pre")
    title = page.text_content("#dialog-title")
    assert title == page.text_content("dialog pre")
    assert title in ATTACKS


def test_the_policy_forbids_everything_but_the_page_itself(hostile: Path) -> None:
    text = hostile.read_text("utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    rules = dict(rule.split(" ", 1) for rule in policy[1].split("; "))
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in policy[1]
    assert text.index("Content-Security-Policy") < text.index("<title>")


def test_an_inline_script_that_is_not_the_page_s_own_would_not_run(
    hostile: Path, tmp_path: Path, chromium: Any
) -> None:
    opened = tmp_path / "injected.html"
    opened.write_text(
        hostile.read_text("utf-8").replace("</header>", "<script>window.ran = 1</script></header>", 1), "utf-8"
    )
    page = chromium()
    page.goto(opened.as_uri())
    page.wait_for_selector(".card")
    assert page.evaluate("window.ran") is None


def test_the_data_scripts_are_plain_json(hostile: Path) -> None:
    text = hostile.read_text("utf-8")
    for name in ("index", "comparison-json"):
        content = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', text, re.DOTALL)
        assert content is not None
        assert "<" not in content[1]
        json.loads(content[1])
