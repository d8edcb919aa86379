"""The models that the POVBench paper evaluates (its table 8), by short names.

Those that an API serves are opened by their preset's name; the others need a server, or an engine in this process, and
the table says which.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agents.model_adapter import ModelNameError


@dataclass(frozen=True)
class Preset:
    """One model of the table.

    Attributes:
        paper: Its name in the paper.
        model: Model identifier, or the name at its API, as the paper gives it.
        conditions: Conditions under which the paper evaluates it.
        spec: The name that opens it here; None where it first needs a server.
        how: What to do where `spec` is None, or what the paper did besides.
    """

    paper: str
    model: str
    conditions: tuple[str, ...]
    spec: str | None
    how: str = ""


_ALL = ("inferred", "stated", "given")
_SERVE = "vllm serve {model} --limit-mm-per-prompt '{{\"image\":32}}', then http://127.0.0.1:8000/v1#{model}"
_TRANSFORMERS = "no chat server serves it as the paper ran it; Transformers"

PRESETS: Mapping[str, Preset] = {
    "molmopoint-8b": Preset("MolmoPoint-8B", "allenai/MolmoPoint-8B", _ALL, None, _TRANSFORMERS),
    "gpt-5.4": Preset("GPT-5.4", "gpt-5.4", _ALL, "openai/gpt-5.4"),
    "qwen3-vl-8b": Preset(
        "Qwen3-VL-8B", "Qwen/Qwen3-VL-8B-Instruct", _ALL, None, f"{_SERVE} (the paper: and Transformers)"
    ),
    "qwen3-vl-32b": Preset("Qwen3-VL-32B", "Qwen/Qwen3-VL-32B-Instruct", _ALL, None, _SERVE),
    "internvl3-38b": Preset("InternVL3-38B", "OpenGVLab/InternVL3-38B", _ALL, None, f"{_SERVE} (the paper: in 8 bits)"),
    "gemma-4": Preset("Gemma-4", "gemma-4-26b-a4b-it", _ALL, "gemini/gemma-4-26b-a4b-it"),
    "gemini-2.5-flash": Preset("Gemini-2.5-Flash", "gemini-2.5-flash", _ALL, "gemini/gemini-2.5-flash"),
    "gemini-robotics-er": Preset(
        "Gemini-Robotics-ER", "gemini-robotics-er-1.6-preview", _ALL, "gemini/gemini-robotics-er-1.6-preview"
    ),
    "robopoint": Preset("RoboPoint", "wentao-yuan/robopoint-v1-vicuna-v1.5-13b", ("given",), None, _TRANSFORMERS),
    "llama-3.2-vision": Preset(
        "Llama-3.2-Vision", "meta-llama/Llama-3.2-11B-Vision-Instruct", ("given",), None, _SERVE
    ),
}
"""By preset name, in the order of the paper's table; Qwen3-VL-8B stands there twice, once an engine."""


def how_to_open(preset: Preset) -> str:
    """What opens a preset's model, in words."""
    words = preset.how.format(model=preset.model)
    return words if preset.spec is None else " ".join(filter(None, [preset.spec, words]))


def preset_spec(name: str) -> str:
    """The model name behind a preset.

    Raises:
        ModelNameError: If no API serves it; the message says what to do.
    """
    preset = PRESETS[name]
    if preset.spec is None:
        raise ModelNameError(f"model {name!r} ({preset.model}) has no hosted API: {how_to_open(preset)}")
    return preset.spec
