"""List what stands around the landmark (POVBench's Spatial-CoT, step 4c)."""

from typing import Annotated, Literal

from pydantic import BaseModel

from agents.step import Step
from tools.coordinates import FrameX, FrameY, Items, Words


class InventoryItem(BaseModel):
    """An object near the anchor: its relation to the anchor as the observer sees it, and its centre."""

    name: Annotated[str, Words(60)]
    relation: Literal["left", "right", "front", "on top", "other"]
    x: FrameX
    y: FrameY


class SceneInventory(BaseModel):
    """The two or three objects nearest to the anchor; fewer where fewer are in view."""

    objects: Annotated[list[InventoryItem], Items(0, 3)]


scene_inventory = Step("scene_inventory", finds=SceneInventory, requires=("frame_selection", "anchor_localization"))
