"""Who thinks: the situation, the forms of an answer, steps that ask a model, the contract of a model."""

from agents.context import Context, Settings
from agents.forms import Form, FramePoint
from agents.frame import Frame
from agents.model import Model, Reply, Request
from agents.situation import Situation
from agents.step import Step
from agents.steps import (
    anchor_identification,
    anchor_localization,
    directional_frame,
    frame_selection,
    observer_grounding,
    scene_inventory,
    side_identification,
    spatial_reasoning,
    target_estimation,
)
from agents.workbench import Workbench

__all__ = [
    "Context",
    "Form",
    "Frame",
    "FramePoint",
    "Model",
    "Reply",
    "Request",
    "Settings",
    "Situation",
    "Step",
    "Workbench",
    "anchor_identification",
    "anchor_localization",
    "directional_frame",
    "frame_selection",
    "observer_grounding",
    "scene_inventory",
    "side_identification",
    "spatial_reasoning",
    "target_estimation",
]
