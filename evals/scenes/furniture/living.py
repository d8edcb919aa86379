"""Lamps, screens, plants, pictures, rugs and the openings of a house."""

from __future__ import annotations

import numpy as np

from evals.scenes.furniture.style import BLACK, BRASS, CHROME, DARK, SOIL, WHITE, Part, Size, Style, darker, piece
from evals.scenes.materials import Material, rgb
from evals.scenes.mesh import ball, box, cylinder, lathe, sheet, tube

SHADES = ("#f3e3bd", "#f0dcc0", "#dfe4d6", "#efc9a5")


def _shade(style: Style) -> Material:
    return Material(rgb(style.choose("shade", SHADES)), "plain", glow=0.75)


@piece("FloorLamp")
def floor_lamp(size: Size, style: Style) -> list[Part]:
    """A tall lamp: heavy foot, thin pole, drum shade with a lit bulb."""
    width, height, depth = size
    radius = min(width, depth) / 2
    metal = style.choose("metal", (BLACK, BRASS, CHROME))
    shade = height - 0.34
    parts = [
        Part(cylinder(radius * 0.62, 0.03, 32, 0.012), metal),
        Part(tube([(0, 0.02, 0), (0, height - 0.1, 0)], 0.013, 12), metal),
        Part(lathe([(radius, shade), (radius * 0.78, height)], 36), _shade(style)),
        Part(lathe([(radius * 0.77, height - 0.002), (radius * 0.99, shade + 0.002)], 36), _shade(style)),
        Part(ball(0.05, 16, 8).moved(0, shade + 0.1, 0), Material(rgb("#fff1cf"), glow=2.5)),
    ]
    for angle in (0, 120, 240):
        x, z = float(np.sin(np.radians(angle))), float(np.cos(np.radians(angle)))
        parts.append(
            Part(tube([(0, height - 0.05, 0), (radius * 0.79 * x, height - 0.02, radius * 0.79 * z)], 0.004, 6), metal)
        )
    return parts


@piece("DeskLamp")
def desk_lamp(size: Size, style: Style) -> list[Part]:
    """A jointed reading lamp: round foot, two arms, a tilted cone with a bulb; it leans towards +z."""
    width, height, depth = size
    color = style.choose(
        "color",
        (
            Material(rgb("#d04f3a"), gloss=0.35),
            Material(rgb("#2f6f73"), gloss=0.35),
            BLACK,
            Material(rgb("#e0b23c"), gloss=0.35),
        ),
    )
    foot = min(width, depth) * 0.42
    z = -depth / 2 + foot
    elbow = (0.0, height * 0.58, -depth / 2 + 0.03)
    head = (0.0, height * 0.88, depth * 0.1)
    parts = [
        Part(cylinder(foot, 0.025, 28, 0.01).moved(0, 0, z), color),
        Part(tube([(0, 0.02, z), elbow], 0.009, 10), CHROME),
        Part(tube([elbow, head], 0.009, 10), CHROME),
        Part(ball(0.018, 14, 8).moved(elbow[0], elbow[1] - 0.018, elbow[2]), color),
    ]
    wide = min(width / 2, 0.115)
    cone = lathe([(wide, 0), (wide * 0.85, 0.05), (wide * 0.4, 0.115), (wide * 0.22, 0.15), (0, 0.155)], 28)
    inside = lathe([(wide * 0.2, 0.14), (wide * 0.38, 0.11), (wide * 0.97, 0.003)], 28)
    bulb = ball(wide * 0.36, 14, 8).moved(0, 0.0, 0)
    for mesh, material in (
        (cone, color),
        (inside, Material(rgb("#fff0c9"), glow=1.1)),
        (bulb, Material(rgb("#fff3d2"), glow=2.5)),
    ):
        parts.append(
            Part(mesh.moved(0, -0.09, 0).turned(-28, "x").moved(0, height - 0.1, depth / 2 - wide - 0.01), material)
        )
    return parts


