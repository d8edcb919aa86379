"""A picture that is shown to a model, with what is known of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tools.camera import Camera
from tools.pictures import Picture


@dataclass(frozen=True)
class Frame:
    """One picture shown to a model.

    Attributes:
        id: The dataset's own name for the frame, unique within a situation; answers refer to it, never to a number.
        picture: The picture, loaded late and known by its content hash.
        camera: The camera, when the question itself gives it away; privileged cameras stand in the hints.
        caption: What the dataset says of the view ("head view"), shown after the label; may be empty.
        source: `original` frames are numbered and can be answers; `derived` ones (depth, novel views) are neither.
        derived_from: Ids of the frames that a derived frame was made from.
        withheld: True when the frame exists but its picture is not shown (the `blind` control).
    """

    id: str
    picture: Picture
    camera: Camera | None = None
    caption: str = ""
    source: Literal["original", "derived"] = "original"
    derived_from: tuple[str, ...] = ()
    withheld: bool = False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.picture.size
