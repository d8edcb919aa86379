"""The baselines: where they point, that they answer every kind of call, and that nobody takes them for a VLM."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Literal

import numpy as np
import pytest
from pydantic import BaseModel
from scipy.stats import kstest

from evals.models import SAMPLE_MODELS, ModelError, open_models
from graphs.hints import Hints, ObjectHint
from graphs.library import GRAPHS
from tools.camera import Camera

BASELINES = ["center", "random", "anchor"]
SIZE = 512


source = cache(open_models)


def model(name, sample, seed="0"):
    return source(name).for_sample(sample, seed)


async def pointed(model, request):
    return json.loads((await model.reply(request)).text)


async def test_center_points_at_the_middle_of_any_frame(of_condition, asking):
    sample = of_condition("inferred")[0]
    center = model("center", sample)
    answers = [await pointed(center, asking(sample, "answer", repeat=repeat)) for repeat in range(360)]
    assert {(answer["x"], answer["y"]) for answer in answers} == {(256, 256)}
    chosen = Counter(answer["selected_image"] for answer in answers)
    # 12 frames, 30 times each in the mean; 5 standard deviations of a count are 26.
    assert set(chosen) == set(range(12))
    assert max(chosen.values()) <= 56


async def test_random_points_anywhere_alike(of_condition, asking):
    points = []
    for sample in of_condition("given"):
        for repeat in range(8):
            answer = await pointed(model("random", sample), asking(sample, "answer", repeat=repeat))
            points.append((answer["x"] / SIZE, answer["y"] / SIZE))
    x, y = np.transpose(points)
    assert len(points) == 536
    assert (np.array(points) >= 0).all()
    assert (np.array(points) < 1).all()
    assert kstest(x, "uniform").pvalue > 0.001
    assert kstest(y, "uniform").pvalue > 0.001
    assert abs(np.corrcoef(x, y)[0, 1]) < 0.15


@pytest.mark.parametrize("name", ["random", "center"])
async def test_guesses_hang_on_seed_repeat_and_sample_alone(name, of_condition, asking):
    first, second = of_condition("inferred")[:2]

    async def guess(sample=first, seed="0", repeat=0):
        answers = [
            await pointed(model(name, sample, seed), asking(sample, "answer", repeat=repeat + 7 * k)) for k in range(6)
        ]
        return json.dumps(answers)

    assert await guess() == await guess()
    assert len({await guess(), await guess(seed="1"), await guess(repeat=1), await guess(second)}) == 4


def looking_at_a_box(sample):
    """Hints with a camera at the origin's height of 1 m that looks along +z: 90 degrees over 512 pixels, f = 256."""
    frames = sample.situation.frames
    ahead = Camera((0.0, 1.0, 0.0), yaw=0.0, horizon=0.0, fov=90.0, width=SIZE, height=SIZE)
    behind = replace(ahead, yaw=180.0)
    box = ObjectHint("box", "Desk", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1.0, 0.5, 2.0), (1.0, 1.0, 1.0))
    cameras = {frame.id: behind for frame in frames} | {frames[3].id: ahead}
    return replace(sample, hints=Hints(cameras=cameras, anchor=box))


async def test_anchor_points_at_the_projected_centre_of_the_box_in_the_frame_that_shows_it(of_condition, asking):
    sample = looking_at_a_box(of_condition("inferred")[0])
    # 1 m to the right, 0.5 m below and 2 m ahead: u = 256 * 1 / 2 + 256 = 384, v = 256 + 256 * 0.5 / 2 = 320.
    answer = await pointed(model("anchor", sample), asking(sample, "answer"))
    assert answer == {"selected_image": 3, "x": pytest.approx(384), "y": pytest.approx(320)}


async def test_anchor_behind_the_frame_is_taken_for_its_middle(of_condition, asking):
    sample = looking_at_a_box(of_condition("inferred")[0])
    bound = asking(sample, "answer", frame=sample.situation.frames[0].id)
    assert await pointed(model("anchor", sample), bound) == {"x": 256, "y": 256}


