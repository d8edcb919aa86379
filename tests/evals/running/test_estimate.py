"""What a dry run says, held against the calls that a run really makes."""

import pytest
from loopback_server import ModelServer

from agents.picture_tokens import picture_tokens
from evals.running.estimate import Estimate, estimate, estimate_rows
from evals.running.plan import Plan, items_of
from evals.running.session import make_plan


async def estimates_of(plan: Plan) -> dict[tuple[str, str], Estimate]:
    return {(one.model, one.graph): one for one in await estimate(plan, items_of(plan))}


async def test_fused_graphs_make_one_call_an_item_with_all_frames(model_server: ModelServer) -> None:
    model = f"{model_server.url}/v1#Qwen/Qwen3-VL-8B-Instruct"
    plan = make_plan(["basic", "s_cot"], [model], None, conditions=["inferred"], repeats=2)

    estimates = await estimates_of(plan)

    frames = [len(sample.situation.frames) for sample in plan.samples]
    for graph, budget in (("basic", 256), ("s_cot", 1024)):
        one = estimates[model, graph]
        assert one.items == one.calls == 2 * len(plan.samples)
        assert one.most_pictures == max(frames)
        assert one.output_tokens == one.calls * budget
        width, height = plan.samples[0].situation.frames[0].size
        seen = one.pictures * picture_tokens(model).count(width, height)
        assert seen < one.input_tokens < seen + 2000 * one.calls
        assert one.cost is None
    assert estimates[model, "s_cot"].input_tokens > estimates[model, "basic"].input_tokens
    assert model_server.received == []


async def test_staged_graphs_make_a_call_a_step_and_one_for_the_answer() -> None:
    plan = make_plan(["s_cot_staged", "s_cot_checked"], ["http://h/v1#m"], None, conditions=["stated"], limit=1)
    steps = {graph.name: len(graph.steps) for graph in plan.graphs}  # type: ignore[union-attr]

    estimates = await estimates_of(plan)

    for name, number in steps.items():
        one = estimates["http://h/v1#m", name]
        assert one.calls >= one.items * (number + 1)
        assert one.turns_back == (name == "s_cot_checked")


async def test_the_price_is_an_upper_bound_from_the_package() -> None:
    plan = make_plan(["basic"], ["openai/gpt-5.4", "openai/a-model-of-tomorrow", "reference"], None, limit=1)

    estimates = await estimates_of(plan)

    known, unknown = estimates["openai/gpt-5.4", "basic"], estimates["openai/a-model-of-tomorrow", "basic"]
    price = plan.models[0].model.price  # type: ignore[attr-defined]
    assert known.cost == pytest.approx(known.input_tokens * price.input + known.output_tokens * price.output, rel=1e-3)
    assert unknown.cost is None
    assert len(estimates) == 2
    summaries = [row["summary"] for row in estimate_rows([known, unknown])]
    assert "US$" in summaries[0]
    assert "an unknown price" in summaries[1]
    assert summaries[2].endswith("US$ and an unknown price")


async def test_only_what_is_missing_is_estimated() -> None:
    plan = make_plan(["basic"], ["http://h/v1#m"], None)
    missing = list(items_of(plan))[:3]

    (one,) = await estimate(plan, missing)

    assert one.items == one.calls == 3
