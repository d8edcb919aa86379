"""Bathroom fittings and the laundry."""

from __future__ import annotations

import numpy as np

from evals.scenes.furniture.style import BLACK, CHROME, DARK, PORCELAIN, STEEL, WHITE, Part, Size, Style, darker, piece
from evals.scenes.materials import Material, rgb
from evals.scenes.mesh import Mesh, box, curve, cylinder, lathe, loft, sheet, tube


def _basin(width: float, depth: float, height: float, power: float) -> Mesh:
    """An open basin: rim outside, bowl inside, `height` metres deep."""
    w, d = width / 2, depth / 2
    return loft(
        [
            (0.0, w * 0.62, d * 0.62, 0, 0),
            (height * 0.55, w * 0.86, d * 0.86, 0, 0),
            (height - 0.012, w * 0.98, d * 0.98, 0, 0),
            (height, w, d, 0, 0),
            (height, w * 0.9, d * 0.88, 0, 0),
            (height - 0.02, w * 0.86, d * 0.84, 0, 0),
            (height * 0.35, w * 0.7, d * 0.68, 0, 0),
            (0.025, w * 0.5, d * 0.45, 0, 0),
        ],
        power,
        36,
    )


@piece("Sink")
def sink(size: Size, style: Style) -> list[Part]:
    """A basin: let into a counter when low, on a vanity cabinet when as tall as one."""
    width, height, depth = size
    if height < 0.5:
        steel = style.choose("basin", (STEEL, PORCELAIN, STEEL))
        parts = [Part(_basin(width, depth, height, 5.0), steel)]
        parts.append(Part(cylinder(0.035, 0.006, 20).moved(0, 0.026, 0), DARK))
        return parts
    paint = style.paint("cabinet")
    bowl = 0.16
    body = height - bowl
    parts = [Part(box(width - 0.06, 0.08, depth - 0.1).moved(0, 0, -0.02), DARK)]
    parts.append(Part(box(width - 0.02, body - 0.1, depth - 0.04, 0.008, 1).moved(0, 0.08, -0.01), paint))
    for side in (-1, 1):
        parts.append(
            Part(
                box(width / 2 - 0.03, body - 0.15, 0.02, 0.007, 1).moved(side * width / 4, 0.1, depth / 2 - 0.035),
                paint,
            )
        )
        bar = [(side * 0.04, body * 0.55, depth / 2 - 0.005), (side * 0.04, body * 0.75, depth / 2 - 0.005)]
        parts.append(Part(tube(bar, 0.006, 8), CHROME))
    parts.append(
        Part(
            box(width, 0.03, depth, 0.008).moved(0, body - 0.03),
            Material(rgb("#cfc8bd"), "marble", rgb("#f4f0ea"), 0.3, 0.3),
        )
    )
    parts.append(Part(_basin(width * 0.82, depth * 0.72, bowl, 2.6).moved(0, body, 0.03), PORCELAIN))
    parts.append(Part(cylinder(0.022, 0.006, 16).moved(0, body + 0.026, 0.03), CHROME))
    return parts


@piece("Faucet")
def faucet(size: Size, _style: Style) -> list[Part]:
    """A tap: base plate, arched spout, two handles; water would fall at +z."""
    width, height, depth = size
    metal = CHROME
    back = -depth / 2 + 0.03
    parts = [Part(box(width, 0.016, 0.055, 0.008, 2).moved(0, 0, back), metal)]
    parts.append(Part(cylinder(0.022, 0.05, 20, 0.006).moved(0, 0.01, back), metal))
    reach = depth / 2 - 0.016
    spout = curve(
        [
            (0, 0.03, back),
            (0, height * 0.72, back),
            (0, height - 0.014, back + depth * 0.3),
            (0, height * 0.9, reach - 0.02),
            (0, height * 0.66, reach),
        ],
        7,
    )
    parts.append(Part(tube(spout, 0.0135, 14), metal))
    parts.append(Part(cylinder(0.017, 0.02, 16).moved(0, height * 0.64, reach), metal))
    for side in (-1, 1):
        x = side * (width / 2 - 0.022)
        parts.append(Part(cylinder(0.016, 0.045, 16, 0.005).moved(x, 0.012, back), metal))
        parts.append(Part(tube([(x, 0.062, back), (x + side * 0.004, 0.07, back + 0.055)], 0.0075, 8), metal))
        dot = Material(rgb("#c23b34") if side < 0 else rgb("#3566b0"))
        parts.append(Part(cylinder(0.008, 0.004, 12).moved(x, 0.057, back), dot))
    return parts


