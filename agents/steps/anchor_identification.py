"""Find which landmark the sentence names (POVBench's Spatial-CoT, step 3)."""

from typing import Annotated

from pydantic import BaseModel

from agents.step import Step
from tools.coordinates import Words


class AnchorName(BaseModel):
    """The landmark that the sentence places the target by."""

    anchor: Annotated[str, Words(80)]


anchor_identification = Step("anchor_identification", finds=AnchorName, requires=("frame_selection",))
