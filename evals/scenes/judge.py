"""Asks a model what geometry cannot tell: whether placements look plausible, and for other words.

How a model is reached is the caller's: here it is one async function from a text and a picture to a reply.
"""

from __future__ import annotations

import asyncio
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from agents.model import Closing
from evals.datasets.povbench.placement import RELATIONS
from evals.scenes.dataset import FinishedPair, write_png
from evals.scenes.giveaways import FURTHER, contradicts, gives_away, plain, says, without
from evals.scenes.names import NAMES, named_in
from evals.scenes.pairs import Candidate
from evals.scenes.rays import RayCaster
from evals.scenes.render import View
from evals.scenes.scene import Scene
from evals.scenes.sentences import Sentences
from evals.scenes.target_objects import target_word
from evals.scenes.targets import Placement, Rejection, judge_directions
from prompts import Prompts

_FEWEST_WORDS = 6
"""Of a rewording beside those that it must keep: less cannot tell what the speaker was doing."""


class Ask(Protocol):
    """Sends a text, and a picture where there is one, to a model."""

    def __call__(self, text: str, picture_path: Path | None) -> Awaitable[str]:
        """Returns the model's reply."""
        ...


def read_placements(reply: str) -> dict[str, str | None] | None:
    """Reads a judge's reply.

    Args:
        reply: The raw text; the last JSON object in it that has all four directions counts.

    Returns:
        Direction to surface phrase, None for implausible ones; None when the reply holds no such object.
    """
    decoder = json.JSONDecoder()
    for start in reversed([match.start() for match in re.finditer(r"\{", reply)]):
        try:
            value, _ = decoder.raw_decode(reply[start:])
        except (json.JSONDecodeError, RecursionError):
            continue
        if isinstance(value, dict) and all(isinstance(value.get(relation), dict) for relation in RELATIONS):
            return {relation: _surface(value[relation]) for relation in RELATIONS}
    return None


def _surface(entry: Mapping[str, object]) -> str | None:
    surface = entry.get("surface")
    if entry.get("plausible") is not True or not isinstance(surface, str):
        return None
    words = re.sub(r"[^a-z ]+", " ", surface.lower()).strip()
    return words if words.startswith("on ") and len(words) < 60 else None


def judged_directions(
    scene: Scene,
    caster: RayCaster,
    found: Sequence[Candidate],
    views: Sequence[View],
    ask: Ask,
    folder: Path,
    counts: Counter[str],
) -> list[Candidate]:
    """Has every pair's view judged by a model, all of a house at a time; what the geometry forbids stays forbidden.

    Args:
        scene: The house.
        caster: Rays against it.
        found: The pairs.
        views: Their observers' views.
        ask: The model.
        folder: Where the pictures are put while the model looks at them.
        counts: Reasons, which are added to.

    Returns:
        The pairs with their directions judged anew; a pair whose reply cannot be read has none.
    """

    async def all_replies() -> list[str]:
        paths = []
        for number, view in enumerate(views):
            paths.append(folder / f"judged_{number:02d}.png")
            write_png(paths[-1], view.color[..., ::-1])
        try:
            prompts = Prompts()
            questions = [
                prompts.render("scenes/judge_placements.j2", {"anchor": NAMES[c.anchor.category][0]}) for c in found
            ]
            return list(await asyncio.gather(*(ask(q, p) for q, p in zip(questions, paths, strict=True))))
        finally:
            for path in paths:
                path.unlink(missing_ok=True)
            await _close(ask)

    judged = []
    for candidate, reply in zip(found, asyncio.run(all_replies()), strict=True):
        verdicts = read_placements(reply)
        if verdicts is None:
            counts["pair:judge's reply not readable"] += 1
            verdicts = dict.fromkeys(RELATIONS)
        results = judge_directions(scene, caster, candidate.anchor, candidate.camera, False, verdicts)
        placements = tuple(entry for entry in results if isinstance(entry, Placement))
        rejections = tuple(entry for entry in results if isinstance(entry, Rejection))
        counts.update(f"direction:{rejection.reason}" for rejection in rejections)
        judged.append(replace(candidate, placements=placements, rejections=rejections))
    return judged


def paraphrased(pairs: Sequence[FinishedPair], ask: Ask, counts: Counter[str]) -> list[FinishedPair]:
    """Rewords the inferred and stated sentences of all pairs; a rewording that gives something away is not used."""
    prompts = Prompts()

    async def one(sentence: str, keep: Sequence[str], category: str, hide: bool) -> str:
        avoid = (*NAMES.get(category, ()), *FURTHER.get(category, ())) if hide else ()
        request = prompts.render("scenes/reword_sentence.j2", {"sentence": sentence, "keep": keep, "avoid": avoid})
        reply = (await ask(request, None)).strip().strip('"').strip()
        if acceptable(reply, sentence, keep, category, hide):
            return reply
        counts["sentence:rewording refused"] += 1
        return sentence

    async def whole() -> list[FinishedPair]:
        try:
            return await all_pairs()
        finally:
            await _close(ask)

    async def all_pairs() -> list[FinishedPair]:
        done = []
        for pair in pairs:
            speaker = pair.candidate.speaker
            reworded: dict[str, Sentences] = {}
            for relation, words in pair.sentences.items():
                keep = (target_word(words.target), words.given.split(" was ", 1)[-1].split(" were ", 1)[-1].rstrip("."))
                inferred, stated = await asyncio.gather(
                    one(words.inferred, keep, speaker.category, True),
                    one(words.stated, (*keep, speaker.thing), speaker.category, False),
                )
                reworded[relation] = replace(words, inferred=inferred, stated=stated)
            done.append(replace(pair, sentences=reworded))
        return done

    return asyncio.run(whole())


async def _close(ask: Ask) -> None:
    """Closes connections, which belong to the event loop that ends here."""
    if isinstance(ask, Closing):
        await ask.close()


def acceptable(reply: str, original: str, keep: Sequence[str], category: str, hide: bool) -> bool:
    """Whether a rewording says the same as the original and no more.

    Args:
        reply: The rewording.
        original: Our own sentence.
        keep: The target's noun and the words for its place, which must stay, and what else must.
        category: Object type of the observer object.
        hide: Whether it must not be named (condition A).

    Returns:
        True for one sentence or two in the first person, that keep those words, tell what the speaker was doing, and
        name no other thing, no other direction, and nothing that takes back what they say.
    """
    if len(reply) > 400 or any(unicodedata.category(character)[0] in "CZ" and character != " " for character in reply):
        return False
    if not re.search(r"[.!?][\"'\u201d\u2019]?$", reply) or not re.search(r"\bI\b", reply):
        return False
    if not all(says(reply, words) for words in keep) or plain(reply).count(plain(keep[1])) > 1:
        return False
    rest, before = without(reply, keep), without(original, keep)
    if len(re.findall(r"\w+", rest)) < _FEWEST_WORDS or contradicts(rest, before):
        return False
    if set(named_in(rest)) - set(named_in(before)):
        return False
    return not (hide and gives_away(rest, category))
