"""Counters and kitchen machines."""

from __future__ import annotations

import numpy as np

from evals.scenes.furniture.style import (
    BLACK,
    BRASS,
    CHROME,
    DARK,
    GLASS,
    STEEL,
    WHITE,
    Part,
    Size,
    Style,
    darker,
    piece,
)
from evals.scenes.materials import Material, rgb
from evals.scenes.mesh import box, curve, cylinder, lathe, loft, tube

CUTOUT = (0.56, 0.38)
"""Width and depth in metres of the hole in a counter under a sink that is let in."""


def counter(size: Size, style: Style, cutouts: tuple[tuple[float, float], ...] = ()) -> list[Part]:
    """A run of base cabinets under a stone top.

    Args:
        size: Width, height, depth in metres.
        style: Colours.
        cutouts: (x, z) of the middle of each hole for a sink, in the piece's own axes, metres.

    Returns:
        The parts; open inside, so that a basin shows through a hole.
    """
    width, height, depth = size
    paint = style.paint("cabinet")
    stone = Material(
        rgb(style.choose("stone", ("#d9d5cd", "#4c4f54", "#b9a58c"))), "marble", rgb("#f0ece4"), 0.35, gloss=0.35
    )
    top, plinth = 0.038, 0.09
    parts = []
    edges = [-width / 2]
    for x, z in sorted(cutouts):
        left, right = x - CUTOUT[0] / 2, x + CUTOUT[0] / 2
        back, front = z - CUTOUT[1] / 2, z + CUTOUT[1] / 2
        for low, high in ((-depth / 2, back), (front, depth / 2)):
            parts.append(Part(box(CUTOUT[0], top, high - low).moved(x, height - top, (low + high) / 2), stone))
        edges += [left, right]
    edges.append(width / 2)
    for low, high in zip(edges[::2], edges[1::2], strict=True):
        parts.append(
            Part(
                box(high - low, top, depth, 0.006 if not cutouts else 0.0, 1).moved((low + high) / 2, height - top),
                stone,
            )
        )
    parts.append(Part(box(width - 0.04, plinth, depth - 0.1).moved(0, 0, -0.03), DARK))
    tall = height - top - plinth
    for x in (-width / 2 + 0.01, width / 2 - 0.01):
        parts.append(Part(box(0.02, tall, depth - 0.03).moved(x, plinth, -0.01), paint))
    parts.append(Part(box(width, 0.02, depth - 0.03).moved(0, plinth, -0.01), paint))
    parts.append(Part(box(width, tall, 0.015).moved(0, plinth, depth / 2 - 0.04), paint))
    parts.append(Part(box(width, tall, 0.015).moved(0, plinth, -depth / 2 + 0.01), paint))
    doors = max(1, round(width / 0.5))
    wide = width / doors
    handle = style.choose("handle", (CHROME, BRASS, BLACK))
    for i in range(doors):
        x = -width / 2 + wide * (i + 0.5)
        drawer = 0.15 if i % 2 == 0 else 0.0
        parts.append(
            Part(
                box(wide - 0.012, tall - drawer - 0.02, 0.02, 0.006, 1).moved(x, plinth + 0.008, depth / 2 - 0.03),
                paint,
            )
        )
        if drawer:
            parts.append(
                Part(
                    box(wide - 0.012, drawer - 0.012, 0.02, 0.006, 1).moved(x, height - top - drawer, depth / 2 - 0.03),
                    paint,
                )
            )
            bar = [(x - 0.06, height - top - 0.075, depth / 2 + 0.0), (x + 0.06, height - top - 0.075, depth / 2 + 0.0)]
            parts.append(Part(tube(bar, 0.006, 8), handle))
        side = x + (wide / 2 - 0.06) * (1 if i % 2 else -1)
        low = height - top - drawer - 0.2
        parts.append(Part(tube([(side, low, depth / 2), (side, low + 0.13, depth / 2)], 0.006, 8), handle))
    return parts


