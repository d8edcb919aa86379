"""A scorer says what its headline is and which way it is better."""

from __future__ import annotations

import pytest

from evals.scorer import Metric, Scorer, scorer

ACCURACY = Metric("accuracy", "accuracy", "higher", "share", ".1%")
LENGTH = Metric("length", "length", None, "letters")


def test_a_function_becomes_a_scorer_of_its_name():
    @scorer(form="choice", headline="accuracy", worst=0.0, metrics=(ACCURACY, LENGTH))
    def choice(answers, truths):
        return {}

    assert isinstance(choice, Scorer)
    assert (choice.name, choice.form, choice.lower_is_better) == ("choice", "choice", False)
    assert choice.score([], []) == {}


@pytest.mark.parametrize("headline", ["length", "unknown"])
def test_a_headline_must_be_a_metric_with_a_better_side(headline):
    with pytest.raises(ValueError, match=headline):
        scorer(form="choice", headline=headline, worst=0.0, metrics=(ACCURACY, LENGTH))
