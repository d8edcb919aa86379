"""Whatever stands in a file, opening it ends in problems and finite truths, never in another error."""

from __future__ import annotations

import copy
import json
import math
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evals.datasets.povbench import povbench

JUNK = [None, True, -1, 0, 0.5, 1e300, float("nan"), float("-inf"), "", " ", "x\ny", "../..", [], [1, 2], {}, {"x": 1}]
HOUSE = "train_house_05305"


def places(value, path=()):
    """Every place in a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def replaced(content, path, value):
    if not path:
        return value
    changed = copy.deepcopy(content)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed


@pytest.mark.parametrize("name", [f"{HOUSE}.json", "exploration_log.json"])
def test_junk_anywhere_is_survived(golden, name):
    source = golden / "dataset"
    content = json.loads((source / "artifacts" / HOUSE / name).read_text())
    # One pair or frame stands for all.
    content = content[:1]
    untouched = 42

    with tempfile.TemporaryDirectory() as parent:
        root = Path(shutil.copytree(source, Path(parent) / "povbench"))

        @settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
        @given(st.sampled_from(list(places(content))), st.sampled_from(JUNK))
        def check(path, junk):
            (root / "artifacts" / HOUSE / name).write_text(json.dumps(replaced(content, path, junk)))
            dataset = povbench.open(root)
            samples = list(dataset.samples())
            assert len(samples) >= untouched
            for sample in samples:
                for frame in sample.situation.frames:
                    truth = dataset.truth_for(sample.id, {"frame": frame.id})
                    assert 0 <= truth["x"] <= 1
                    assert 0 <= truth["y"] <= 1
                    assert all(math.isfinite(number) for number in truth["position"])
            assert all("\n" not in str(problem) for problem in dataset.problems)

        check()
