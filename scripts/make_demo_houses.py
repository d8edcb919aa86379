"""Makes the demonstration houses that ship with the package: three small ones, without maps, at most 6 MB.

Run from the repository's root: python scripts/make_demo_houses.py OUT
"""

import shutil
import sys
from pathlib import Path

import cv2
import numpy as np

from evals.scenes.make import make_houses

SEED, HOUSES, ROOMS, FRAMES, PAIRS = 2026, 3, 4, 12, 5
LARGEST = 6_000_000
STEP = 4
"""Colours are rounded to multiples of this: nobody sees it, and PNG files become a third smaller."""


def slim(out: Path) -> int:
    """Drops depth and instance maps, rounds colours, and returns the bytes that are left."""
    for folder in (out / "artifacts").iterdir():
        for sub in ("depth", "instances"):
            shutil.rmtree(folder / sub, ignore_errors=True)
        for path in folder.rglob("*.png"):
            picture = cv2.imread(str(path)).astype(int)
            rounded = np.clip((picture + STEP // 2) // STEP * STEP, 0, 255).astype(np.uint8)
            cv2.imwrite(str(path), rounded, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    return sum(path.stat().st_size for path in out.rglob("*") if path.is_file())


def main(out: Path) -> None:
    """Makes the houses, or says that they came out too large."""
    make_houses(out, HOUSES, SEED, ROOMS, workers=2, frames=FRAMES, pairs=PAIRS, progress=print)
    size = slim(out)
    if size > LARGEST:
        raise SystemExit(f"{out}: {size / 1e6:.1f} MB is more than {LARGEST / 1e6:.0f} MB: take fewer frames")
    print(f"{out}: {size / 1e6:.2f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
