"""Draws the built-in demo data: two simple houses in POVBench's published layout, from nothing but NumPy and OpenCV.

Rays are cast against boxes, cylinders and ellipsoids. Light is computed once a house, on a grid over every surface, and
looked up by the pictures: soft shadows without noise, which also keeps the files small.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from house_furniture import Part
from house_light import Lightmaps, bake, lookup
from house_plans import HOUSES, House, camera_entry, exploration_cameras, observer_camera, plan_pairs
from house_rays import NOTHING, Array, Scene, build_scene, camera_rays, cast, linear, middle_and_size

from tools.camera import Camera

VISIBLE_PIXELS = 150
META = {
    "name": "Situate built-in houses, drawn by scripts/draw_houses.py",
    "houses": len(HOUSES),
    "visible_pixels_threshold": VISIBLE_PIXELS,
    "licence": "MIT",
}


def draw(scene: Scene, lightmaps: Lightmaps, camera: Camera, scale: int = 2) -> Array:
    """Returns an (H, W, 3) uint8 picture."""
    rays = camera_rays(camera, scale).reshape(-1, 3)
    depth, seen = (a.ravel() for a in cast(scene, camera, scale))
    image = np.full((len(rays), 3), 0.75, dtype=np.float32)
    order = np.argsort(seen, kind="stable")
    bounds = np.searchsorted(seen[order], np.arange(len(scene.parts) + 1))
    for index, part in enumerate(scene.parts):
        pixels = order[bounds[index] : bounds[index + 1]]
        if len(pixels):
            points = np.array(camera.position, dtype=np.float32) + rays[pixels] * depth[pixels, None]
            image[pixels] = shade(scene, lightmaps, index, part, points)
    image = image.reshape(camera.height, scale, camera.width, scale, 3).mean((1, 3))
    return tone(image)


def tone(image: Array) -> Array:
    """Returns uint8 sRGB from linear light, in 96 steps of brightness and 64 of hue: finer ones only cost space."""
    curved = np.clip(image / (1 + 0.18 * image) * 1.12, 0, 1) ** (1 / 2.2)
    bright = np.maximum(curved.max(-1, keepdims=True), 1e-3)
    hue = np.round(curved / bright * 64) / 64
    levels: Array = np.round(hue * np.round(bright * 96) / 96 * 255).astype(np.uint8)
    return levels


def shade(scene: Scene, lightmaps: Lightmaps, index: int, part: Part, points: Array) -> Array:
    middle, size = middle_and_size(part)
    unit = np.clip((points - middle) / (size / 2), -1, 1)
    colours = surface_colour(scene, part, points, unit)
    if part.finish in ("glow", "sky"):
        return colours
    if part.finish == "screen":
        return colours * 0.8
    if part.shape == "ellipsoid":
        face = np.full(len(points), 7)
    elif part.shape == "cylinder":
        cap = np.abs(unit[:, 1]) > 0.9999
        face = np.where(cap, 2 + (unit[:, 1] > 0), 6)
    else:
        axis = np.argmax(np.add(np.abs(unit), [0, 1e-6, 0]), axis=1)
        face = 2 * axis + (np.take_along_axis(unit, axis[:, None], 1)[:, 0] > 0)
    light = np.empty_like(colours)
    for chart in np.unique(face):
        chosen = face == chart
        q = unit[chosen]
        if chart < 6:
            first, second = (axis for axis in range(3) if axis != chart // 2)
            u, v = (q[:, first] + 1) / 2, (q[:, second] + 1) / 2
        else:
            u, v = np.arctan2(q[:, 2], q[:, 0]) / (2 * np.pi) + 0.5, (q[:, 1] + 1) / 2
        light[chosen] = lookup(lightmaps[index, int(chart)], u, v, chart >= 6)
    return colours * light


def surface_colour(scene: Scene, part: Part, points: Array, unit: Array) -> Array:
    """Returns (N, 3) linear colours of points on a part, by its finish."""
    colour = np.broadcast_to(linear(part.colour), points.shape).copy()
    x, z = points[:, 0], points[:, 2]
    size = np.array(part.high) - np.array(part.low)
    inward = np.sort((1 - np.abs(unit)) * size / 2, axis=1)[:, 1]
    if part.finish == "wall":
        for (x0, z0, x1, z1), paint in scene.rooms:
            colour[(x > x0 - 0.03) & (x < x1 + 0.03) & (z > z0 - 0.03) & (z < z1 + 0.03)] = paint
    elif part.finish == "planks":
        row = np.floor(x / 0.16)
        shift = z / 1.4 + (row * 0.37) % 1
        tint = (np.sin(row * 12.9898 + np.floor(shift) * 78.233) * 43758.5453) % 1
        gap = ((x / 0.16) % 1 < 0.05) | (shift % 1 < 0.006)
        colour *= (0.9 + 0.2 * np.round(tint * 4) / 4 - 0.22 * gap)[:, None]
    elif part.finish == "tiles":
        gap = ((x / 0.4) % 1 < 0.025) | ((z / 0.4) % 1 < 0.025)
        check = (np.floor(x / 0.4) + np.floor(z / 0.4)) % 2
        colour *= (1.0 - 0.05 * check - 0.2 * gap)[:, None]
    elif part.finish == "wood":
        along = int(np.argmax(size))
        across = points[:, (along + 1) % 3] + points[:, (along + 2) % 3]
        colour *= (1 + 0.05 * np.sign(np.sin(across * 95 + np.sin(points[:, along] * 5))) + 0.1 * (inward < 0.006))[
            :, None
        ]
    elif part.finish == "soft":
        colour *= (1 - 0.3 * np.exp(-inward / 0.018))[:, None]
    elif part.finish == "hard":
        colour *= (1 + 0.12 * (inward < 0.006))[:, None]
    elif part.finish == "rug":
        border = (inward > 0.08) & (inward < 0.16)
        colour[border] = linear("#ead9b8")
    elif part.finish in ("screen", "sky", "painting"):
        colour = flat_picture(part, unit, colour)
    return colour


def flat_picture(part: Part, unit: Array, colour: Array) -> Array:
    """Colours of what a screen, a window or a painting shows, by place on its upright face."""
    wide = 0 if part.high[0] - part.low[0] > part.high[2] - part.low[2] else 2
    across, up = unit[:, wide], unit[:, 1]
    if part.finish == "screen":
        return colour * (0.55 + 0.35 * (np.round((across + up) * 6) / 12 + 0.5))[:, None]
    hills = -0.35 + 0.25 * np.sin(3 * across) if part.finish == "painting" else -0.7 + 0.1 * np.sin(5 * across)
    sky = linear("#a9d3ee") * (1.1 - 0.15 * up[:, None])
    ground = linear("#7ba05b") if part.finish == "sky" else colour
    shown = np.where((up < hills)[:, None], ground, sky)
    if part.finish == "painting":
        shown[(across - 0.4) ** 2 + (up - 0.45) ** 2 * 0.5 < 0.05] = linear("#f2c84b")
    return shown


def visible_objects(house: House, scene: Scene, camera: Camera) -> list[str]:
    """Returns ids of the objects that at least `VISIBLE_PIXELS` pixel centres of a frame meet first."""
    seen = cast(scene, camera)[1]
    owners = np.where(seen == NOTHING, NOTHING, scene.owners[seen])
    counts = np.bincount(owners[owners != NOTHING], minlength=len(house.things))
    return [house.object_ids[i] for i in np.flatnonzero(counts >= VISIBLE_PIXELS)]


def exploration_log(house: House, scene: Scene) -> list[dict[str, Any]]:
    return [
        {
            "image_path": f"exploration_images/frame_{i:03d}.png",
            "camera": camera_entry(camera),
            "object_in_frame_hits": visible_objects(house, scene, camera),
        }
        for i, camera in enumerate(exploration_cameras(house))
    ]


def write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


def save(path: Path, picture: Array) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Even areas compress best when PNG's filters do not break their repetition.
    options = [
        cv2.IMWRITE_PNG_COMPRESSION,
        9,
        cv2.IMWRITE_PNG_STRATEGY,
        0,
        cv2.IMWRITE_PNG_FILTER,
        cv2.IMWRITE_PNG_FILTER_NONE,
    ]
    path.write_bytes(cv2.imencode(".png", picture[..., ::-1], options)[1].tobytes())


def write_house(house: House, folder: Path) -> None:
    scene = build_scene(house)
    log = exploration_log(house, scene)
    lightmaps = bake(scene)
    for entry, camera in zip(log, exploration_cameras(house), strict=True):
        save(folder / entry["image_path"], draw(scene, lightmaps, camera))
    pairs = plan_pairs(house)
    for entry, pair in zip(pairs, house.pairs, strict=True):
        camera = observer_camera(house, pair)
        if entry["object_landmark"]["objectId"] not in visible_objects(house, scene, camera):
            raise ValueError(f"{house.name}: {entry['pair_id']}: the observer cannot see the anchor")
        save(folder / entry["rgb_path"], draw(scene, lightmaps, camera))
    kinds = {entry["image_path"]: sorted({hit.split("|")[0] for hit in entry["object_in_frame_hits"]}) for entry in log}
    write_json(folder / f"{house.name}.json", pairs)
    write_json(folder / "exploration_log.json", log)
    write_json(folder / "per_image_visible_objects.json", kinds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "evals/datasets/builtin")
    out: Path = parser.parse_args().out
    shutil.rmtree(out / "artifacts", ignore_errors=True)
    for house in HOUSES:
        write_house(house, out / "artifacts" / house.name)
    write_json(out / "meta.json", META)


if __name__ == "__main__":
    main()