@piece("Television")
def television(size: Size, style: Style) -> list[Part]:
    """A flat screen on a foot, showing a landscape."""
    width, height, depth = size
    foot = min(0.09, height * 0.13)
    bezel = 0.018
    picture = Material(rgb("#2f5f43"), "picture", rgb("#a8cfe6"), 0.35, gloss=0.35, glow=0.55, seed=style.seed % 83)
    return [
        Part(box(width * 0.42, 0.014, depth, 0.006, 1), BLACK),
        Part(box(0.07, foot + 0.05, 0.03, 0.008, 1).moved(0, 0.0, -0.02), BLACK),
        Part(box(width, height - foot, 0.045, 0.01, 2).moved(0, foot, 0), BLACK),
        Part(
            box(width * 0.6, (height - foot) * 0.6, 0.04, 0.015, 2).moved(0, foot + (height - foot) * 0.2, -0.03), DARK
        ),
        Part(box(width - 2 * bezel, height - foot - 2.4 * bezel, 0.004).moved(0, foot + 1.4 * bezel, 0.0225), picture),
        Part(box(0.03, 0.004, 0.004).moved(0, foot + bezel * 0.5, 0.0235), Material(rgb("#e04040"), glow=1.0)),
    ]


@piece("Desktop")
def desktop(size: Size, style: Style) -> list[Part]:
    """A desktop computer: monitor, tower, keyboard and mouse; the screen faces +z."""
    width, height, depth = size
    tower = 0.17
    screen = width - tower - 0.07
    x = -width / 2 + screen / 2
    back = -depth / 2 + 0.05
    lit = Material(rgb("#3a78b5"), "picture", rgb("#cfe6f4"), 0.16, gloss=0.3, glow=0.7, seed=style.seed % 71)
    face = screen * 0.62 if screen * 0.62 < height - 0.12 else height - 0.12
    parts = [
        Part(cylinder(0.1, 0.014, 24, 0.005).scaled((1.2, 1, 0.45)).moved(x, 0, back), DARK),
        Part(box(0.05, height * 0.4, 0.02, 0.005, 1).moved(x, 0.01, back - 0.01), DARK),
        Part(box(screen, face, 0.028, 0.008, 2).moved(x, height - face, back + 0.015), BLACK),
        Part(box(screen - 0.03, face - 0.045, 0.003).moved(x, height - face + 0.028, back + 0.03), lit),
        Part(
            box(tower, height * 0.86, depth - 0.01, 0.008, 1).moved(width / 2 - tower / 2),
            Material(rgb("#41464c"), gloss=0.2),
        ),
        Part(
            cylinder(0.012, 0.006, 16).turned(90, "x").moved(width / 2 - tower / 2, height * 0.74, depth / 2 - 0.006),
            Material(rgb("#64d4ff"), glow=1.5),
        ),
    ]
    for i in range(2):
        parts.append(
            Part(
                box(tower - 0.04, 0.025, 0.006).moved(
                    width / 2 - tower / 2, height * (0.6 - 0.08 * i), depth / 2 - 0.005
                ),
                BLACK,
            )
        )
    keys = min(0.42, screen * 0.8)
    row_z = depth / 2 - 0.055
    parts.append(Part(box(keys, 0.016, 0.11, 0.005, 1).moved(x - 0.03, 0, row_z), DARK))
    for row in range(3):
        for column in range(11):
            key = box(keys / 12.5, 0.006, 0.024, 0.002, 1)
            parts.append(
                Part(key.moved(x - 0.03 + (column - 5) * keys / 11.6, 0.015, row_z + (row - 1) * 0.031), WHITE)
            )
    parts.append(Part(ball(0.03, 14, 8).scaled((1, 0.55, 1.5)).moved(x + keys / 2 + 0.035, 0, row_z), DARK))
    return parts


