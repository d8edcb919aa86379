"""What one sits or lies on."""

from __future__ import annotations

import numpy as np

from evals.scenes.furniture.style import BLACK, CHROME, PAPER, WHITE, Part, Size, Style, darker, four_legs, piece
from evals.scenes.materials import Material, rgb
from evals.scenes.mesh import Mesh, box, cylinder, lathe, tube


def _pillow(width: float, height: float, depth: float) -> Mesh:
    """A stuffed cushion: thick in the middle, thin at the seams."""
    body = box(width, height, depth, height * 0.49, 4)
    x, z = body.vertices[:, 0] / (width / 2), body.vertices[:, 2] / (depth / 2)
    bulge = 1 - 0.45 * np.clip(np.maximum(np.abs(x), np.abs(z)), 0, 1) ** 6
    vertices = body.vertices.copy()
    vertices[:, 1] = height / 2 + (vertices[:, 1] - height / 2) * bulge
    return Mesh(vertices, body.normals, body.faces)


def _couch(size: Size, style: Style, seats: int) -> list[Part]:
    """Base, arms, seat and back cushions; `seats` cushions side by side."""
    width, height, depth = size
    cloth = style.fabric()
    seam = Material(darker(cloth.color, 0.8), "fabric", darker(cloth.second, 0.8), 0.012)
    foot = style.wood("foot")
    arm = min(0.2, width * 0.17)
    seat_top = min(0.45, height * 0.54)
    back = min(0.24, depth * 0.26)
    parts = four_legs(width - 0.1, depth - 0.1, 0.1, 0.05, foot, True)
    parts.append(Part(box(width - 0.04, seat_top - 0.24, depth - 0.04, 0.03).moved(y=0.09), seam))
    parts.append(
        Part(
            box(width - 2 * arm + 0.04, height - 0.12, back * 0.75, 0.07, 3).moved(0, 0.1, -depth / 2 + back * 0.38),
            cloth,
        )
    )
    arm_height = seat_top + 0.17
    for side in (-1, 1):
        parts.append(Part(box(arm, arm_height - 0.08, depth, 0.075, 4).moved(side * (width - arm) / 2, 0.08), cloth))
    span = (width - 2 * arm) / seats
    for i in range(seats):
        x = -width / 2 + arm + span * (i + 0.5)
        parts.append(
            Part(box(span - 0.008, 0.17, depth - back - 0.02, 0.055, 4).moved(x, seat_top - 0.16, back / 2), cloth)
        )
        cushion = box(span - 0.015, height - seat_top - 0.02, 0.19, 0.075, 4).turned(-12, "x")
        parts.append(Part(cushion.moved(x, seat_top + 0.015, -depth / 2 + back + 0.02), cloth))
    accent = Material(
        rgb(style.choose("accent", ("#d9a441", "#e7e0cf", "#c0583e", "#3d6f78"))), "stripes", rgb("#efe9dc"), 0.05
    )
    if seats > 1:
        for side in (-1, 1):
            throw = _pillow(0.4, 0.14, 0.4).turned(-68, "x").turned(side * -14)
            parts.append(
                Part(throw.moved(side * (width / 2 - arm - 0.24), seat_top + 0.2, -depth / 2 + back + 0.23), accent)
            )
    return parts


@piece("Sofa")
def sofa(size: Size, style: Style) -> list[Part]:
    """A couch with two or three seats and throw pillows."""
    return _couch(size, style, 3 if size[0] > 1.75 else 2)


@piece("ArmChair")
def arm_chair(size: Size, style: Style) -> list[Part]:
    """An upholstered chair with arms."""
    return _couch(size, style, 1)


@piece("Chair")
def chair(size: Size, style: Style) -> list[Part]:
    """A dining chair: four legs, a padded seat, a slatted back."""
    width, height, depth = size
    wood = style.wood() if style.choose("painted", (True, True, False)) else style.paint()
    seat = min(0.46, height * 0.52)
    thick = 0.038
    parts = [
        Part(box(thick, seat if front else height, thick, 0.008, 1).moved(sx * (width - thick) / 2, 0, sz), wood)
        for sx in (-1, 1)
        for front, sz in ((True, (depth - thick) / 2), (False, -(depth - thick) / 2))
    ]
    parts.append(Part(box(width, 0.035, depth, 0.012).moved(y=seat - 0.035), wood))
    pad = style.fabric("pad")
    parts.append(Part(box(width - 0.04, 0.045, depth - 0.06, 0.022, 3).moved(0, seat, 0.01), pad))
    rail_z = -(depth - thick) / 2
    parts.append(Part(box(width, 0.075, thick, 0.012).moved(0, height - 0.08, rail_z), wood))
    parts.append(Part(box(width - thick, 0.03, thick * 0.7, 0.008).moved(0, seat + 0.1, rail_z), wood))
    for x in np.linspace(-width / 2 + 0.09, width / 2 - 0.09, 4):
        parts.append(Part(box(0.03, height - seat - 0.19, 0.016, 0.006, 1).moved(float(x), seat + 0.12, rail_z), wood))
    for x in (-1, 1):
        parts.append(Part(box(0.022, 0.022, depth - thick, 0.005, 1).moved(x * (width - thick) / 2, seat * 0.35), wood))
    return parts


