"""Triangle meshes and the few shapes that furniture is made of.

Axes as everywhere here: x right, y up, z to the front of the piece; metres. Normals point outwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles with a normal at each vertex.

    Attributes:
        vertices: (V, 3) metres.
        normals: (V, 3) unit vectors.
        faces: (F, 3) indices of vertices.
    """

    vertices: FloatArray
    normals: FloatArray
    faces: IntArray

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Mesh:
        """Returns the mesh shifted by metres along each axis."""
        return Mesh(self.vertices + np.array([x, y, z]), self.normals, self.faces)

    def turned(self, degrees: float, axis: str = "y") -> Mesh:
        """Returns the mesh turned about an axis through the origin; about y as a yaw in the simulator's sense."""
        turn = rotation(degrees, axis)
        return Mesh(self.vertices @ turn.T, self.normals @ turn.T, self.faces)

    def scaled(self, factors: ArrayLike) -> Mesh:
        """Returns the mesh stretched by (3,) positive factors, its normals kept perpendicular."""
        factor = np.asarray(factors, dtype=np.float64)
        normals = self.normals / factor
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        return Mesh(self.vertices * factor, normals, self.faces)


def rotation(degrees: float, axis: str = "y") -> FloatArray:
    """Returns the (3, 3) matrix that turns column vectors about `x`, `y` or `z`.

    About y it is the simulator's yaw: +z turns towards +x.
    """
    angle = np.radians(degrees)
    c, s = float(np.cos(angle)), float(np.sin(angle))
    if axis == "y":
        return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    if axis == "x":
        return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Returns one mesh that holds all of them."""
    offsets = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes[:-1])])
    return Mesh(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate([mesh.faces + offset for mesh, offset in zip(meshes, offsets, strict=True)]),
    )


def _grid_faces(rows: int, columns: int, start: int = 0) -> IntArray:
    """Two triangles for each cell of a (rows, columns) grid of vertices numbered row by row."""
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)[None, :]).ravel() + start
    first = np.stack([corner, corner + 1, corner + columns], axis=1)
    second = np.stack([corner + 1, corner + columns + 1, corner + columns], axis=1)
    return np.concatenate([first, second])


def box(width: float, height: float, depth: float, radius: float = 0.0, steps: int = 2) -> Mesh:
    """A box that stands on y = 0, centred in x and z, with rounded edges.

    Args:
        width: Size along x, metres.
        height: Size along y, metres.
        depth: Size along z, metres.
        radius: Radius of the edges; at most half the shortest side is used.
        steps: Facets across half a rounded edge.

    Returns:
        The mesh; flat-shaded when the radius is 0.
    """
    half = np.array([width, height, depth]) / 2
    radius = min(radius, float(half.min()) * 0.999)
    steps = steps if radius > 0 else 0
    tangents = np.tan(np.radians(np.linspace(0, 45, steps + 1)))
    line = np.concatenate([-tangents[::-1], tangents])
    sign = np.concatenate([-np.ones(steps + 1), np.ones(steps + 1)])
    count = len(line)
    vertices: list[FloatArray] = []
    normals: list[FloatArray] = []
    faces: list[IntArray] = []
    for axis in range(3):
        for side in (-1.0, 1.0):
            first, second = (axis + 1) % 3, (axis + 2) % 3
            direction = np.zeros((count, count, 3))
            signs = np.zeros((count, count, 3))
            direction[..., axis], signs[..., axis] = side, side
            direction[..., first], signs[..., first] = line[:, None], sign[:, None]
            direction[..., second], signs[..., second] = line[None, :], sign[None, :]
            direction /= np.linalg.norm(direction, axis=2, keepdims=True)
            faces.append(_grid_faces(count, count, 0) + len(vertices) * count * count)
            vertices.append((signs * (half - radius) + radius * direction).reshape(-1, 3))
            normals.append(direction.reshape(-1, 3))
    mesh = Mesh(np.concatenate(vertices), np.concatenate(normals), np.concatenate(faces))
    return mesh.moved(y=height / 2)


def lathe(profile: Sequence[tuple[float, float]], segments: int = 24) -> Mesh:
    """A body of revolution about the y axis.

    Args:
        profile: (radius, height) pairs from bottom to top along the outside; radius 0 closes an end. Corners sharper
            than 40 degrees stay sharp.
        segments: Facets around.

    Returns:
        The mesh, with 2 * (len(profile) - 1) rings of vertices.
    """
    points = np.array(profile, dtype=np.float64)
    along = np.diff(points, axis=0)
    length = np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-12)
    across = np.stack([along[:, 1], -along[:, 0]], axis=1) / length
    start, end = across.copy(), across.copy()
    for i in range(len(across) - 1):
        if across[i] @ across[i + 1] > np.cos(np.radians(40)):
            blended = across[i] + across[i + 1]
            end[i] = start[i + 1] = blended / np.linalg.norm(blended)
    rings = np.stack([points[:-1], points[1:]], axis=1).reshape(-1, 2)
    slopes = np.stack([start, end], axis=1).reshape(-1, 2)
    angle = np.linspace(0, 2 * np.pi, segments + 1)
    ring = np.stack([np.sin(angle), np.cos(angle)], axis=1)

    def around(pairs: FloatArray) -> FloatArray:
        flat = pairs[:, :1, None] * ring[None]
        height = np.broadcast_to(pairs[:, 1][:, None], flat.shape[:2])
        return np.stack([flat[..., 0], height, flat[..., 1]], axis=2).reshape(-1, 3)

    columns = segments + 1
    faces = np.concatenate([_grid_faces(2, columns, 2 * i * columns) for i in range(len(across))])
    return Mesh(around(rings), around(slopes), faces)


def cylinder(radius: float, height: float, segments: int = 24, rim: float = 0.0) -> Mesh:
    """An upright cylinder that stands on y = 0, its rims rounded by `rim` metres."""
    rim = min(rim, radius * 0.9, height * 0.45)
    if rim <= 0:
        return lathe([(0, 0), (radius, 0), (radius, height), (0, height)], segments)
    bend = np.radians([0, 30, 60, 90])
    low = [(radius - rim + rim * float(np.sin(a)), rim - rim * float(np.cos(a))) for a in bend]
    high = [(radius - rim + rim * float(np.cos(a)), height - rim + rim * float(np.sin(a))) for a in bend]
    return lathe([(0, 0), *low, *high, (0, height)], segments)


def ball(radius: float, segments: int = 20, rings: int = 10) -> Mesh:
    """A sphere that stands on y = 0."""
    angle = np.linspace(0, np.pi, rings + 1)
    return lathe([(radius * float(np.sin(a)), radius - radius * float(np.cos(a))) for a in angle], segments)


def loft(rings: Sequence[tuple[float, float, float, float, float]], power: float = 2.0, segments: int = 28) -> Mesh:
    """A closed body through stacked super-ellipses (bowls, basins, shells).

    Args:
        rings: (y, half width, half depth, centre x, centre z) from the first ring to the last, metres.
        power: Exponent of the outline: 2 is an ellipse, 5 nearly a rounded rectangle.
        segments: Points around.

    Returns:
        The mesh with smoothed normals; both ends are closed.
    """
    angle = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    outline = np.stack([np.sin(angle), np.cos(angle)], axis=1)
    outline = np.sign(outline) * np.abs(outline) ** (2 / power)
    loops = [
        np.stack([cx + hx * outline[:, 0], np.full(segments, y), cz + hz * outline[:, 1]], axis=1)
        for y, hx, hz, cx, cz in rings
    ]
    first, last = loops[0].mean(axis=0), loops[-1].mean(axis=0)
    vertices = np.concatenate([*loops, first[None], last[None]])
    turn = np.roll(np.arange(segments), -1)
    faces = []
    for i in range(len(loops) - 1):
        low, high = i * segments, (i + 1) * segments
        faces.append(np.stack([low + np.arange(segments), low + turn, high + np.arange(segments)], axis=1))
        faces.append(np.stack([low + turn, high + turn, high + np.arange(segments)], axis=1))
    end = (len(loops) - 1) * segments
    bottom, top = len(vertices) - 2, len(vertices) - 1
    faces.append(np.stack([np.full(segments, bottom), turn, np.arange(segments)], axis=1))
    faces.append(np.stack([np.full(segments, top), end + np.arange(segments), end + turn], axis=1))
    return smoothed(vertices, np.concatenate(faces))


def smoothed(vertices: FloatArray, faces: IntArray, crease: float = 50.0) -> Mesh:
    """Gives corners the mean normal of the faces around them that lie within `crease` degrees of their own.

    Args:
        vertices: (V, 3) metres.
        faces: (F, 3) indices, counted so that normals point outwards.
        crease: Largest angle in degrees over which shading stays smooth.

    Returns:
        A mesh with one vertex for each corner of each face, degenerate faces dropped.
    """
    corners = vertices[faces]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(cross, axis=1)
    kept = area > 1e-12
    faces, cross, area = faces[kept], cross[kept], area[kept]
    unit = cross / area[:, None]
    around: dict[int, list[int]] = {}
    for index, face in enumerate(faces):
        for vertex in face:
            around.setdefault(int(vertex), []).append(index)
    limit = np.cos(np.radians(crease))
    normals = np.zeros((len(faces), 3, 3))
    for index, face in enumerate(faces):
        for k, vertex in enumerate(face):
            near = around[int(vertex)]
            normals[index, k] = cross[near][unit[near] @ unit[index] > limit].sum(axis=0)
    flat = normals.reshape(-1, 3)
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-12)
    return Mesh(vertices[faces].reshape(-1, 3), flat, np.arange(len(faces) * 3).reshape(-1, 3))


def tube(path: Sequence[tuple[float, float, float]], radius: float, segments: int = 10) -> Mesh:
    """A round bar along a line of (x, y, z) points, metres; the ends are closed."""
    points = np.array(path, dtype=np.float64)
    tangent = np.gradient(points, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    helper = np.array([0.0, 1.0, 0.0]) if abs(tangent[0, 1]) < 0.9 else np.array([1.0, 0.0, 0.0])
    side = np.cross(tangent[0], helper)
    loops, directions = [], []
    angle = np.linspace(0, 2 * np.pi, segments + 1)
    for point, forward in zip(points, tangent, strict=True):
        side = side - (side @ forward) * forward
        side /= np.linalg.norm(side)
        other = np.cross(forward, side)
        ring = np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * other
        loops.append(point + radius * ring)
        directions.append(ring)
    columns = segments + 1
    body = Mesh(np.concatenate(loops), np.concatenate(directions), _grid_faces(len(points), columns))
    caps = []
    for loop, forward in ((loops[0], -tangent[0]), (loops[-1], tangent[-1])):
        fan = np.stack([np.zeros(segments), np.arange(1, segments + 1), np.arange(2, segments + 2)], axis=1)
        center = loop.mean(axis=0)
        caps.append(Mesh(np.vstack([center, loop]), np.tile(forward, (columns + 1, 1)), fan.astype(np.int64)))
    return joined([body, *caps])


def curve(points: Sequence[tuple[float, float, float]], steps: int = 6) -> list[tuple[float, float, float]]:
    """Points along a Catmull-Rom curve through the given ones, `steps` to a stretch."""
    given = np.array(points, dtype=np.float64)
    padded = np.vstack([2 * given[0] - given[1], given, 2 * given[-1] - given[-2]])
    line: list[tuple[float, float, float]] = []
    for i in range(1, len(padded) - 2):
        p0, p1, p2, p3 = padded[i - 1 : i + 3]
        for t in np.linspace(0, 1, steps, endpoint=False):
            bent = (
                p1
                + (p2 - p0) * t / 2
                + (p0 - 2.5 * p1 + 2 * p2 - p3 / 2) * t**2
                + (1.5 * (p1 - p2) + (p3 - p0) / 2) * t**3
            )
            line.append((float(bent[0]), float(bent[1]), float(bent[2])))
    line.append((float(given[-1, 0]), float(given[-1, 1]), float(given[-1, 2])))
    return line


def sheet(grid: FloatArray) -> Mesh:
    """A thin curved sheet through a (rows, columns, 3) grid of points (leaves, cloth); seen from both sides."""
    rows, columns = grid.shape[:2]
    return smoothed(grid.reshape(-1, 3), _grid_faces(rows, columns), crease=180.0)