@piece("CounterTop")
def counter_top(size: Size, style: Style) -> list[Part]:
    """A counter without a sink."""
    return counter(size, style)


@piece("Fridge")
def fridge(size: Size, style: Style) -> list[Part]:
    """A tall fridge: freezer door below, long handles, a few notes on the door."""
    width, height, depth = size
    shell = style.choose("shell", (STEEL, WHITE, WHITE, Material(rgb("#a9c6c4"), gloss=0.3)))
    door = Material(shell.color, shell.pattern, shell.second, shell.scale, 0.28, seed=3)
    split = height * 0.36
    face = depth / 2 - 0.055
    parts = [
        Part(
            box(width, height - 0.03, depth - 0.1, 0.015).moved(0, 0.03, -0.05),
            Material(darker(shell.color, 0.85), gloss=0.2),
        )
    ]
    parts.append(Part(box(width - 0.06, 0.04, depth - 0.14).moved(0, 0, -0.05), BLACK))
    for low, high in ((0.045, split), (split + 0.012, height)):
        parts.append(Part(box(width, high - low, 0.06, 0.02, 3).moved(0, low, face - 0.01), door))
    x = -width / 2 + 0.07
    for low, high in ((split - 0.36, split - 0.05), (split + 0.06, split + 0.62)):
        z = depth / 2
        grip = curve(
            [(x, low, z - 0.035), (x, low + 0.025, z - 0.005), (x, high - 0.025, z - 0.005), (x, high, z - 0.035)], 4
        )
        parts.append(Part(tube(grip, 0.014, 10), DARK))
    for i, color in enumerate(("#e8d27a", "#d98b78", "#9cc3d9")):
        note = box(0.09, 0.11, 0.003).moved(0.05 + 0.11 * (i % 2), height * (0.68 + 0.07 * i), depth / 2 - 0.035)
        parts.append(Part(note, Material(rgb(color))))
    parts.append(Part(box(0.08, 0.02, 0.004).moved(width * 0.3, height - 0.1, depth / 2 - 0.035), CHROME))
    return parts


@piece("Microwave")
def microwave(size: Size, style: Style) -> list[Part]:
    """A microwave oven: dark window, buttons, a lit clock, a handle."""
    width, height, depth = size
    shell = style.choose("shell", (WHITE, STEEL, Material(rgb("#b9bcc0"), gloss=0.3)))
    front = depth / 2 - 0.02
    parts = [Part(box(width, height - 0.015, depth - 0.03, 0.012).moved(0, 0.015, -0.015), shell)]
    door = width * 0.7
    left = -width / 2 + door / 2 + 0.008
    parts.append(Part(box(door, height - 0.04, 0.015, 0.006, 1).moved(left, 0.027, front - 0.003), shell))
    parts.append(Part(box(door - 0.1, height - 0.13, 0.006, 0.003, 1).moved(left - 0.015, 0.075, front + 0.006), GLASS))
    bar = [(left + door / 2 - 0.025, 0.07, front + 0.018), (left + door / 2 - 0.025, height - 0.06, front + 0.018)]
    parts.append(Part(tube(bar, 0.009, 8), CHROME))
    right = width / 2 - (width - door) / 2 + 0.004
    panel = width - door - 0.03
    parts.append(Part(box(panel, height - 0.05, 0.008, 0.003, 1).moved(right, 0.032, front), BLACK))
    clock = Material(rgb("#58e0a0"), glow=1.0)
    parts.append(Part(box(panel * 0.72, 0.03, 0.004).moved(right, height - 0.085, front + 0.006), clock))
    for row in range(4):
        for column in range(3):
            x, y = right + (column - 1) * panel * 0.28, 0.1 + row * (height - 0.22) / 4
            parts.append(Part(box(panel * 0.2, 0.018, 0.006, 0.002, 1).moved(x, y, front + 0.006), WHITE))
    parts.append(Part(cylinder(0.02, 0.016, 18, 0.004).turned(90, "x").moved(right, 0.06, front + 0.004), CHROME))
    for sx in (-1, 1):
        parts.append(Part(box(0.04, 0.02, depth * 0.6).moved(sx * (width / 2 - 0.06), 0, -0.02), BLACK))
    return parts


