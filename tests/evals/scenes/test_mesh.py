import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.scenes.mesh import Mesh, ball, box, curve, cylinder, joined, lathe, loft, rotation, sheet, tube

LENGTHS = st.floats(0.02, 3.0)


@given(LENGTHS, LENGTHS, LENGTHS, st.floats(0, 0.5))
def test_a_box_fills_its_size_however_round_it_is(width: float, height: float, depth: float, radius: float) -> None:
    mesh = box(width, height, depth, radius)
    assert mesh.vertices.min(axis=0) == pytest.approx([-width / 2, 0, -depth / 2], abs=1e-9)
    assert mesh.vertices.max(axis=0) == pytest.approx([width / 2, height, depth / 2], abs=1e-9)


@pytest.mark.parametrize(
    "mesh",
    [
        box(1, 1, 1),
        box(1, 2, 1, 0.2),
        cylinder(0.3, 1),
        cylinder(0.3, 1, rim=0.05),
        ball(0.5),
        loft([(0, 1, 1, 0, 0), (1, 1, 1, 0, 0)]),
    ],
    ids=["box", "round box", "cylinder", "round cylinder", "ball", "loft"],
)
def test_normals_of_convex_shapes_point_away_from_the_middle(mesh: Mesh) -> None:
    middle = (mesh.vertices.min(axis=0) + mesh.vertices.max(axis=0)) / 2
    used = np.unique(mesh.faces)
    assert np.linalg.norm(mesh.normals[used], axis=1) == pytest.approx(1.0)
    outward = np.einsum("ij,ij->i", mesh.normals[used], mesh.vertices[used] - middle)
    assert outward.min() >= -1e-9


def test_a_quarter_turn_takes_the_front_to_the_right() -> None:
    # The simulator's yaw: 0 looks along +z, 90 along +x.
    assert rotation(90) @ [0, 0, 1] == pytest.approx([1, 0, 0])
    turned = box(1, 1, 1).moved(z=2).turned(90)
    assert turned.vertices[:, 0].min() == pytest.approx(1.5)


def test_stretching_keeps_normals_perpendicular() -> None:
    slope = Mesh(
        np.array([[0, 0, 0], [1, 1, 0], [0, 0, 1.0]]), np.tile([[-1, 1, 0]], (3, 1)) / np.sqrt(2), np.array([[0, 1, 2]])
    )
    stretched = slope.scaled((2, 1, 1))
    edge = stretched.vertices[1] - stretched.vertices[0]
    assert edge @ stretched.normals[0] == pytest.approx(0)


def test_a_lathe_keeps_sharp_corners_and_smooths_gentle_ones() -> None:
    sharp = lathe([(1, 0), (1, 1), (0, 1)], 8)
    assert {round(float(n[1]), 3) for n in sharp.normals} == {0.0, 1.0}
    gentle = lathe([(1, 0), (1, 1), (0.9, 2)], 8)
    assert len({round(float(n[1]), 3) for n in gentle.normals}) == 3


def test_a_tube_is_as_thick_as_asked_and_reaches_both_ends() -> None:
    mesh = tube([(0, 0, 0), (0, 1, 0)], 0.1)
    assert np.hypot(mesh.vertices[:, 0], mesh.vertices[:, 2]).max() == pytest.approx(0.1)
    assert (mesh.vertices[:, 1].min(), mesh.vertices[:, 1].max()) == pytest.approx((0, 1))


def test_a_curve_passes_through_its_points() -> None:
    points = [(0.0, 0.0, 0.0), (1.0, 2.0, 0.0), (3.0, 2.0, 1.0)]
    line = curve(points, steps=5)
    assert (line[0], line[5], line[-1]) == (points[0], pytest.approx(points[1]), points[2])


def test_joining_keeps_every_triangle() -> None:
    a, b = box(1, 1, 1), ball(1)
    both = joined([a, b])
    corners = both.vertices[both.faces]
    assert np.array_equal(corners[: len(a.faces)], a.vertices[a.faces])
    assert np.array_equal(corners[len(a.faces) :], b.vertices[b.faces])


def test_a_flat_sheet_has_one_normal() -> None:
    x, z = np.meshgrid(np.arange(3.0), np.arange(4.0), indexing="ij")
    mesh = sheet(np.stack([x, 0 * x, z], axis=2))
    assert np.abs(mesh.normals[:, 1]) == pytest.approx(1.0)
