import numpy as np
import pytest

from evals.scenes.materials import PATTERNS, Material, albedo, blend, noise, rgb


def test_hex_codes_become_linear_light() -> None:
    # The sRGB curve by hand: 0x80 / 255 = 0.50196 -> ((0.50196 + 0.055) / 1.055) ** 2.4 = 0.21586.
    assert rgb("#ff8000") == pytest.approx((1.0, 0.21586, 0.0), abs=1e-5)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_pattern_stays_between_its_two_colours(pattern: str) -> None:
    rng = np.random.default_rng(0)
    points = rng.uniform(-3, 3, (500, 3)).astype(np.float32)
    normals = rng.normal(size=(500, 3)).astype(np.float32)
    span = np.array([1.0, 0.5, 2.0], np.float32)
    material = Material((0.0, 0.2, 1.0), pattern, (1.0, 0.4, 0.0), 0.2, seed=4)
    share = blend(points, normals, material, span)
    assert share.shape == (500,)
    assert share.min() >= 0
    assert share.max() <= 1
    colors = albedo(points, normals, material, span)
    assert colors.min() >= -1e-6
    assert colors.max() <= 1 + 1e-6


@pytest.mark.parametrize("pattern", [p for p in PATTERNS if p != "plain"])
def test_every_pattern_varies(pattern: str) -> None:
    points = np.random.default_rng(1).uniform(-1, 1, (400, 3)).astype(np.float32)
    normals = np.tile(np.array([[0, 1, 0]], np.float32), (400, 1))
    share = blend(points, normals, Material((0, 0, 0), pattern, (1, 1, 1), 0.1), np.ones(3, np.float32))
    assert float(np.std(share)) > 0.01


def test_noise_is_smooth_and_depends_on_its_seed() -> None:
    line = np.stack([np.linspace(0, 5, 2001), np.zeros(2001), np.zeros(2001)], axis=1).astype(np.float32)
    values = noise(line)
    assert float(np.abs(np.diff(values)).max()) < 0.01
    assert not np.allclose(values, noise(line, seed=2))