@piece("Toaster")
def toaster(size: Size, style: Style) -> list[Part]:
    """A rounded toaster with two slots, two slices of bread and a lever; its long side lies along z."""
    width, height, depth = size
    shell = style.choose(
        "shell", (Material(rgb("#c44536"), gloss=0.4), CHROME, Material(rgb("#e9dfc8"), gloss=0.4), CHROME)
    )
    body = height * 0.86
    parts = [Part(box(width, body - 0.015, depth - 0.03, 0.045, 4).moved(y=0.015), shell)]
    parts.append(Part(box(width * 0.9, 0.02, depth - 0.07, 0.006, 1), BLACK))
    bread = Material(rgb("#d8a765"), "plain")
    crust = Material(rgb("#9a6330"))
    for side in (-1, 1):
        x = side * width * 0.2
        parts.append(Part(box(0.032, 0.006, depth * 0.62).moved(x, body - 0.004), BLACK))
        parts.append(Part(box(0.02, height - body + 0.06, depth * 0.5, 0.008, 2).moved(x, body - 0.06), crust))
        parts.append(Part(box(0.021, height - body + 0.045, depth * 0.44, 0.006, 1).moved(x, body - 0.055), bread))
    end = depth / 2 - 0.015
    parts.append(Part(box(0.014, body * 0.6, 0.004).moved(0, body * 0.22, end), BLACK))
    parts.append(Part(box(0.05, 0.02, 0.03, 0.008, 2).moved(0, body * 0.66, end), BLACK))
    parts.append(
        Part(cylinder(0.016, 0.016, 16, 0.004).turned(90, "x").moved(width * 0.24, body * 0.25, end - 0.006), BLACK)
    )
    return parts


@piece("CoffeeMachine")
def coffee_machine(size: Size, style: Style) -> list[Part]:
    """A filter machine: water tank, brew head, glass pot with coffee, hot plate, lit switch."""
    width, height, depth = size
    shell = style.choose("shell", (BLACK, BLACK, Material(rgb("#a83a32"), gloss=0.35)))
    parts = [Part(box(width, 0.05, depth, 0.015).moved(), shell)]
    parts.append(Part(box(width, height - 0.04, depth * 0.36, 0.02, 3).moved(0, 0.03, -depth * 0.32), shell))
    head = height * 0.3
    parts.append(Part(box(width, head, depth * 0.86, 0.025, 3).moved(0, height - head, -depth * 0.07), shell))
    parts.append(
        Part(box(width * 0.8, head * 0.5, 0.012, 0.004, 1).moved(0, height - head * 0.78, depth * 0.36 - 0.006), STEEL)
    )
    for i in range(3):
        button = (
            cylinder(0.011, 0.01, 12).turned(90, "x").moved((i - 1) * 0.05, height - head * 0.5, depth * 0.36 + 0.004)
        )
        parts.append(Part(button, Material(rgb("#e4553f") if i == 2 else rgb("#f0f0ee"), glow=0.8 if i == 2 else 0.0)))
    z, radius = depth * 0.16, min(width * 0.38, depth * 0.26)
    parts.append(Part(cylinder(radius * 1.05, 0.012, 24).moved(0, 0.05, z), STEEL))
    pot = (height - head - 0.075) * 0.95
    coffee = [(0, 0), (radius * 0.9, 0), (radius, pot * 0.25), (radius * 0.95, pot * 0.5)]
    parts.append(Part(lathe(coffee, 24).moved(0, 0.063, z), Material(rgb("#3a2013"), gloss=0.7)))
    upper = [(radius * 0.95, pot * 0.5), (radius * 0.72, pot * 0.85), (radius * 0.74, pot * 0.92)]
    parts.append(Part(lathe(upper, 24).moved(0, 0.063, z), Material(rgb("#b9cdd2"), gloss=0.8)))
    parts.append(Part(cylinder(radius * 0.76, pot * 0.09, 24, 0.006).moved(0, 0.063 + pot * 0.9, z), BLACK))
    grip = curve(
        [
            (radius * 0.7, 0.06 + pot * 0.88, z),
            (radius * 1.35, 0.06 + pot * 0.75, z + 0.04),
            (radius * 1.0, 0.06 + pot * 0.2, z),
        ],
        5,
    )
    parts.append(Part(tube(grip, 0.011, 8), BLACK))
    return parts


