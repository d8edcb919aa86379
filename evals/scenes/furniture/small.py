"""What lies about in houses that come from files: simple shapes, enough to be told apart from furniture."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from evals.scenes.furniture.style import MODELS, Model, Part, Size, Style
from evals.scenes.materials import Material, rgb
from evals.scenes.mesh import Mesh, ball, box, cylinder, lathe, loft

Shape = Callable[[Size], Mesh]


def _bottle(size: Size) -> Mesh:
    r, h = size[0] / 2, size[1]
    return lathe([(0, 0), (r, 0), (r, h * 0.55), (r * 0.35, h * 0.75), (r * 0.35, h), (0, h)], 20)


def _bowl(size: Size) -> Mesh:
    r, h = size[0] / 2, size[1]
    return lathe([(0, 0), (r * 0.45, 0), (r, h), (r * 0.92, h), (r * 0.4, h * 0.2), (0, h * 0.2)], 24)


def _cup(size: Size) -> Mesh:
    r, h = size[0] / 2, size[1]
    return lathe([(0, 0), (r * 0.8, 0), (r, h), (r * 0.88, h), (r * 0.7, h * 0.1), (0, h * 0.1)], 20)


def _vase(size: Size) -> Mesh:
    r, h = size[0] / 2, size[1]
    return lathe(
        [(0, 0), (r * 0.6, 0), (r, h * 0.4), (r * 0.45, h * 0.8), (r * 0.65, h), (r * 0.5, h), (0, h * 0.5)], 22
    )


def _figure(size: Size) -> Mesh:
    w, h, d = size[0] / 2, size[1], size[2] / 2
    rings = [
        (0, w * 0.9, d),
        (0.3, w, d),
        (0.55, w * 0.6, d * 0.7),
        (0.65, w * 0.55, d * 0.6),
        (0.8, w * 0.75, d * 0.8),
        (1, w * 0.2, d * 0.2),
    ]
    return loft([(y * h, x, z, 0, 0) for y, x, z in rings])


def _slab(size: Size) -> Mesh:
    return box(*size, min(size) * 0.2, 1)


def _cushion(size: Size) -> Mesh:
    return box(*size, min(size) * 0.49, 3)


def _drum(size: Size) -> Mesh:
    return cylinder(size[0] / 2, size[1], 22, size[1] * 0.05)


def _sphere(size: Size) -> Mesh:
    return ball(size[0] / 2)


_SHAPES: dict[str, tuple[Shape, tuple[str, ...]]] = {
    **dict.fromkeys(
        ("Bottle", "WineBottle", "SoapBottle", "SprayBottle"), (_bottle, ("#2f5d3a", "#6d2f36", "#c9d4d8"))
    ),
    **dict.fromkeys(("Bowl", "Plate", "Pan", "Pot"), (_bowl, ("#e9e6df", "#7895a3", "#5b5e62"))),
    **dict.fromkeys(("Cup", "Mug"), (_cup, ("#e9e6df", "#c0583e", "#3d6f78"))),
    **dict.fromkeys(("Vase", "Kettle", "WateringCan", "Candle"), (_vase, ("#5f8f9a", "#c7a24f", "#b5623f"))),
    **dict.fromkeys(("TeddyBear", "Statue", "Boots"), (_figure, ("#a8764a", "#8d8a84", "#5a3720"))),
    **dict.fromkeys(("Pillow", "DogBed"), (_cushion, ("#8ca283", "#d3c6ac", "#b2674a"))),
    **dict.fromkeys(("ToiletPaper", "PaperTowelRoll", "PepperShaker", "SaltShaker"), (_drum, ("#f1f0ec", "#d8d8d4"))),
    **dict.fromkeys(("LaundryHamper", "Plunger"), (_drum, ("#b79565", "#a8433a"))),
    **dict.fromkeys(("Apple", "Tomato"), (_sphere, ("#c8382e", "#d05a35"))),
    **dict.fromkeys(("Egg", "Potato", "Bread"), (_sphere, ("#d9b98a", "#caa06a"))),
    **dict.fromkeys(("BasketBall",), (_sphere, ("#c2672f",))),
    **dict.fromkeys(("Lettuce",), (_sphere, ("#6ba352",))),
    **dict.fromkeys(("CellPhone", "RemoteControl", "Watch", "AlarmClock"), (_slab, ("#26282b", "#3c4046"))),
    **dict.fromkeys(("Fork", "Knife", "Spoon", "Ladle", "Spatula", "KeyChain"), (_slab, ("#c9ccd0",))),
    **dict.fromkeys(("Book", "CreditCard", "Pen", "Pencil"), (_slab, ("#a8433a", "#31597e", "#d6b25e"))),
    **dict.fromkeys(("Newspaper", "TissueBox", "SoapBar", "DishSponge"), (_slab, ("#e4ddcb", "#9cc3d9", "#e0c25a"))),
    **dict.fromkeys(("Box",), (_slab, ("#b08a5c",))),
}


def _model(shape: Shape, colors: tuple[str, ...]) -> Model:
    def build(size: Size, style: Style) -> list[Part]:
        # Long thin things lie down: what is round stands along y only where it is tall.
        mesh = shape(size)
        span = np.ptp(mesh.vertices, axis=0)
        return [Part(mesh.scaled(np.array(size) / span), Material(rgb(style.choose("color", colors)), gloss=0.15))]

    return build


for _category, (_shape, _colors) in _SHAPES.items():
    MODELS[_category] = _model(_shape, _colors)
