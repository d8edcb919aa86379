"""Read from the sentence on which side of the landmark the target is (POVBench's Spatial-CoT, step 4d)."""

from typing import Literal

from pydantic import BaseModel

from agents.step import Step


class Side(BaseModel):
    """The relation of the target to the anchor that the sentence states."""

    side: Literal["left", "right", "front", "on top"]


side_identification = Step("side_identification", finds=Side)