@piece("Stool")
def stool(size: Size, style: Style) -> list[Part]:
    """A round seat on splayed legs with a foot ring."""
    width, height, depth = size
    wood, cloth = style.wood(), style.fabric()
    radius = min(width, depth) / 2
    parts = [
        Part(
            lathe([(0, 0), (radius * 0.84, 0), (radius * 0.9, 0.02), (radius * 0.9, 0.035), (0, 0.035)], 28).moved(
                y=height - 0.09
            ),
            wood,
        ),
        Part(cylinder(radius * 0.88, 0.06, 28, 0.025).moved(y=height - 0.06), cloth),
    ]
    metal = CHROME if style.choose("frame", (True, False)) else wood
    for angle in np.radians([45, 135, 225, 315]):
        x, z = float(np.sin(angle)), float(np.cos(angle))
        top, foot = radius * 0.6, radius * 0.98
        parts.append(Part(tube([(foot * x, 0, foot * z), (top * x, height - 0.08, top * z)], 0.015), metal))
    ring = [
        (radius * 0.84 * float(np.sin(a)), height * 0.35, radius * 0.84 * float(np.cos(a)))
        for a in np.linspace(0, 2 * np.pi, 25)
    ]
    parts.append(Part(tube(ring, 0.009, 8), metal))
    return parts


@piece("Bed")
def bed(size: Size, style: Style) -> list[Part]:
    """Frame, headboard, mattress, a duvet that hangs over, and pillows; the head lies at -z."""
    width, height, depth = size
    wood = style.wood()
    duvet = style.fabric("duvet")
    duvet = Material(
        duvet.color, style.choose("cover", ("stripes", "checks", "fabric")), darker(duvet.color, 1.35), 0.11
    )
    parts = four_legs(width - 0.04, depth - 0.04, 0.16, 0.07, wood, False)
    parts.append(Part(box(width, 0.17, depth - 0.05, 0.02).moved(0, 0.12, 0.02), wood))
    parts.append(Part(box(width, height - 0.1, 0.06, 0.028, 3).moved(0, 0.1, -depth / 2 + 0.03), wood))
    parts.append(
        Part(
            box(width - 0.16, (height - 0.55) * 0.7, 0.02, 0.01).moved(0, 0.58, -depth / 2 + 0.065),
            style.fabric("headboard"),
        )
    )
    parts.append(Part(box(width - 0.05, 0.2, depth - 0.12, 0.06, 3).moved(0, 0.29, 0.03), WHITE))
    cover = depth * 0.66
    parts.append(Part(box(width + 0.0, 0.26, cover, 0.06, 4).moved(0, 0.27, depth / 2 - cover / 2 - 0.005), duvet))
    parts.append(Part(box(width - 0.01, 0.055, 0.3, 0.027, 3).moved(0, 0.495, depth / 2 - cover + 0.08), WHITE))
    count = 2 if width > 1.2 else 1
    for i in range(count):
        x = 0.0 if count == 1 else (i - 0.5) * (width * 0.48)
        pillow = _pillow(min(0.62, width * 0.43), 0.17, 0.42).turned(-22, "x")
        parts.append(Part(pillow.moved(x, 0.53, -depth / 2 + 0.32), PAPER))
        front = _pillow(0.36, 0.13, 0.34).turned(-38, "x")
        parts.append(
            Part(
                front.moved(x * 0.85, 0.55, -depth / 2 + 0.52),
                Material(darker(duvet.color, 0.8), "fabric", duvet.color, 0.02),
            )
        )
    return parts


@piece("Laptop")
def laptop(size: Size, style: Style) -> list[Part]:
    """An open laptop: keyboard and lit screen."""
    width, height, depth = size
    shell = Material(rgb(style.choose("shell", ("#c4c8cc", "#4a4d52"))), gloss=0.2)
    parts = [Part(box(width, 0.018, depth * 0.8, 0.006, 1).moved(z=depth * 0.1), shell)]
    parts.append(Part(box(width * 0.86, 0.003, depth * 0.34).moved(0, 0.0175, depth * 0.02), BLACK))
    parts.append(
        Part(box(width * 0.28, 0.002, depth * 0.2).moved(0, 0.0175, depth * 0.35), Material(darker(shell.color, 0.8)))
    )
    lid = box(width, height, 0.012, 0.005, 1).turned(-14, "x")
    glow = Material(rgb("#5f9fd0"), "screen", rgb("#d9ecf5"), 0.25, glow=0.6)
    screen = box(width * 0.92, height * 0.86, 0.003).moved(0, height * 0.06, 0.007).turned(-14, "x")
    back = -depth * 0.3
    parts += [Part(lid.moved(0, 0.01, back), shell), Part(screen.moved(0, 0.012, back + 0.002), glow)]
    return parts


@piece("Ottoman")
def ottoman(size: Size, style: Style) -> list[Part]:
    """A padded box; what stands in for any category without a model of its own."""
    width, height, depth = size
    return [Part(box(width, height, depth, min(size) * 0.18, 3), style.fabric())]
