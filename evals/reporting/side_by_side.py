"""Two graphs on one instance, side by side: what they said to the model, what it saw, found and answered."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from evals.reporting.result import RunResult
from evals.reporting.show import ShowError, as_records, find_items

Op = Literal["equal", "only_a", "only_b"]

Record = dict[str, Any]


@dataclass(frozen=True)
class Line:
    """A line of a difference between prompts.

    Attributes:
        op: Whether both have it, or which one.
        text: The line.
        changed: Parts of the line that the nearest line of the other side lacks, as (start, end) in characters.
    """

    op: Op
    text: str
    changed: tuple[tuple[int, int], ...] = ()


def side_by_side(
    result: RunResult, graph_a: str, graph_b: str, sample: str, model: str | None = None, repeat: int = 0
) -> list[Record]:
    """Puts two graphs on one instance beside each other.

    Args:
        result: The run.
        graph_a: Name of one graph.
        graph_b: Name of the other.
        sample: Id of the instance, or a part of it that fits only one.
        model: Only with this model; None takes every model that both ran with.
        repeat: Which repetition.

    Returns:
        For each model: `sample`, `model`, `no_vlm`, `repeat`; `a` and `b` with `graph`, `status`, `reason`, `answer`,
        `truth`, `scores`, `calls`, `seconds`, `replies`; `prompts`: lines with `op` (`equal`, `only_a`, `only_b`) and
        `text`; `pictures`: `place`, `a`, `b` (files) and `same`; `findings`: `step`, `a`, `b` and `same`.

    Raises:
        ShowError: If there is no such instance, or no model that both graphs ran with.
    """
    found = {
        graph: {item.model: item for item in find_items(result, sample, graph, model) if item.repeat == repeat}
        for graph in (graph_a, graph_b)
    }
    models = [name for name in found[graph_a] if name in found[graph_b]]
    if not models:
        raise ShowError(f"{sample}: no model ran with both {graph_a} and {graph_b} in repeat {repeat}")
    pairs = []
    for name in models:
        a, b = as_records(result, [found[graph_a][name], found[graph_b][name]])
        pairs.append(_pair(a, b))
    return pairs


def _pair(a: Record, b: Record) -> Record:
    return {
        "sample": a["sample"],
        "model": a["model"],
        "no_vlm": a["no_vlm"],
        "repeat": a["repeat"],
        "a": _side(a),
        "b": _side(b),
        "prompts": [{"op": line.op, "text": line.text} for line in compare_lines(prompt_lines(a), prompt_lines(b))],
        "pictures": list(_pictures(a, b)),
        "findings": list(_findings(a, b)),
    }


def _side(record: Record) -> Record:
    return {
        "graph": record["graph"],
        "status": record["status"],
        "reason": record.get("reason", ""),
        "answer": record.get("answer"),
        "truth": record.get("truth"),
        "scores": record["scores"],
        "calls": len(record["calls"]),
        "seconds": record["seconds"],
        "replies": [
            {
                "steps": call["request"]["steps"],
                "text": call["reply"]["text"],
                "reasoning": call["reply"]["reasoning"],
                "finish_reason": call["reply"]["finish_reason"],
            }
            for call in record["calls"]
        ],
    }


def prompt_lines(record: Record) -> list[str]:
    """All that an item's calls said, line by line; a picture is a line with its hash."""
    lines = []
    for number, call in enumerate(record["calls"], start=1):
        lines.append(f"── call {number}: {', '.join(call['request']['steps'])}")
        for message in call["request"]["messages"]:
            for part in message["parts"]:
                if "picture" in part:
                    lines.append(f"[picture {part['picture'][:8]}]")
                else:
                    lines += part["text"].splitlines()
    return lines


def compare_lines(a: Sequence[str], b: Sequence[str]) -> list[Line]:
    """The difference between two texts; lines that replace each other say in which words."""
    lines: list[Line] = []
    for op, a_from, a_to, b_from, b_to in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if op == "equal":
            lines += [Line("equal", text) for text in a[a_from:a_to]]
            continue
        old, new = list(a[a_from:a_to]), list(b[b_from:b_to])
        both = len(old) == len(new)
        for place, text in enumerate(old):
            lines.append(Line("only_a", text, _changed(text, new[place]) if both else ()))
        for place, text in enumerate(new):
            lines.append(Line("only_b", text, _changed(text, old[place]) if both else ()))
    return lines


def _changed(text: str, other: str) -> tuple[tuple[int, int], ...]:
    """The words of a text that another lacks, where the two are alike enough for that to help."""
    words, others = _words(text), _words(other)
    matcher = difflib.SequenceMatcher(None, words, others, autojunk=False)
    if matcher.ratio() < 0.5:
        return ()
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word))
    return tuple(
        (starts[begin], starts[end]) for op, begin, end, _, _ in matcher.get_opcodes() if op != "equal" and end > begin
    )


def _words(text: str) -> list[str]:
    """The text cut before every word and every space between."""
    words: list[str] = []
    for letter in text:
        if words and letter.isalnum() and words[-1][-1].isalnum():
            words[-1] += letter
        else:
            words.append(letter)
    return words


def _pictures(a: Record, b: Record) -> Iterator[Record]:
    """The pictures that were sent, each once, in their order."""
    sides = [_sent(record) for record in (a, b)]
    for place in range(max(map(len, sides))):
        left, right = (side[place] if place < len(side) else None for side in sides)
        yield {
            "place": place,
            "a": None if left is None else left["file"] or left["picture"],
            "b": None if right is None else right["file"] or right["picture"],
            "same": left is not None and right is not None and left["picture"] == right["picture"],
        }


def _sent(record: Record) -> list[Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for call in record["calls"]:
        for message in call["request"]["messages"]:
            for part in message["parts"]:
                if "picture" in part:
                    found.setdefault(part["picture"], part)
    return list(found.values())


def _findings(a: Record, b: Record) -> Iterator[Record]:
    """What each step found, in the order in which the steps were taken."""
    sides = [_last_of_each_step(record) for record in (a, b)]
    order = sorted(dict.fromkeys([*sides[0], *sides[1]]), key=lambda step: step == "answer")
    for step in order:
        left, right = sides[0].get(step), sides[1].get(step)
        yield {"step": step, "a": left, "b": right, "same": left == right}


def _last_of_each_step(record: Record) -> dict[str, Any]:
    return {
        event["step"]: event["finding"] if event["finding"] is not None else f"{event['status']}: {event['reason']}"
        for event in record.get("events", [])
    }


def as_json(pairs: Sequence[Record]) -> str:
    """Pairs as JSON; keys are stable."""
    return json.dumps(list(pairs), indent=1, allow_nan=False)
