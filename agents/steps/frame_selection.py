"""Choose the frame to reason in (POVBench's Spatial-CoT, step 1)."""

from pydantic import BaseModel

from agents.step import Step
from tools.coordinates import FrameId


class ChosenFrame(BaseModel):
    """The frame that shows best both what the observer was busy with and the anchor."""

    frame: FrameId


frame_selection = Step("frame_selection", finds=ChosenFrame, forms=("frame_point",), sees="all", chooses_frame=True)
