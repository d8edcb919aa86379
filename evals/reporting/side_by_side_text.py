"""Prints two graphs on one instance side by side for a terminal."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from evals.reporting.side_by_side import Line, compare_lines
from evals.reporting.text import printable

_AROUND = 2
"""Equal lines that are shown before and after a difference."""

_STYLES = {"equal": "dim", "only_a": "red", "only_b": "green"}
_SIGNS = {"equal": " ", "only_a": "-", "only_b": "+"}


def as_text(pairs: Sequence[Mapping[str, Any]], width: int, color: bool) -> str:
    """Writes pairs for people to read.

    Args:
        pairs: As `evals.reporting.side_by_side.side_by_side` gives them.
        width: Characters a line.
        color: Whether to write colours for a terminal.
    """
    buffer = io.StringIO()
    console = Console(
        file=buffer, width=width, force_terminal=color, color_system="standard" if color else None, highlight=False
    )
    for pair in pairs:
        _print(pair, console)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines())


def _print(pair: Mapping[str, Any], console: Console) -> None:
    a, b = pair["a"], pair["b"]
    console.print(_text(f"━━ {pair['sample']}", "bold"))
    console.print(_text(f"model {pair['model']}{' (no VLM)' if pair['no_vlm'] else ''}, repeat {pair['repeat']}"))
    console.print()
    console.print(_table(a["graph"], b["graph"], _outcome(a, b)))
    console.print()
    console.print(_text(f"── prompts (- {a['graph']}, + {b['graph']})", "bold"))
    _print_prompts(pair["prompts"], console)
    console.print()
    console.print(_text("── pictures", "bold"))
    _print_pictures(pair["pictures"], a["graph"], b["graph"], console)
    console.print()
    console.print(_text("── findings", "bold"))
    console.print(
        _table(a["graph"], b["graph"], [(one["step"], _value(one["a"]), _value(one["b"])) for one in pair["findings"]])
    )
    console.print()
    console.print(_text("── replies", "bold"))
    console.print(_table(a["graph"], b["graph"], list(_replies(a, b))))
    console.print()


def _outcome(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    rows = [("status", a["status"], b["status"])]
    if a["reason"] or b["reason"]:
        rows.append(("reason", a["reason"], b["reason"]))
    rows.append(("answer", _value(a["answer"]), _value(b["answer"])))
    rows.append(("truth", _value(a["truth"]), _value(b["truth"])))
    for name in dict.fromkeys([*a["scores"], *b["scores"]]):
        rows.append((name, _number(a["scores"].get(name)), _number(b["scores"].get(name))))
    rows.append(("calls", str(a["calls"]), str(b["calls"])))
    rows.append(("seconds", _number(a["seconds"]), _number(b["seconds"])))
    return rows


def _print_prompts(lines: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Prints the lines that differ with a few around them; how many equal ones are passed over is said."""
    # Worked out again from the two texts, since the pair holds plain values and not which words changed.
    both = compare_lines(
        [line["text"] for line in lines if line["op"] != "only_b"],
        [line["text"] for line in lines if line["op"] != "only_a"],
    )
    if all(line.op == "equal" for line in both):
        console.print(_text("the same" if both else "none stored"))
        return
    near = {
        place + step for place, line in enumerate(both) if line.op != "equal" for step in range(-_AROUND, _AROUND + 1)
    }
    passed = 0
    for place, line in enumerate(both):
        if place in near:
            _print_passed(passed, console)
            passed = 0
            console.print(_marked(line))
        else:
            passed += 1
    _print_passed(passed, console)


def _print_passed(count: int, console: Console) -> None:
    if count:
        console.print(_text(f"  … {count} equal lines", "dim"))


def _marked(line: Line) -> Text:
    """A line with its sign, the changed words underlined."""
    text = Text(f"{_SIGNS[line.op]} ", style=_STYLES[line.op])
    at = 0
    for begin, end in line.changed:
        text.append(printable(line.text[at:begin]))
        text.append(printable(line.text[begin:end]), style="bold underline")
        at = end
    text.append(printable(line.text[at:]))
    return text


def _print_pictures(pictures: Sequence[Mapping[str, Any]], a: str, b: str, console: Console) -> None:
    same = sum(picture["same"] for picture in pictures)
    console.print(_text(f"{same} of {len(pictures)} are the same"))
    rows = [
        (str(picture["place"]), picture["a"] or "–", picture["b"] or "–") for picture in pictures if not picture["same"]
    ]
    if rows:
        console.print(_table(a, b, rows))


def _replies(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for place in range(max(len(a["replies"]), len(b["replies"]))):
        yield str(place + 1), _reply(a["replies"], place), _reply(b["replies"], place)


def _reply(replies: Sequence[Mapping[str, Any]], place: int) -> str:
    if place >= len(replies):
        return "–"
    reply = replies[place]
    said = f"[reasoning] {reply['reasoning']}\n{reply['text']}" if reply["reasoning"] else reply["text"]
    return f"({', '.join(reply['steps'])}; {reply['finish_reason']})\n{said}"


def _table(a: str, b: str, rows: Sequence[tuple[str, str, str]]) -> Table:
    """Two columns of equal width; the cells are as tall as they must be."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, expand=True)
    table.add_column("", no_wrap=True)
    table.add_column(printable(a), ratio=1, overflow="fold")
    table.add_column(printable(b), ratio=1, overflow="fold")
    for name, left, right in rows:
        style = "" if left == right else "bold"
        table.add_row(_text(name), _text(left, style), _text(right, style))
    return table


def _value(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_value(one)}" for name, one in value.items())
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        return f"[{', '.join(_value(one) for one in value)}]"
    return json.dumps(value)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _text(text: str, style: str = "") -> Text:
    return Text(printable(text, lines=True), style=style)
