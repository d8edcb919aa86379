"""Pictures on disk: checked when opened, decoded late, known by their content, encoded once for sending.

A picture counts as a viewer shows it: turned as its EXIF data say (where these stand before the pixels), the first one
of several, transparency over white, 8 bits a channel.
"""

from __future__ import annotations

import hashlib
import io
import stat
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import IO

import cv2
import numpy as np
from PIL import Image
from PIL.BmpImagePlugin import BmpImageFile
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from tools.errors import UserError
from tools.markers import Marker, RGBImage, canonical_text, draw

LARGEST_PICTURE = 50_000_000
"""Pixels of the largest picture that is decoded; a larger one is taken for a decompression bomb."""

LARGEST_FILE = 500_000_000
"""Bytes of the largest picture file that is read."""

ENCODER_REVISION = 1
"""To be raised when the same file and markers are decoded, drawn or encoded differently: stored replies go by it."""

PNG_COMPRESSION = 3
"""Level of zlib, 0 to 9; higher ones take several times longer for a few percent."""

_TRANSPOSITIONS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""What turns a stored picture upright, by EXIF orientation; 1 is upright."""


class PictureError(UserError):
    """A picture file is missing, is no picture, lies where it must not, or is damaged.

    Attributes:
        path: The file.
        wrong: What is wrong with it and what mends that, in one line without the file's name.
    """

    def __init__(self, path: Path, wrong: str, cure: str) -> None:
        self.path = path
        self.wrong = f"{_one_line(wrong)}; {_one_line(cure)}"
        super().__init__(f"{_one_line(str(path))}: {self.wrong}")


class _Source:
    """The file behind a picture and all its marked variants, so that its hash is worked out once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._digest: str | None = None

    def read(self) -> bytes:
        """Reads the file. One that changed since it was hashed is an error, for stored replies go by the hash."""
        try:
            data = self.path.read_bytes()
        except OSError as error:
            wrong = f"cannot be read ({error.strerror})"
            raise PictureError(self.path, wrong, "check that the file is still there and readable") from error
        digest = hashlib.sha256(data).hexdigest()
        if self._digest not in (None, digest):
            raise PictureError(self.path, "changed while it was in use", "leave it alone and start again")
        self._digest = digest
        return data

    @property
    def digest(self) -> str:
        """SHA-256 of the file's bytes, hexadecimal."""
        if self._digest is None:
            self.read()
        assert self._digest is not None
        return self._digest


@dataclass(frozen=True)
class Picture:
    """A picture file and the markers to draw into it; `open_picture` makes one, and nothing is decoded until asked for.

    Attributes:
        path: The file.
        size: Width and height as a viewer shows them, so after EXIF rotation, pixels.
        markers: What is drawn over it, in order.
    """

    path: Path
    size: tuple[int, int]
    markers: tuple[Marker, ...] = ()

    @cached_property
    def _source(self) -> _Source:
        return _Source(self.path)

    @cached_property
    def digest(self) -> str:
        """What the picture's content is known by: 32 hexadecimal digits over file, markers and encoder revision."""
        text = f"{ENCODER_REVISION}\n{self._source.digest}\n{canonical_text(self.markers)}"
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def with_markers(self, *markers: Marker) -> Picture:
        """Returns this picture with more markers, drawn over those that it has."""
        marked = replace(self, markers=(*self.markers, *markers))
        # A frozen dataclass refuses assignment; this is where cached_property itself keeps the value.
        marked.__dict__["_source"] = self._source
        return marked


@dataclass(frozen=True)
class EncodedPicture:
    """A picture as it is sent.

    Attributes:
        data: The bytes of a whole picture file.
        media_type: `image/png` or `image/jpeg`, by what the bytes are.
        size: Width and height, pixels.
        digest: Digest of the `Picture` that this was made from.
    """

    data: bytes
    media_type: str
    size: tuple[int, int]
    digest: str


