"""Reason freely from the observer's point of view (POVBench's chain of thought, step 4)."""

from typing import Annotated

from pydantic import BaseModel

from agents.step import Step
from tools.coordinates import Words


class SpatialReasoning(BaseModel):
    """What follows from the observer's point of view, in words."""

    reasoning: Annotated[str, Words(600)]


spatial_reasoning = Step("spatial_reasoning", finds=SpatialReasoning, requires=("frame_selection",))