@piece("HousePlant")
def house_plant(size: Size, style: Style) -> list[Part]:
    """Broad curved leaves from a pot."""
    width, height, depth = size
    spread = min(width, depth) / 2
    pot = min(0.3, height * 0.33)
    rim = min(spread * 0.62, 0.17)
    clay = style.choose(
        "pot", (Material(rgb("#b5623f")), WHITE, Material(rgb("#44626b"), gloss=0.3), Material(rgb("#b5623f")))
    )
    profile = [
        (0, 0),
        (rim * 0.68, 0),
        (rim * 0.94, pot * 0.82),
        (rim, pot * 0.82),
        (rim, pot),
        (rim * 0.9, pot),
        (rim * 0.88, pot * 0.9),
    ]
    parts = [Part(lathe(profile, 30), clay), Part(cylinder(rim * 0.89, 0.02, 24).moved(y=pot * 0.88 - 0.02), SOIL)]
    greens = ("#3f7d3a", "#5a9645", "#2f6a3c", "#6ba352")
    count = 15
    for i in range(count):
        angle = 2 * np.pi * i * 0.381966
        lift = 0.35 + 0.65 * (i / (count - 1))
        reach = spread * (1.0 - 0.5 * lift) * 1.05
        rise = (height - pot) * lift
        leaf = Material(rgb(style.choose(f"leaf{i}", greens)), "leaf", rgb("#8fbf62"), 0.03, gloss=0.12, seed=i)
        t = np.linspace(0, 1, 9)[:, None]
        s = np.linspace(-1, 1, 5)[None, :]
        out = reach * t**1.3
        up = pot + rise * (1.25 * t - 0.25 * t**3) - (0.22 * rise if lift < 0.7 else 0.0) * t**3
        half = spread * 0.26 * np.clip(np.sin(np.pi * t**1.1 * 0.97) + 0.05, 0.02, None)
        grid = np.stack([s * half, up + 0.18 * half * s**2 + 0 * s, out + 0 * s], axis=2)
        parts.append(Part(sheet(grid).turned(float(np.degrees(angle))), leaf))
    return parts


@piece("Painting")
def painting(size: Size, style: Style) -> list[Part]:
    """A framed landscape for the wall; the wall is at -z."""
    width, height, depth = size
    frame = style.choose("frame", (style.wood(), BLACK, WHITE))
    colors = style.choose(
        "palette", (("#365f6b", "#e7c27a"), ("#7a4b3a", "#e8d9b8"), ("#2f4a3c", "#c9dbe0"), ("#8a3d46", "#f0cfa8"))
    )
    art = Material(rgb(colors[0]), "picture", rgb(colors[1]), height * 0.28, seed=style.seed % 79)
    return [
        Part(box(width, height, depth * 0.9, 0.004, 1).moved(z=-depth * 0.05), frame),
        Part(box(width - 0.06, height - 0.06, 0.004).moved(0, 0.03, depth * 0.4), WHITE),
        Part(box(width - 0.16, height - 0.16, 0.004).moved(0, 0.08, depth * 0.4 + 0.002), art),
    ]


@piece("Rug")
def rug(size: Size, style: Style) -> list[Part]:
    """A carpet with a border."""
    width, height, depth = size
    color = rgb(style.choose("rug", ("#a8604c", "#5f7f8c", "#c2a878", "#76805f")))
    field = Material(color, style.choose("weave", ("knit", "checks", "stripes")), darker(color, 1.3), 0.14)
    border = Material(darker(color, 0.6), "carpet", darker(color, 0.75), 0.02)
    return [
        Part(box(width, height * 0.8, depth, 0.003, 1), border),
        Part(box(width - 0.24, height, depth - 0.24, 0.002, 1), field),
    ]


@piece("Doorway")
def doorway(size: Size, style: Style) -> list[Part]:
    """The casing around an opening; walls stand in the plane z = 0."""
    width, height, depth = size
    trim = style.choose("trim", (WHITE, WHITE, style.wood("trim")))
    board = 0.075
    parts = []
    for side in (-1, 1):
        parts.append(Part(box(board, height, depth, 0.008, 1).moved(side * (width - board) / 2), trim))
    parts.append(Part(box(width, board, depth, 0.008, 1).moved(0, height - board), trim))
    parts.append(
        Part(box(width - 2 * board + 0.01, 0.008, depth * 0.9), Material(rgb("#8a6a4a"), "wood", rgb("#6a4d32"), 0.08))
    )
    return parts


