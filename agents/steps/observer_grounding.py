"""Find where the observer was and which way they faced (POVBench's Spatial-CoT, step 2)."""

from typing import Annotated

from pydantic import BaseModel

from agents.step import Step
from tools.coordinates import FrameX, FrameY, Heading, Words


class ObserverPose(BaseModel):
    """What the observer was busy with, where it appears in the chosen frame, and where the observer looked."""

    observer: Annotated[str, Words(80)]
    x: FrameX | None
    y: FrameY | None
    facing: Heading


observer_grounding = Step("observer_grounding", finds=ObserverPose, requires=("frame_selection",))
