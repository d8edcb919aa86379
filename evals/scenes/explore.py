"""A robot's walk through a house: where it can stand, its route, and what it photographs (POVBench, section 4.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage, sparse
from scipy.sparse import csgraph

from evals.scenes.assets import PAPER_CATEGORIES
from evals.scenes.errors import SceneError
from evals.scenes.house import House, Point, inside
from evals.scenes.rays import Maps
from evals.scenes.render import Renderer
from evals.scenes.scene import Scene
from tools.camera import Camera

FloatArray = NDArray[np.float64]

GRID = 0.25
"""Distance between positions, metres, as AI2-THOR's grid."""

RADIUS = 0.17
"""Of the robot, metres."""

HEIGHT, HORIZON, FOV, SIDE = 0.9, 30.0, 100.0, 512
MOST_FRAMES = 30
CLOSEST = 0.5
"""Least distance between two frames, metres."""

HEADINGS = tuple(float(yaw) for yaw in range(0, 360, 45))
PREVIEW = 64
"""Side in pixels of the maps from which a heading is chosen."""

LEAST_PIXELS = 200
"""Pixels of a 512x512 picture that must show an object before it counts as seen; other sizes in proportion."""


@dataclass(frozen=True, eq=False)
class FreeFloor:
    """Where the robot can stand.

    Attributes:
        positions: (N, 2) x and z of every position that can be reached from the entrance, metres.
        start: Index of the one nearest to the entrance.
        steps: (N, N) sparse lengths of steps between neighbours.
    """

    positions: FloatArray
    start: int
    steps: sparse.csr_matrix

    def nearest(self, point: Point) -> tuple[int, float]:
        """Index of the position nearest to a point, and how far it is, metres."""
        distances = np.linalg.norm(self.positions - np.array(point), axis=1)
        index = int(np.argmin(distances))
        return index, float(distances[index])


def clear_of_things(house: House, points: FloatArray, radius: float) -> NDArray[np.bool_]:
    """Which (N, 2) points keep `radius` metres from walls and from whatever stands on the floor."""
    free = np.zeros(len(points), dtype=bool)
    for room in house.rooms:
        free |= inside(np.array(room.polygon), points)
    for wall in house.walls:
        if wall.room == "exterior" or wall.length < 1e-6:
            continue
        along = (np.array(wall.end) - np.array(wall.start)) / wall.length
        way = points - np.array(wall.start)
        t, off = way @ along, np.abs(way @ np.array([-along[1], along[0]]))
        beyond = np.maximum(np.maximum(-t, t - wall.length), 0)
        free &= (np.hypot(off, beyond) > radius + house.thickness / 2) | _in_doorway(points, house, radius)
    for item in house.items:
        if item.bottom > HEIGHT + 0.1 or item.size[1] < 0.05 or item.parent:
            continue
        a, b, c, d = item.footprint()
        dx = np.maximum(np.maximum(a - points[:, 0], points[:, 0] - c), 0)
        dz = np.maximum(np.maximum(b - points[:, 1], points[:, 1] - d), 0)
        free &= np.hypot(dx, dz) > radius
    return free


def _in_doorway(points: FloatArray, house: House, radius: float) -> NDArray[np.bool_]:
    """Which points are in the passage of an open doorway, clear of its casing."""
    result = np.zeros(len(points), dtype=bool)
    for door in house.doors:
        if door.closed or door.low > 0.1:
            continue
        along = (np.array(door.end) - np.array(door.start)) / door.width
        way = points - np.array(door.start)
        t, off = way @ along, np.abs(way @ np.array([-along[1], along[0]]))
        result |= (t > radius + 0.03) & (t < door.width - radius - 0.03) & (off < radius + house.thickness + 0.05)
    return result


