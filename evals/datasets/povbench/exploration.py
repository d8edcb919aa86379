"""Reads the exploration log of a house: which camera took each frame, and which objects it really shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.datasets.povbench.annotations import read_camera
from evals.datasets.povbench.fields import BrokenFieldError, BrokenFileError, Field, read_json
from evals.datasets.povbench.layout import EXPLORATION_LOG, HouseFiles
from evals.sample import Problem
from tools.camera import Camera


@dataclass(frozen=True)
class LoggedFrame:
    """A frame as the log knows it.

    Attributes:
        camera: The camera that took it.
        shows: Ids of the objects that are rendered in it; None where the log does not say.
        raw: The entry as it stands in the log.
    """

    camera: Camera
    shows: frozenset[str] | None
    raw: Mapping[str, Any]


def is_depth(name: str) -> bool:
    """Whether a file is a depth map beside the frames, by its name."""
    return "depth" in name.rpartition("/")[2]


def read_exploration(house: HouseFiles, root: Path) -> tuple[Mapping[str, LoggedFrame], list[Problem]]:
    """Reads a house's exploration log.

    Args:
        house: The house's files.
        root: The data set's folder.

    Returns:
        The frames whose cameras are known, by frame id, and what is wrong with the log.
    """
    log = house.folder / EXPLORATION_LOG
    file = log.relative_to(root).as_posix()
    lost = "inferred and stated instances are left out"
    try:
        entries = read_json(log, root)
    except BrokenFileError as error:
        return {}, [Problem(file, "", f"{error} (the house's {lost})")]
    if not isinstance(entries, list):
        return {}, [Problem(file, "", f"must hold a list of frames; download the file again (the house's {lost})")]
    frames: dict[str, LoggedFrame] = {}
    problems: list[Problem] = []
    for index, entry in enumerate(entries):
        place = f"entry {index}"
        try:
            name = Field("", entry)["image_path"].name()
            if is_depth(name):
                continue
            place = f"frame {name}"
            if name in frames:
                problems.append(
                    Problem(file, place, "is logged twice; delete one entry (the last counts)", fatal=False)
                )
            frames[name] = _read_frame(entry)
        except BrokenFieldError as error:
            what = f"{error.what}; correct it or download the file again (the frame is left out)"
            problems.append(Problem(file, f"{place}: {error.path}", what, fatal=False))
            continue
        if frames[name].shows is None:
            what = "is missing; add it, or markers and frame accuracy leave this frame out"
            problems.append(Problem(file, f"{place}: object_in_frame_hits", what, fatal=False))
    return frames, problems


def _read_frame(raw: dict[str, Any]) -> LoggedFrame:
    entry = Field("", raw)
    hits = entry["object_in_frame_hits"]
    shows = None if hits.missing else frozenset(hit.text() for hit in hits.items())
    return LoggedFrame(read_camera(entry["camera"]), shows, raw)
