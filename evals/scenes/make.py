"""Makes whole datasets: houses in parallel, each complete or not there, so that a broken run goes on where it was."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from evals.scenes.dataset import FinishedPair, Frame, report_of, write_house
from evals.scenes.errors import DatasetFolderError, SceneError
from evals.scenes.explore import MOST_FRAMES, SIDE, check_camera, exploration_cameras, route, seen_from
from evals.scenes.generate import generate_house
from evals.scenes.house import House
from evals.scenes.judge import Ask, judged_directions, paraphrased
from evals.scenes.pairs import Candidate, find_pairs
from evals.scenes.procthor import read_house
from evals.scenes.sentences import Sentences, sentences_for
from evals.scenes.settings import Settings, check_renderer, claim, write_meta
from evals.scenes.world import World, WorldOf, embree_world


@dataclass(frozen=True)
class Progress:
    """Where a run stands.

    Attributes:
        done: Finished houses.
        total: Houses asked for.
        house: The one that has just been finished.
        pairs: Its pairs.
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
    if houses < 1 or workers < 1 or side < 32 or frames < 1:
        raise SceneError("--houses, --workers and frames must be at least 1, pictures at least 32 pixels wide")
    check_renderer(renderer)
    settings = Settings(
        seed, rooms, renderer, side, frames, pairs, judge[0] if judge else "", paraphrase[0] if paraphrase else ""
    )
    claim(out, settings)
    names = [f"train_house_{index:05d}" for index in range(houses)]
    left = [index for index, name in enumerate(names) if not (out / "artifacts" / name).is_dir()]
    done = houses - len(left)
    for name in names if progress else []:
        if (out / "artifacts" / name).is_dir() and progress:
            progress(Progress(done, houses, name, 0, skipped=True))
    for index, count in _made(
        out, left, settings, workers, judge[1] if judge else None, paraphrase[1] if paraphrase else None
    ):
        done += 1
        if progress:
            progress(Progress(done, houses, names[index], count, skipped=False))
    write_meta(out, settings)
    return [out / "artifacts" / name for name in names]


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
    check_renderer(renderer)
    house = read_house(json_path)
    settings = Settings(
        seed, None, renderer, side, frames, pairs, judge[0] if judge else "", paraphrase[0] if paraphrase else ""
    )
    claim(out, settings, json_path.name)
    name = "train_house_00000"
    target = out / "artifacts" / name
    made = not target.is_dir()
    count = 0
    if made:
        count = make_one(
            house, out, name, settings, 0, judge[1] if judge else None, paraphrase[1] if paraphrase else None
        )
    write_meta(out, settings, json_path.name)
    if progress:
        progress(Progress(1, 1, name, count, skipped=not made))
    return target


def _made(
    out: Path, indices: list[int], settings: Settings, workers: int, judge: Ask | None, paraphrase: Ask | None
) -> Iterator[tuple[int, int]]:
    """Makes houses and yields (index, pairs) as they come."""
    if judge is not None or paraphrase is not None or workers == 1 or len(indices) == 1:
        # A model's client cannot be sent to another process; its calls overlap within a house instead.
        for index in indices:
            yield index, _generated(out, index, settings, judge, paraphrase)
        return
    waiting = iter(indices)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, max_tasks_per_child=20, initializer=_end_with_parent) as pool:
        running: dict[Future[int], int] = {}
        try:
            while True:
                for index in itertools.islice(waiting, workers - len(running)):
                    running[pool.submit(_generated, out, index, settings)] = index
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _end_with_parent() -> None:
    """Makes a worker end when the run that started it is killed, instead of working on for nobody."""
    parent = multiprocessing.parent_process()

    def wait_for_end() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait_for_end, daemon=True).start()


def _generated(
    out: Path, index: int, settings: Settings, judge: Ask | None = None, paraphrase: Ask | None = None
) -> int:
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