def free_floor(house: House) -> FreeFloor:
    """Finds every grid position that can be walked to from the entrance.

    Raises:
        SceneError: If there is no free floor at all.
    """
    low_x, low_z, high_x, high_z = house.bounds
    half = GRID / 2
    x = np.arange(np.ceil(low_x / GRID) * 2, np.floor(high_x / GRID) * 2 + 1) * half
    z = np.arange(np.ceil(low_z / GRID) * 2, np.floor(high_z / GRID) * 2 + 1) * half
    if len(x) < 3 or len(z) < 3 or len(x) * len(z) > 4_000_000:
        raise SceneError("the house is too small or too large to walk through: mend its rooms")
    points = np.stack(np.meshgrid(x, z, indexing="ij"), axis=-1).reshape(-1, 2)
    free = clear_of_things(house, points, RADIUS).reshape(len(x), len(z))
    # Odd rows and columns are the middles of steps: a step counts only where its middle is free as well.
    usable = free.copy()
    usable[1::2, 1::2] = False
    labels, count = ndimage.label(usable)
    nodes = np.argwhere(usable[::2, ::2]) * 2
    if count == 0 or len(nodes) == 0:
        raise SceneError("no free floor: furniture or walls leave nowhere to stand; mend the house")
    where = np.stack([x[nodes[:, 0]], z[nodes[:, 1]]], axis=1)
    group = labels[nodes[:, 0], nodes[:, 1]]
    sizes = np.bincount(group)
    gaps = np.linalg.norm(where - np.array(house.entrance), axis=1)
    # An entrance blocked by a stray thing must not confine the walk to a niche.
    chosen = group[np.argmin(gaps + np.where(sizes[group] < 0.2 * sizes.max(), 1e3, 0.0))]
    kept = nodes[group == chosen]
    index = np.full(free.shape, -1)
    index[kept[:, 0], kept[:, 1]] = np.arange(len(kept))
    rows, columns = [], []
    for dx, dz in ((2, 0), (0, 2)):
        near = kept + np.array([dx, dz])
        valid = (near[:, 0] < free.shape[0]) & (near[:, 1] < free.shape[1])
        a = np.flatnonzero(valid)
        middle = kept[a] + np.array([dx // 2, dz // 2])
        b = index[near[a, 0], near[a, 1]]
        linked = (b >= 0) & usable[middle[:, 0], middle[:, 1]]
        rows.append(a[linked])
        columns.append(b[linked])
    i, j = np.concatenate(rows), np.concatenate(columns)
    lengths = np.full(len(i) * 2, GRID)
    steps = sparse.csr_matrix((lengths, (np.r_[i, j], np.r_[j, i])), shape=(len(kept), len(kept)))
    positions = np.stack([x[kept[:, 0]], z[kept[:, 1]]], axis=1)
    start = int(np.argmin(np.linalg.norm(positions - np.array(house.entrance), axis=1)))
    return FreeFloor(positions, start, steps)


def route(floor: FreeFloor, most: int = MOST_FRAMES) -> tuple[list[int], float]:
    """Chooses where to take pictures, in walking order from the entrance.

    Args:
        floor: Where one can stand.
        most: Largest number of pictures.

    Returns:
        Indices of positions, and the spacing in metres that follows from how many positions there are.
    """
    spacing = max(CLOSEST, GRID * float(np.sqrt(len(floor.positions) / most)))
    distances = csgraph.dijkstra(floor.steps, indices=[floor.start])[0]
    order = np.argsort(distances, kind="stable")
    while True:
        chosen: list[int] = []
        for index in order.tolist():
            gaps = (
                np.linalg.norm(floor.positions[chosen] - floor.positions[index], axis=1)
                if chosen
                else np.array([np.inf])
            )
            if gaps.min() >= spacing - 1e-9:
                chosen.append(index)
        if len(chosen) <= most:
            break
        spacing *= 1.05
    between = csgraph.dijkstra(floor.steps, indices=chosen)[:, chosen]
    path, left = [0], set(range(1, len(chosen)))
    while left:
        following = min(left, key=lambda k: (between[path[-1], k], k))
        path.append(following)
        left.remove(following)
    return [chosen[k] for k in path], spacing


def seen_objects(scene: Scene, maps: Maps) -> list[str]:
    """Ids of the objects of which at least `LEAST_PIXELS` (of 512x512) are really rendered, in the scene's order."""
    least = max(1, round(LEAST_PIXELS * maps.depth.size / (SIDE * SIDE)))
    counts = maps.counts(len(scene.instances))
    return [
        instance.id
        for instance, count in zip(scene.instances, counts, strict=True)
        if count >= least and instance.item is not None and not instance.item.decor
    ]


def seen_from(scene: Scene, renderer: Renderer, camera: Camera, maps: Maps) -> list[str]:
    """Ids of the objects seen in a frame, counted at the published size whatever the frame's own is.

    Args:
        scene: The house.
        renderer: Gives maps of another size.
        camera: The frame's camera.
        maps: The frame's own maps.
    """
    if (camera.width, camera.height) != (SIDE, SIDE):
        maps = renderer.maps(replace(camera, width=SIDE, height=SIDE))
    return seen_objects(scene, maps)


def exploration_cameras(
    scene: Scene, renderer: Renderer, floor: FreeFloor, side: int = SIDE, most: int = MOST_FRAMES
) -> list[Camera]:
    """The cameras of the walk: at each stop the heading that shows most of what was not seen much yet.

    Args:
        scene: The house.
        renderer: Gives maps for the previews.
        floor: Where one can stand.
        side: Width and height of the frames, pixels.
        most: Largest number of frames.

    Returns:
        Up to `most` cameras in walking order.
    """
    wanted = np.array([instance.category in PAPER_CATEGORIES for instance in scene.instances])
    times = np.zeros(len(scene.instances))
    cameras: list[Camera] = []
    stops, _ = route(floor, most)
    for number, stop in enumerate(stops):
        x, z = (float(v) for v in floor.positions[stop])
        ahead = (
            floor.positions[stops[number + 1]] - floor.positions[stop]
            if number + 1 < len(stops)
            else np.array([0.0, 1.0])
        )
        travel = float(np.degrees(np.arctan2(ahead[0], ahead[1])))
        best, best_value, best_shares = 0.0, -np.inf, np.zeros(len(times))
        for yaw in HEADINGS:
            maps = renderer.maps(Camera((x, HEIGHT, z), yaw, HORIZON, FOV, PREVIEW, PREVIEW))
            # A hundredth of the picture shows a thing well enough; more adds nothing.
            shares = np.minimum(maps.counts(len(times)) / (0.01 * PREVIEW * PREVIEW), 1.0) * wanted
            near = float(np.mean((maps.depth > 0) & (maps.depth < 0.45)))
            turn = abs((yaw - travel + 180) % 360 - 180) / 180
            value = float(np.sum(shares / (1 + times) ** 1.5)) - 1.5 * near - 0.15 * turn
            if value > best_value:
                best, best_value, best_shares = yaw, value, shares
        times += best_shares
        cameras.append(Camera((x, HEIGHT, z), best, HORIZON, FOV, side, side))
    return cameras


def check_camera(scene: Scene, renderer: Renderer, camera: Camera) -> None:
    """Makes sure that a camera stands in a room and not inside something.

    Raises:
        SceneError: If it is outside all rooms, or if what it sees is nearly all closer than 5 cm.
    """
    x, y, z = camera.position
    place = f"camera at ({x:.2f}, {y:.2f}, {z:.2f})"
    if scene.house.room_at((x, z)) is None or not 0 < y < scene.house.height:
        raise SceneError(f"{place} is outside every room: move it onto a floor")
    small = Camera(camera.position, camera.yaw, camera.horizon, camera.fov, 32, 32)
    depth = renderer.maps(small).depth
    if float(np.mean((depth > 0) & (depth < 0.05))) > 0.5:
        raise SceneError(f"{place} is inside a wall or a thing: move it to free floor")