@piece("DoorLeaf")
def door_leaf(size: Size, style: Style) -> list[Part]:
    """A panelled door leaf with handles, in the plane z = 0."""
    width, height, depth = size
    paint = style.choose(
        "leaf",
        (style.wood("leaf wood"), Material(rgb("#7d3b34"), gloss=0.15), Material(rgb("#33566b"), gloss=0.15), WHITE),
    )
    inner = Material(darker(paint.color, 0.86), paint.pattern, darker(paint.second, 0.86), paint.scale, paint.gloss)
    parts = [Part(box(width, height, depth * 0.6, 0.004, 1), paint)]
    for row, (low, high) in enumerate(((0.08, 0.42), (0.5, 0.93))):
        for side in (-1, 1):
            panel = box(width * 0.34, height * (high - low), depth * 0.82, 0.01, 1)
            parts.append(Part(panel.moved(side * width * 0.22, height * low, 0), inner if row < 2 else paint))
    for side in (-1, 1):
        x = width / 2 - 0.07
        parts.append(
            Part(cylinder(0.025, 0.01, 18).turned(90 * side, "x").moved(x, height * 0.47, side * depth * 0.3), BRASS)
        )
        parts.append(
            Part(
                tube(
                    [
                        (x, height * 0.47, side * depth * 0.3),
                        (x, height * 0.47, side * depth * 0.5),
                        (x - 0.1, height * 0.47, side * depth * 0.5),
                    ],
                    0.008,
                    8,
                ),
                BRASS,
            )
        )
    return parts


@piece("Window")
def window(size: Size, _style: Style) -> list[Part]:
    """A frame with a cross of bars and a sill; walls stand in the plane z = 0, the room is at +z."""
    width, height, depth = size
    parts = []
    bar = 0.05
    for side in (-1, 1):
        parts.append(Part(box(bar, height, depth, 0.005, 1).moved(side * (width - bar) / 2), WHITE))
    for y in (0.0, height - bar):
        parts.append(Part(box(width, bar, depth, 0.005, 1).moved(0, y), WHITE))
    count = max(2, round(width / 0.6))
    for i in range(1, count):
        parts.append(Part(box(0.03, height, 0.03, 0.004, 1).moved(-width / 2 + width * i / count), WHITE))
    parts.append(Part(box(width, 0.025, 0.03, 0.004, 1).moved(0, height * 0.62), WHITE))
    return parts


@piece("Curtain")
def curtain(size: Size, style: Style) -> list[Part]:
    """A pair of folded curtains on a rod; the wall is at -z; furniture that no pair uses."""
    width, height, depth = size
    color = rgb(style.choose("cloth", ("#c9b391", "#8fa7a3", "#b9897a", "#d8d2c2")))
    cloth = Material(color, "knit", darker(color, 0.85), 0.02)
    parts = [Part(tube([(-width / 2, height - 0.02, 0), (width / 2, height - 0.02, 0)], 0.012, 10), BLACK)]
    for side in (-1, 1):
        x = np.linspace(0, width * 0.17, 33)
        y = np.linspace(0, height - 0.03, 5)
        fold = depth * 0.3 * np.sin(x / (width * 0.17) * np.pi * 9)
        grid = np.stack(
            [
                np.broadcast_to(side * (width / 2 - 0.02 - x), (5, 33)),
                np.broadcast_to(y[:, None], (5, 33)),
                np.broadcast_to(fold, (5, 33)),
            ],
            axis=2,
        )
        parts.append(Part(sheet(grid), cloth))
    return parts


@piece("CeilingLamp")
def ceiling_lamp(size: Size, _style: Style) -> list[Part]:
    """A flat round lamp under the ceiling; furniture that no pair uses."""
    width, height, _ = size
    glow = Material(rgb("#fff4dc"), glow=1.6)
    return [
        Part(lathe([(0, 0), (width * 0.36, 0), (width / 2, height * 0.6), (width / 2, height), (0, height)], 36), glow)
    ]
