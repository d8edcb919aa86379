"""Steps of reasoning, one file each, found by name."""

from agents.registry import Registry
from agents.step import Step
from agents.steps.anchor_identification import anchor_identification
from agents.steps.anchor_localization import anchor_localization
from agents.steps.directional_frame import directional_frame
from agents.steps.frame_selection import frame_selection
from agents.steps.observer_grounding import observer_grounding
from agents.steps.scene_inventory import scene_inventory
from agents.steps.side_identification import side_identification
from agents.steps.spatial_reasoning import spatial_reasoning
from agents.steps.target_estimation import target_estimation

STEPS = Registry("step", "agents.steps", Step, "situate.steps")

__all__ = [
    "STEPS",
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
