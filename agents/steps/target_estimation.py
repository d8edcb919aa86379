"""Estimate where the target is in the chosen frame (POVBench's Spatial-CoT, step 4e)."""

from pydantic import BaseModel

from agents.step import Step
from tools.coordinates import FrameX, FrameY


class TargetPoint(BaseModel):
    """Where the centre of the target would be in the chosen frame."""

    x: FrameX
    y: FrameY


target_estimation = Step(
    "target_estimation",
    finds=TargetPoint,
    requires=("frame_selection", "anchor_localization", "side_identification"),
    forms=("frame_point",),
)
