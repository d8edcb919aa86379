"""A floor plan with cameras, pairs and targets, as a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from evals.reporting.text import counted, printable
from evals.scenes.errors import DatasetFolderError
from evals.scenes.house import House, Item, Point
from evals.scenes.names import ROOM_WORDS
from evals.scenes.procthor import read_house
from evals.scenes.reading import MadeHouse, camera_of, directions_of, house_folders, point_of, position_of, read_made

Draw = ImageDraw.ImageDraw
Where = Callable[[float, float], tuple[float, float]]
Ink = tuple[int, int, int]

PLAN, MARGIN, LEGEND = 1000, 40, 470
"""Longest side of the plan, its margin, and the width of the legend, pixels."""

ROOM_INK: dict[str, Ink] = {
    "Kitchen": (252, 243, 222),
    "LivingRoom": (233, 243, 232),
    "Bedroom": (231, 238, 248),
    "Bathroom": (226, 244, 246),
}
PAIR_INKS: Sequence[Ink] = (
    (200, 50, 50),
    (30, 110, 190),
    (40, 140, 60),
    (160, 70, 170),
    (210, 120, 20),
    (20, 140, 150),
    (120, 90, 40),
    (220, 60, 130),
    (80, 80, 200),
    (110, 130, 20),
)
GREY: Ink = (110, 110, 110)
PASSED_OVER = frozenset({"CeilingLamp", "Rug", "Curtain", "WallCabinet", "FruitBowl"})


def look(data: Path, house_index: int, out_png: Path) -> Path:
    """Draws one house of a dataset.

    North is up: z grows upwards, x to the right. Numbered wedges are the frames of the walk; a line runs from each
    observer to the anchor; letters mark targets (R right, L left, F front, U up).

    Args:
        data: A folder in POVBench's layout; rooms and furniture are drawn where it holds `house.json`.
        house_index: Number of the house, from 0.
        out_png: Where the picture goes.

    Returns:
        `out_png`.

    Raises:
        DatasetFolderError: If there is no such house, or the picture cannot be written.
    """
    folders = house_folders(data)
    if not 0 <= house_index < len(folders):
        raise DatasetFolderError(
            f"{data}: has {counted(len(folders), 'house')}: give --house a number from 0 to {len(folders) - 1}"
        )
    made = read_made(data, folders[house_index])
    plan = made.folder / "house.json"
    picture = _drawn(made, read_house(plan) if plan.is_file() else None)
    try:
        out_png.parent.mkdir(parents=True, exist_ok=True)
        picture.save(out_png, format="PNG")
    except OSError as error:
        raise DatasetFolderError(f"{out_png}: cannot be written ({error.strerror}): choose another --out") from error
    return out_png


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _drawn(made: MadeHouse, house: House | None) -> Image.Image:
    low_x, low_z, high_x, high_z = _bounds(made, house)
    scale = PLAN / max(high_x - low_x, high_z - low_z, 1.0)
    width, height = round((high_x - low_x) * scale), round((high_z - low_z) * scale)
    lines = _legend(made)
    size = (width + 2 * MARGIN + LEGEND, max(height + 2 * MARGIN, 70 + 17 * len(lines)))
    # Twice as large and then halved: lines and letters without steps.
    image = Image.new("RGB", (size[0] * 2, size[1] * 2), (255, 255, 255))
    draw = ImageDraw.Draw(image)

    def where(x: float, z: float) -> tuple[float, float]:
        return 2 * (MARGIN + (x - low_x) * scale), 2 * (MARGIN + (high_z - z) * scale)

    if house is not None:
        _draw_house(draw, house, where)
    _draw_walk(draw, made, where)
    _draw_pairs(draw, made, where)
    left = 2 * (width + 2 * MARGIN)
    draw.text((left, 2 * MARGIN), printable(made.name), (0, 0, 0), _font(32))
    for row, (ink, text) in enumerate(lines):
        draw.text((left, 2 * (MARGIN + 30 + 17 * row)), printable(text), ink, _font(23))
    return image.resize(size, Image.Resampling.LANCZOS)


def _bounds(made: MadeHouse, house: House | None) -> tuple[float, float, float, float]:
    if house is not None:
        return house.bounds
    cameras = [camera_of(entry.get("camera", {}), made.name) for entry in (*made.log, *made.pairs)]
    points = [(camera.position[0], camera.position[2]) for camera in cameras]
    for pair in made.pairs:
        points += [position_of(pair, d, made.name)[::2] for d in directions_of(pair)]
    if not points:
        return 0.0, 0.0, 1.0, 1.0
    low, high = np.min(points, axis=0) - 1, np.max(points, axis=0) + 1
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _draw_house(draw: Draw, house: House, where: Where) -> None:
    for room in house.rooms:
        draw.polygon([where(*corner) for corner in room.polygon], fill=ROOM_INK.get(room.kind, (240, 240, 240)))
    for item in house.items:
        if item.category not in PASSED_OVER:
            _draw_item(draw, item, where)
    for wall in house.walls:
        draw.line([where(*wall.start), where(*wall.end)], fill=(40, 40, 40), width=12)
    for door in house.doors:
        ends = [where(*door.start), where(*door.end)]
        draw.line(ends, fill=(150, 90, 40) if door.closed else (255, 255, 255), width=14)
    for window in house.windows:
        draw.line([where(*window.start), where(*window.end)], fill=(110, 190, 240), width=10)
    for room in house.rooms:
        corners = np.array(room.polygon)
        x, y = where(float(corners[:, 0].min()), float(corners[:, 1].min()))
        draw.text((x + 16, y - 44), ROOM_WORDS.get(room.kind) or printable(room.kind), GREY, _font(26))


def _draw_item(draw: Draw, item: Item, where: Where) -> None:
    width, _, depth = item.size
    fx, fz = item.front
    rx, rz = fz, -fx
    x, _, z = item.position

    def at(side: float, ahead: float) -> tuple[float, float]:
        return where(x + rx * side + fx * ahead, z + rz * side + fz * ahead)

    corners = [
        at(-width / 2, -depth / 2),
        at(width / 2, -depth / 2),
        at(width / 2, depth / 2),
        at(-width / 2, depth / 2),
    ]
    fill = (226, 214, 198) if not item.parent else (206, 190, 168)
    draw.polygon(corners, fill=fill, outline=(120, 100, 80), width=2)
    draw.line([at(-width * 0.3, depth / 2), at(width * 0.3, depth / 2)], fill=(120, 100, 80), width=6)
    if not item.parent and max(width, depth) > 0.3:
        draw.text(where(x, z), printable(item.category), (90, 75, 60), _font(17), anchor="mm")


def _draw_walk(draw: Draw, made: MadeHouse, where: Where) -> None:
    stops: list[Point] = []
    for number, entry in enumerate(made.log):
        camera = camera_of(entry.get("camera", {}), f"{made.name}: frame {number}")
        x, _, z = camera.position
        center = where(x, z)
        stops.append((x, z))
        box = [center[0] - 30, center[1] - 30, center[0] + 30, center[1] + 30]
        # Pillow counts angles clockwise from the right; a yaw of 0 looks up.
        draw.pieslice(
            box,
            camera.yaw - 90 - camera.fov / 2,
            camera.yaw - 90 + camera.fov / 2,
            fill=(255, 214, 120),
            outline=(180, 130, 30),
        )
        draw.text(center, str(number), (0, 0, 0), _font(20), anchor="mm")
    if len(stops) > 1:
        draw.line([where(*stop) for stop in stops], fill=(230, 190, 90), width=2)


def _draw_pairs(draw: Draw, made: MadeHouse, where: Where) -> None:
    for number, pair in enumerate(made.pairs):
        ink = PAIR_INKS[number % len(PAIR_INKS)]
        camera = camera_of(pair.get("camera", {}), f"{made.name}: pair {number}")
        start = where(camera.position[0], camera.position[2])
        anchor = _anchor_of(pair)
        if anchor is not None:
            draw.line([start, where(*anchor)], fill=ink, width=4)
        draw.ellipse([start[0] - 20, start[1] - 20, start[0] + 20, start[1] + 20], fill=ink)
        draw.text(start, str(number), (255, 255, 255), _font(24), anchor="mm")
        for direction in directions_of(pair):
            x, _, z = position_of(pair, direction, f"{made.name}: pair {number}")
            spot = where(x, z)
            draw.ellipse(
                [spot[0] - 14, spot[1] - 14, spot[0] + 14, spot[1] + 14], fill=(255, 255, 255), outline=ink, width=4
            )
            draw.text(spot, direction[0].upper(), ink, _font(20), anchor="mm")


def _anchor_of(pair: dict[str, Any]) -> Point | None:
    try:
        center = pair["object_landmark"]["raw_metadata"]["axisAlignedBoundingBox"]["center"]
        x, _, z = point_of([center[axis] for axis in "xyz"])
        return x, z
    except (LookupError, TypeError, ValueError, OverflowError):
        return None


def _legend(made: MadeHouse) -> list[tuple[Ink, str]]:
    lines: list[tuple[Ink, str]] = [
        ((0, 0, 0), f"{len(made.log)} frames, {len(made.pairs)} pairs"),
        (GREY, "wedge: frame; disc: observer; R L F U: targets"),
    ]
    for number, pair in enumerate(made.pairs):
        ink = PAIR_INKS[number % len(PAIR_INKS)]
        ends = [str((pair.get(key) or {}).get("objectId", "?")) for key in ("object_observer", "object_landmark")]
        lines.append((ink, f"{number}  {ends[0]}  to  {ends[1]}"))
        for direction in directions_of(pair):
            given = str(pair["stage6"][direction]["type_c"])
            lines.append((GREY, f"     {direction}: {given if len(given) < 58 else given[:55] + '...'}"))
    return lines
