"""What one puts things on, and what one keeps things in."""

from __future__ import annotations

import numpy as np

from evals.scenes.furniture.style import (
    BLACK,
    BRASS,
    CHROME,
    DARK,
    STEEL,
    WHITE,
    Part,
    Size,
    Style,
    darker,
    four_legs,
    piece,
)
from evals.scenes.materials import Material, rgb
from evals.scenes.mesh import box, cylinder, lathe, tube


def _plain_table(size: Size, style: Style, top: float, thick: float, shelf: bool) -> list[Part]:
    """A top on four legs with an apron, and a shelf below where wanted."""
    width, height, depth = size
    wood = style.wood()
    frame = wood if style.choose("frame", (True, True, False)) else style.paint("frame paint")
    parts = [Part(box(width, top, depth, min(0.015, top / 2), 2).moved(y=height - top), wood)]
    inset = 0.05
    parts += four_legs(width - inset, depth - inset, height - top, thick, frame, style.choose("round", (True, False)))
    apron = min(0.08, height * 0.14)
    for sz in (-1, 1):
        parts.append(
            Part(
                box(width - inset - thick, apron, 0.02).moved(0, height - top - apron, sz * (depth / 2 - inset)), frame
            )
        )
    for sx in (-1, 1):
        parts.append(
            Part(box(0.02, apron, depth - inset - thick).moved(sx * (width / 2 - inset), height - top - apron), frame)
        )
    if shelf:
        parts.append(Part(box(width - 0.1, 0.022, depth - 0.1, 0.008).moved(y=height * 0.28), wood))
    return parts


@piece("DiningTable")
def dining_table(size: Size, style: Style) -> list[Part]:
    """A large table with a bowl of fruit's place left free."""
    return _plain_table(size, style, 0.045, 0.075, shelf=False)


@piece("CoffeeTable")
def coffee_table(size: Size, style: Style) -> list[Part]:
    """A low table with a shelf."""
    return _plain_table(size, style, 0.04, 0.055, shelf=True)


@piece("SideTable")
def side_table(size: Size, style: Style) -> list[Part]:
    """A small table with one drawer above an open shelf."""
    width, height, depth = size
    wood = style.wood()
    parts = [Part(box(width, 0.028, depth, 0.012).moved(y=height - 0.028), wood)]
    parts += four_legs(width - 0.04, depth - 0.04, height - 0.028, 0.042, wood, False)
    parts.append(Part(box(width - 0.06, 0.14, depth - 0.06, 0.004, 1).moved(y=height - 0.168), wood))
    front = Material(darker(wood.color, 1.12), "wood", wood.color, 0.08, seed=5)
    parts.append(Part(box(width - 0.14, 0.105, 0.016, 0.006, 1).moved(0, height - 0.15, depth / 2 - 0.026), front))
    knob = cylinder(0.014, 0.026, 14, 0.006).turned(90, "x").moved(0, height - 0.098, depth / 2 - 0.022)
    parts += [Part(knob, BRASS), Part(box(width - 0.07, 0.02, depth - 0.07, 0.006).moved(y=height * 0.22), wood)]
    return parts


@piece("Desk")
def desk(size: Size, style: Style) -> list[Part]:
    """A writing desk: a pedestal of drawers on one side, legs on the other, a modesty panel."""
    width, height, depth = size
    wood = style.wood()
    body = wood if style.choose("body", (True, False)) else WHITE
    metal = STEEL if style.choose("legs", (True, False)) else wood
    parts = [Part(box(width, 0.035, depth, 0.01).moved(y=height - 0.035), wood)]
    pedestal = min(0.42, width * 0.32)
    x = width / 2 - pedestal / 2 - 0.015
    parts.append(Part(box(pedestal, height - 0.075, depth - 0.06, 0.006, 1).moved(x, 0.04), body))
    rows = 3
    for i in range(rows):
        tall = (height - 0.12) / rows
        y = 0.06 + i * tall
        parts.append(Part(box(pedestal - 0.03, tall - 0.02, 0.018, 0.006, 1).moved(x, y, depth / 2 - 0.027), body))
        parts.append(Part(box(0.13, 0.014, 0.016, 0.006, 1).moved(x, y + tall * 0.62, depth / 2 - 0.01), CHROME))
    for sz in (-1, 1):
        parts.append(
            Part(box(0.05, height - 0.035, 0.05, 0.008, 1).moved(-width / 2 + 0.05, 0, sz * (depth / 2 - 0.05)), metal)
        )
    parts.append(
        Part(box(width - pedestal - 0.06, 0.3, 0.018).moved(-pedestal / 2, height - 0.34, -depth / 2 + 0.06), body)
    )
    return parts


