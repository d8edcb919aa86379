"""What decides the bytes of a dataset, and the folder that is made with it and with nothing else."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from evals.scenes.dataset import write_json
from evals.scenes.errors import DatasetFolderError, SceneError
from evals.scenes.explore import LEAST_PIXELS, MOST_FRAMES, SIDE

VERSION = 2
"""Of the recipe; a folder made by another is not continued."""

RENDERERS = ("embree", "thor")


@dataclass(frozen=True)
class Settings:
    """What decides the bytes of a dataset.

    Attributes:
        seed: The dataset's seed.
        rooms: Rooms a house, None for a mix.
        renderer: One of `RENDERERS`.
        side: Width and height of the pictures, pixels.
        frames: Largest number of frames of a walk.
        pairs: Largest number of pairs a house, None to follow the number of rooms.
        judge: Name of the model that judges placements, empty for geometry.
        paraphrase: Name of the model that rewords sentences, empty for none.
    """

    seed: int
    rooms: int | None = None
    renderer: str = "embree"
    side: int = SIDE
    frames: int = MOST_FRAMES
    pairs: int | None = None
    judge: str = ""
    paraphrase: str = ""


def check_renderer(renderer: str) -> None:
    """Makes sure that there is such a renderer.

    Raises:
        SceneError: If there is none.
    """
    if renderer not in RENDERERS:
        raise SceneError(f"there is no renderer {renderer!r}: use --renderer {' or '.join(RENDERERS)}")


def _meta(settings: Settings, source: str) -> dict[str, object]:
    return {
        "name": "houses made by Situate in POVBench's layout",
        "recipe": VERSION,
        "source": source,
        **asdict(settings),
        "least_pixels": LEAST_PIXELS,
    }


def claim(out: Path, settings: Settings, source: str = "generated") -> None:
    """Takes a folder that is empty or was begun with the same settings.

    Raises:
        DatasetFolderError: If it holds something else.
    """
    meta = out / "meta.json"
    try:
        out.mkdir(parents=True, exist_ok=True)
        others = [entry.name for entry in out.iterdir() if entry.name not in (".unfinished", "artifacts", "meta.json")]
        if meta.is_file():
            begun = json.loads(meta.read_text(encoding="utf-8"))
        elif others or (out / "artifacts").exists():
            raise DatasetFolderError(
                f"{out}: holds other files ({', '.join(sorted(others)[:3]) or 'artifacts'}): choose an empty --out"
            )
        else:
            write_json(meta, {**_meta(settings, source), "houses": 0})
            return
    except OSError as error:
        raise DatasetFolderError(f"{out}: cannot be used ({error.strerror}): choose another --out") from error
    except json.JSONDecodeError as error:
        raise DatasetFolderError(f"{meta}: is broken ({error}): choose an empty --out") from error
    wanted = _meta(settings, source)
    found = begun if isinstance(begun, dict) else {}
    differing = [
        f"{key} was {found.get(key)!r}, now {value!r}" for key, value in wanted.items() if found.get(key) != value
    ]
    if differing:
        raise DatasetFolderError(
            f"{out}: was begun with other settings ({'; '.join(differing[:3])}): use the same or an empty --out"
        )


def write_meta(out: Path, settings: Settings, source: str = "generated") -> None:
    """Writes `meta.json` with the number of finished houses, and clears away what was not finished."""
    shutil.rmtree(out / ".unfinished", ignore_errors=True)
    finished = sum(1 for folder in (out / "artifacts").glob("train_house_*") if folder.is_dir())
    write_json(out / "meta.json", {**_meta(settings, source), "houses": finished})
