"""A run's folder is gone on with, extended, or refused."""

from dataclasses import replace
from pathlib import Path

import pytest

from agents.context import Settings
from agents.model import OutsideFailure, Reply, Request
from evals.datasets import open_dataset
from evals.running.limits import Limits
from evals.running.runner import Progress
from evals.running.session import execute, make_plan
from evals.running.store import Store, StoreError
from graphs import ReasoningGraph
from graphs.library.s_cot import s_cot


class Counting:
    """Answers the middle of the first frame and counts how often it is asked."""

    name = "counting"
    identity = "counting-1"
    is_vlm = True

    def __init__(self, failing: int = 0) -> None:
        self.asked = 0
        self.failing = failing

    async def reply(self, request: Request) -> Reply:
        self.asked += 1
        if self.asked <= self.failing:
            raise OutsideFailure("429")
        return Reply('{"selected_image": 0, "x": 256, "y": 256}')


def run(folder: Path, model: Counting | str, graphs: list[object] | None = None, **options: object) -> Progress:
    plan = make_plan(graphs or ["basic"], [model], None, **{"limit": 3, "conditions": ["inferred"], **options})  # type: ignore[arg-type]
    return execute(plan, folder, lambda progress: None)


def test_second_run_of_the_same_plan_asks_nothing(tmp_path: Path) -> None:
    model = Counting()
    assert run(tmp_path / "run", model).ended == {"answered": 3}
    again = run(tmp_path / "run", model)
    assert (again.stored, again.ended, model.asked) == (3, {}, 3)


@pytest.mark.parametrize(
    ("more", "asked"),
    [
        ({"limit": 5}, 5),
        ({"conditions": ["inferred", "stated"]}, 6),
        ({"repeats": 2}, 6),
        ({"graphs": ["basic", "cot"]}, 6),
    ],
)
def test_a_run_is_extended_without_asking_anything_twice(tmp_path: Path, more: dict[str, object], asked: int) -> None:
    model = Counting()
    run(tmp_path / "run", model)
    run(tmp_path / "run", model, **more)  # type: ignore[arg-type]
    assert model.asked == asked


def test_renamed_graph_shares_its_calls(tmp_path: Path) -> None:
    model = Counting()
    run(tmp_path / "run", model)
    ended = run(tmp_path / "run", model, [ReasoningGraph("another_name", max_tokens=256)])
    assert (ended.ended, model.asked) == ({"answered": 3}, 3)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"seed": 1}, "run_seed was 0, is 1"),
        ({"settings": Settings(temperature=0.7)}, "temperature was None, is 0.7"),
        ({"settings": Settings(reading="published")}, "reading was strict, is published"),
    ],
)
def test_other_settings_are_refused_and_named(tmp_path: Path, changed: dict[str, object], message: str) -> None:
    run(tmp_path / "run", Counting())
    with pytest.raises(StoreError, match=message):
        run(tmp_path / "run", Counting(), **changed)  # type: ignore[arg-type]


def test_changed_graph_of_the_same_name_is_refused(tmp_path: Path) -> None:
    run(tmp_path / "run", Counting(), [replace(s_cot, name="mine")])
    with pytest.raises(StoreError, match=r"holds mine on .* as another version"):
        run(tmp_path / "run", Counting(), [replace(s_cot, name="mine", steps=s_cot.steps[:-1])])


def test_changed_prompt_is_refused(tmp_path: Path) -> None:
    run(tmp_path / "run", Counting())
    changed = tmp_path / "prompts" / "forms"
    changed.mkdir(parents=True)
    (changed / "frame_point.j2").write_text("Point: {{ shape }}", encoding="utf-8")
    with pytest.raises(StoreError, match="its prompts or the data have changed"):
        run(tmp_path / "run", Counting(), prompts=tmp_path / "prompts")


def test_other_data_are_refused(tmp_path: Path) -> None:
    run(tmp_path / "run", Counting())
    golden = Path(__file__).parents[2] / "golden" / "povbench" / "dataset"
    plan = make_plan(["basic"], [Counting()], open_dataset(golden), ["inferred"], limit=3)
    with pytest.raises(StoreError, match="other data"):
        execute(plan, tmp_path / "run", lambda progress: None)


def test_outside_failures_are_tried_again_and_bad_answers_are_not(tmp_path: Path) -> None:
    failing = Counting(failing=3)  # The first request of a run, and two items'.
    first = run(tmp_path / "run", failing, concurrency=1, limits=Limits(max_retries=0))
    assert first.ended == {"failed": 2, "answered": 1}
    second = run(tmp_path / "run", failing)
    assert (second.stored, second.ended, failing.asked) == (1, {"answered": 2}, 6)

    class Mute(Counting):
        async def reply(self, request: Request) -> Reply:
            self.asked += 1
            return Reply("I cannot say.")

    mute = Mute()
    assert run(tmp_path / "mute", mute).ended == {"unreadable": 3}
    assert run(tmp_path / "mute", mute).ended == {}
    assert mute.asked == 3


def test_folder_that_another_run_writes_to_is_refused(tmp_path: Path) -> None:
    with Store.create(tmp_path / "run"), pytest.raises(StoreError, match="another run is writing"):
        Store.create(tmp_path / "run")
    Store.create(tmp_path / "run").close()


@pytest.mark.parametrize(
    "left", [[], ["pictures"], ["pictures", "lock.sqlite"], ["pictures", "lock.sqlite", "lock.sqlite-journal"]]
)
def test_what_a_run_leaves_that_was_killed_as_it_began_counts_as_new(tmp_path: Path, left: list[str]) -> None:
    for name in left:
        (tmp_path / name).mkdir() if name == "pictures" else (tmp_path / name).touch()
    assert run(tmp_path, Counting()).ended == {"answered": 3}


def test_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(StoreError, match="holds other files"):
        run(tmp_path, Counting())
