"""The instances of a scene go out together and begin with the same bytes."""

from itertools import groupby, pairwise
from pathlib import Path

import numpy as np
from loopback_server import Answer, ModelServer

import evals
from agents.models import open_model
from evals.running.plan import items_of
from evals.running.session import make_plan


def shared_bytes(one: bytes, other: bytes) -> int:
    """Length of the longest common beginning."""
    shortest = min(len(one), len(other))
    differing = np.frombuffer(one[:shortest], np.uint8) != np.frombuffer(other[:shortest], np.uint8)
    return int(differing.argmax()) if differing.any() else shortest


def test_instances_that_show_the_same_frames_go_out_together_one_graph_after_the_other() -> None:
    plan = make_plan(["basic", "s_cot"], ["center", "anchor"], None)
    items = list(items_of(plan))
    assert len({item.place for item in items}) == len(items) == 2 * 2 * len(plan.samples)
    several = [item for item in items if len(item.sample.situation.frames) > 1]
    assert len(list(groupby(several, key=lambda item: item.sample.keys["scene"]))) == 3
    assert len(list(groupby(several, key=lambda item: (item.sample.keys["scene"], item.graph.name)))) == 3 * 2


def test_consecutive_requests_of_a_scene_share_all_frames_as_their_leading_bytes(
    model_server: ModelServer, tmp_path: Path
) -> None:
    model_server.default = Answer('{"selected_image": 0, "x": 256, "y": 256}')
    model = open_model(f"{model_server.url}/v1#test-model", time_limit=10)
    evals.run("s_cot", model=model, conditions=["inferred"], out=tmp_path / "run", concurrency=1, progress=False)
    bodies = [received.body for received in model_server.received]
    pairs = list(pairwise(bodies))
    shared = [shared_bytes(one, other) for one, other in pairs]
    last_picture = [max(one.rfind(b'"image_url"'), 0) for one, _ in pairs]
    end_of_pictures = [one.find(b"}", start) for (one, _), start in zip(pairs, last_picture, strict=True)]
    wholly = [length > end for length, end in zip(shared, end_of_pictures, strict=True)]
    assert wholly.count(False) == 2  # Where one of the three houses ends and the next begins.