def open_picture(path: Path, root: Path | None = None) -> Picture:
    """Opens a picture by its header alone; pixels are checked when they are needed.

    Args:
        path: The file; not taken as relative to `root`.
        root: Folder that the file must lie in once links are followed; None allows any place.

    Returns:
        The picture.

    Raises:
        PictureError: If the file is missing, outside `root`, not a PNG, JPEG, WebP or BMP, or too large.
    """
    file_path = _checked_path(path, root)
    try:
        with file_path.open("rb") as file:
            image = _identified(file)
            if image is None:
                wrong = "is no PNG, JPEG, WebP or BMP picture"
                raise PictureError(path, wrong, "replace the file, or save the picture again as PNG")
            size = _upright_size(image)
    except PictureError:
        raise
    except Exception as error:
        # Pillow's readers raise nearly anything on hostile bytes.
        wrong = f"cannot be opened as a picture ({error})"
        raise PictureError(path, wrong, "replace the file, or correct its permissions") from error
    if size[0] * size[1] > LARGEST_PICTURE:
        wrong = f"has {size[0]} x {size[1]} pixels, more than {LARGEST_PICTURE:,}"
        raise PictureError(path, wrong, "scale the picture down")
    return Picture(path, size)


def load_pixels(picture: Picture) -> RGBImage:
    """Decodes a picture without its markers.

    Args:
        picture: The picture.

    Returns:
        (H, W, 3) RGB, upright, transparent parts over white, higher bit depths and CMYK converted.

    Raises:
        PictureError: If the file is damaged, or is not the one that was opened.
    """
    return _decoded(picture, picture._source.read())


def encode(picture: Picture, pixels: RGBImage | None = None) -> EncodedPicture:
    """Encodes a picture with its markers for sending.

    The file's own bytes are kept where any reader sees in them what `load_pixels` does: no markers, an upright 8-bit
    RGB or grey PNG or JPEG. Everything else becomes a PNG.

    Args:
        picture: The picture.
        pixels: (H, W, 3) RGB that `load_pixels` gave for it earlier, to save decoding.

    Returns:
        The encoded picture.

    Raises:
        PictureError: If the file is damaged, or is not the one that was opened.
        ValueError: If `pixels` has another size than the picture.
    """
    data = picture._source.read()
    if pixels is None:
        pixels = _decoded(picture, data)
    elif pixels.shape[1::-1] != picture.size:
        raise ValueError(f"pixels of shape {pixels.shape} do not belong to a picture of {picture.size}")
    media_type = None if picture.markers else _sendable_as(data)
    if media_type is None:
        bgr = cv2.cvtColor(draw(pixels, picture.markers), cv2.COLOR_RGB2BGR)
        done, encoded = cv2.imencode(".png", bgr, [cv2.IMWRITE_PNG_COMPRESSION, PNG_COMPRESSION])
        if not done:
            raise RuntimeError(f"OpenCV could not encode {picture.path}")
        data, media_type = encoded.tobytes(), "image/png"
    return EncodedPicture(data, media_type, picture.size, picture.digest)


