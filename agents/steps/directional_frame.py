"""Settle what front, left and right mean to the observer (POVBench's Spatial-CoT, step 4a)."""

from pydantic import BaseModel

from agents.step import Step
from tools.coordinates import Heading


class DirectionalFrame(BaseModel):
    """The observer's directions at the anchor, along the floor; front points from the anchor to the observer."""

    front: Heading
    left: Heading
    right: Heading


directional_frame = Step(
    "directional_frame", finds=DirectionalFrame, requires=("frame_selection", "observer_grounding")
)
