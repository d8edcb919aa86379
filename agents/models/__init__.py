"""Vision-language models by one string. One file a way to reach them, found by the registry; heavy imports on use."""

from __future__ import annotations

from agents.model import Model
from agents.model_adapter import ModelAdapter, ModelNameError
from agents.registry import Registry

MODEL_ADAPTERS = Registry("model adapter", "agents.models", ModelAdapter, "situate.models")

TIME_LIMIT = 600.0
"""Seconds that one call may take from its first byte to its last, unless told otherwise."""


def takes(spec: str) -> bool:
    """Whether a model's name is of a form that an adapter takes; nothing is opened."""
    return any(adapter.takes(spec) for adapter in MODEL_ADAPTERS.all())


def open_model(spec: str, *, time_limit: float = TIME_LIMIT) -> Model:
    """Opens a model by its name. No server is asked; a missing key or a server that is not there shows with a call.

    Args:
        spec: `provider/name` for whatever LiteLLM knows, `http://host:port/v1#name` for an OpenAI-compatible server.
        time_limit: Seconds that one call may take.

    Raises:
        ModelNameError: If the name leads to no model.
        agents.registry.UnknownNameError: If there is no such provider; the message holds the nearest ones.
    """
    for adapter in MODEL_ADAPTERS.all():
        if adapter.takes(spec):
            return adapter.open(spec, time_limit)
    forms = "; ".join(adapter.form for adapter in MODEL_ADAPTERS.all())
    raise ModelNameError(f"model {spec!r}: not of a form that leads to a model: {forms}")


__all__ = ["MODEL_ADAPTERS", "TIME_LIMIT", "ModelAdapter", "ModelNameError", "open_model", "takes"]
