"""What the models here write as their final JSON: the keys that were asked for and no others."""

from __future__ import annotations

import json

from pydantic import BaseModel

from agents.view import View
from agents.wire import to_wire, wire_model


def as_asked(finding: BaseModel, view: View) -> str:
    """Writes a finding as the JSON that a request asks for; where the frame is settled it names none."""
    written = to_wire(finding, view)
    return json.dumps({key: written[key] for key in wire_model(type(finding), view).model_fields})
