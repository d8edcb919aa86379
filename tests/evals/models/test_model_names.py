"""One string names a model; what is wrong with a name is said in one line with the cure."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from agents.model import Reply, Request
from evals.models import open_models
from tools.errors import UserError

GOOD = [
    ("reference", {"frame": 0.0, "facing": 0.0, "anchor": 0.0}),
    ("reference?", {"frame": 0.0, "facing": 0.0, "anchor": 0.0}),
    ("reference?frame=0.1&facing=30&anchor=0.05", {"frame": 0.1, "facing": 30.0, "anchor": 0.05}),
    ("reference?anchor=5e-2", {"frame": 0.0, "facing": 0.0, "anchor": 0.05}),
    ("center", {}),
    ("scripted?file=some/replies.json", {"file": "some/replies.json"}),
]


@pytest.mark.parametrize(("spec", "options"), GOOD)
def test_options_follow_a_question_mark_and_have_defaults(spec, options):
    source = open_models(spec)
    assert (source.name, source.options) == (spec, options)


BAD = [
    ("refrence", "unknown model 'refrence'", "did you mean reference?"),
    ("Reference", "unknown model 'Reference'", "did you mean reference?"),
    ("centre", "unknown model 'centre'", "did you mean center?"),
    ("", "unknown model ''", "known: anchor, center, "),
    ("_guess", "unknown model '_guess'", "known: "),
    ("../evil", "unknown provider '..'", "known: "),
    ("reference?frames=1", "unknown option of model reference 'frames'", "did you mean frame?"),
    ("reference?noise=1", "unknown option of model reference 'noise'", "known: anchor, facing, frame"),
    ("center?x=1", "unknown option of model center 'x'", "known: none"),
    ("reference?frame", "frame must be a number of at least 0, not ''"),
    ("reference?frame=", "frame must be a number of at least 0, not ''"),
    ("reference?frame=often", "frame must be a number of at least 0, not 'often'"),
    ("reference?frame=0,1", "frame must be a number of at least 0, not '0,1'"),
    ("reference?facing=-5", "facing must be a number of at least 0, not '-5'"),
    ("reference?facing=nan", "facing must be a number of at least 0, not 'nan'"),
    ("reference?anchor=inf", "anchor must be a number of at least 0, not 'inf'"),
    ("reference?anchor=1e999", "anchor must be a number of at least 0, not '1e999'"),
    ("reference?frame=0.1?facing=3", "frame must be a number of at least 0, not '0.1?facing=3'"),
]


@pytest.mark.parametrize(("spec", "parts"), [(case[0], case[1:]) for case in BAD], ids=[case[0] for case in BAD])
def test_a_wrong_name_or_option_is_said_in_one_line(spec, parts):
    with pytest.raises(UserError) as error:
        open_models(spec)
    message = str(error.value)
    assert "\n" not in message
    for part in parts:
        assert part in message


def test_a_probability_above_one_is_refused(of_condition):
    sample = of_condition("given")[0]
    with pytest.raises(UserError, match=r"frame is a probability, it must be at most 1, not 1\.5"):
        open_models("reference?frame=1.5").for_sample(sample, "0")
    assert open_models("reference?frame=1").for_sample(sample, "0").noise.frame == 1


@dataclass(frozen=True)
class Own:
    name: str = "own"
    identity: str = "own-1"
    is_vlm: bool = True

    async def reply(self, request: Request) -> Reply:
        return Reply("")


def test_an_object_that_keeps_the_contract_is_a_model_for_all_samples(of_condition):
    own = Own()
    source = open_models(own)
    assert (source.name, source.is_vlm) == ("own", True)
    assert all(source.for_sample(sample, "0") is own for sample in of_condition("given")[:3])


@pytest.mark.parametrize("thing", [42, None, object(), len])
def test_an_object_that_does_not_keep_it_is_refused(thing):
    with pytest.raises(UserError, match=r"is no model, it has no .*identity"):
        open_models(thing)
