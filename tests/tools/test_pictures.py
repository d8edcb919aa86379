"""Pictures are checked before they are trusted, look as a viewer shows them, and are known by their content."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tools.markers import Disc, Rectangle, RGBImage
from tools.pictures import Picture, PictureError, encode, load_pixels, open_picture

RED, GREEN, BLUE, WHITE, BLACK = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (0, 0, 0)
DISC = Disc(20, 10, 8)
ORIENTATION = 0x0112


def quarters(width: int = 40, height: int = 24) -> RGBImage:
    """Red, green, blue and black quarters, so that every turn and flip shows."""
    pixels = np.zeros((height, width, 3), dtype=np.uint8)
    pixels[: height // 2, : width // 2] = RED
    pixels[: height // 2, width // 2 :] = GREEN
    pixels[height // 2 :, : width // 2] = BLUE
    return pixels


def save(path: Path, pixels: NDArray[np.uint8], mode: str = "RGB", **options: object) -> Path:
    Image.fromarray(pixels, mode if mode in ("RGB", "RGBA", "L", "LA", "CMYK") else None).save(path, **options)  # type: ignore[arg-type]
    return path


def exif(orientation: int) -> Image.Exif:
    data = Image.Exif()
    data[ORIENTATION] = orientation
    return data


def png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def decoded(data: bytes) -> RGBImage:
    """Decodes a file as it is stored, with another library than the code under test."""
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), flags)[:, :, ::-1])


def corners(pixels: RGBImage) -> list[tuple[int, ...]]:
    rows, columns = (5, -6), (5, -6)
    return [tuple(int(channel) for channel in pixels[row, column]) for row in rows for column in columns]


@pytest.mark.parametrize(
    "name", ["a.png", "two words.png", "Küche|Tisch: 3.png", "日本語.png", "no_extension", "line\nbreak.png", "a.txt"]
)
def test_the_name_of_a_picture_does_not_matter(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    save(path, quarters(), format="PNG")
    picture = open_picture(path, tmp_path)
    assert picture == Picture(path, (40, 24))
    np.testing.assert_array_equal(load_pixels(picture), quarters())


def test_a_png_that_is_a_jpeg_is_sent_as_the_jpeg_that_it_is(tmp_path: Path) -> None:
    path = save(tmp_path / "frame.png", quarters(), format="JPEG")
    sent = encode(open_picture(path))
    assert (sent.media_type, sent.data) == ("image/jpeg", path.read_bytes())


# Where a viewer finds the red, green, blue and black quarter of the stored picture, after EXIF 2.32, section 4.6.4.
UPRIGHT = {
    1: [RED, GREEN, BLUE, BLACK],
    2: [GREEN, RED, BLACK, BLUE],
    3: [BLACK, BLUE, GREEN, RED],
    4: [BLUE, BLACK, RED, GREEN],
    5: [RED, BLUE, GREEN, BLACK],
    6: [BLUE, RED, BLACK, GREEN],
    7: [BLACK, GREEN, BLUE, RED],
    8: [GREEN, BLACK, RED, BLUE],
}


@pytest.mark.parametrize("orientation", UPRIGHT)
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_turned_picture_is_seen_and_sent_upright(tmp_path: Path, orientation: int, kind: str) -> None:
    options = {"lossless": True} if kind == "WEBP" else {"quality": 100} if kind == "JPEG" else {}
    path = save(tmp_path / "turned", quarters(), format=kind, exif=exif(orientation), **options)
    picture = open_picture(path)
    assert picture.size == ((40, 24) if orientation <= 4 else (24, 40))
    pixels = load_pixels(picture)
    assert pixels.shape == (picture.size[1], picture.size[0], 3)
    np.testing.assert_allclose(corners(pixels), UPRIGHT[orientation], atol=4)
    sent = encode(picture)
    assert sent.size == picture.size
    np.testing.assert_allclose(corners(decoded(sent.data)), UPRIGHT[orientation], atol=4)


@pytest.mark.parametrize(
    "data",
    [
        b"Exif\0\0",
        b"Exif\0\0II*\0\xff\xff\xff\xff",
        b"Exif\0\0II*\0\x08\0\0\0\xff\xff",
        b"Exif\0\0II*\0\x08\0\0\0\x01\0" + struct.pack("<HHIHH", ORIENTATION, 3, 1, 99, 0),
        b"Exif\0\0nonsense nonsense",
    ],
)
def test_exif_data_that_make_no_sense_turn_nothing(tmp_path: Path, data: bytes) -> None:
    picture = open_picture(save(tmp_path / "odd.png", quarters(), exif=data))
    np.testing.assert_array_equal(load_pixels(picture), quarters())


def test_exif_data_behind_the_pixels_are_neither_used_nor_sent(tmp_path: Path) -> None:
    plain = save(tmp_path / "plain.png", quarters()).read_bytes()
    ending = png_chunk(b"IEND", b"")
    path = tmp_path / "late.png"
    path.write_bytes(plain.removesuffix(ending) + png_chunk(b"eXIf", exif(6).tobytes()[6:]) + ending)
    picture = open_picture(path)
    assert picture.size == (40, 24)
    np.testing.assert_array_equal(load_pixels(picture), quarters())
    sent = encode(picture)
    assert b"eXIf" not in sent.data
    np.testing.assert_array_equal(decoded(sent.data), quarters())


def rgba(path: Path) -> Path:
    pixels = np.dstack([quarters(), np.full((24, 40), 255, np.uint8)])
    pixels[:12, :20, 3] = 0
    pixels[:12, 20:, 3] = 51
    return save(path, pixels, "RGBA", format="PNG")


def grey_with_alpha(path: Path) -> Path:
    pixels = np.zeros((24, 40, 2), np.uint8)
    pixels[12:, :, 1] = 255
    return save(path, pixels, "LA", format="PNG")


def palette(path: Path) -> Path:
    Image.fromarray(quarters()).quantize(4).save(path, format="PNG")
    return path


def palette_with_transparency(path: Path) -> Path:
    image = Image.fromarray(quarters()).quantize(4)
    image.save(path, format="PNG", transparency=image.getpixel((0, 0)))
    return path


def colour_key(path: Path) -> Path:
    return save(path, quarters(), format="PNG", transparency=RED)


def grey(path: Path) -> Path:
    return save(path, np.full((24, 40), 77, np.uint8), "L", format="PNG")


def grey_16_bit(path: Path) -> Path:
    data = cv2.imencode(".png", np.full((24, 40), 77 * 257, np.uint16))[1]
    path.write_bytes(data.tobytes())
    return path


def colour_16_bit(path: Path) -> Path:
    data = cv2.imencode(".png", quarters()[:, :, ::-1].astype(np.uint16) * 257)[1]
    path.write_bytes(data.tobytes())
    return path


def one_bit(path: Path) -> Path:
    Image.fromarray(np.full((24, 40), True)).save(path, format="PNG")
    return path


def cmyk(path: Path) -> Path:
    inks = np.zeros((24, 40, 4), np.uint8)
    inks[:, :] = (0, 255, 255, 0)
    return save(path, inks, "CMYK", format="JPEG", quality=100)


def bitmap(path: Path) -> Path:
    return save(path, quarters(), format="BMP")


def animated(path: Path) -> Path:
    frames = [Image.fromarray(quarters()), Image.new("RGB", (40, 24), "white")]
    frames[0].save(path, format="PNG", save_all=True, append_images=frames[1:])
    return path


QUARTERS = [RED, GREEN, BLUE, BLACK]
GREY = (77, 77, 77)
# A fifth of green over white is (204, 255, 204).
TRAPS: list[tuple[Callable[[Path], Path], list[tuple[int, int, int]]]] = [
    (rgba, [WHITE, (204, 255, 204), BLUE, BLACK]),
    (grey_with_alpha, [WHITE, WHITE, BLACK, BLACK]),
    (palette, QUARTERS),
    (palette_with_transparency, [WHITE, GREEN, BLUE, BLACK]),
    (colour_key, [WHITE, GREEN, BLUE, BLACK]),
    (grey_16_bit, [GREY] * 4),
    (colour_16_bit, QUARTERS),
    (one_bit, [WHITE] * 4),
    (cmyk, [RED] * 4),
    (bitmap, QUARTERS),
    (animated, QUARTERS),
]


@pytest.mark.parametrize(("make", "expected"), TRAPS, ids=[make.__name__ for make, _ in TRAPS])
def test_any_kind_of_picture_becomes_plain_rgb(
    tmp_path: Path, make: Callable[[Path], Path], expected: list[tuple[int, int, int]]
) -> None:
    picture = open_picture(make(tmp_path / "trap"))
    assert picture.size == (40, 24)
    pixels = load_pixels(picture)
    assert (pixels.dtype, pixels.shape) == (np.uint8, (24, 40, 3))
    np.testing.assert_allclose(corners(pixels), expected, atol=2)
    sent = encode(picture)
    assert sent.media_type == "image/png"
    assert sent.data != picture.path.read_bytes()
    np.testing.assert_array_equal(decoded(sent.data), pixels)


@pytest.mark.parametrize("make", [grey, lambda path: save(path, quarters(), format="PNG")], ids=["grey", "colour"])
def test_an_ordinary_picture_is_sent_byte_for_byte(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    picture = open_picture(make(tmp_path / "plain"))
    sent = encode(picture)
    assert sent.data == picture.path.read_bytes()
    assert (sent.media_type, sent.size, sent.digest) == ("image/png", (40, 24), picture.digest)
    assert encode(picture, load_pixels(picture)) == sent


def test_an_upright_jpeg_with_exif_data_is_sent_byte_for_byte(tmp_path: Path) -> None:
    picture = open_picture(save(tmp_path / "camera.jpg", quarters(), format="JPEG", exif=exif(1)))
    assert encode(picture).data == picture.path.read_bytes()


def test_markers_are_drawn_into_what_is_sent_and_into_nothing_else(tmp_path: Path) -> None:
    picture = open_picture(save(tmp_path / "plain.png", quarters()))
    marked = picture.with_markers(DISC)
    sent = encode(marked)
    assert sent.media_type == "image/png"
    assert tuple(decoded(sent.data)[10, 20]) == RED
    assert tuple(decoded(sent.data)[3, 20]) == WHITE
    np.testing.assert_array_equal(load_pixels(marked), quarters())
    np.testing.assert_array_equal(decoded(encode(picture).data), quarters())
    assert encode(marked, load_pixels(picture)) == sent


def test_pixels_of_another_size_are_not_taken_for_the_picture(tmp_path: Path) -> None:
    picture = open_picture(save(tmp_path / "plain.png", quarters()))
    with pytest.raises(ValueError, match="do not belong"):
        encode(picture.with_markers(DISC), quarters(24, 40))


def test_the_digest_covers_the_bytes_and_the_markers_but_not_the_place(tmp_path: Path) -> None:
    first = open_picture(save(tmp_path / "first.png", quarters()))
    copy = open_picture(save(tmp_path / "copy.png", quarters()))
    other = open_picture(save(tmp_path / "other.png", quarters()[:, ::-1].copy()))
    box = Rectangle(1, 1, 9, 9)
    assert first.digest == copy.digest == first.with_markers().digest
    assert first.with_markers(DISC, box).digest == copy.with_markers(DISC).with_markers(box).digest
    variants = [first, other, first.with_markers(DISC), first.with_markers(box), first.with_markers(DISC, box)]
    assert len({picture.digest for picture in [*variants, first.with_markers(box, DISC)]}) == 6


def test_digests_stay_what_they_are_since_stored_replies_go_by_them(tmp_path: Path) -> None:
    path = tmp_path / "any"
    path.write_bytes(b"picture")
    assert Picture(path, (1, 1)).digest == "8a13f05b14104da39d9c542d59a088f8"
    assert Picture(path, (1, 1), (Disc(1, 2, 3), Rectangle(4, 5, 6, 7))).digest == "ad6e1fd5b23b717e1467ccecf71f0814"


def test_the_file_is_hashed_when_asked_and_once_for_all_its_variants(tmp_path: Path) -> None:
    path = save(tmp_path / "gone.png", quarters())
    unread, read = open_picture(path), open_picture(path)
    early = read.with_markers(DISC)
    before = read.digest
    path.unlink()
    assert read.digest == before
    assert early.digest == read.with_markers(DISC).digest != before
    with pytest.raises(PictureError, match=r"gone\.png: cannot be read"):
        assert unread.digest


@pytest.mark.parametrize("ask", [load_pixels, encode])
def test_a_file_that_changes_while_it_is_in_use_is_noticed(tmp_path: Path, ask: Callable[[Picture], object]) -> None:
    path = save(tmp_path / "plain.png", quarters())
    hashed, unhashed = open_picture(path), open_picture(path)
    assert hashed.digest
    save(path, quarters(24, 40))
    with pytest.raises(PictureError, match=r"plain\.png: changed"):
        ask(hashed)
    with pytest.raises(PictureError, match=r"plain\.png: is not the picture of 40 x 24"):
        ask(unhashed)