def _one_line(text: str) -> str:
    """Writes a text of any origin so that it can be printed in one line."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def _checked_path(path: Path, root: Path | None) -> Path:
    """Follows links and returns the regular file behind a path, or raises the PictureError that says why not."""
    try:
        file_path = path.resolve()
        if root is not None and not file_path.is_relative_to(root.resolve()):
            raise PictureError(
                path, f"lies outside {root}", "keep pictures inside that folder, without links out of it"
            )
        status = file_path.stat()
    except FileNotFoundError as error:
        raise PictureError(path, "does not exist", "put the file there or correct its name") from error
    except (OSError, RuntimeError, ValueError) as error:
        # Loops of links raise RuntimeError before Python 3.13, null characters ValueError.
        raise PictureError(path, f"cannot be opened ({error})", "correct the file's name") from error
    if not stat.S_ISREG(status.st_mode):
        raise PictureError(path, "is not a file", "name a picture file")
    if status.st_size == 0:
        raise PictureError(path, "is empty", "replace the file")
    if status.st_size > LARGEST_FILE:
        raise PictureError(path, f"has more than {LARGEST_FILE:,} bytes", "scale the picture down")
    return file_path


def _identified(file: IO[bytes]) -> ImageFile | None:
    """Opens a picture by its first bytes, or returns None.

    `Image.open` would warn of bombs by itself, which cannot be turned off for one thread, and try many more readers.
    """
    signature = file.read(12)
    file.seek(0)
    reader: Callable[[IO[bytes]], ImageFile]
    if signature.startswith(b"\x89PNG\r\n\x1a\n"):
        reader = PngImageFile
    elif signature.startswith(b"\xff\xd8\xff"):
        reader = JpegImageFile
    elif signature.startswith(b"RIFF") and signature.endswith(b"WEBP"):
        reader = WebPImageFile
    elif signature.startswith(b"BM"):
        reader = BmpImageFile
    else:
        return None
    return reader(file)


def _orientation(image: ImageFile) -> int:
    """Reads the EXIF orientation that stands before the pixels, 1 to 8; 1 where there is none or it makes no sense.

    Pillow's own reading decodes a whole PNG to look for EXIF behind its pixels, and warns of damaged EXIF data.
    """
    tiff = image.info.get("exif", b"").removeprefix(b"Exif\0\0")
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2], "")
    try:
        (directory,) = struct.unpack_from(f"{order}I", tiff, 4)
        (entries,) = struct.unpack_from(f"{order}H", tiff, directory)
        for entry in range(entries):
            tag, kind, _, value = struct.unpack_from(f"{order}HHIH", tiff, directory + 2 + 12 * entry)
            if (tag, kind) == (0x0112, 3):
                return value if value in _TRANSPOSITIONS else 1
    except struct.error:
        return 1
    return 1


def _upright_size(image: ImageFile) -> tuple[int, int]:
    width, height = image.size
    return (height, width) if _orientation(image) >= 5 else (width, height)


def _decoded(picture: Picture, data: bytes) -> RGBImage:
    pixels = None
    try:
        image = _identified(io.BytesIO(data))
        if image is not None and _upright_size(image) == picture.size:
            pixels = _upright_rgb(image)
    except Exception as error:
        # Pillow's decoders raise nearly anything on hostile bytes.
        raise PictureError(picture.path, f"cannot be decoded ({error})", "replace the file") from error
    if pixels is None:
        wrong = f"is not the picture of {picture.size[0]} x {picture.size[1]} pixels that was opened"
        raise PictureError(picture.path, wrong, "leave it alone while it is in use and start again")
    return pixels


def _upright_rgb(image: ImageFile) -> RGBImage:
    upright: Image.Image = image
    orientation = _orientation(image)
    if orientation in _TRANSPOSITIONS:
        upright = image.transpose(_TRANSPOSITIONS[orientation])
    if upright.mode.startswith("I;16"):
        # The high byte, which is also what Pillow keeps of 16-bit colour.
        grey = (np.asarray(upright) >> 8).astype(np.uint8)
        return np.repeat(grey[:, :, None], 3, axis=2)
    if upright.has_transparency_data:
        canvas = Image.new("RGBA", upright.size, "white")
        canvas.alpha_composite(upright.convert("RGBA"))
        upright = canvas
    return np.array(upright.convert("RGB"), dtype=np.uint8)


def _sendable_as(data: bytes) -> str | None:
    """Media type of a file whose own bytes can be sent, None for one that has to be encoded anew."""
    image = _identified(io.BytesIO(data))
    if image is None or image.mode not in ("RGB", "L") or _orientation(image) != 1:
        return None
    match image:
        case PngImageFile():
            bit_depth = data[24]
            ordinary = bit_depth == 8 and not image.has_transparency_data and not image.is_animated
            # EXIF data behind the pixels are ignored here, but other readers may turn the picture by them.
            ordinary = ordinary and ("exif" in image.info or b"eXIf" not in data)
            return "image/png" if ordinary else None
        case JpegImageFile():
            several_pictures = "mpoffset" in image.info
            return None if several_pictures else "image/jpeg"
        case _:
            return None
