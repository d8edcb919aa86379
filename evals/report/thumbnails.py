"""Small pictures of frames, within a number of bytes."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import cv2
import numpy as np

from agents.frame import Frame
from tools.pictures import load_pixels

SIDES = (320, 256, 192, 128)
"""Longest sides that are tried, pixels; the first with which all pictures fit counts, else the last."""

QUALITY = 60
"""Of WebP, 0 to 100."""

_TRIED = 16
"""Pictures by which the size of all is judged beforehand."""


@dataclass(frozen=True)
class Thumbnails:
    """Small pictures.

    Attributes:
        encoded: WebP in base64 by the number of the frame.
        side: Longest side, pixels.
        wanted: How many there should be.
        bytes: Size of those that are there.
    """

    encoded: Mapping[int, str] = field(default_factory=dict)
    side: int = SIDES[0]
    wanted: int = 0
    bytes: int = 0


def thumbnails_of(frames: Mapping[int, Frame], room: int) -> Thumbnails:
    """Makes small pictures.

    Args:
        frames: The frames in the order of their importance; the last ones are left out where room is short.
        room: Bytes that all together may take.
    """
    if not frames:
        return Thumbnails()
    numbers = list(frames)
    spread = numbers[:: max(1, len(numbers) // _TRIED)]
    side = SIDES[-1]
    for side in SIDES:
        tried = [len(_encoded(frames[number], side)) for number in spread]
        if sum(tried) / len(tried) * len(numbers) * 1.05 <= room:
            break
    encoded: dict[int, str] = {}
    used = 0
    with ThreadPoolExecutor(max_workers=min(8, os.cpu_count() or 1)) as pool:
        for number, data in zip(numbers, pool.map(lambda one: _encoded(frames[one], side), numbers), strict=True):
            if used + len(data) > room:
                break
            encoded[number] = data
            used += len(data)
    return Thumbnails(encoded, side, len(numbers), used)


def _encoded(frame: Frame, side: int) -> str:
    pixels = load_pixels(frame.picture)
    height, width = pixels.shape[:2]
    scale = min(1.0, side / max(width, height))
    if scale < 1:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    done, data = cv2.imencode(".webp", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    if not done:
        raise RuntimeError(f"OpenCV could not encode {frame.picture.path}")
    return base64.b64encode(data.tobytes()).decode()