@piece("Toilet")
def toilet(size: Size, style: Style) -> list[Part]:
    """Cistern with a flush button, bowl, seat and raised lid."""
    width, height, depth = size
    bowl_top, tank = 0.4, min(0.2, depth * 0.26)
    middle = tank / 2 + 0.02
    long = (depth - tank) / 2
    parts = [
        Part(
            loft(
                [
                    (0, width * 0.25, long * 0.62, 0, middle - 0.07),
                    (0.05, width * 0.23, long * 0.58, 0, middle - 0.07),
                    (0.18, width * 0.25, long * 0.66, 0, middle - 0.05),
                    (0.32, width * 0.37, long * 0.9, 0, middle - 0.015),
                    (bowl_top, width * 0.4, long * 0.97, 0, middle),
                    (bowl_top, width * 0.29, long * 0.72, 0, middle + 0.02),
                    (bowl_top - 0.1, width * 0.22, long * 0.52, 0, middle + 0.02),
                    (bowl_top - 0.2, width * 0.1, long * 0.25, 0, middle),
                ],
                2.2,
                40,
            ),
            PORCELAIN,
        )
    ]
    ring = loft(
        [
            (0, width * 0.41, long * 0.98, 0, 0),
            (0.02, width * 0.41, long * 0.98, 0, 0),
            (0.028, width * 0.38, long * 0.93, 0, 0),
            (0.024, width * 0.27, long * 0.68, 0, 0.02),
            (0.0, width * 0.265, long * 0.67, 0, 0.02),
        ],
        2.2,
        40,
    )
    wood_seat = style.choose("seat", (WHITE, WHITE, Material(rgb("#a8764a"), "wood", rgb("#7c5230"), 0.06, 0.2)))
    parts.append(Part(_hollow(ring).moved(0, bowl_top + 0.004, middle), wood_seat))
    lid = loft(
        [
            (0, width * 0.4, long * 0.95, 0, 0),
            (0.016, width * 0.4, long * 0.95, 0, 0),
            (0.022, width * 0.36, long * 0.88, 0, 0),
        ],
        2.2,
        40,
    )
    back = -depth / 2 + tank
    lid = lid.moved(0, 0, long * 0.95).turned(-96, "x").moved(0, bowl_top + 0.03, back + 0.045)
    parts.append(Part(lid, wood_seat))
    low = bowl_top - 0.02
    parts.append(Part(box(width * 0.5, low, tank + 0.1, 0.03, 3).moved(0, 0, back - 0.03), PORCELAIN))
    parts.append(
        Part(box(width * 0.92, height - low - 0.045, tank, 0.035, 4).moved(0, low, -depth / 2 + tank / 2), PORCELAIN)
    )
    parts.append(
        Part(box(width, 0.05, tank + 0.02, 0.018, 3).moved(0, height - 0.055, -depth / 2 + tank / 2 + 0.01), PORCELAIN)
    )
    parts.append(Part(cylinder(0.024, 0.012, 20, 0.003).moved(0, height - 0.008, -depth / 2 + tank / 2), CHROME))
    return parts


def _hollow(ring: Mesh) -> Mesh:
    """Drops the two caps of a lofted ring, so that it is open in the middle."""
    center = (ring.vertices[:, [0]] ** 2 + ring.vertices[:, [2]] ** 2)[ring.faces].min(axis=1)[:, 0]
    return Mesh(ring.vertices, ring.normals, ring.faces[center > 0.004])


@piece("TowelHolder")
def towel_holder(size: Size, style: Style) -> list[Part]:
    """A long wall rail with a folded bath towel over it; the wall is at -z."""
    width, height, depth = size
    parts = []
    bar_y, bar_z = height - 0.02, depth / 2 - 0.03
    for side in (-1, 1):
        x = side * (width / 2 - 0.02)
        parts.append(Part(cylinder(0.026, 0.014, 18, 0.004).turned(90, "x").moved(x, bar_y - 0.0, -depth / 2), CHROME))
        parts.append(Part(tube([(x, bar_y, -depth / 2), (x, bar_y, bar_z)], 0.009, 10), CHROME))
    parts.append(Part(tube([(-width / 2 + 0.005, bar_y, bar_z), (width / 2 - 0.005, bar_y, bar_z)], 0.011, 12), CHROME))
    color = rgb(style.choose("towel", ("#5b8f9f", "#d98f6c", "#e6ddc9", "#7f9a6d", "#b56576")))
    towel = Material(color, "knit", darker(color, 0.8), 0.02)
    wide = width * 0.68
    parts.append(Part(_draped(wide, height - 0.03, bar_y, bar_z, 0.02), towel))
    band = Material(darker(color, 1.5))
    parts.append(Part(box(wide * 1.004, 0.03, 0.004).moved(0, bar_y - (height - 0.03) * 0.86, bar_z + 0.022), band))
    return parts


