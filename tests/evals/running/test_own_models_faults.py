"""What goes wrong in a model of one's own is told as the model's, whenever it happens."""

from pathlib import Path

import pytest

from agents.model import Reply, Request
from evals.model_source import ModelError
from evals.models import open_models
from evals.running.runner import Progress
from evals.running.session import execute, make_plan
from graphs import ReasoningGraph

GOOD = Reply('{"selected_image": 0, "x": 1, "y": 1}')


class Mine:
    """Answers from a list; what is an exception is raised. The last entry stays."""

    name, identity, is_vlm = "mine", "mine-1", True

    def __init__(self, *says: object) -> None:
        self.says = list(says)

    async def reply(self, request: Request) -> Reply:
        said = self.says.pop(0) if len(self.says) > 1 else self.says[0]
        if isinstance(said, Exception):
            raise said
        return said  # type: ignore[return-value]


def run(folder: Path, model: object, graph: object = "basic") -> Progress:
    plan = make_plan([graph], [model], None, ["inferred"], limit=3, concurrency=1)  # type: ignore[list-item]
    return execute(plan, folder, lambda _: None)


@pytest.mark.parametrize("error", [KeyError("x"), ConnectionError("gone"), TimeoutError()])
def test_a_model_that_raises_at_once_is_named_with_its_file(tmp_path: Path, error: Exception) -> None:
    with pytest.raises(ModelError, match=rf"(?s)^model mine raises {type(error).__name__}\n.*test_own_models_faults"):
        run(tmp_path, Mine(error))


def test_once_it_has_answered_an_error_fails_the_item_alone_in_every_session(tmp_path: Path) -> None:
    assert run(tmp_path, Mine(GOOD, KeyError("x"), GOOD)).ended == {"answered": 2, "failed": 1}
    assert run(tmp_path, Mine(KeyError("x"))).ended == {"failed": 1}
    assert run(tmp_path, Mine(GOOD)).ended == {"answered": 1}


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("text", "model mine: must return an agents.Reply, not str"),
        (None, "model mine: must return an agents.Reply, not NoneType"),
        (Reply(None), "model mine: text of its Reply must be text, not None"),  # type: ignore[arg-type]
        (Reply(b"x"), "model mine: text of its Reply must be text"),  # type: ignore[arg-type]
        (Reply("x", usage={"input_tokens": 1}), "model mine: usage of its Reply"),  # type: ignore[arg-type]
        (Reply("x", cost=float("nan")), "model mine: cost of its Reply"),
    ],
)
def test_what_is_no_reply_is_refused_before_it_is_stored(tmp_path: Path, said: object, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        run(tmp_path, Mine(said))
    assert run(tmp_path, Mine(GOOD)).ended == {"answered": 3}


def test_no_usage_at_all_is_as_good_as_unknown_usage(tmp_path: Path) -> None:
    model = Mine(Reply(GOOD.text, usage=None))  # type: ignore[arg-type]
    assert run(tmp_path, model).ended == {"answered": 3}
    assert run(tmp_path, model, ReasoningGraph("the_same_calls", max_tokens=256)).ended == {"answered": 3}


def test_a_reply_that_is_not_async_is_named(tmp_path: Path) -> None:
    class Hasty(Mine):
        def reply(self, request: Request) -> Reply:  # type: ignore[override]
            return GOOD

    with pytest.raises(ModelError, match="model mine: its reply must be async"):
        run(tmp_path, Hasty(GOOD))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [({"name": None}, "its name must be text"), ({"is_vlm": "no"}, "is_vlm must be True or False")],
)
def test_attributes_of_a_wrong_kind_are_refused(wrong: dict[str, object], message: str) -> None:
    model = Mine(GOOD)
    vars(model).update(wrong)
    with pytest.raises(ModelError, match=message):
        open_models(model)
    with pytest.raises(ModelError, match="Mine is a class, not a model"):
        open_models(Mine)  # type: ignore[arg-type]
