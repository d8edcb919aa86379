"""A house of POVBench with its frames: annotations, exploration log and pictures held against each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from agents.frame import Frame
from evals.datasets.povbench.annotations import Pair, read_pairs
from evals.datasets.povbench.exploration import LoggedFrame, is_depth, read_exploration
from evals.datasets.povbench.fields import BrokenFileError, read_json
from evals.datasets.povbench.layout import EXPLORATION_LOG, FRAMES_FOLDER, HOUSE_PLAN, HouseFiles
from evals.sample import Problem
from tools.camera import Camera
from tools.pictures import Picture, PictureError, open_picture

MAX_FRAMES = 30
"""A house of the benchmark has up to 30 frames (section 4.1)."""


@dataclass(frozen=True)
class View:
    """A picture together with the camera that took it.

    Attributes:
        frame: The picture as it is shown.
        camera: Its camera, in the picture's own size.
        shows: Ids of the objects that are rendered in it; None where that is not known.
    """

    frame: Frame
    camera: Camera
    shows: frozenset[str] | None = None


@dataclass(frozen=True)
class House:
    """A house.

    Attributes:
        id: The house's id.
        pairs: Its pairs, by id, in the order of the file.
        views: The exploration frames that can be shown and answered, in numbered order.
        observer_views: The observer's picture of each pair that has a usable one.
        log: The exploration log, by frame id.
        rooms: Number of its rooms; None where no plan of the house tells.
    """

    id: str
    pairs: Mapping[str, Pair]
    views: tuple[View, ...]
    observer_views: Mapping[str, View]
    log: Mapping[str, LoggedFrame]
    rooms: int | None = None


def read_house(files: HouseFiles, root: Path) -> tuple[House, list[Problem]]:
    """Reads a house. Of pictures, only the headers are read.

    Args:
        files: The house's files.
        root: The data set's folder.

    Returns:
        The house and everything that is wrong with it.
    """
    pairs, problems = read_pairs(files, root)
    log, log_problems = read_exploration(files, root)
    problems += log_problems
    readable = not any(problem.fatal for problem in log_problems)
    views = _exploration_views(files, root, log, problems) if readable else ()
    observer_views = {}
    for pair in pairs.values():
        view = _observer_view(pair, files, root, problems)
        if view is not None:
            observer_views[pair.id] = view
    return House(files.id, pairs, views, observer_views, log, _rooms(files, root, problems)), problems


def _rooms(files: HouseFiles, root: Path, problems: list[Problem]) -> int | None:
    plan = files.folder / HOUSE_PLAN
    if not plan.is_file():
        return None
    try:
        content = read_json(plan, root)
        rooms = content.get("rooms") if isinstance(content, Mapping) else None
        if not isinstance(rooms, list):
            raise BrokenFileError("holds no list of rooms; copy it anew, or delete it")
    except BrokenFileError as error:
        what = f"{error} (its instances have no room_count to group by)"
        problems.append(Problem(plan.relative_to(root).as_posix(), "", what, fatal=False))
        return None
    return len(rooms)


def _exploration_views(
    files: HouseFiles, root: Path, log: Mapping[str, LoggedFrame], problems: list[Problem]
) -> tuple[View, ...]:
    folder = files.folder / FRAMES_FOLDER
    shown = folder.relative_to(root).as_posix()
    on_disk = {f"{FRAMES_FOLDER}/{path.name}" for path in folder.glob("*.png") if not is_depth(path.name)}
    log_file = (files.folder / EXPLORATION_LOG).relative_to(root).as_posix()
    for frame_id in log if on_disk else ():
        if frame_id not in on_disk:
            what = "has no picture; download it again or delete the entry (the frame is left out)"
            problems.append(Problem(log_file, f"frame {frame_id}", what, fatal=False))
    if len(on_disk) > MAX_FRAMES:
        what = f"holds {len(on_disk)} frames; the first {MAX_FRAMES} by name are used, move others away to choose"
        problems.append(Problem(shown, "", what, fatal=False))
    views = []
    for frame_id in sorted(on_disk)[:MAX_FRAMES]:
        file = (files.folder / frame_id).relative_to(root).as_posix()
        if frame_id not in log:
            # Shown all the same it could be chosen, and nothing would tell where the target falls in it.
            what = f"has no usable entry in {EXPLORATION_LOG}, so its camera is not known; add one"
            problems.append(Problem(file, "", f"{what} (the frame is left out, later ones move up)", fatal=False))
            continue
        logged = log[frame_id]
        try:
            picture, camera, remark = _open(files.folder / frame_id, root, logged.camera)
        except _UnusablePictureError as error:
            problems.append(Problem(file, "", f"{error} (the frame is left out, later ones move up)", fatal=False))
            continue
        if remark:
            problems.append(Problem(file, "", remark, fatal=False))
        views.append(View(Frame(frame_id, picture), camera, logged.shows))
    if not views:
        what = "holds no frame that could be used; download it again (inferred and stated instances are left out)"
        problems.append(Problem(shown, "", what))
    return tuple(views)


def _observer_view(pair: Pair, files: HouseFiles, root: Path, problems: list[Problem]) -> View | None:
    if pair.view is None or pair.camera is None:
        return None
    file, place = files.pairs.relative_to(root).as_posix(), f"pair {pair.id}: rgb_path"
    lost = "(the pair's given instances are left out)"
    path = PurePosixPath(pair.view)
    if path.is_absolute() or ".." in path.parts:
        what = f"must stay in the house's folder, {pair.view!r} does not; correct it {lost}"
        problems.append(Problem(file, place, what))
        return None
    try:
        picture, camera, remark = _open(files.folder / path, root, pair.camera)
    except _UnusablePictureError as error:
        problems.append(Problem(file, place, f"{pair.view!r} {error} {lost}"))
        return None
    if remark:
        problems.append(Problem(file, place, f"{pair.view!r} {remark}", fatal=False))
    return View(Frame(pair.view, picture), camera)


class _UnusablePictureError(ValueError):
    """A picture that cannot be shown, or whose camera cannot have taken it."""


def _open(path: Path, root: Path, camera: Camera) -> tuple[Picture, Camera, str]:
    """Opens a picture and fits its camera to it: a scaled picture shows the same, one of another shape does not.

    Returns:
        The picture, the camera in the picture's size, and a remark where the two differed.

    Raises:
        _UnusablePictureError: If the picture cannot be opened, or has another shape than its camera says.
    """
    try:
        picture = open_picture(path, root)
    except PictureError as error:
        raise _UnusablePictureError(str(error).removeprefix(f"{path}: ")) from error
    width, height = picture.size
    if (width, height) == (camera.width, camera.height):
        return picture, camera, ""
    remark = (
        f"is {width}x{height} while its camera says {camera.width}x{camera.height}; download the picture again or "
        "correct the camera's screen_width and screen_height"
    )
    if width * camera.height != height * camera.width:
        raise _UnusablePictureError(remark)
    return picture, replace(camera, width=width, height=height), f"{remark} (used, as the shape is the same)"
