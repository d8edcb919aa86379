"""What is no usable picture, or lies where it must not, is refused with its name, in one line."""

from __future__ import annotations

import os
import struct
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tools.pictures import LARGEST_PICTURE, PictureError, encode, load_pixels, open_picture


def save(path: Path, kind: str = "PNG", side: int = 40) -> Path:
    """Saves noise, which no format makes small."""
    noise = np.random.default_rng(0).integers(0, 256, (side, side, 3), dtype=np.uint8)
    Image.fromarray(noise).save(path, format=kind)
    return path


def png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_with_header(width: int, height: int) -> bytes:
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + png_chunk(b"IDAT", zlib.compress(b"")) + png_chunk(b"IEND", b"")


def text(path: Path) -> None:
    path.write_text("no picture at all")


def empty(path: Path) -> None:
    path.touch()


def signature_only(path: Path) -> None:
    path.write_bytes(b"\x89PNG\r\n\x1a\n")


def jpeg_signature_only(path: Path) -> None:
    path.write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00")


def gif(path: Path) -> None:
    save(path, "GIF")


def folder(path: Path) -> None:
    path.mkdir()


def pipe(path: Path) -> None:
    os.mkfifo(path)


def nothing(path: Path) -> None:
    pass


def loop_of_links(path: Path) -> None:
    path.symlink_to(path)


def bomb(path: Path) -> None:
    path.write_bytes(png_with_header(100_000, 100_000))


def bomb_that_pillow_lets_pass(path: Path) -> None:
    path.write_bytes(png_with_header(LARGEST_PICTURE // 1000 + 1, 1000))


def bomb_that_pillow_warns_of(path: Path) -> None:
    path.write_bytes(png_with_header(10_000, 10_000))


def no_pixels(path: Path) -> None:
    path.write_bytes(png_with_header(0, 10))


REFUSED: list[tuple[Callable[[Path], None], str]] = [
    (text, "is no PNG, JPEG, WebP or BMP picture"),
    (empty, "is empty"),
    (signature_only, "cannot be opened as a picture"),
    (jpeg_signature_only, "cannot be opened as a picture"),
    (gif, "is no PNG, JPEG, WebP or BMP picture"),
    (folder, "is not a file"),
    (pipe, "is not a file"),
    (nothing, "does not exist"),
    (loop_of_links, "cannot be opened"),
    (bomb, "has 100000 x 100000 pixels"),
    (bomb_that_pillow_lets_pass, "has 50001 x 1000 pixels"),
    (bomb_that_pillow_warns_of, "has 10000 x 10000 pixels"),
    (no_pixels, "cannot be opened as a picture"),
]


@pytest.mark.parametrize(("make", "reason"), REFUSED, ids=[make.__name__ for make, _ in REFUSED])
def test_what_is_no_usable_picture_is_refused_in_one_line_without_warnings(
    tmp_path: Path, make: Callable[[Path], None], reason: str
) -> None:
    path = tmp_path / "bad | näme.png"
    make(path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(PictureError) as caught:
            open_picture(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: {reason}")
    assert "; " in message
    assert message.isprintable()


@pytest.mark.parametrize("name", ["line\nbreak.png", "bell\a.png", "null\0.png", "surrogate\udcff.png", "x" * 300])
def test_the_message_about_an_odd_name_is_one_printable_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(PictureError) as caught:
        open_picture(tmp_path / name)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "BMP", "WEBP"])
def test_a_truncated_picture_opens_by_its_header_and_fails_by_its_pixels(tmp_path: Path, kind: str) -> None:
    path = save(tmp_path / "half", kind, side=200)
    picture = open_picture(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    for ask in (load_pixels, encode):
        with pytest.raises(PictureError, match="half: cannot be decoded"):
            ask(picture)  # type: ignore[operator]


def test_a_picture_within_its_root_is_opened_however_it_is_reached(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "frames").mkdir(parents=True)
    path = save(root / "frames" / "a.png")
    (root / "link.png").symlink_to(path)
    (tmp_path / "root link").symlink_to(root)
    for inside in (path, root / "frames" / ".." / "frames" / "a.png", root / "link.png"):
        assert open_picture(inside, root).size == (40, 40)
        assert open_picture(inside, tmp_path / "root link").size == (40, 40)


def test_a_picture_outside_its_root_is_refused_however_it_is_reached(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "root beside").mkdir()
    outside = save(tmp_path / "secret.png")
    beside = save(tmp_path / "root beside" / "a.png")
    (root / "link.png").symlink_to(outside)
    (root / "up").symlink_to(tmp_path)
    for path in (outside, beside, root / ".." / "secret.png", root / "link.png", root / "up" / "secret.png"):
        with pytest.raises(PictureError, match="lies outside"):
            open_picture(path, root)
    with pytest.raises(PictureError, match="lies outside"):
        open_picture(root / ".." / "missing.png", root)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts open files through /proc")
def test_no_file_stays_open(tmp_path: Path) -> None:
    good = save(tmp_path / "good.png")
    bad = tmp_path / "bad.png"
    signature_only(bad)
    before = len(list(Path("/proc/self/fd").iterdir()))
    kept = [open_picture(good) for _ in range(5)]
    pixels = [load_pixels(picture) for picture in kept]
    for _ in range(5):
        with pytest.raises(PictureError):
            open_picture(bad)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert len(pixels) == 5
