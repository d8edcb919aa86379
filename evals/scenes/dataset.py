"""Writes one house in the layout in which POVBench is published, with depth and instance maps beside the frames.

`depth/` and `instances/` are folders of our own that readers of the published layout pass over.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from evals.scenes.errors import DatasetFolderError
from evals.scenes.explore import LEAST_PIXELS
from evals.scenes.house import House, Vector
from evals.scenes.pairs import Candidate
from evals.scenes.procthor_writing import house_json
from evals.scenes.render import View
from evals.scenes.scene import Instance, Scene
from evals.scenes.sentences import Sentences
from evals.scenes.targets import CLEARLY_VISIBLE, Placement
from tools.camera import Camera, box_corners

FRAMES, OBSERVER_VIEWS, DEPTH, INSTANCES = "exploration_images", "img_from_observer", "depth", "instances"
MILLIMETRES = 1000
"""Depth maps are 16-bit PNGs in millimetres; 0 means that nothing is there."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture of the walk.

    Attributes:
        camera: What took it.
        view: The picture and its maps.
        seen: Ids of the objects really rendered in it.
    """

    camera: Camera
    view: View
    seen: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class FinishedPair:
    """A pair with its picture and sentences.

    Attributes:
        candidate: The pair.
        view: What the observer sees.
        sentences: By direction.
        dropped: Directions without words, with the reason.
    """

    candidate: Candidate
    view: View
    sentences: dict[str, Sentences]
    dropped: dict[str, str]


def write_house(
    folder: Path,
    name: str,
    house: House,
    scene: Scene,
    frames: Sequence[Frame],
    pairs: Sequence[FinishedPair],
    report: dict[str, Any],
) -> None:
    """Writes all files of one house.

    Args:
        folder: An empty folder of its own.
        name: The house's id, e.g. `train_house_00000`.
        house: The house.
        scene: Its geometry, for the names of the instances.
        frames: The walk.
        pairs: The pairs.
        report: What is known of how it was made; goes to `generation.json`.
    """
    for sub in (FRAMES, OBSERVER_VIEWS, DEPTH, INSTANCES):
        (folder / sub).mkdir(parents=True, exist_ok=True)
    log, visible = [], {}
    kinds = {instance.id: instance.category for instance in scene.instances}
    for number, frame in enumerate(frames):
        stem = f"frame_{number:03d}"
        path = f"{FRAMES}/{stem}.png"
        _write_view(folder, path, stem, frame.view)
        log.append({"image_path": path, "camera": camera_json(frame.camera), "object_in_frame_hits": list(frame.seen)})
        visible[path] = sorted({kinds[seen] for seen in frame.seen})
    entries = []
    for number, pair in enumerate(pairs):
        stem = f"pair_{number:02d}"
        path = f"{OBSERVER_VIEWS}/{stem}.png"
        _write_view(folder, path, f"observer_{stem}", pair.view)
        entries.append(_pair_json(pair, name, path))
    write_json(folder / f"{name}.json", entries)
    write_json(folder / "exploration_log.json", log)
    write_json(folder / "per_image_visible_objects.json", visible)
    write_json(folder / "house.json", house_json(house))
    write_json(
        folder / INSTANCES / "instances.json",
        [{"value": i + 1, "id": s.id, "category": s.category} for i, s in enumerate(scene.instances)],
    )
    write_json(folder / "generation.json", report)


def _write_view(folder: Path, path: str, stem: str, view: View) -> None:
    write_png(folder / path, view.color[..., ::-1])
    depth = np.round(view.maps.depth * MILLIMETRES).clip(0, 65535).astype(np.uint16)
    write_png(folder / DEPTH / f"{stem}_depth.png", depth)
    write_png(folder / INSTANCES / f"{stem}.png", (view.maps.instances + 1).astype(np.uint16))


def write_png(path: Path, pixels: np.ndarray[Any, Any]) -> None:
    """Writes a picture (OpenCV's channel order) as PNG.

    Raises:
        DatasetFolderError: If the file cannot be written.
    """
    done, data = cv2.imencode(".png", np.ascontiguousarray(pixels), [cv2.IMWRITE_PNG_COMPRESSION, 5])
    if not done:
        raise DatasetFolderError(f"{path}: the picture could not be encoded")
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise DatasetFolderError(
            f"{path}: cannot be written ({error.strerror}): free some space or choose another --out"
        ) from error


def write_json(path: Path, value: object) -> None:
    """Writes JSON, the same bytes for the same value.

    Raises:
        DatasetFolderError: If the file cannot be written.
    """
    try:
        path.write_text(json.dumps(value, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise DatasetFolderError(
            f"{path}: cannot be written ({error.strerror}): free some space or choose another --out"
        ) from error


def camera_json(camera: Camera) -> dict[str, Any]:
    """A camera under the release's keys."""
    return {
        "cam_pos": list(camera.position),
        "cam_yaw": camera.yaw,
        "cam_horizon": camera.horizon,
        "fov": camera.fov,
        "screen_width": camera.width,
        "screen_height": camera.height,
    }


def _xyz(point: Vector) -> dict[str, float]:
    return {"x": point[0], "y": point[1], "z": point[2]}


def _object_json(instance: Instance) -> dict[str, Any]:
    asset = instance.item.asset if instance.item is not None else ""
    corners = box_corners(instance.center, instance.size)
    return {
        "objectId": instance.id,
        "assetId": asset,
        "position": _xyz(instance.center),
        "raw_metadata": {
            "objectId": instance.id,
            "objectType": instance.category,
            "position": _xyz(instance.center),
            "axisAlignedBoundingBox": {
                "center": _xyz(instance.center),
                "size": _xyz(instance.size),
                "cornerPoints": [[float(v) for v in corner] for corner in corners],
            },
        },
    }


def _pair_json(pair: FinishedPair, name: str, path: str) -> dict[str, Any]:
    candidate = pair.candidate
    kept = [placement for placement in candidate.placements if placement.relation in pair.sentences]
    stage3: dict[str, Any] = {
        placement.relation: _verdict(placement, pair.sentences[placement.relation]) for placement in kept
    }
    for rejection in candidate.rejections:
        stage3[rejection.relation] = {"verdict": "inappropriate", "surface": "", "reason": rejection.reason}
    for relation, reason in pair.dropped.items():
        stage3[relation] = {"verdict": "inappropriate", "surface": "", "reason": reason}
    return {
        "pair_id": candidate.id,
        "house_id": name,
        "observer_type": candidate.observer.category,
        "landmark_type": candidate.anchor.category,
        "camera": camera_json(candidate.camera),
        "rgb_path": path,
        "object_observer": _object_json(candidate.observer),
        "object_landmark": _object_json(candidate.anchor),
        "placements": {placement.relation: {"position": _xyz(placement.position)} for placement in kept},
        "stage3": stage3,
        "stage5": {d: {"type_a": s.inferred, "type_b": s.stated} for d, s in pair.sentences.items()},
        "stage6": {d: {"type_c": s.given} for d, s in pair.sentences.items()},
        "situate": {
            "anchor_visible_share": candidate.visible,
            "anchor_kind_elsewhere": candidate.elsewhere,
            "flags": flags_of(candidate, kept),
        },
    }


def flags_of(candidate: Candidate, placements: Sequence[Placement]) -> list[str]:
    """What a careful reader should know of a pair that was kept all the same."""
    flags = []
    if candidate.elsewhere:
        flags.append("anchor kind also in another room, out of the observer's sight")
    if any(placement.visible < CLEARLY_VISIBLE for placement in placements):
        flags.append(f"the observer sees less than {CLEARLY_VISIBLE:.0%} of a target's place")
    if any(
        placement.relation == "up" and candidate.anchor.top - placement.surface_height > 0.1 for placement in placements
    ):
        flags.append("the published rule puts a target on top well above what carries it")
    return flags


def _verdict(placement: Placement, sentences: Sentences) -> dict[str, Any]:
    return {
        "verdict": "appropriate",
        "surface": placement.surface,
        "surface_type": placement.surface_category,
        "surface_id": placement.surface_id,
        "surface_height": placement.surface_height,
        "target": sentences.target,
        "visible_share": placement.visible,
        "in_observer_view": placement.in_view,
    }


def report_of(
    house: House,
    seed: int,
    index: int,
    frames: Sequence[Frame],
    pairs: Sequence[FinishedPair],
    positions: int,
    spacing: float,
    counts: Counter[str],
) -> dict[str, Any]:
    """What is worth knowing of how a house was made."""
    return {
        "seed": seed,
        "index": index,
        "rooms": [{"id": room.id, "kind": room.kind, "area": round(room.area, 2)} for room in house.rooms],
        "objects": sum(not item.decor for item in house.items) + len(house.doors),
        "reachable_positions": positions,
        "frame_spacing": round(spacing, 3),
        "frames": len(frames),
        "least_pixels": LEAST_PIXELS,
        "pairs": len(pairs),
        "instances": sum(len(pair.sentences) for pair in pairs),
        "rejected": dict(sorted(counts.items())),
    }
