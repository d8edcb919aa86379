"""Models that are no VLM: the symbolic reference, the baselines and scripts. One file each, found by name."""

from __future__ import annotations

from agents.model import Model
from agents.registry import Registry
from evals.model_source import ModelError, ModelSource, OneModel, SampleModelKind, SampleModels, parse_options

_CONTRACT = ("name", "identity", "is_vlm", "reply")

SAMPLE_MODELS = Registry("model", "evals.models", SampleModelKind, "situate.sample_models")


def open_models(spec: str | Model) -> ModelSource:
    """Finds a model by the one string that names it, or takes one that is there already.

    Args:
        spec: `name` or `name?option=value&option=value`; or any object that keeps the contract `agents.Model`.

    Raises:
        agents.registry.UnknownNameError: If there is no such model; the message holds the nearest names.
        ModelError: If an option is wrong.
    """
    if not isinstance(spec, str):
        if missing := [name for name in _CONTRACT if not hasattr(spec, name)]:
            raise ModelError(
                f"a {type(spec).__name__} is no model, it has no {', '.join(missing)}; "
                "give a name (evals list models) or an object that keeps the contract agents.Model"
            )
        return OneModel(spec)
    kind = SAMPLE_MODELS.get(spec.partition("?")[0])
    return SampleModels(spec, kind, parse_options(spec, kind))


__all__ = ["SAMPLE_MODELS", "ModelError", "ModelSource", "OneModel", "SampleModelKind", "SampleModels", "open_models"]
