"""Scripts: which line answers what, what is unexpected, and which files are none."""

from __future__ import annotations

import json

import pytest

from evals.models import ModelError, open_models
from evals.models.scripted import Line, Scripted, UnexpectedRequestError, read_script

CENTER = '{"selected_image": 0, "x": 256, "y": 256}'


@pytest.fixture
def sample(samples):
    return samples["train_house_00000/ShelvingUnit|2|6__CoffeeTable|2|3/left/inferred"]


@pytest.fixture
def script(tmp_path):
    """Writes a script and gives its path."""

    def write(content):
        path = tmp_path / "replies.json"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    return write


async def test_a_script_replays_text_reasoning_and_finish_reason(script, sample, asking):
    path = script([{"text": CENTER, "reasoning": "the middle", "finish_reason": "length"}])
    reply = await open_models(f"scripted?file={path}").for_sample(sample, "0").reply(asking(sample, "answer"))
    assert (reply.text, reply.reasoning, reply.finish_reason) == (CENTER, "the middle", "length")


async def test_a_script_runs_a_staged_graph(script, sample, reason):
    replies = {
        "frame_selection": {"selected_image": 2},
        "observer_grounding": {"observer": "dresser", "x": None, "y": None, "facing": 90},
        "anchor_identification": {"anchor": "bed"},
        "directional_frame": {"front": 270, "left": 0, "right": 180},
        "anchor_localization": {"visible": True, "x": 100, "y": 100},
        "scene_inventory": {"objects": []},
        "side_identification": {"side": "left"},
        "target_estimation": {"x": 128, "y": 64},
        "answer": {"x": 128, "y": 64},
    }
    path = script([{"step": step, "text": json.dumps(reply)} for step, reply in replies.items()])
    outcome = await reason(sample, "s_cot_staged", f"scripted?file={path}")
    assert outcome.answer.model_dump() == {"frame": sample.situation.frames[2].id, "x": 0.25, "y": 0.125}


# A line, and whether it answers the request for `answer` about `ID`, repeat 1, whose text is "where is the mug".
MATCHES = [
    ({}, True),
    ({"step": "answer"}, True),
    ({"step": "frame_selection"}, False),
    ({"step": "target_estimation"}, False),
    ({"contains": "the mug"}, True),
    ({"contains": "The Mug"}, False),
    ({"sample": "train_house_00000/ShelvingUnit|2|6__CoffeeTable|2|3/left/inferred"}, True),
    ({"sample": "train_house_00000/ShelvingUnit|2|6__CoffeeTable|2|3/left/stated"}, False),
    ({"sample": "Dresser"}, False),
    ({"repeat": 1}, True),
    ({"repeat": 0}, False),
    ({"step": "answer", "contains": "mug", "repeat": 1}, True),
    ({"step": "answer", "contains": "mug", "repeat": 0}, False),
]


@pytest.mark.parametrize(("line", "answers"), MATCHES)
async def test_a_line_answers_what_it_fits_in_every_respect(line, answers, script, sample, asking):
    path = script([{**line, "text": "this one"}, {"text": "the next"}])
    request = asking(sample, ["target_estimation", "answer"], repeat=1, text="where is the mug")
    reply = await open_models(f"scripted?file={path}").for_sample(sample, "0").reply(request)
    assert reply.text == ("this one" if answers else "the next")


async def test_the_first_line_that_fits_counts(sample, asking):
    script = Scripted((Line("first"), Line("second")))
    assert [(await script.reply(asking(sample, "answer"))).text for _ in range(2)] == ["first", "first"]


async def test_an_unexpected_request_is_an_error_that_says_which(script, sample, asking):
    path = script([{"step": "answer", "text": CENTER}])
    model = open_models(f"scripted?file={path}").for_sample(sample, "0")
    with pytest.raises(UnexpectedRequestError) as error:
        await model.reply(asking(sample, "frame_selection", text="line one\nline two"))
    message = str(error.value)
    for part in ("frame_selection", sample.id, "line one"):
        assert part in message
    assert "\n" not in message


def test_identity_hangs_on_the_script_and_the_sample(sample):
    models = [
        Scripted((Line("a"),)),
        Scripted((Line("b"),)),
        Scripted((Line("a"), Line("b"))),
        Scripted((Line("a"),), sample=sample.id),
    ]
    assert len({model.identity for model in models}) == 4
    assert Scripted((Line("a"),)).identity == models[0].identity


BROKEN = [
    (b"", "cannot be read as a script"),
    (b'[{"text": "a"}', "cannot be read as a script"),
    (b"\xff\xfe\x00", "cannot be read as a script"),
    (b"[" * 100_000, "cannot be read as a script"),
    ({"text": "a"}, "a script is a JSON list of replies, not a dict"),
    ("text", "a script is a JSON list of replies, not a str"),
    (["a"], "reply 0: must be an object with `text`"),
    ([{"text": "a"}, {}], "reply 1: must be an object with `text`"),
    ([{"text": "a", "steps": "answer"}], "reply 0: must be an object with `text`"),
    ([{"text": None}], "reply 0: text must be str, not None"),
    ([{"text": {"x": 1}}], "reply 0: text must be str, not {'x': 1}"),
    ([{"text": "a", "contains": 5}], "reply 0: contains must be str, not 5"),
    ([{"text": "a", "step": ["answer"]}], "reply 0: step must be str, not ['answer']"),
    ([{"text": "a", "repeat": "0"}], "reply 0: repeat must be int, not '0'"),
    ([{"text": "a", "repeat": True}], "reply 0: repeat must be int, not True"),
    ([{"text": "a", "finish_reason": None}], "reply 0: finish_reason must be str, not None"),
]


@pytest.mark.parametrize(("content", "message"), BROKEN, ids=range(len(BROKEN)))
def test_a_file_that_is_no_script_is_named_with_the_place(content, message, script):
    path = script(content)
    with pytest.raises(ModelError) as error:
        read_script(path)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)
    assert len(str(error.value)) < len(str(path)) + 250


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    for path, why in [(tmp_path / "none.json", "No such file"), (tmp_path, "directory")]:
        with pytest.raises(ModelError, match=why) as error:
            read_script(path)
        assert str(error.value).count(str(path)) == 1


def test_a_script_without_a_file_says_how_it_is_named(sample):
    with pytest.raises(ModelError, match=r"scripted\?file=replies.json"):
        open_models("scripted").for_sample(sample, "0")


async def test_a_plus_in_a_files_name_is_a_plus(of_condition, asking, tmp_path):
    path = tmp_path / "basic+blind.json"
    path.write_text(json.dumps([{"text": "from the file"}]))
    sample = of_condition("inferred")[0]

    reply = await open_models(f"scripted?file={path}").for_sample(sample, "0").reply(asking(sample, "answer"))

    assert reply.text == "from the file"
