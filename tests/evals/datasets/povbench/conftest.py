"""The small data set that the authors' own scorer was run on, and copies of it to break."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

GOLDEN = Path(__file__).parents[3] / "golden" / "povbench"
HOUSE = "train_house_05305"


@pytest.fixture(scope="session")
def golden() -> Path:
    return GOLDEN


@pytest.fixture(scope="session")
def expected() -> dict[str, Any]:
    return json.loads((GOLDEN / "expected.json").read_text())


@pytest.fixture(scope="session")
def rows() -> list[dict[str, Any]]:
    return json.loads((GOLDEN / "predictions.json").read_text())["predictions"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the golden data set."""
    return Path(shutil.copytree(GOLDEN / "dataset", tmp_path / "povbench"))


@pytest.fixture
def folder(root: Path) -> Path:
    """The folder of one of its two houses; the house has four pairs of 4, 4, 2 and 2 directions, and six frames."""
    return root / "artifacts" / HOUSE


@pytest.fixture
def change_pairs(folder: Path) -> Callable[[Callable[[Any], Any]], None]:
    return lambda change: rewrite(folder / f"{HOUSE}.json", change)


@pytest.fixture
def change_log(folder: Path) -> Callable[[Callable[[Any], Any]], None]:
    return lambda change: rewrite(folder / "exploration_log.json", change)


def rewrite(file: Path, change: Callable[[Any], Any]) -> None:
    content = json.loads(file.read_text())
    changed = change(content)
    file.write_text(json.dumps(content if changed is None else changed))


@pytest.fixture
def harm(root: Path) -> Callable[..., None]:
    """Breaks something of the copy: the name of an operation below, and what it takes."""
    return lambda operation, *values: OPERATIONS[operation](root, *values)


def put(root: Path, path: str, value: Any) -> None:
    """Puts a value at a place of the first pair, `a.b.0` being one."""
    put_into(root, f"{HOUSE}.json", f"0.{path}" if path else "0", value)


def drop(root: Path, path: str) -> None:
    drop_from(root, f"{HOUSE}.json", f"0.{path}")


def put_log(root: Path, path: str, value: Any) -> None:
    put_into(root, "exploration_log.json", path, value)


def drop_log(root: Path, path: str) -> None:
    drop_from(root, "exploration_log.json", path)


def put_into(root: Path, name: str, path: str, value: Any) -> None:
    def change(content: Any) -> None:
        parent, key = walked(content, path)
        if isinstance(parent, list):
            parent[key : key + 1] = [value]
        else:
            parent[key] = value

    rewrite(root / "artifacts" / HOUSE / name, change)


def drop_from(root: Path, name: str, path: str) -> None:
    def change(content: Any) -> None:
        parent, key = walked(content, path)
        del parent[key]

    rewrite(root / "artifacts" / HOUSE / name, change)


def walked(content: Any, path: str) -> tuple[Any, Any]:
    """The object or list that holds the last step of a path, and that step."""
    *steps, last = (int(step) if step.isdigit() else step for step in path.split("."))
    for step in steps:
        content = content[step]
    return content, last


def link_out(root: Path, file: str) -> None:
    outside = root.parent / "outside"
    shutil.move(root / file, outside)
    (root / file).symlink_to(outside)


def paint(root: Path, file: str, size: tuple[int, int]) -> None:
    Image.new("RGB", size).save(root / file)


def repeat_pair_id(root: Path) -> None:
    rewrite(root / "artifacts" / HOUSE / f"{HOUSE}.json", lambda pairs: pairs[1].update(pair_id=pairs[0]["pair_id"]))


def repeat_frame(root: Path) -> None:
    rewrite(root / "artifacts" / HOUSE / "exploration_log.json", lambda log: log.append(log[0]))


def empty_frames(root: Path) -> None:
    for picture in (root / "artifacts" / HOUSE / "exploration_images").iterdir():
        picture.unlink()


def add_frames(root: Path) -> None:
    """Makes the six frames of the house 33."""
    folder = root / "artifacts" / HOUSE
    names = [f"exploration_images/frame_{number:03}.png" for number in range(6, 33)]
    for name in names:
        shutil.copy(folder / "exploration_images" / "frame_000.png", folder / name)
    rewrite(folder / "exploration_log.json", lambda log: log.extend({**log[0], "image_path": name} for name in names))


OPERATIONS: dict[str, Callable[..., Any]] = {
    "put": put,
    "drop": drop,
    "put_log": put_log,
    "drop_log": drop_log,
    "repeat_pair_id": repeat_pair_id,
    "repeat_frame": repeat_frame,
    "empty_frames": empty_frames,
    "add_frames": add_frames,
    "paint": paint,
    "link_out": link_out,
    "remove": lambda root, file: (root / file).unlink(),
    "write": lambda root, file, data: (root / file).write_bytes(data),
    "truncate": lambda root, file: (root / file).write_bytes((root / file).read_bytes()[:200]),
}
