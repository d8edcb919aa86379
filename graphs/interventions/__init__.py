"""Interventions, one file each, found by name."""

from agents.registry import Registry
from graphs.intervention import Intervention
from graphs.interventions.blind import blind
from graphs.interventions.mark_anchor import mark_anchor
from graphs.interventions.mark_observer import mark_observer
from graphs.interventions.random_frame import random_frame
from graphs.interventions.shuffle_frames import shuffle_frames

INTERVENTIONS = Registry("intervention", "graphs.interventions", Intervention, "situate.interventions")

__all__ = ["INTERVENTIONS", "blind", "mark_anchor", "mark_observer", "random_frame", "shuffle_frames"]