def _drawers(size: Size, rows: int, columns: int, body: Material, front: Material, handle: Material) -> list[Part]:
    """A chest on a plinth with a grid of drawers."""
    width, height, depth = size
    parts = [Part(box(width - 0.04, 0.07, depth - 0.06).moved(0, 0, -0.01), DARK)]
    parts.append(Part(box(width - 0.012, height - 0.09, depth - 0.02, 0.006, 1).moved(0, 0.06, -0.01), body))
    parts.append(Part(box(width, 0.03, depth, 0.01).moved(y=height - 0.03), body))
    tall, wide = (height - 0.13) / rows, (width - 0.05) / columns
    for row in range(rows):
        for column in range(columns):
            x, y = -width / 2 + 0.025 + wide * (column + 0.5), 0.08 + tall * row
            parts.append(Part(box(wide - 0.022, tall - 0.022, 0.018, 0.007, 1).moved(x, y, depth / 2 - 0.014), front))
            reach = min(0.16, wide * 0.4) / 2
            bar = [(x - reach, y + tall * 0.52, depth / 2 + 0.012), (x + reach, y + tall * 0.52, depth / 2 + 0.012)]
            parts.append(Part(tube(bar, 0.006, 8), handle))
    return parts


@piece("Dresser")
def dresser(size: Size, style: Style) -> list[Part]:
    """A chest of drawers."""
    body = style.wood() if style.choose("kind", (True, True, False)) else style.paint()
    front = Material(
        darker(body.color, 1.1),
        body.pattern,
        body.color if body.pattern == "plain" else body.second,
        0.09,
        0.12,
        seed=7,
    )
    rows = 4 if size[1] > 1.0 else 3
    return _drawers(size, rows, 2 if size[0] > 0.85 else 1, body, front, style.choose("handle", (BRASS, CHROME, BLACK)))


@piece("TVStand")
def tv_stand(size: Size, style: Style) -> list[Part]:
    """A low cabinet: doors at the sides, an open bay with a box in the middle."""
    width, height, depth = size
    wood = style.wood()
    parts = [
        Part(box(width, 0.025, depth, 0.008).moved(y=height - 0.025), wood),
        Part(box(width, 0.025, depth, 0.008).moved(y=0.07), wood),
        Part(box(width, height - 0.12, 0.015).moved(0, 0.09, -depth / 2 + 0.01), wood),
        Part(box(width / 3 - 0.06, 0.05, depth * 0.55, 0.005, 1).moved(0, 0.096, 0.02), BLACK),
    ]
    for x in (-0.5, -1 / 6, 1 / 6, 0.5):
        parts.append(Part(box(0.022, height - 0.11, depth - 0.01).moved(x * (width - 0.022), 0.09), wood))
    for side in (-1, 1):
        x = side * width / 3
        parts.append(
            Part(box(width / 3 - 0.03, height - 0.14, 0.018, 0.006, 1).moved(x, 0.105, depth / 2 - 0.012), WHITE)
        )
        parts.append(
            Part(box(0.012, 0.1, 0.016, 0.005, 1).moved(x - side * (width / 6 - 0.05), height / 2, depth / 2), CHROME)
        )
    return parts + four_legs(width - 0.12, depth - 0.08, 0.08, 0.04, wood, True)


@piece("ShelvingUnit")
def shelving_unit(size: Size, style: Style) -> list[Part]:
    """An open bookcase with books, boxes and a vase."""
    width, height, depth = size
    wood = style.wood()
    rows = max(2, round(height / 0.36))
    parts = [Part(box(0.025, height, depth, 0.004, 1).moved(sx * (width - 0.025) / 2), wood) for sx in (-1, 1)]
    parts.append(
        Part(
            box(width - 0.02, height - 0.02, 0.01).moved(0, 0.01, -depth / 2 + 0.006), Material(darker(wood.color, 0.8))
        )
    )
    step = (height - 0.045) / rows
    spines = ("#a8433a", "#31597e", "#d6b25e", "#4e7a5a", "#e4ddcb", "#6f4b73", "#c9763f", "#2f3b46")
    for row in range(rows + 1):
        y = 0.02 + row * step
        parts.append(Part(box(width - 0.03, 0.022, depth - 0.006, 0.004, 1).moved(0, y, 0.003), wood))
        if row == rows:
            break
        filling = style.choose(f"row{row}", ("books", "books", "boxes", "mixed"))
        room, x = step - 0.03, -width / 2 + 0.045
        end = width / 2 - 0.05 if filling == "books" else 0.0
        index = 0
        while filling != "boxes" and x < end:
            thick = 0.025 + 0.006 * style.choose(f"t{row}{index}", (0, 1, 2, 3))
            tall = room * style.choose(f"h{row}{index}", (0.72, 0.8, 0.88, 0.64))
            cover = Material(rgb(style.choose(f"c{row}{index}", spines)), gloss=0.08)
            parts.append(
                Part(box(thick - 0.003, tall, depth * 0.62, 0.003, 1).moved(x + thick / 2, y + 0.022, -0.02), cover)
            )
            x += thick
            index += 1
        if filling == "boxes":
            basket = Material(rgb("#b79565"), "knit", rgb("#7f6138"), 0.03)
            for side in (-1, 1):
                parts.append(
                    Part(
                        box(width * 0.38, room * 0.7, depth * 0.75, 0.02, 2).moved(side * width * 0.23, y + 0.022),
                        basket,
                    )
                )
        if filling == "mixed":
            vase = lathe([(0, 0), (0.05, 0), (0.075, room * 0.3), (0.03, room * 0.62), (0.045, room * 0.75)], 20)
            parts.append(Part(vase.moved(width * 0.25, y + 0.022), Material(rgb("#5f8f9a"), gloss=0.4)))
    return parts


