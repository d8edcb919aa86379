"""How a form is added: a model of its answer, a kind, and a template; asking, constraint and reading are derived."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import jsonschema
import pytest
from pydantic import BaseModel

import prompts.loader
from agents.asking import ask_answer, ask_fused, ask_step
from agents.forms import Form
from agents.situation import Situation
from agents.steps import side_identification
from agents.steps.side_identification import Side
from agents.view import View
from tools.coordinates import Heading, Metres

# A five-choice question, and all that it takes:


class ChoiceAnswer(BaseModel):
    option: Literal["A", "B", "C", "D", "E"]


@dataclass(frozen=True)
class Choice(Form):
    kind: ClassVar[str] = "choice"
    answer: ClassVar[type[BaseModel]] = ChoiceAnswer


# A 3D box, and all that it takes:


class Point3D(BaseModel):
    x: Metres
    y: Metres
    z: Metres


class BoxAnswer(BaseModel):
    center: Point3D
    size: Point3D
    yaw: Heading


@dataclass(frozen=True)
class Box(Form):
    kind: ClassVar[str] = "box"
    answer: ClassVar[type[BaseModel]] = BoxAnswer


TEMPLATES = {"choice": "Answer with the letter of one option:\n{{ shape }}", "box": "Give its box:\n{{ shape }}"}


BOX = BoxAnswer(center=Point3D(x=1.5, y=0.25, z=-2), size=Point3D(x=1, y=0.5, z=2), yaw=90)
BOX_TEXT = '{"center": {"x": 1.5, "y": 0.25, "z": -2}, "size": {"x": 1, "y": 0.5, "z": 2}, "yaw": 90}'
METRES = '{"x": <number -100 to 100>, "y": <number -100 to 100>, "z": <number -100 to 100>}'

FORMS = pytest.mark.parametrize(
    ("form", "shape", "text", "answer"),
    [
        pytest.param(
            Choice(),
            '{"option": "A" or "B" or "C" or "D" or "E"}',
            '{"option": "E"}',
            ChoiceAnswer(option="E"),
            id="choice",
        ),
        pytest.param(
            Box(), f'{{"center": {METRES}, "size": {METRES}, "yaw": <whole number 0-359>}}', BOX_TEXT, BOX, id="box"
        ),
    ],
)


@pytest.fixture(autouse=True)
def _templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The built-in templates with one more a form, as if its file stood there."""
    folder = tmp_path / "templates"
    shutil.copytree(prompts.loader.TEMPLATES, folder)
    for kind, text in TEMPLATES.items():
        (folder / "forms" / f"{kind}.j2").write_text(text)
    monkeypatch.setattr(prompts.loader, "TEMPLATES", folder)


@FORMS
async def test_a_new_form_is_asked_for_and_read_in_a_staged_call(
    form: Form,
    shape: str,
    text: str,
    answer: BaseModel,
    situation: Situation,
    script: Callable[..., Any],
    context: Callable[..., Any],
) -> None:
    situation = replace(situation, form=form)
    model = script(answer=text)
    heard = await ask_answer(
        situation, View.of(situation.originals), {"side_identification": Side(side="left")}, context(model), 256
    )
    assert (heard.status, heard.finding) == ("answered", answer)
    request = model.requests[0]
    assert shape in request.text
    assert "Points are" not in request.text
    jsonschema.validate(json.loads(text), request.constraint.schema)
    assert re.fullmatch(request.constraint.regex, text)
    assert len(request.pictures) == 3


@FORMS
async def test_a_new_form_is_asked_for_and_read_in_a_fused_call(
    form: Form,
    shape: str,
    text: str,
    answer: BaseModel,
    situation: Situation,
    script: Callable[..., Any],
    context: Callable[..., Any],
) -> None:
    situation = replace(situation, form=form)
    model = script(answer=f"Seen from the sink it is on the left.\n```json\n{text}\n```")
    heard = await ask_fused(
        "mine", [side_identification], situation, View.of(situation.originals), {}, context(model), 1024
    )
    assert (heard.status, heard.finding) == ("answered", answer)
    assert model.requests[0].text.endswith(shape)


@FORMS
async def test_a_step_serves_a_new_form_as_it_is(
    form: Form,
    shape: str,
    text: str,
    answer: BaseModel,
    situation: Situation,
    script: Callable[..., Any],
    context: Callable[..., Any],
) -> None:
    situation = replace(situation, form=form)
    model = script(side_identification='{"side": "left"}')
    heard = await ask_step(side_identification, situation, View.of(situation.originals), {}, context(model), 256)
    assert heard.finding == Side(side="left")
    assert model.requests[0].purpose.form == form


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('{"option": "b"}', "B"),
        ('{"option": " C "}', "C"),
        ('First {"option": "A"}, no: {"option": "D"}', "D"),
        ('{"option": "F"}', None),
        ('{"option": 1}', None),
        ('{"option": true}', None),
        ('{"option": null}', None),
        ("A chair stands there.", None),
        ("", None),
    ],
)
async def test_an_option_is_never_guessed(
    text: str,
    answer: str | None,
    situation: Situation,
    script: Callable[..., Any],
    context: Callable[..., Any],
) -> None:
    situation = replace(situation, form=Choice())
    heard = await ask_answer(situation, View.of(situation.originals), {}, context(script(answer=text)), 256)
    assert heard.finding == (None if answer is None else ChoiceAnswer.model_validate({"option": answer}))


@dataclass(frozen=True)
class Options(Form):
    """As many options as the question has."""

    letters: str = "AB"
    kind: ClassVar[str] = "choice"

    def answer_model(self) -> type[BaseModel]:
        return {"AB": TwoOptions, "ABCDE": ChoiceAnswer}[self.letters]


class TwoOptions(BaseModel):
    option: Literal["A", "B"]


async def test_a_form_may_take_its_answer_from_the_question(
    situation: Situation, script: Callable[..., Any], context: Callable[..., Any]
) -> None:
    situation = replace(situation, form=Options("AB"))
    model = script(answer='{"option": "C"}')
    heard = await ask_answer(situation, View.of(situation.originals), {}, context(model), 256)
    assert heard.status == "unreadable"
    assert heard.reason == 'option is none of A, B: "C"'
    assert not re.fullmatch(model.requests[0].constraint.regex, '{"option": "C"}')
