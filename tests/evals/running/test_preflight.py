"""What would fail a night of calls fails at the first, with the cure."""

from collections.abc import Awaitable, Callable

import pytest
from loopback_server import (
    Behaviour,
    ModelServer,
    Received,
    Refusal,
    html_page,
    schema_refused,
    too_many_pictures,
)

from agents.model import Reply, Request
from agents.workbench import Workbench
from evals.running.plan import Item, Plan, items_of
from evals.running.preflight import PreflightError, first_request, preflight
from evals.running.session import make_plan


def plan_for(*models: str, graphs: tuple[str, ...] = ("basic", "s_cot_staged")) -> Plan:
    return make_plan(graphs, models, None, conditions=["inferred"], limit=2)


async def ask(item: Item, request: Request) -> Reply:
    return await item.model.for_sample(item.sample, "0").reply(request)


async def run_preflight(plan: Plan, asked: Callable[[Item, Request], Awaitable[Reply]] = ask) -> None:
    try:
        await preflight(list(items_of(plan)), plan, Workbench(), asked)
    finally:
        for source in plan.models:
            if hasattr(source, "model"):
                await source.model.close()


async def test_one_request_a_model_goes_out_with_all_pictures_and_a_schema(model_server: ModelServer) -> None:
    plan = plan_for(f"{model_server.url}/v1#one", f"{model_server.url}/v1#two", "reference")
    most = max(len(sample.situation.frames) for sample in plan.samples)

    await run_preflight(plan)

    assert sorted(received.json["model"] for received in model_server.received) == ["one", "two"]
    for received in model_server.received:
        assert received.body.count(b"data:image/") == most > 1
        assert "response_format" in received.json


async def test_the_request_is_the_first_of_an_item_so_that_its_reply_is_of_use(model_server: ModelServer) -> None:
    plan = plan_for(f"{model_server.url}/v1#one")
    seen: list[tuple[Item, Request]] = []

    async def keep(item: Item, request: Request) -> Reply:
        seen.append((item, request))
        return await ask(item, request)

    await run_preflight(plan, keep)

    ((item, request),) = seen
    again = await first_request(item, plan, Workbench())
    assert again == request


async def test_a_model_without_missing_items_is_not_asked(model_server: ModelServer) -> None:
    plan = plan_for(f"{model_server.url}/v1#one")

    await preflight([], plan, Workbench(), ask)

    assert model_server.received == []


REFUSED: list[tuple[Behaviour, str]] = [
    (too_many_pictures(), r"--limit-mm-per-prompt '\{\"image\":\d+\}'"),
    (schema_refused(), r"\?schema=off#one"),
    (Refusal(401, "who are you?"), "set SITUATE_API_KEY"),
    (Refusal(404, "The model `one` does not exist."), "name one that the server serves behind the #: here-1, here-2"),
    (Refusal(429, "You exceeded your current quota", "insufficient_quota"), "no credit left"),
    (html_page(), "is http://127.0.0.1:[0-9]+/v1 its API"),
]


@pytest.mark.parametrize(("behaviour", "cure"), REFUSED)
async def test_a_model_that_cannot_do_it_stops_the_run_with_the_cure(
    model_server: ModelServer, behaviour: Behaviour, cure: str
) -> None:
    model_server.default = behaviour
    model_server.models = ("here-2", "here-1")

    with pytest.raises(PreflightError, match=cure) as caught:
        await run_preflight(plan_for(f"{model_server.url}/v1#one"))

    assert str(caught.value).startswith("preflight, before the run:")
    assert len(str(caught.value).splitlines()) == 1


async def test_a_server_that_is_not_there_stops_the_run() -> None:
    with pytest.raises(PreflightError, match=r"no server at http://127\.0\.0\.1:9/v1 .* start it"):
        await run_preflight(plan_for("http://127.0.0.1:9/v1#one"))


async def test_a_hosted_model_without_its_key_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)

    with pytest.raises(PreflightError, match="set ANTHROPIC_API_KEY"):
        await run_preflight(plan_for("anthropic/claude-sonnet-4-5"))


async def test_the_first_model_that_fails_is_named_and_the_others_are_asked(model_server: ModelServer) -> None:
    def only_two(received: Received) -> Behaviour:
        return Refusal(404, "unknown") if received.json["model"] == "two" else Refusal(401, "unknown key")

    model_server.default = only_two

    with pytest.raises(PreflightError, match="#two"):
        await run_preflight(plan_for(f"{model_server.url}/v1#two", f"{model_server.url}/v1#three"))