@piece("Safe")
def safe(size: Size, style: Style) -> list[Part]:
    """A strongbox: thick door, keypad, dial and a spoked handle."""
    width, height, depth = size
    body = Material(rgb(style.choose("body", ("#545b63", "#3d4650", "#5d6a5f"))), gloss=0.25)
    face = Material(darker(body.color, 1.35), gloss=0.3)
    front = depth / 2 - 0.035
    parts = [Part(box(width, height - 0.02, depth - 0.06, 0.015).moved(0, 0.02, -0.03), body)]
    parts += four_legs(width - 0.04, depth - 0.1, 0.03, 0.05, BLACK, True)
    parts.append(Part(box(width - 0.07, height - 0.09, 0.025, 0.01).moved(0, 0.055, front - 0.012), face))
    for y in (0.2, 0.75):
        parts.append(Part(cylinder(0.014, 0.09, 12).moved(-width / 2 + 0.03, height * y, front), STEEL))
    hub = cylinder(0.035, 0.03, 20, 0.006).turned(90, "x").moved(0.0, height * 0.45, front)
    parts.append(Part(hub, CHROME))
    for angle in (90, 210, 330):
        x, y = float(np.cos(np.radians(angle))), float(np.sin(np.radians(angle)))
        reach = min(0.1, width * 0.2)
        parts.append(
            Part(
                tube(
                    [(0, height * 0.45, front + 0.022), (x * reach, height * 0.45 + y * reach, front + 0.022)], 0.009, 8
                ),
                CHROME,
            )
        )
    pad = width * 0.26
    parts.append(Part(box(0.11, 0.09, 0.014, 0.006, 1).moved(pad, height * 0.66, front + 0.003), BLACK))
    for row in range(3):
        for column in range(3):
            key = box(0.02, 0.015, 0.008, 0.003, 1).moved(
                pad + (column - 1) * 0.03, height * 0.66 + 0.012 + row * 0.025, front + 0.012
            )
            parts.append(Part(key, WHITE))
    return parts


@piece("GarbageCan")
def garbage_can(size: Size, style: Style) -> list[Part]:
    """A pedal bin with a domed lid."""
    width, height, depth = size
    radius = min(width, depth) / 2
    body = style.choose(
        "body", (STEEL, Material(rgb("#4b5157"), gloss=0.2), Material(rgb("#6f8f7a"), gloss=0.2), STEEL)
    )
    lid = height * 0.8
    low = [(0, 0.0), (radius * 0.86, 0.0), (radius * 0.88, 0.045), (radius * 0.86, 0.05)]
    parts = [Part(lathe(low, 28), BLACK)]
    parts.append(Part(lathe([(radius * 0.84, 0.045), (radius * 0.9, lid), (0, lid)], 28), body))
    parts.append(
        Part(
            lathe(
                [(radius * 0.95, lid), (radius * 0.95, lid + 0.04), (radius * 0.94, lid + 0.045), (0, lid + 0.045)], 28
            ),
            BLACK,
        )
    )
    dome = [(radius * 0.92, lid + 0.045), (radius * 0.78, height * 0.94), (radius * 0.42, height * 0.99), (0, height)]
    parts.append(Part(lathe(dome, 28), body))
    parts.append(Part(box(0.1, 0.022, 0.07, 0.008, 1).moved(0, 0.012, radius * 0.9), STEEL))
    return parts