@piece("Cooker")
def cooker(size: Size, _style: Style) -> list[Part]:
    """An oven with a glass hob; furniture that no pair uses."""
    width, height, depth = size
    parts = [Part(box(width, height - 0.02, depth - 0.03, 0.008, 1).moved(0, 0, -0.015), STEEL)]
    parts.append(Part(box(width, 0.02, depth, 0.005, 1).moved(y=height - 0.02), GLASS))
    for x, z, r in ((-0.15, 0.12, 0.09), (0.15, 0.12, 0.075), (-0.15, -0.13, 0.075), (0.15, -0.13, 0.09)):
        parts.append(Part(cylinder(r, 0.002, 24).moved(x, height - 0.0005, z), DARK))
    parts.append(
        Part(box(width - 0.1, height * 0.42, 0.02, 0.008, 1).moved(0, height * 0.22, depth / 2 - 0.025), GLASS)
    )
    parts.append(
        Part(tube([(-width * 0.38, height * 0.7, depth / 2), (width * 0.38, height * 0.7, depth / 2)], 0.01, 8), CHROME)
    )
    for i in range(5):
        knob = cylinder(0.018, 0.025, 16, 0.004).turned(90, "x")
        parts.append(Part(knob.moved(-width * 0.36 + i * width * 0.18, height * 0.83, depth / 2 - 0.03), BLACK))
    return parts


@piece("WallCabinet")
def wall_cabinet(size: Size, style: Style) -> list[Part]:
    """Cabinets that hang above a counter; furniture that no pair uses."""
    width, height, depth = size
    paint = style.paint("cabinet")
    parts = [Part(box(width, height, depth - 0.02, 0.004, 1).moved(z=-0.01), paint)]
    doors = max(1, round(width / 0.45))
    wide = width / doors
    for i in range(doors):
        x = -width / 2 + wide * (i + 0.5)
        parts.append(Part(box(wide - 0.01, height - 0.01, 0.02, 0.006, 1).moved(x, 0.005, depth / 2 - 0.012), paint))
        side = x + (wide / 2 - 0.05) * (1 if i % 2 == 0 else -1)
        parts.append(Part(tube([(side, 0.05, depth / 2 + 0.01), (side, 0.17, depth / 2 + 0.01)], 0.005, 8), CHROME))
    return parts


@piece("FruitBowl")
def fruit_bowl(size: Size, style: Style) -> list[Part]:
    """A bowl of fruit; decoration that no pair uses."""
    width, height, _ = size
    radius = width / 2
    bowl = lathe(
        [
            (0, 0),
            (radius * 0.5, 0),
            (radius, height * 0.6),
            (radius * 0.94, height * 0.6),
            (radius * 0.4, 0.03),
            (0, 0.03),
        ],
        24,
    )
    parts = [Part(bowl, style.choose("bowl", (WHITE, Material(rgb("#4f7d8c"), gloss=0.4))))]
    for i, color in enumerate(("#c8382e", "#e0902f", "#d9c23c", "#7fa33a", "#c8382e")):
        angle = np.radians(72 * i)
        x, z = radius * 0.42 * float(np.cos(angle)), radius * 0.42 * float(np.sin(angle))
        fruit = loft(
            [(y, r, r, 0, 0) for y, r in ((0, 0.012), (0.015, 0.032), (0.035, 0.038), (0.055, 0.03), (0.068, 0.01))],
            2,
            14,
        )
        parts.append(Part(fruit.moved(x, height - 0.075, z), Material(rgb(color), gloss=0.2)))
    return parts
