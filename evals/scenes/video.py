"""Frames from a real house tour (POVBench, section 5.5): equal intervals or picked times, letterboxed to squares."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from evals.scenes.dataset import write_json, write_png
from evals.scenes.errors import DatasetFolderError, VideoError
from evals.scenes.tour import COMMANDS, FRAMES, TEMPLATE

Picture = NDArray[np.uint8]

SIDE = 512
MOST = 1000
RECORD, UNFINISHED = "frames.json", ".unfinished_frames"


def extract_frames(
    video: Path,
    count: int,
    out: Path,
    *,
    side: int = SIDE,
    times: Sequence[float] | None = None,
    start: float = 0.0,
    end: float | None = None,
) -> list[Path]:
    """Takes frames from a video.

    A phone's rotation mark is obeyed. Frames are read in order rather than sought, so that the same file gives the same
    frames whatever its key frames are.

    Args:
        video: Any file that OpenCV's FFmpeg reads.
        count: Number of frames at equal intervals: the middles of `count` equal parts. Not used with `times`.
        out: Folder for the frames, `frames.json` and, where there is none yet, a `commands.yaml` to fill in.
        side: Width and height of the frames, pixels; what is left over is black.
        times: Seconds from the beginning, for a picked set.
        start: Seconds at the beginning that are passed over.
        end: Second at which to stop; the video's end when None.

    Returns:
        The pictures' paths, in order.

    Raises:
        VideoError: If the video cannot be read or is too short, or an argument is out of range.
        DatasetFolderError: If the folder already holds frames, or cannot be written.
    """
    if times is None and not 1 <= count <= MOST:
        raise VideoError(f"--count must be 1 to {MOST}, not {count}")
    if side < 16:
        raise VideoError(f"frames of {side} pixels are too small: use at least 16")
    if not video.is_file():
        raise VideoError(f"{video}: no such file: check the path")
    folder, draft = out / FRAMES, out / UNFINISHED
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise DatasetFolderError(f"{folder}: already holds frames or other files: choose an empty --out")
    rate, total, rotation = _measured(video)
    wanted = _wanted(video, rate, total, count, times, start, end)
    try:
        # What a run that was killed left there.
        shutil.rmtree(draft, ignore_errors=True)
        (draft / FRAMES).mkdir(parents=True)
        entries = []
        for number, (index, picture) in enumerate(_pictures(video, wanted)):
            name = f"frame_{number:03d}.png"
            write_png(draft / FRAMES / name, letterboxed(picture, side))
            entries.append({"image_path": f"{FRAMES}/{name}", "video_frame": index, "seconds": round(index / rate, 3)})
        record = {
            "video": video.name,
            "frames_per_second": round(rate, 4),
            "video_frames": total,
            "rotation": rotation,
            "ground_truth": False,
            "frames": entries,
        }
        write_json(draft / RECORD, record)
        (draft / COMMANDS).write_text(TEMPLATE, encoding="utf-8")
        # The frames last: a folder that has them has the rest too.
        (draft / RECORD).replace(out / RECORD)
        if not (out / COMMANDS).exists():
            (draft / COMMANDS).replace(out / COMMANDS)
        if folder.is_dir():
            folder.rmdir()
        (draft / FRAMES).replace(folder)
    except OSError as error:
        raise DatasetFolderError(f"{out}: cannot be used ({error.strerror}): choose another --out") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return [out / str(entry["image_path"]) for entry in entries]


def times_of(text: str) -> list[float]:
    """Reads times in seconds, with commas between.

    Raises:
        VideoError: If one of them is no number.
    """
    try:
        return [float(part) for part in text.split(",")]
    except ValueError as error:
        raise VideoError(f"--at {text!r}: not a list of seconds: write it like 3,7.5,12") from error


def letterboxed(picture: Picture, side: int = SIDE) -> Picture:
    """Scales an (H, W, 3) picture to fit into a square and fills the rest with black."""
    height, width = picture.shape[:2]
    scale = side / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    square = np.zeros((side, side, 3), dtype=np.uint8)
    top, left = (side - size[1]) // 2, (side - size[0]) // 2
    square[top : top + size[1], left : left + size[0]] = small
    return square


def _opened(video: Path) -> Any:
    capture = cv2.VideoCapture(str(video))
    if not capture.isOpened():
        raise VideoError(f"{video}: OpenCV cannot read it as a video: convert it, for example to an MP4 with H.264")
    capture.set(cv2.CAP_PROP_ORIENTATION_AUTO, 1)
    return capture


def _measured(video: Path) -> tuple[float, int, int]:
    """Frames a second, number of frames that can really be read, and the rotation mark in degrees."""
    capture = _opened(video)
    try:
        rate = float(capture.get(cv2.CAP_PROP_FPS))
        rotation = round(capture.get(cv2.CAP_PROP_ORIENTATION_META))
        total = 0
        while capture.grab():
            total += 1
    finally:
        capture.release()
    if total == 0:
        raise VideoError(f"{video}: holds no frame that can be read: convert it, for example to an MP4 with H.264")
    if not np.isfinite(rate) or rate <= 0:
        rate = 25.0
    return rate, total, rotation


def _wanted(
    video: Path, rate: float, total: int, count: int, times: Sequence[float] | None, start: float, end: float | None
) -> list[int]:
    length = total / rate
    if times is not None:
        if not times or any(not np.isfinite(t) or t < 0 or t >= length for t in times):
            raise VideoError(f"{video}: is {length:.1f} s long: give times from 0 to below that")
        return sorted({min(int(t * rate), total - 1) for t in times})
    stop = length if end is None else end
    if not 0 <= start < stop or stop > length + 1e-6:
        raise VideoError(f"{video}: is {length:.1f} s long: give --start and --end within it")
    first, last = start * rate, min(stop * rate, total)
    wanted = [int(first + (last - first) * (k + 0.5) / count) for k in range(count)]
    if len(set(wanted)) < count:
        raise VideoError(
            f"{video}: has only {int(last - first)} frames between --start and --end: ask for fewer than {count}"
        )
    return wanted


def _pictures(video: Path, wanted: Sequence[int]) -> Iterator[tuple[int, Picture]]:
    capture = _opened(video)
    left = set(wanted)
    try:
        for index in range(max(wanted) + 1):
            if not capture.grab():
                break
            if index in left:
                done, picture = capture.retrieve()
                if done and picture is not None:
                    left.remove(index)
                    yield index, picture
    finally:
        capture.release()
    if left:
        found, count = len(set(wanted)) - len(left), len(set(wanted))
        raise VideoError(
            f"{video}: only {found} of {count} frames could be decoded: convert it, say to an MP4 with H.264"
        )
