"""The forms of an answer, one file each."""

from agents.forms.form import Form, Reading, read_finding
from agents.forms.frame_point import FramePoint, FramePointAnswer

__all__ = ["Form", "FramePoint", "FramePointAnswer", "Reading", "read_finding"]
