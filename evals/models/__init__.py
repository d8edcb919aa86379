"""Models that are no VLM: the symbolic reference, the baselines and scripts. One file each, found by name."""

from __future__ import annotations

from agents.model import Model
from agents.models import TIME_LIMIT, open_model, takes
from agents.presets import PRESETS, preset_spec
from agents.registry import Registry, unknown_name
from evals.model_source import ModelError, ModelSource, OneModel, SampleModelKind, SampleModels, parse_options

_CONTRACT = ("name", "identity", "is_vlm", "reply")

SAMPLE_MODELS = Registry("model", "evals.models", SampleModelKind, "situate.sample_models")


def open_models(spec: str | Model, *, time_limit: float = TIME_LIMIT) -> ModelSource:
    """Finds a model by the one string that names it, or takes one that is there already.

    Args:
        spec: `name` or `name?option=value&option=value` of a model that is no VLM; a preset of the paper's models,
            `provider/name` or a server's URL with `#name`; or any object that keeps the contract `agents.Model`.
        time_limit: Seconds that one call to a VLM may take.

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
        _check_contract(spec)
        return OneModel(spec)
    name = spec.partition("?")[0]
    if name in PRESETS:
        return OneModel(open_model(preset_spec(name), time_limit=time_limit))
    if takes(spec):
        return OneModel(open_model(spec, time_limit=time_limit))
    if name not in SAMPLE_MODELS.names():
        raise unknown_name("model", name, [*SAMPLE_MODELS.names(), *PRESETS])
    kind = SAMPLE_MODELS.get(name)
    return SampleModels(spec, kind, parse_options(spec, kind))


def _check_contract(model: Model) -> None:
    """Refuses an object whose attributes only bear the names of the contract."""
    if isinstance(model, type):
        raise ModelError(f"{model.__name__} is a class, not a model; give an instance of it: {model.__name__}(...)")
    for name, kind, words in (("name", str, "text"), ("identity", str, "text"), ("is_vlm", bool, "True or False")):
        value: object = getattr(model, name)
        if not isinstance(value, kind) or value == "":
            raise ModelError(f"a {type(model).__name__} is no model: its {name} must be {words}, not {value!r:.60}")


__all__ = ["SAMPLE_MODELS", "ModelError", "ModelSource", "OneModel", "SampleModelKind", "SampleModels", "open_models"]
