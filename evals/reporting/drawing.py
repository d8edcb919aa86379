"""Draws numbers with Matplotlib, in colours and shapes that colour-blind readers tell apart."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from evals.reporting.summary import ALL
from evals.reporting.text import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

Rows = list[dict[str, Any]]
Variants = Sequence[tuple[str, str]]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C8C3A")
"""Okabe and Ito's palette, which colour-blind readers tell apart; its yellow, too pale for white paper, is darkened."""

MARKERS = ("o", "s", "D", "^", "v", "P", "X")
"""Shapes, so that no graph is known by its colour alone; one fewer than colours, so that pairs repeat late."""

RINGS = (0.05, 0.1, 0.2)
"""Distances drawn in error maps, those that hits are counted by."""

_REACHES = (0.25, 0.5, 1.0)
"""How far error maps may reach each way, in fractions of the picture."""


def means_by_group(figure: Figure, rows: Rows) -> None:
    """Means of each value of a grouping key: one row of panels a model, one panel a condition."""
    models, conditions = _values(rows, "model"), _values(rows, "condition")
    figure.set_size_inches(1.0 + 2.1 * len(conditions), 0.6 + 2.1 * len(models))
    for block, model in zip(_blocks(figure, models, rows), models, strict=True):
        panels = block.subplots(1, len(conditions), squeeze=False, sharey=True)[0]
        for panel, condition in zip(panels, conditions, strict=True):
            here = [row for row in rows if (row["model"], row["condition"]) == (model, condition)]
            _points(panel, here, _values(rows, "value"), "value", _variants(rows))
            panel.set_title("" if condition == ALL else _short(condition))
        panels[0].set_ylabel(f"{rows[0]['metric']}, 95 % interval")
    _legend(figure, _variants(rows))


def means_by_condition(figure: Figure, rows: Rows) -> None:
    """Means of each condition: one panel a model."""
    models, conditions = _values(rows, "model"), _values(rows, "condition")
    figure.set_size_inches(0.8 + max(2.6, 0.9 * len(conditions)) * len(models), 2.7)
    panels = figure.subplots(1, len(models), squeeze=False, sharey=True)[0]
    for panel, model in zip(panels, models, strict=True):
        here = [row for row in rows if row["model"] == model]
        _points(panel, here, conditions, "condition", _variants(rows))
        panel.set_title(_model_name(here))
    panels[0].set_ylabel(f"{rows[0]['metric']}, 95 % interval")
    _legend(figure, _variants(rows))


def shares_by_condition(figure: Figure, rows: Rows) -> None:
    """Shares of each condition, from nothing to all: one panel a model."""
    means_by_condition(figure, rows)
    for panel in figure.axes:
        panel.set_ylim(min(0.0, panel.get_ylim()[0]), max(1.05, panel.get_ylim()[1]))
        panel.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")


def error_maps(figure: Figure, rows: Rows) -> None:
    """Where answers lie about the truth, counted in hexagons: one block a model, one panel a graph and condition."""
    from matplotlib.colors import LogNorm

    every, conditions, models = _variants(rows), _values(rows, "condition"), _values(rows, "model")
    own = {model: _variants([row for row in rows if row["model"] == model]) for model in models}
    heights = [0.3 + 1.75 * len(own[model]) for model in models]
    figure.set_size_inches(1.6 + 1.6 * len(conditions), 0.6 + sum(heights))
    furthest = max(max(abs(row["right"]), abs(row["below"])) for row in rows)
    reach = next(limit for limit in _REACHES if furthest <= limit)
    for block, model in zip(_blocks(figure, models, rows, heights), models, strict=True):
        panels = block.subplots(len(own[model]), len(conditions), squeeze=False, sharex=True, sharey=True)
        maps = []
        for down, variant in enumerate(own[model]):
            for across, condition in enumerate(conditions):
                place = (*variant, model, condition)
                here = [row for row in rows if (row["run"], row["graph"], row["model"], row["condition"]) == place]
                title = [_variant_name(variant, every), *([] if condition == ALL else [condition])]
                panels[down][across].set_title(_wrapped(", ".join(title), 26) + f"\nn = {len(here)}", fontsize=7)
                maps += _error_map(panels[down][across], here, reach)
                # A graph that does not apply to the condition, or that nobody answered there, has no panel.
                panels[down][across].set_visible(bool(here))
        for line, label in [*((row, "labelleft") for row in panels), *((row[::-1], "labelbottom") for row in panels.T)]:
            for panel in [one for one in line if one.get_visible()][:1]:
                panel.tick_params(**{label: True})
        # One scale for all panels of a block, so that their colours can be held against each other.
        norm = LogNorm(1, max(2.0, *(float(one.get_array().max()) for one in maps)))
        for one in maps:
            one.set_norm(norm)
        bar = block.colorbar(maps[0], ax=panels, label="answers", shrink=0.6, aspect=30)
        bar.ax.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        bar.ax.yaxis.set_minor_formatter("")
        block.supylabel("below the truth, fraction of the height", fontsize=7)
    rings = ", ".join(f"{radius:g}" for radius in RINGS)
    figure.supxlabel(f"right of the truth, fraction of the width (cross: median; rings: {rings})", fontsize=7)