def _draped(width: float, drop: float, y: float, z: float, thick: float) -> Mesh:
    """Cloth over a bar at (y, z): it hangs `drop` metres in front and somewhat less behind."""
    angle = np.linspace(np.pi, 0, 9)
    over = np.stack([y + thick * np.sin(angle), z + thick * np.cos(angle)], axis=1)
    path = np.vstack([[y - drop * 0.8, z - thick], over, [y - drop, z + thick]])
    x = np.linspace(-width / 2, width / 2, 13)
    wave = 0.004 * np.sin(x * 40)
    grid = np.stack(
        [
            np.broadcast_to(x, (len(path), len(x))),
            np.broadcast_to(path[:, :1], (len(path), len(x))),
            path[:, 1:] + wave[None, :],
        ],
        axis=2,
    )
    return sheet(grid)


@piece("HandTowelHolder")
def hand_towel_holder(size: Size, style: Style) -> list[Part]:
    """A wall ring with a small towel pulled through; the wall is at -z."""
    width, height, depth = size
    top = height - 0.03
    parts = [Part(cylinder(0.028, 0.016, 20, 0.004).turned(90, "x").moved(0, top, -depth / 2), CHROME)]
    parts.append(Part(tube([(0, top, -depth / 2), (0, top, depth / 2 - 0.014)], 0.008, 10), CHROME))
    radius = min(width / 2 - 0.008, 0.085)
    angle = np.linspace(0, 2 * np.pi, 29)
    ring = [(radius * float(np.sin(a)), top - radius + radius * float(np.cos(a)), depth / 2 - 0.014) for a in angle]
    parts.append(Part(tube(ring, 0.006, 10), CHROME))
    color = rgb(style.choose("towel", ("#d98f6c", "#5b8f9f", "#8fae7b", "#c76b7a")))
    cloth = Material(color, "knit", darker(color, 0.78), 0.014)
    bar = top - 2 * radius
    parts.append(Part(_draped(width * 0.82, max(bar - 0.005, 0.05), bar + 0.008, depth / 2 - 0.014, 0.012), cloth))
    return parts


