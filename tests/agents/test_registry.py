"""Things are found by the name of their file, or by an entry point of another package."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import agents.registry
from agents.registry import Registry, UnknownNameError, unknown_name
from agents.step import Step
from agents.steps import STEPS
from tools.errors import UserError

PACKAGE = "things_of_test_registry"


@dataclass(frozen=True)
class Point:
    """An entry point of another package."""

    name: str
    thing: object
    value: str = "other_package.graphs:thing"

    def load(self) -> object:
        if isinstance(self.thing, Exception):
            raise self.thing
        return self.thing


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Registry[str]]]:
    """A registry of texts over a package of the given modules and the given entry points."""

    def made(modules: dict[str, str], *points: Point) -> Registry[str]:
        folder = tmp_path / PACKAGE
        folder.mkdir()
        for name, source in {"__init__": "", **modules}.items():
            (folder / f"{name}.py").write_text(source)
        monkeypatch.setattr(agents.registry, "entry_points", lambda group: points if group == "test.things" else ())
        return Registry("thing", PACKAGE, str, "test.things")

    monkeypatch.syspath_prepend(tmp_path)
    yield made
    for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE]:
        del sys.modules[name]


def test_a_file_is_enough(registry: Callable[..., Registry[str]]) -> None:
    things = registry({"lamp": "lamp = 'a lamp'", "bed": "bed = 'a bed'"})
    assert things.names() == ["bed", "lamp"]
    assert things.get("lamp") == "a lamp"
    assert things.all() == ["a bed", "a lamp"]


def test_private_files_and_the_registrys_own_are_no_things(registry: Callable[..., Registry[str]]) -> None:
    assert registry({"lamp": "", "_parts": "", "registry": ""}).names() == ["lamp"]


def test_listing_names_imports_none_of_them(registry: Callable[..., Registry[str]]) -> None:
    assert registry({"broken": "raise RuntimeError"}).names() == ["broken"]
    assert f"{PACKAGE}.broken" not in sys.modules


def test_another_package_adds_its_own(registry: Callable[..., Registry[str]]) -> None:
    things = registry({"lamp": "lamp = 'a lamp'"}, Point("chair", "a chair"))
    assert things.names() == ["chair", "lamp"]
    assert things.get("chair") == "a chair"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("frame_selecton", "unknown step 'frame_selecton': did you mean frame_selection"),
        ("anchor_location", "did you mean anchor_localization or anchor_identification"),
        ("zzz", "known: anchor_identification, anchor_localization, directional_frame"),
        ("", "known:"),
        ("../steps/frame_selection", "did you mean frame_selection"),
        ("frame_selection.__class__", "did you mean frame_selection"),
    ],
)
def test_an_unknown_name_is_an_error_with_the_nearest(name: str, message: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        STEPS.get(name)
    assert message in str(caught.value)
    assert isinstance(caught.value, UserError)


def test_where_nothing_is_known_that_is_said() -> None:
    assert str(unknown_name("graph", "x", [])) == "unknown graph 'x': known: none"


@pytest.mark.parametrize(("source", "found"), [("", "NoneType"), ("lamp = 3", "int"), ("Lamp = 'x'", "NoneType")])
def test_a_file_that_holds_no_thing_of_its_name_is_an_error(
    registry: Callable[..., Registry[str]], source: str, found: str
) -> None:
    with pytest.raises(UnknownNameError, match=f"thing 'lamp'.*must define a str called 'lamp', not {found}"):
        registry({"lamp": source}).get("lamp")


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        (3, "thing 'chair'.*other_package.graphs:thing.*must define a str called 'chair', not int"),
        (ImportError("no module named torch"), "thing 'chair'.*other_package.graphs:thing.*no module named torch"),
    ],
)
def test_an_entry_point_that_gives_no_thing_is_an_error_that_names_it(
    registry: Callable[..., Registry[str]], thing: object, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        registry({}, Point("chair", thing)).get("chair")


def test_every_step_carries_the_name_of_its_file() -> None:
    steps = STEPS.all()
    assert [step.name for step in steps] == STEPS.names()
    assert all(isinstance(step, Step) for step in steps)
    assert len(steps) == 9
