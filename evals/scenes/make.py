"""Makes whole datasets: houses in parallel, each complete or not there, so that a broken run goes on where it was."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from evals.scenes.asking import AskModel
from evals.scenes.dataset import FinishedPair, Frame, report_of, write_house
from evals.scenes.errors import DatasetFolderError, SceneError
from evals.scenes.explore import MOST_FRAMES, SIDE, check_camera, exploration_cameras, route, seen_from
from evals.scenes.generate import generate_house
from evals.scenes.house import House
from evals.scenes.judge import Ask, judged_directions, paraphrased
from evals.scenes.pairs import Candidate, find_pairs
from evals.scenes.plan import check_rooms
from evals.scenes.procthor import read_house
from evals.scenes.rays import embree
from evals.scenes.sentences import Sentences, sentences_for
from evals.scenes.settings import RENDERERS, Settings, claimed, meta_of
from evals.scenes.workers import in_processes
from evals.scenes.world import World, WorldOf, embree_world

MOST_HOUSES = 100_000
"""Their names have five digits."""

MOST_SIDE = 4096


@dataclass(frozen=True)
class Progress:
    """Where a run stands.

    Attributes:
        done: Finished houses.
        total: Houses asked for.
        house: The one that has just been finished.
        pairs: Its pairs, 0 where an earlier run's house does not say.
        skipped: Whether an earlier run had made it.
    """

    done: int
    total: int
    house: str
    pairs: int
    skipped: bool


def make_houses(
    out: Path,
    houses: int,
    seed: int,
    rooms: int | None = None,
    renderer: str = "embree",
    workers: int = 2,
    progress: Callable[[Progress], None] | None = None,
    *,
    side: int = SIDE,
    frames: int = MOST_FRAMES,
    pairs: int | None = None,
    judge: tuple[str, Ask] | None = None,
    paraphrase: tuple[str, Ask] | None = None,
) -> list[Path]:
    """Makes a dataset of generated houses, or goes on with one.

    Args:
        out: The dataset's folder.
        houses: Number of houses.
        seed: Decides everything; the same seed gives the same bytes with the same wheels.
        rooms: Rooms a house, 1 to 10; a mix when None.
        renderer: `embree` or `thor`.
        workers: Houses made at a time.
        progress: Called after each house.
        side: Width and height of the pictures, pixels.
        frames: Largest number of frames of a walk.
        pairs: Largest number of pairs a house.
        judge: Name of a model and how to ask it whether placements are plausible; geometry judges when None.
        paraphrase: Name of a model and how to ask it for other words.

    Returns:
        The folders of the houses.

    Raises:
        DatasetFolderError: If the folder holds something else.
        RendererMissingError: If the renderer is not there.
        SceneError: If an argument is out of range.
    """
    if not 1 <= houses <= MOST_HOUSES:
        raise SceneError(f"--houses must be 1 to {MOST_HOUSES}, not {houses}")
    if workers < 1:
        raise SceneError(f"--workers must be at least 1, not {workers}")
    if rooms is not None:
        check_rooms(rooms)
    settings = Settings(seed, rooms, renderer, side, frames, pairs, _name(judge), _name(paraphrase))
    _check(settings)
    folders = [out / "artifacts" / f"train_house_{index:05d}" for index in range(houses)]
    left = [index for index, folder in enumerate(folders) if not folder.is_dir()]
    _check_answers(judge if left else None, paraphrase if left else None)
    make = partial(_generated, out, settings, _ask(judge), _ask(paraphrase))
    with claimed(out, meta_of(settings)):
        done = houses - len(left)
        for folder in folders if progress else []:
            if folder.is_dir() and progress:
                progress(Progress(done, houses, folder.name, _pairs_in(folder), skipped=True))
        for index, count in _made(make, left, 1 if judge or paraphrase else workers):
            done += 1
            if progress:
                progress(Progress(done, houses, folders[index].name, count, skipped=False))
    return folders


def make_house_from_procthor(
    json_path: Path,
    out: Path,
    seed: int = 0,
    renderer: str = "embree",
    progress: Callable[[Progress], None] | None = None,
    *,
    side: int = SIDE,
    frames: int = MOST_FRAMES,
    pairs: int | None = None,
    judge: tuple[str, Ask] | None = None,
    paraphrase: tuple[str, Ask] | None = None,
) -> Path:
    """Makes a dataset of one house from a ProcTHOR file (see `make_houses` for the arguments).

    Raises:
        HouseFileError: If the file breaks the format.
        DatasetFolderError: If the folder holds something else.
        SceneError: If the house cannot be walked through.
    """
    settings = Settings(seed, None, renderer, side, frames, pairs, _name(judge), _name(paraphrase))
    _check(settings)
    house = read_house(json_path)
    digest = hashlib.sha256(json_path.read_bytes()).hexdigest()
    target = out / "artifacts" / "train_house_00000"
    made = not target.is_dir()
    _check_answers(judge if made else None, paraphrase if made else None)
    with claimed(out, meta_of(settings, json_path.name, digest)):
        if made:
            make_one(house, out, target.name, settings, 0, _ask(judge), _ask(paraphrase))
    if progress:
        progress(Progress(1, 1, target.name, _pairs_in(target), skipped=not made))
    return target


def _check(settings: Settings) -> None:
    """Finds what would fail in every house, before a folder is touched."""
    if not 32 <= settings.side <= MOST_SIDE or settings.frames < 1:
        raise SceneError(f"pictures must be 32 to {MOST_SIDE} pixels wide, and frames at least 1")
    if settings.renderer not in RENDERERS:
        raise SceneError(f"there is no renderer {settings.renderer!r}: use --renderer {' or '.join(RENDERERS)}")
    if settings.renderer == "thor":
        from evals.scenes.thor import ai2thor

        ai2thor()
    embree()


def _check_answers(*models: tuple[str, Ask] | None) -> None:
    """Makes sure that models answer at all, each of them once."""
    for ask in dict(model for model in models if model).values():
        if isinstance(ask, AskModel):
            asyncio.run(ask.check())


def _name(model: tuple[str, Ask] | None) -> str:
    return model[0] if model else ""


def _ask(model: tuple[str, Ask] | None) -> Ask | None:
    return model[1] if model else None


def _pairs_in(folder: Path) -> int:
    """How many pairs a finished house says that it has."""
    try:
        return int(json.loads((folder / "generation.json").read_bytes())["pairs"])
    except (OSError, ValueError, TypeError, LookupError, RecursionError):
        return 0


def _made(make: Callable[[int], int], indices: list[int], workers: int) -> Iterator[tuple[int, int]]:
    """Makes houses and yields (index, pairs) as they come."""
    if workers > 1 and len(indices) > 1:
        yield from in_processes(make, indices, workers)
        return
    # A model's client cannot be sent to another process either; its calls overlap within a house instead.
    for index in indices:
        yield index, make(index)


def _generated(out: Path, settings: Settings, judge: Ask | None, paraphrase: Ask | None, index: int) -> int:
    house = generate_house(settings.seed, index, settings.rooms)
    return make_one(house, out, f"train_house_{index:05d}", settings, index, judge, paraphrase)


def make_one(
    house: House,
    out: Path,
    name: str,
    settings: Settings,
    index: int,
    judge: Ask | None = None,
    paraphrase: Ask | None = None,
) -> int:
    """Walks through a house, finds its pairs, and moves the finished folder into place; returns the number of pairs."""
    world = _world_of(settings.renderer)(house, settings.seed * 1009 + index)
    cameras = exploration_cameras(world.scene, world.renderer, world.floor, settings.side, settings.frames)
    frames = []
    for camera in cameras:
        check_camera(world.scene, world.renderer, camera)
        view = world.renderer.view(camera)
        frames.append(Frame(camera, view, tuple(seen_from(world.scene, world.renderer, camera, view.maps))))
    rng = np.random.default_rng([settings.seed, index, 1])
    found, counts = find_pairs(
        world.scene, world.renderer, world.caster, world.floor, [frozenset(f.seen) for f in frames], rng, settings.pairs
    )
    draft = out / ".unfinished" / f"{name}.{os.getpid()}"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    try:
        pairs = _finished(world, found, settings, rng, counts, draft, judge, paraphrase)
        report = report_of(
            house,
            settings.seed,
            index,
            frames,
            pairs,
            len(world.floor.positions),
            route(world.floor, settings.frames)[1],
            counts,
        )
        write_house(draft, name, house, world.scene, frames, pairs, report)
        target = out / "artifacts" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            draft.replace(target)
        except OSError as error:
            # A worker that outlived a killed run may have finished the same house meanwhile, with the same bytes.
            if not target.is_dir():
                raise DatasetFolderError(f"{target}: cannot be written ({error.strerror}): check --out") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return len(pairs)


def _finished(
    world: World,
    found: list[Candidate],
    settings: Settings,
    rng: np.random.Generator,
    counts: Counter[str],
    draft: Path,
    judge: Ask | None,
    paraphrase: Ask | None,
) -> list[FinishedPair]:
    """Renders the observers' views, has them judged where wanted, and writes the sentences."""
    house = world.scene.house
    views = []
    for number, candidate in enumerate(found):
        camera = replace(candidate.camera, width=settings.side, height=settings.side)
        found[number] = replace(candidate, camera=camera)
        views.append(world.renderer.view(camera))
    if judge is not None:
        found = judged_directions(world.scene, world.caster, found, views, judge, draft, counts)
    pairs: list[FinishedPair] = []
    for candidate, view in zip(found, views, strict=True):
        sentences: dict[str, Sentences] = {}
        dropped: dict[str, str] = {}
        for placement in candidate.placements:
            taken = [entry.target for entry in sentences.values()]
            room = candidate.anchor.item.room if candidate.anchor.item is not None else ""
            written = sentences_for(candidate.speaker, placement, candidate.anchor.category, house, taken, rng, room)
            if written is None:
                dropped[placement.relation] = "no_unambiguous_words"
                counts["direction:no_unambiguous_words"] += 1
            else:
                sentences[placement.relation] = written
        if sentences:
            pairs.append(FinishedPair(candidate, view, sentences, dropped))
        else:
            counts["pair:no unambiguous words"] += 1
    return paraphrased(pairs, paraphrase, counts) if paraphrase is not None else pairs


def _world_of(renderer: str) -> WorldOf:
    if renderer == "thor":
        from evals.scenes.thor import thor_world

        return thor_world
    return embree_world