def _machine(size: Size, style: Style, dryer: bool) -> list[Part]:
    """White box, control panel and a round door; a dryer's door is solid with a vent grille below."""
    width, height, depth = size
    front = depth / 2 - 0.03
    shell = WHITE if not dryer else style.choose("shell", (Material(rgb("#dcdcda"), gloss=0.15), WHITE))
    panel = 0.13
    parts = [Part(box(width, height - 0.02, depth - 0.03, 0.018, 2).moved(0, 0.02, -0.015), shell)]
    parts.append(Part(box(width - 0.08, 0.03, depth - 0.1).moved(), BLACK))
    parts.append(
        Part(
            box(width - 0.03, panel - 0.02, 0.01, 0.004, 1).moved(0, height - panel, front + 0.001),
            Material(rgb("#c6cbd0"), gloss=0.2),
        )
    )
    side = -1 if dryer else 1
    parts.append(
        Part(
            cylinder(0.036, 0.03, 24, 0.006)
            .turned(90, "x")
            .moved(0 if dryer else side * 0.02, height - panel * 0.57, front),
            CHROME,
        )
    )
    display = Material(rgb("#6fd3e8") if not dryer else rgb("#f0a94a"), glow=0.9)
    parts.append(Part(box(0.1, 0.035, 0.006).moved(width * 0.27, height - panel * 0.7, front + 0.008), display))
    for i in range(3):
        parts.append(
            Part(
                cylinder(0.009, 0.01, 12)
                .turned(90, "x")
                .moved(width * 0.12 + i * 0.0, height - panel * (0.35 + 0.2 * i), front + 0.004),
                WHITE,
            )
        )
    if not dryer:
        parts.append(
            Part(box(0.17, 0.075, 0.01, 0.005, 1).moved(-width * 0.3, height - panel * 0.85, front + 0.004), WHITE)
        )
    middle, radius = (height - panel) * 0.53, width * 0.33
    rim = lathe([(radius * 0.72, 0.03), (radius * 0.74, 0.045), (radius * 0.9, 0.045), (radius, 0.02), (radius, 0)], 40)
    parts.append(
        Part(rim.turned(90, "x").moved(0, middle, front), CHROME if not dryer else Material(rgb("#aeb3b8"), gloss=0.3))
    )
    if dryer:
        plate = lathe([(radius * 0.75, 0.0), (radius * 0.74, 0.036), (0, 0.042)], 40).turned(90, "x")
        parts.append(Part(plate.moved(0, middle, front), shell))
        parts.append(Part(box(0.03, 0.12, 0.03, 0.01, 2).moved(radius * 0.84, middle - 0.06, front + 0.045), BLACK))
        for i in range(5):
            parts.append(Part(box(width * 0.5, 0.008, 0.006).moved(0, 0.06 + i * 0.018, front + 0.002), DARK))
    else:
        glass = lathe([(radius * 0.76, 0.03), (radius * 0.5, 0.052), (0, 0.06)], 40).turned(90, "x")
        parts.append(Part(glass.moved(0, middle, front), Material(rgb("#24333d"), "plain", gloss=0.9)))
        suds = (
            lathe([(radius * 0.6, 0.052), (radius * 0.3, 0.0605), (0, 0.062)], 30).scaled((1, 1, 0.5)).turned(90, "x")
        )
        parts.append(Part(suds.moved(0, middle - radius * 0.28, front), Material(rgb("#7fa9bf"), gloss=0.5)))
        parts.append(Part(box(0.035, 0.11, 0.03, 0.012, 2).moved(radius * 0.88, middle - 0.055, front + 0.03), STEEL))
        parts.append(
            Part(
                box(0.12, 0.08, 0.006, 0.003, 1).moved(width * 0.3, 0.05, front + 0.002),
                Material(darker(shell.color, 0.9)),
            )
        )
    return parts


@piece("WashingMachine")
def washing_machine(size: Size, style: Style) -> list[Part]:
    """A front loader with a glass door."""
    return _machine(size, style, dryer=False)


@piece("ClothesDryer")
def clothes_dryer(size: Size, style: Style) -> list[Part]:
    """A dryer with a solid door and a vent grille."""
    return _machine(size, style, dryer=True)


@piece("Bathtub")
def bathtub(size: Size, _style: Style) -> list[Part]:
    """A built-in tub with a tap at one end; furniture that no pair uses."""
    width, height, depth = size
    w, d = width / 2, depth / 2
    rings = [
        (0, w, d, 0, 0), (height, w, d, 0, 0), (height, w - 0.07, d - 0.07, 0, 0),
        (height - 0.03, w - 0.09, d - 0.09, 0, 0), (0.16, w - 0.2, d - 0.14, 0, 0), (0.12, w - 0.28, d - 0.2, 0, 0),
    ]  # fmt: skip
    parts = [Part(loft(rings, 9.0, 48), PORCELAIN)]
    spout = curve(
        [
            (-w + 0.05, height, 0),
            (-w + 0.05, height + 0.14, 0),
            (-w + 0.1, height + 0.19, 0),
            (-w + 0.19, height + 0.13, 0),
        ],
        5,
    )
    parts.append(Part(tube(spout, 0.014, 12), CHROME))
    for side in (-1, 1):
        parts.append(Part(cylinder(0.02, 0.05, 16, 0.005).moved(-w + 0.05, height, side * 0.1), CHROME))
    return parts


@piece("Mirror")
def mirror(size: Size, style: Style) -> list[Part]:
    """A framed looking-glass on the wall; furniture that no pair uses."""
    width, height, depth = size
    frame = style.choose("frame", (style.wood(), BLACK, CHROME))
    glass = Material(rgb("#aebfca"), "screen", rgb("#dfe8ee"), 0.8, gloss=0.5)
    return [
        Part(box(width, height, depth, 0.008, 1), frame),
        Part(box(width - 0.05, height - 0.05, 0.004).moved(0, 0.025, depth / 2), glass),
    ]