async def test_anchor_of_a_golden_instance_by_hand(samples, asking):
    sample = samples["train_house_05305/Desk|5|9__ArmChair|2|7/front/given"]
    answer = await pointed(model("anchor", sample), asking(sample, "answer"))
    # The observer's camera stands at (4.522241, 1.55, 3.611219), yaw 128.101113, horizon 70.075633, fov 100; the box's
    # centre (4.836006, 0.45, 3.365186) lies 0.313765, -1.1, -0.246033 from it. Along the camera's axes:
    #   right    (-0.617046, 0, -0.786927)         -> -0.193607 + 0 + 0.193610           =  0.000003
    #   up       (0.739829, 0.340779, -0.580106)   ->  0.232133 - 0.374857 + 0.142725    =  0.000001
    #   forward  (0.268168, -0.940144, -0.210276)  ->  0.084142 + 1.034158 + 0.051734    =  1.170034
    # which is the middle of the picture, as the observer looks at the anchor.
    assert (answer["x"], answer["y"]) == (pytest.approx(256, abs=0.01), pytest.approx(256, abs=0.01))


async def test_anchor_chooses_a_frame_with_observer_and_anchor_wherever_one_is(of_condition, asking):
    for sample in of_condition("stated"):
        both = sample.hints.observer.visible_in & sample.hints.anchor.visible_in
        request = asking(sample, "answer")
        answer = await pointed(model("anchor", sample), request)
        if both:
            assert request.purpose.view.frames[answer["selected_image"]].id in both


def test_anchor_without_an_anchor_is_a_mistake_of_the_user(of_condition):
    sample = replace(of_condition("given")[0], hints=Hints())
    with pytest.raises(ModelError, match="'anchor' needs to know where the anchor is"):
        model("anchor", sample)


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize("graph", [graph.name for graph in GRAPHS.all()])
async def test_baselines_answer_every_graph(name, graph, samples, reason):
    for condition in ("inferred", "given"):
        sample = samples[f"train_house_00000/ShelvingUnit|2|6__CoffeeTable|2|3/left/{condition}"]
        outcome = await reason(sample, graph, name)
        assert outcome.status == "answered", outcome.reason
        assert outcome.answer.frame in {frame.id for frame in sample.situation.frames}


@pytest.mark.parametrize("name", BASELINES)
async def test_baselines_keep_to_one_frame_and_one_point_through_the_steps(name, samples, reason):
    sample = samples["train_house_00000/ShelvingUnit|2|6__CoffeeTable|2|3/left/inferred"]
    outcome = await reason(sample, "s_cot_staged", name)
    answer, target = outcome.answer, outcome.findings["target_estimation"]
    assert outcome.findings["frame_selection"].frame == answer.frame
    assert (answer.x, answer.y) == pytest.approx((target.x, target.y))


@pytest.mark.parametrize("name", BASELINES)
async def test_a_frame_that_was_ruled_out_is_not_chosen_again(name, of_condition, asking):
    sample = of_condition("inferred")[0]
    rejected: set[int] = set()
    for _ in sample.situation.frames:
        request = asking(sample, "frame_selection", rejected=frozenset(rejected))
        chosen = (await pointed(model(name, sample), request))["selected_image"]
        assert chosen not in rejected
        rejected.add(chosen)


async def test_one_of_several_options_is_drawn_at_random(of_condition, asking):
    sample = of_condition("inferred")[0]
    sides = [
        (await pointed(model("random", sample), asking(sample, "side_identification", repeat=repeat)))["side"]
        for repeat in range(200)
    ]
    counts = Counter(sides)
    # Four sides, 50 times each in the mean; 5 standard deviations of a count are 31.
    assert len(counts) == 4
    assert max(counts.values()) <= 81


def test_none_of_the_named_models_is_a_vlm(of_condition):
    sample = of_condition("inferred")[0]
    names = SAMPLE_MODELS.names()
    assert {"reference", "center", "random", "anchor", "scripted"} <= set(names)
    for name in names:
        source = open_models(name)
        assert source.is_vlm is False
        if name != "scripted":
            assert source.for_sample(sample, "0").is_vlm is False


def test_identities_tell_sample_and_seed_apart(of_condition):
    first, second = of_condition("inferred")[:2]
    for name in BASELINES:
        identities = {model(name, first).identity, model(name, first, "1").identity, model(name, second).identity}
        assert len(identities) == 3


async def test_an_optional_option_is_drawn_like_any_other(of_condition, asking):
    class Seen(BaseModel):
        side: Literal["left", "right"] | None

    sample = of_condition("inferred")[0]
    request = asking(sample, "answer")
    asked = [replace(request, purpose=replace(request.purpose, finds=Seen), repeat=repeat) for repeat in range(40)]
    sides = Counter([(await pointed(model("random", sample), one))["side"] for one in asked])
    assert set(sides) == {"left", "right"}
