"""Find the landmark that the sentence names, in the chosen frame (POVBench's Spatial-CoT, step 4b)."""

from pydantic import BaseModel

from agents.step import Step
from tools.coordinates import FrameX, FrameY


class AnchorPoint(BaseModel):
    """Whether the anchor is in the chosen frame, and where its centre is."""

    visible: bool
    x: FrameX | None
    y: FrameY | None


anchor_localization = Step("anchor_localization", finds=AnchorPoint, requires=("frame_selection",))
