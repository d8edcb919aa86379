"""A small catalogue of furniture made of boxes, upright cylinders and ellipsoids.

Every piece stands at the origin on the floor and faces +z; sizes are metres. A part is its axis-aligned extent, which a
cylinder or an ellipsoid fills, so that quarter turns keep all shapes exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

Point = tuple[float, float, float]
Shape = Literal["box", "cylinder", "ellipsoid"]

WOOD, DARK_WOOD, PALE_WOOD = "#b98554", "#6b4a31", "#d8b88a"
WHITE, STEEL, BLACK = "#f1efe9", "#a9aeb3", "#23252a"


@dataclass(frozen=True)
class Part:
    """One convex solid: `low` and `high` corners of its extent, an sRGB colour, and how its surface looks."""

    low: Point
    high: Point
    colour: str
    finish: str = "hard"
    shape: Shape = "box"

    def placed(self, x: float, y: float, z: float, quarter_turns: int) -> Part:
        """Returns this part turned clockwise seen from above, then moved."""
        (x0, y0, z0), (x1, y1, z1) = self.low, self.high
        for _ in range(quarter_turns % 4):
            x0, z0, x1, z1 = z0, -x1, z1, -x0
        return replace(self, low=(x0 + x, y0 + y, z0 + z), high=(x1 + x, y1 + y, z1 + z))


def solid(at: Point, size: Point, colour: str, finish: str = "hard", shape: Shape = "box") -> Part:
    """Returns a part that stands on `at` (middle of its lowest face)."""
    (x, y, z), (width, height, depth) = at, size
    return Part((x - width / 2, y, z - depth / 2), (x + width / 2, y + height, z + depth / 2), colour, finish, shape)


def legs(x: float, z: float, height: float, thickness: float, colour: str) -> list[Part]:
    places = product((-x, x), (-z, z))
    return [solid((a, 0, b), (thickness, height, thickness), colour, "wood") for a, b in places]


def upholstered(width: float, seats: int, colour: str) -> list[Part]:
    inner = width - 0.36
    each = inner / seats
    middles = [(i + 0.5) * each - inner / 2 for i in range(seats)]
    return [
        *legs(width / 2 - 0.1, 0.36, 0.1, 0.06, DARK_WOOD),
        solid((0, 0.1, 0), (width - 0.04, 0.2, 0.86), colour, "soft"),
        solid((0, 0.28, -0.36), (width - 0.06, 0.56, 0.18), colour, "soft"),
        *[solid((x, 0.29, 0.07), (each - 0.015, 0.18, 0.76), colour, "soft") for x in middles],
        *[solid((x, 0.46, -0.2), (each - 0.03, 0.36, 0.18), colour, "soft") for x in middles],
        *[solid((s * (width / 2 - 0.09), 0.1, 0), (0.18, 0.52, 0.9), colour, "soft") for s in (-1, 1)],
    ]


def sofa(colour: str = "#5f8a94") -> list[Part]:
    pillow = solid((-0.55, 0.46, 0.02), (0.44, 0.38, 0.22), "#e0b04c", "soft", "ellipsoid")
    return [*upholstered(2.0, 2, colour), pillow]


def arm_chair(colour: str = "#c2694f") -> list[Part]:
    return upholstered(0.94, 1, colour)


def bed(colour: str = "#7f95bd") -> list[Part]:
    return [
        *legs(0.72, 0.95, 0.14, 0.07, DARK_WOOD),
        solid((0, 0.12, 0), (1.62, 0.2, 2.05), WOOD, "wood"),
        solid((0, 0.12, -1.0), (1.66, 0.92, 0.08), WOOD, "wood"),
        solid((0, 0.3, 0.02), (1.52, 0.2, 1.94), WHITE, "soft"),
        solid((0, 0.3, 0.3), (1.58, 0.26, 1.42), colour, "soft"),
        solid((0, 0.32, -0.36), (1.585, 0.25, 0.2), "#dfe5f0", "soft"),
        *[solid((x, 0.49, -0.72), (0.66, 0.2, 0.42), WHITE, "soft", "ellipsoid") for x in (-0.38, 0.38)],
    ]


def dining_table(colour: str = WOOD) -> list[Part]:
    return [
        solid((0, 0.71, 0), (1.5, 0.045, 0.9), colour, "wood"),
        solid((0, 0.62, 0), (1.34, 0.09, 0.74), colour, "wood"),
        *legs(0.67, 0.37, 0.71, 0.07, colour),
    ]


def chair(colour: str = PALE_WOOD) -> list[Part]:
    posts = [solid((x, 0.45, -0.2), (0.04, 0.47, 0.035), colour, "wood") for x in (-0.19, 0.19)]
    slats = [solid((0, y, -0.2), (0.36, 0.09, 0.022), colour, "wood") for y in (0.56, 0.69, 0.82)]
    seat = solid((0, 0.43, 0), (0.44, 0.04, 0.44), colour, "wood")
    return [seat, *legs(0.19, 0.19, 0.43, 0.04, colour), *posts, *slats]


def fridge(colour: str = "#e3e6e8") -> list[Part]:
    return [
        solid((0, 0, -0.04), (0.68, 0.05, 0.58), BLACK),
        solid((0, 0.04, -0.03), (0.74, 1.78, 0.62), "#c9cdd0"),
        solid((0, 0.06, 0.31), (0.735, 1.08, 0.06), colour),
        solid((0, 1.16, 0.31), (0.735, 0.655, 0.06), colour),
        solid((-0.3, 0.72, 0.365), (0.03, 0.38, 0.035), "#7d8388"),
        solid((-0.3, 1.2, 0.365), (0.03, 0.32, 0.035), "#7d8388"),
    ]


def tv_stand(colour: str = DARK_WOOD) -> list[Part]:
    fronts = [solid((x, 0.13, 0.205), (0.46, 0.28, 0.02), WOOD, "wood") for x in (-0.49, 0, 0.49)]
    knobs = [solid((x, 0.26, 0.22), (0.09, 0.02, 0.02), BLACK) for x in (-0.49, 0, 0.49)]
    return [*legs(0.68, 0.15, 0.1, 0.06, BLACK), solid((0, 0.08, 0), (1.5, 0.38, 0.4), colour, "wood"), *fronts, *knobs]


def television(colour: str = BLACK) -> list[Part]:
    return [
        solid((0, 0, 0), (0.5, 0.02, 0.22), colour),
        solid((0, 0.02, -0.01), (0.08, 0.08, 0.04), colour),
        solid((0, 0.08, 0), (1.24, 0.71, 0.05), colour),
        solid((0, 0.105, 0.025), (1.19, 0.66, 0.006), "#4f7fa8", "screen"),
    ]


def drawers(width: float, low: float, high: float, z: float, count: int, x: float, colour: str) -> list[Part]:
    height = (high - low) / count
    parts = []
    for i in range(count):
        bottom = low + i * height
        parts.append(solid((x, bottom + 0.012, z), (width - 0.03, height - 0.024, 0.02), colour, "wood"))
        parts.append(solid((x, bottom + height / 2 - 0.012, z + 0.018), (0.12, 0.022, 0.022), BLACK))
    return parts


def desk(colour: str = PALE_WOOD) -> list[Part]:
    return [
        solid((0, 0.71, 0), (1.36, 0.04, 0.66), colour, "wood"),
        solid((-0.64, 0, 0), (0.04, 0.71, 0.6), colour, "wood"),
        solid((0, 0.3, -0.29), (1.26, 0.41, 0.02), colour, "wood"),
        solid((0.43, 0.03, 0), (0.42, 0.68, 0.58), WHITE),
        *drawers(0.42, 0.05, 0.7, 0.295, 3, 0.43, "#e6dfd0"),
    ]


def dresser(colour: str = WOOD) -> list[Part]:
    return [
        *legs(0.5, 0.18, 0.1, 0.06, DARK_WOOD),
        solid((0, 0.08, -0.01), (1.14, 0.76, 0.46), colour, "wood"),
        solid((0, 0.84, 0), (1.2, 0.035, 0.52), colour, "wood"),
        *drawers(0.56, 0.1, 0.83, 0.225, 3, -0.28, PALE_WOOD),
        *drawers(0.56, 0.1, 0.83, 0.225, 3, 0.28, PALE_WOOD),
    ]


def coffee_table(colour: str = DARK_WOOD) -> list[Part]:
    shelf = solid((0, 0.14, 0), (0.98, 0.02, 0.5), colour, "wood")
    return [solid((0, 0.38, 0), (1.1, 0.04, 0.6), colour, "wood"), shelf, *legs(0.5, 0.25, 0.38, 0.06, colour)]


def side_table(colour: str = PALE_WOOD) -> list[Part]:
    drawer = drawers(0.44, 0.32, 0.5, 0.19, 1, 0, WHITE)
    top = solid((0, 0.52, 0), (0.48, 0.03, 0.44), colour, "wood")
    return [top, solid((0, 0.3, 0), (0.44, 0.22, 0.4), colour, "wood"), *legs(0.19, 0.17, 0.3, 0.045, colour), *drawer]


def counter_top(colour: str = "#8fa58a") -> list[Part]:
    middles = [-0.9, -0.3, 0.3, 0.9]
    return [
        solid((0, 0, -0.04), (2.36, 0.1, 0.5), BLACK),
        solid((0, 0.1, -0.02), (2.4, 0.78, 0.56), WHITE),
        *[solid((x, 0.12, 0.27), (0.57, 0.74, 0.022), colour) for x in middles],
        *[solid((x, 0.76, 0.29), (0.2, 0.02, 0.025), STEEL) for x in middles],
        solid((0, 0.88, 0), (2.44, 0.04, 0.64), "#5a5650"),
        solid((0, 0.92, -0.31), (2.44, 0.1, 0.02), "#5a5650"),
    ]


def sink(colour: str = STEEL) -> list[Part]:
    return [
        solid((0, 0, 0), (0.6, 0.012, 0.42), colour),
        solid((0, 0.004, 0.02), (0.5, 0.012, 0.32), "#6f767c", "soft"),
    ]


def faucet(colour: str = "#c9ced2") -> list[Part]:
    return [
        solid((0, 0, 0), (0.05, 0.24, 0.05), colour, "hard", "cylinder"),
        solid((0, 0.22, 0.09), (0.03, 0.03, 0.2), colour),
        solid((0, 0.18, 0.18), (0.03, 0.05, 0.03), colour),
    ]


def wash_basin(colour: str = "#fbfbf8") -> list[Part]:
    return [
        solid((0, 0, -0.08), (0.2, 0.7, 0.18), colour, "hard", "cylinder"),
        solid((0, 0.68, 0), (0.6, 0.16, 0.44), colour, "soft"),
        solid((0, 0.835, 0.03), (0.46, 0.012, 0.3), "#b8c4c9", "soft", "cylinder"),
        solid((0, 0.84, -0.17), (0.05, 0.14, 0.05), STEEL, "hard", "cylinder"),
        solid((0, 0.95, -0.1), (0.03, 0.03, 0.16), STEEL),
    ]


def toilet(colour: str = "#fbfbf8") -> list[Part]:
    return [
        solid((0, 0, 0), (0.26, 0.3, 0.42), colour, "hard", "cylinder"),
        solid((0, 0.24, 0.06), (0.38, 0.16, 0.52), colour, "hard", "cylinder"),
        solid((0, 0.4, 0.06), (0.42, 0.03, 0.54), "#e9e9e4", "hard", "cylinder"),
        solid((0, 0.405, 0.09), (0.26, 0.028, 0.36), "#7f98a6", "soft", "cylinder"),
        solid((0, 0.41, -0.15), (0.4, 0.44, 0.05), "#e9e9e4", "soft", "ellipsoid"),
        solid((0, 0.36, -0.26), (0.44, 0.42, 0.18), colour),
        solid((0, 0.78, -0.26), (0.46, 0.035, 0.2), "#eeeeea"),
        solid((0, 0.815, -0.26), (0.07, 0.012, 0.07), STEEL, "hard", "cylinder"),
    ]


def washing_machine(colour: str = "#f4f5f5") -> list[Part]:
    return [
        solid((0, 0, 0), (0.56, 0.04, 0.5), BLACK),
        solid((0, 0.03, -0.01), (0.6, 0.81, 0.56), colour),
        solid((0, 0.835, 0), (0.61, 0.025, 0.58), "#e3e5e6"),
        solid((0, 0.7, 0.27), (0.585, 0.115, 0.016), "#cfd4d8"),
        solid((-0.19, 0.715, 0.28), (0.16, 0.085, 0.015), colour),
        solid((0.2, 0.72, 0.27), (0.08, 0.08, 0.06), "#6d747a", "hard", "ellipsoid"),
        solid((0.04, 0.735, 0.28), (0.13, 0.05, 0.01), BLACK, "screen"),
        solid((0, 0.18, 0.27), (0.47, 0.47, 0.05), "#9aa2a8", "hard", "ellipsoid"),
        solid((0, 0.235, 0.285), (0.36, 0.36, 0.055), "#2d4256", "hard", "ellipsoid"),
    ]


def house_plant(colour: str = "#4f8a4a") -> list[Part]:
    pot = [
        solid((0, i * 0.09, 0), (0.26 + 0.03 * i, 0.09, 0.26 + 0.03 * i), "#bf6f4a", "hard", "cylinder")
        for i in range(4)
    ]
    parts = [*pot, solid((0, 0.355, 0), (0.3, 0.012, 0.3), "#4a382b", "soft", "cylinder")]
    parts.append(solid((0, 0.36, 0), (0.035, 0.5, 0.035), "#7a5a3c", "hard", "cylinder"))
    for i in range(22):
        angle, rise = i * 2.39996, i / 21
        reach = 0.2 * math.sin(math.pi * (0.25 + 0.7 * rise))
        tone = colour if i % 3 else "#6ba35c"
        along = abs(math.cos(angle))
        size = (0.1 + 0.16 * along, 0.11, 0.26 - 0.16 * along)
        at = (reach * math.cos(angle), 0.52 + 0.62 * rise, reach * math.sin(angle))
        parts.append(solid(at, size, tone, "soft", "ellipsoid"))
    return parts


def floor_lamp(colour: str = "#3b3b3f") -> list[Part]:
    shade = [
        solid((0, 1.28 + 0.06 * i, 0), (0.44 - 0.028 * i, 0.06, 0.44 - 0.028 * i), "#ffe9bd", "glow", "cylinder")
        for i in range(6)
    ]
    base = solid((0, 0, 0), (0.34, 0.03, 0.34), colour, "hard", "cylinder")
    return [base, solid((0, 0.03, 0), (0.035, 1.3, 0.035), colour, "hard", "cylinder"), *shade]


def desk_lamp(colour: str = "#c9a227") -> list[Part]:
    shade = [
        solid((0, 0.26 + 0.045 * i, 0), (0.24 - 0.03 * i, 0.045, 0.24 - 0.03 * i), "#ffe9bd", "glow", "cylinder")
        for i in range(4)
    ]
    return [
        solid((0, 0, 0), (0.16, 0.025, 0.16), colour, "hard", "cylinder"),
        solid((0, 0.02, 0), (0.025, 0.26, 0.025), colour, "hard", "cylinder"),
        *shade,
    ]


def laptop(colour: str = "#8d9298") -> list[Part]:
    return [
        solid((0, 0, 0), (0.36, 0.018, 0.24), colour),
        solid((0, 0.018, -0.115), (0.36, 0.24, 0.012), colour),
        solid((0, 0.03, -0.108), (0.335, 0.215, 0.004), "#6fa3c7", "screen"),
        solid((0, 0.016, -0.02), (0.3, 0.004, 0.11), BLACK),
    ]


def shelving_unit(colour: str = WOOD) -> list[Part]:
    parts = [solid((x, 0, 0), (0.03, 1.8, 0.34), colour, "wood") for x in (-0.465, 0.465)]
    parts += [solid((0, 0.06 + 0.428 * i, 0), (0.93, 0.028, 0.34), colour, "wood") for i in range(5)]
    parts.append(solid((0, 0, -0.16), (0.93, 1.8, 0.015), PALE_WOOD, "wood"))
    tones = ["#a8453c", "#2f5d7c", "#d7b450", "#557a46", "#e8e2d2", "#6d4a73"]
    for row, widths in enumerate([(4, 5, 3, 6), (5, 4, 6), (6, 3, 5, 4, 4), (3, 5)]):
        left = -0.44
        for i, width in enumerate(widths):
            height = 0.24 + 0.03 * ((i * 2 + row) % 4)
            size = (width * 0.03, height, 0.22)
            parts.append(solid((left + size[0] / 2, 0.088 + 0.428 * row, 0), size, tones[(i + 2 * row) % 6]))
            left += size[0] + 0.012
    return parts


def garbage_can(colour: str = "#7b868c") -> list[Part]:
    lid = solid((0, 0.5, 0), (0.33, 0.05, 0.33), BLACK, "hard", "cylinder")
    return [solid((0, 0, 0), (0.3, 0.5, 0.3), colour, "hard", "cylinder"), lid]


def painting(colour: str = "#c96f4a") -> list[Part]:
    return [
        solid((0, 0, 0), (0.9, 0.64, 0.03), DARK_WOOD),
        solid((0, 0.04, 0.01), (0.82, 0.56, 0.03), colour, "painting"),
    ]


def mirror(colour: str = "#cfe0e6") -> list[Part]:
    return [solid((0, 0, 0), (0.6, 0.8, 0.025), STEEL), solid((0, 0.03, 0.01), (0.54, 0.74, 0.02), colour, "screen")]


def window(colour: str = "#bfe0f5") -> list[Part]:
    bars = [solid((0, 0.06, 0.015), (0.04, 1.1, 0.04), WHITE), solid((0, 0.58, 0.015), (1.3, 0.04, 0.04), WHITE)]
    sill = solid((0, -0.03, 0.04), (1.5, 0.035, 0.12), WHITE)
    return [
        solid((0, 0, 0), (1.42, 1.22, 0.04), WHITE),
        solid((0, 0.06, 0.01), (1.3, 1.1, 0.035), colour, "sky"),
        *bars,
        sill,
    ]


def rug(colour: str = "#b9524a") -> list[Part]:
    return [solid((0, 0, 0), (2.0, 0.012, 1.5), colour, "rug")]


def ceiling_light(colour: str = "#fff3d8") -> list[Part]:
    return [solid((0, 0, 0), (0.42, 0.07, 0.42), colour, "glow", "cylinder")]


CATALOGUE: dict[str, Callable[..., list[Part]]] = {
    "ArmChair": arm_chair, "Bed": bed, "CeilingLight": ceiling_light, "Chair": chair, "CoffeeTable": coffee_table,
    "CounterTop": counter_top, "Desk": desk, "DeskLamp": desk_lamp, "DiningTable": dining_table, "Dresser": dresser,
    "Faucet": faucet, "FloorLamp": floor_lamp, "Fridge": fridge, "GarbageCan": garbage_can, "HousePlant": house_plant,
    "Laptop": laptop, "Mirror": mirror, "Painting": painting, "Rug": rug, "ShelvingUnit": shelving_unit,
    "SideTable": side_table, "Sink": sink, "Sofa": sofa, "TVStand": tv_stand, "Television": television,
    "Toilet": toilet, "WashBasin": wash_basin, "WashingMachine": washing_machine, "Window": window,
}  # fmt: skip
