import json
from collections import Counter
from pathlib import Path

import cv2
import pytest

from evals.scenes.judge import acceptable, read_placements
from evals.scenes.make import make_houses
from evals.scenes.reading import directions_of, read_dataset

GOOD = {"plausible": True, "surface": "on the floor"}
BAD = {"plausible": False, "surface": ""}


def reply(**entries: object) -> str:
    return json.dumps({"right": BAD, "left": BAD, "front": GOOD, "up": BAD, **entries})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (reply(), {"right": None, "left": None, "front": "on the floor", "up": None}),
        (
            f"Well: {reply(up=GOOD)} or rather ```json\n{reply()}\n```",
            {"right": None, "left": None, "front": "on the floor", "up": None},
        ),
        (
            reply(right={"plausible": "yes", "surface": "on the floor"}),
            {"right": None, "left": None, "front": "on the floor", "up": None},
        ),
        (
            reply(up={"plausible": True, "surface": "On the Desk."}),
            {"right": None, "left": None, "front": "on the floor", "up": "on the desk"},
        ),
        (
            reply(up={"plausible": True, "surface": "floating"}),
            {"right": None, "left": None, "front": "on the floor", "up": None},
        ),
        ('{"right": true}', None),
        ("I cannot tell.", None),
        (reply()[:-3], None),
        ("{" * 5000, None),
    ],
)
def test_a_judges_reply_is_read_strictly(text: str, expected: dict[str, str | None] | None) -> None:
    assert read_placements(text) == expected


@pytest.mark.parametrize(
    ("sentence", "fine"),
    [
        ("I saw the mug to the left of the bed while getting comfy for a nap.", True),
        ("I saw the mug to the left of the bed from the couch.", False),
        ("I saw the mug near the bed.", False),
        ("I saw the cup to the left of the bed.", False),
        ("I saw the mug to the left of the bed\nwhile napping.", False),
        ("", False),
    ],
)
def test_a_rewording_must_keep_the_place_and_the_secret(sentence: str, fine: bool) -> None:
    assert acceptable(sentence, ("mug", "to the left of the bed"), "Sofa", hide=True) == fine


def test_models_judge_and_reword_a_whole_house(tmp_path: Path) -> None:
    asked: Counter[str] = Counter()

    async def judge(text: str, picture: Path | None) -> str:
        assert picture is not None
        assert cv2.imread(str(picture)).shape == (64, 64, 3)
        asked["judge"] += 1
        return reply()

    async def reword(text: str, picture: Path | None) -> str:
        asked["reword"] += 1
        if "Never use" in text:
            return "On the sofa and the fridge and the bed and so on."
        return "By the way: " + text.split('"')[1]

    out = tmp_path / "out"
    make_houses(out, 1, 5, rooms=3, side=64, frames=8, judge=("j", judge), paraphrase=("p", reword))
    house = read_dataset(out)[0]
    assert asked["judge"] >= len(house.pairs) > 0
    assert asked["reword"] == 2 * sum(len(directions_of(pair)) for pair in house.pairs)
    for pair in house.pairs:
        assert directions_of(pair) == ["front"]
        assert pair["stage3"]["up"]["reason"] == "judged_implausible"
        assert pair["stage5"]["front"]["type_b"].startswith("By the way: ")
        # The rewording of condition A gave the scene away, so our own sentence stands.
        assert pair["stage5"]["front"]["type_a"].startswith("While")
    assert house.report["rejected"]["sentence:rewording refused"] == len(house.pairs)
    assert json.loads((out / "meta.json").read_text())["judge"] == "j"
    assert not list(house.folder.glob("judged_*"))
