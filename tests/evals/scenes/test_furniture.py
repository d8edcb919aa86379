import numpy as np
import pytest

from evals.scenes.assets import ASSETS, DECOR, PAPER_CATEGORIES, category_of, size_of
from evals.scenes.furniture import MODELS, build


def test_table_5_has_31_categories_and_each_has_a_model_and_an_asset() -> None:
    assert len(set(PAPER_CATEGORIES)) == 31
    assert set(PAPER_CATEGORIES) <= set(MODELS)
    assert set(PAPER_CATEGORIES) <= set(ASSETS)


@pytest.mark.parametrize("category", sorted(MODELS))
def test_a_model_fills_its_box_exactly(category: str) -> None:
    size = size_of("", category)
    points = np.concatenate([part.mesh.vertices for part in build(category, size, 11)])
    assert np.isfinite(points).all()
    assert points.min(axis=0) == pytest.approx([-size[0] / 2, 0, -size[2] / 2], abs=1e-9)
    assert points.max(axis=0) == pytest.approx([size[0] / 2, size[1], size[2] / 2], abs=1e-9)


@pytest.mark.parametrize("category", sorted(MODELS))
def test_a_model_has_unit_normals_and_the_same_seed_makes_the_same(category: str) -> None:
    first, second = build(category, (0.7, 0.8, 0.6), 5), build(category, (0.7, 0.8, 0.6), 5)
    for a, b in zip(first, second, strict=True):
        used = np.unique(a.mesh.faces)
        assert np.linalg.norm(a.mesh.normals[used], axis=1) == pytest.approx(1.0, abs=1e-6)
        assert np.array_equal(a.mesh.vertices, b.mesh.vertices)
        assert a.material == b.material


def test_seeds_make_different_looking_sofas() -> None:
    colors = {build("Sofa", (2, 0.8, 0.9), seed)[5].material.color for seed in range(12)}
    assert len(colors) > 3


def test_an_unknown_category_becomes_a_padded_box() -> None:
    assert len(build("Spaceship", (1, 1, 1), 0)) == 1


def test_a_counter_has_a_hole_where_a_sink_is_let_in() -> None:
    def above(parts: list, x: float) -> bool:  # Whether the stone top covers the spot (x, z = 0).
        for part in parts:
            low, high = part.mesh.vertices.min(axis=0), part.mesh.vertices.max(axis=0)
            if low[0] < x < high[0] and low[2] < 0 < high[2] and high[1] > 0.93:
                return True
        return False

    holed = build("CounterTop", (1.83, 0.94, 0.61), 1, cutouts=((0.4, 0.0),))
    assert above(holed, -0.5)
    assert not above(holed, 0.4)


@pytest.mark.parametrize(
    ("object_id", "asset", "category"),
    [
        ("Sofa|2|1", "Sofa_999_1", "Sofa"),
        ("HousePlant|surface|3|19", "Houseplant_4", "HousePlant"),
        ("door|1|2", "Doorway_1", "Doorway"),
        ("TVStand|3|0|0", "TV_Stand_206_1", "TVStand"),
    ],
)
def test_object_types_come_from_the_asset_or_the_id(object_id: str, asset: str, category: str) -> None:
    assert category_of(object_id, asset) == category


def test_sizes_come_from_the_asset_else_from_the_category() -> None:
    assert size_of("Bed_1", "Bed") == (1.467, 0.910, 2.075)
    assert size_of("Bed_77", "Bed") == (1.467, 0.910, 2.075)
    assert size_of("Countertop_L_8x6", "CounterTop") == pytest.approx((2.44, 0.94, 1.83), abs=0.01)
    assert size_of("?", "Rug") == DECOR["Rug"]
    assert min(size_of("?", "?")) > 0