def _error_map(panel: Axes, rows: Rows, reach: float) -> list[Any]:
    """Draws one panel; returns its hexagons, if there is anything to count."""
    from matplotlib.patches import Circle

    panel.set_aspect("equal")
    panel.set_xlim(-reach, reach)
    panel.set_ylim(reach, -reach)
    for radius in RINGS:
        panel.add_patch(Circle((0, 0), radius, fill=False, linewidth=0.6, color="black", zorder=2))
    if not rows:
        return []
    right, below = np.array([(row["right"], row["below"]) for row in rows]).T
    extent = (-reach, reach, -reach, reach)
    drawn = panel.hexbin(right, below, gridsize=30, extent=extent, mincnt=1, cmap="cividis_r", linewidths=0.1, zorder=1)
    panel.plot(np.median(right), np.median(below), "+", color="#D55E00", markersize=9, markeredgewidth=1.4, zorder=3)
    return [drawn]


def _blocks(
    figure: Figure, models: Sequence[str], rows: Rows, heights: Sequence[float] | None = None
) -> list[SubFigure]:
    """A part of the figure for each model, its name above."""
    blocks: list[SubFigure] = list(figure.subfigures(len(models), 1, squeeze=False, height_ratios=heights)[:, 0])
    for block, model in zip(blocks, models, strict=True):
        block.suptitle(_model_name([row for row in rows if row["model"] == model]), fontsize=8, fontweight="bold")
    return blocks


def _points(panel: Axes, rows: Rows, places: Sequence[str], place: str, variants: Variants) -> None:
    """Means with intervals, the graphs side by side at each place."""
    step = 0.7 / max(1, len(variants))
    for number, variant in enumerate(variants):
        own = {row[place]: row for row in rows if (row["run"], row["graph"]) == variant}
        shown = [(at, own[name]) for at, name in enumerate(places) if name in own]
        if not shown:
            continue
        across = np.array([at for at, _ in shown]) + (number - (len(variants) - 1) / 2) * step
        means = np.array([row["shown"] for _, row in shown], dtype=float)
        # None becomes NaN: a mean without an interval is drawn without one.
        ends = np.array([[row[end] for _, row in shown] for end in ("low", "high")], dtype=float)
        panel.errorbar(
            across,
            means,
            yerr=np.abs(ends - means),
            fmt=MARKERS[number % len(MARKERS)],
            color=COLOURS[number % len(COLOURS)],
            markersize=3.5,
            linewidth=1,
            label=_variant_name(variant, variants),
        )
    panel.set_xticks(range(len(places)), [_short(name, 16) if name != ALL else "" for name in places])
    panel.set_xlim(-0.5, len(places) - 0.5)
    panel.grid(axis="y", linewidth=0.3, color="0.85")


def _legend(figure: Figure, variants: Variants) -> None:
    handles: dict[str, Any] = {}
    for panel in figure.axes:
        for handle, name in zip(*panel.get_legend_handles_labels(), strict=True):
            handles.setdefault(name, handle)
    if len(variants) > 1:
        longest = max(len(line) for name in handles for line in name.splitlines())
        columns = min(len(handles), max(1, int(figure.get_figwidth() / (0.45 + 0.06 * longest))))
        # Lines beneath the panels are added to the figure, so that they take no room from these.
        lines = math.ceil(len(handles) / columns) * max(name.count("\n") + 1 for name in handles)
        figure.set_figheight(figure.get_figheight() + 0.15 * (lines - 1))
        figure.legend(
            list(handles.values()),
            list(handles),
            loc="outside lower center",
            ncols=columns,
            fontsize=7,
            columnspacing=1,
        )


def _values(rows: Rows, key: str) -> list[str]:
    return list(dict.fromkeys(row[key] for row in rows))


def _variants(rows: Rows) -> list[tuple[str, str]]:
    """Runs and graphs, in order."""
    return list(dict.fromkeys((row["run"], row["graph"]) for row in rows))


def _variant_name(variant: tuple[str, str], variants: Variants) -> str:
    run, graph = variant
    return _wrapped(f"{graph} ({run})" if len({one for one, _ in variants}) > 1 else graph)


def _model_name(rows: Rows) -> str:
    return _wrapped(f"{rows[0]['model']}{' (no VLM)' if rows[0]['no_vlm'] else ''}") if rows else ""


def _short(name: str, most: int = 34) -> str:
    """A name that fits a place; what tells names apart mostly stands at their ends, so they are cut in the middle."""
    name = printable(name)
    head = most // 2
    return name if len(name) <= most else f"{name[:head]}…{name[head + 1 - most :]}"


def _wrapped(name: str, width: int = 34, lines: int = 4) -> str:
    """A name over as many lines as it takes, since names of models often differ at one place only."""
    return "\n".join(textwrap.wrap(_short(name, width * lines), width))
