"""Models by one string, and those that are made anew for each sample because they answer from its hints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol
from urllib.parse import parse_qsl

from agents.model import InFrontOf, Model
from agents.registry import unknown_name
from evals.sample import Sample
from tools.errors import UserError


class ModelError(UserError):
    """A model that cannot be had as it was asked for."""


def _says_it_all(options: Mapping[str, float | str]) -> str:  # noqa: ARG001
    """The content of options that name nothing outside themselves."""
    return ""


@dataclass(frozen=True)
class SampleModelKind:
    """A model that is no VLM: one instance a sample, made from what the sample knows.

    Attributes:
        name: Its name.
        make: Makes the instance for a sample.
        options: Defaults of its options; each value's type is the option's type.
        summary: One line for listings.
        content: What its options lead to, such as the digest of a file that they name; empty where they say it all.
    """

    name: str
    make: Callable[[Sample, Mapping[str, float | str], str], Model]
    options: Mapping[str, float | str]
    summary: str
    content: Callable[[Mapping[str, float | str]], str] = _says_it_all


def sample_model(
    options: Mapping[str, float | str] | None = None,
    content: Callable[[Mapping[str, float | str]], str] = _says_it_all,
) -> Callable[[Callable[[Sample, Mapping[str, float | str], str], Model]], SampleModelKind]:
    """Makes a model kind of a function `(sample, options, seed) -> Model`, named after it.

    Args:
        options: Defaults of the options that a user may set after a `?`.
        content: What options lead to, such as the digest of a file that they name, so that another file of that name
            counts as another model.
    """

    def named(make: Callable[[Sample, Mapping[str, float | str], str], Model]) -> SampleModelKind:
        summary = (make.__doc__ or "").strip().split("\n")[0]
        return SampleModelKind(make.__name__, make, dict(options or {}), summary, content)

    return named


class ModelSource(Protocol):
    """Where the models of a run come from, under one name."""

    @property
    def name(self) -> str:
        """As the user wrote it; shown in tables."""
        ...

    @property
    def identity(self) -> str:
        """What tells it from another model of the same name; stored rows of another identity are not mixed in."""
        ...

    @property
    def is_vlm(self) -> bool:
        """Whether it is a vision-language model at all."""
        ...

    def for_sample(self, sample: Sample, seed: str) -> Model:
        """The model that answers about a sample; `seed` is what its randomness may depend on besides the request."""
        ...


@dataclass(frozen=True)
class SampleModels:
    """A model that is made anew for each sample."""

    name: str
    kind: SampleModelKind
    options: Mapping[str, float | str]
    is_vlm: bool = False

    @cached_property
    def identity(self) -> str:
        """Its kind, its options and what they lead to."""
        options = "&".join(f"{name}={value}" for name, value in sorted(self.options.items()))
        return f"{self.kind.name}?{options}#{self.kind.content(self.options)}"

    def for_sample(self, sample: Sample, seed: str) -> Model:
        """Makes the instance of a sample."""
        return self.kind.make(sample, self.options, seed)


@dataclass(frozen=True)
class OneModel(InFrontOf):
    """One model for all samples."""

    model: Model

    def for_sample(self, sample: Sample, seed: str) -> Model:  # noqa: ARG002
        """The one model."""
        return self.model


def parse_options(spec: str, kind: SampleModelKind) -> dict[str, float | str]:
    """Reads the options after the `?` of a model's name.

    Raises:
        ModelError: If an option is unknown or its value is not of the default's type.
    """
    query = spec.partition("?")[2]
    options = dict(kind.options)
    for name, text in parse_qsl(query.replace("+", "%2B"), keep_blank_values=True):
        if name not in options:
            raise unknown_name(f"option of model {kind.name}", name, options)
        if isinstance(options[name], str):
            options[name] = text
            continue
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not 0 <= value < float("inf"):
            raise ModelError(f"model {spec!r}: {name} must be a number of at least 0, not {text!r}")
        options[name] = value
    return options
