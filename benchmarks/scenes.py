"""Measures how long houses and their pictures take: python benchmarks/scenes.py [HOUSES]."""

import resource
import sys
import tempfile
import time
from pathlib import Path

from evals.scenes.explore import exploration_cameras
from evals.scenes.generate import generate_house
from evals.scenes.make import make_houses
from evals.scenes.world import embree_world


def frame_seconds(frames: int = 8) -> tuple[float, float]:
    """Mean wall and processor seconds of a 512x512 frame of a five-room house, in one process."""
    world = embree_world(generate_house(1, 0, 5), 1)
    cameras = exploration_cameras(world.scene, world.renderer, world.floor, 512, frames)
    world.renderer.view(cameras[0])
    wall, busy = time.perf_counter(), time.process_time()
    for camera in cameras:
        world.renderer.view(camera)
    return (time.perf_counter() - wall) / len(cameras), (time.process_time() - busy) / len(cameras)


def main(houses: int) -> None:
    """Prints the figures."""
    wall, busy = frame_seconds()
    print(f"a 512x512 frame: {wall:.2f} s ({busy:.2f} s of one core)")
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        made = make_houses(Path(folder) / "houses", houses, 1, 5, workers=2)
        taken = (time.perf_counter() - start) / len(made)
        frames = sum(1 for house in made for _ in (house / "exploration_images").iterdir())
        views = sum(1 for house in made for _ in (house / "img_from_observer").iterdir())
    busy = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"a house of five rooms: {taken:.1f} s, two workers, {frames / houses:.0f} frames, {views / houses:.0f} pairs"
    )
    seconds = (busy.ru_utime + busy.ru_stime) / houses
    print(f"cores: {seconds:.1f} s a house; largest worker: {busy.ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
