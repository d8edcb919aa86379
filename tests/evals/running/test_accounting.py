"""What a run took is added up from the store: by run, graph and model, over all sessions."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

import evals
from agents.model import OutsideFailure, Reply, Request, Usage
from evals.commands.output import Format, print_result
from evals.models._guess import Guesser
from evals.running.limits import Limits
from evals.running.runner import Interrupted

GOOD = '{"selected_image": 0, "x": 256, "y": 256}'
USAGE = Usage(input_tokens=1000, cached_tokens=600, output_tokens=20, reasoning_tokens=5)


@dataclass
class Priced:
    """Answers with known tokens; `cost` is the price of a call, None where it is not known."""

    name: str = "priced"
    cost: float | None = 0.25
    usage: Usage = USAGE
    failing: int = 0
    is_vlm: bool = True
    asked: list[Request] = field(default_factory=list)

    @property
    def identity(self) -> str:
        return self.name

    async def reply(self, request: Request) -> Reply:
        self.asked.append(request)
        if len(self.asked) <= self.failing:
            raise OutsideFailure("try again", kind="server")
        return Reply(GOOD, usage=self.usage, cost=self.cost, seconds=0.0)


def run(folder: Path, *models: Any, graph: object = "basic", **options: Any) -> evals.RunResult:
    plan = {"limit": 4, "conditions": ["inferred"], "concurrency": 1, "limits": Limits(backoff=0.001), **options}
    return evals.run(graph, model=list(models), out=folder, progress=False, **plan)


def part(sums: Mapping[str, Any], *names: str) -> tuple[Any, ...]:
    return tuple(sums[name] for name in names)


def test_tokens_cost_and_retries_are_added_up(tmp_path: Path) -> None:
    result = run(tmp_path / "run", Priced(failing=2))
    sums = result.accounting()["run"]
    assert part(sums, "calls", "retries", "failed_calls") == (4, 2, 0)
    assert part(sums, "input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens") == (4000, 2400, 80, 20)
    assert part(sums, "cost", "calls_without_price", "calls_without_usage") == (1.0, 0, 0)
    assert sums["seconds_worked"] >= 0


def test_sums_survive_a_resume_and_nothing_is_counted_twice(tmp_path: Path) -> None:
    run(tmp_path / "run", Priced(), limit=2)
    again = Priced()
    result = run(tmp_path / "run", again, limit=4)
    assert len(again.asked) == 2
    assert part(result.accounting()["run"], "calls", "input_tokens", "cost") == (4, 4000, 1.0)
    assert run(tmp_path / "run", again, limit=4).accounting() == result.accounting()


def test_an_unknown_price_is_unknown_and_not_nothing(tmp_path: Path) -> None:
    result = run(tmp_path / "run", Priced(), Priced("unpriced", cost=None))
    accounting = result.accounting()
    assert part(accounting["run"], "cost", "cost_known", "calls_without_price") == (None, 1.0, 4)
    by_model = {row["model"]: row["cost"] for row in accounting["models"]}
    assert by_model == {"priced": 1.0, "unpriced": None}
    assert "cost 1.0000 US$ and 4 calls of unknown price" in str(result)
    assert "cost unknown" in str(result)


def test_graphs_count_the_calls_that_they_share_each_and_the_run_counts_them_once(tmp_path: Path) -> None:
    from graphs import ReasoningGraph

    renamed = ReasoningGraph("renamed", max_tokens=256)
    accounting = run(tmp_path / "run", Priced(), graph=["basic", renamed]).accounting()
    assert accounting["run"]["calls"] == 4
    assert {row["graph"]: row["calls"] for row in accounting["graphs"]} == {"basic": 4, "renamed": 4}


def test_models_that_are_no_vlm_have_neither_price_nor_tokens_to_show(tmp_path: Path) -> None:
    assert "cost" not in str(run(tmp_path / "run", "center"))


def test_sums_stand_in_the_json_of_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    print_result(run(tmp_path / "run", Priced()), Format.JSON, None)
    assert json.loads(capsys.readouterr().out)["run"]["accounting"]["run"]["calls"] == 4


def test_run_stops_before_it_costs_more_than_allowed_and_a_larger_limit_goes_on(tmp_path: Path) -> None:
    model = Priced()
    with pytest.raises(Interrupted, match=r"--max-cost 0\.6"):
        run(tmp_path / "run", model, limits=Limits(max_cost=0.6))
    assert len(model.asked) == 2
    with pytest.raises(Interrupted, match=r"--max-cost 0\.6"):
        run(tmp_path / "run", model, limits=Limits(max_cost=0.6))
    assert len(model.asked) == 2, "what earlier sessions cost counts"
    result = run(tmp_path / "run", model, limits=Limits(max_cost=5))
    assert len(model.asked) == 4
    assert result.accounting()["run"]["cost"] == 1.0


def test_a_budget_that_cannot_count_a_model_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    run(tmp_path / "run", Priced(cost=None), limits=Limits(max_cost=1))
    told = [record.getMessage() for record in caplog.records if "price is unknown" in record.getMessage()]
    assert told == ["priced: its price is unknown, so --max-cost does not count its calls"]


class Guessing(Priced):
    """Answers whatever step is asked for."""

    async def reply(self, request: Request) -> Reply:
        self.asked.append(request)
        guesser = Guesser("guesser", "guesser", "0", point=lambda random, frame: (0.5, 0.5))
        return replace(await guesser.reply(request), cost=self.cost)


def test_items_that_a_limit_cut_short_are_not_stored_and_are_finished_later(tmp_path: Path) -> None:
    model = Guessing()
    with pytest.raises(Interrupted):
        run(tmp_path / "run", model, graph="s_cot_staged", limit=1, limits=Limits(max_cost=0.5))
    assert evals.RunResult(tmp_path / "run").items() == []
    assert len(model.asked) == 2
    (item,) = run(tmp_path / "run", model, graph="s_cot_staged", limit=1).items()
    assert item.status == "answered"
    assert len(model.asked) == len(item.row["calls"]) > 2, "what was paid for is not asked again"
