"""Hosted models through LiteLLM, which knows the providers' forms of requests, errors, usage and prices.

LiteLLM takes seconds to import and would fetch a price map, so it is imported when such a model is opened and told to
use what it was installed with. It neither tries again nor prints: whoever asks decides on both.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
import warnings
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.chat_completions import finish_reason, unreadable, usage_of
from agents.failures import is_about_schema, one_line, refused
from agents.model import Image, OutsideFailure, Price, Reply, Request
from agents.model_adapter import ModelAdapter, ModelNameError, split_schema_option
from agents.models.openai_server import without_text_lengths
from agents.registry import unknown_name
from tools.pictures import EncodedPicture

_LOCAL_ONLY = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    # In its other mode LiteLLM reads keys from a .env file that happens to lie in the folder.
    "LITELLM_MODE": "PRODUCTION",
}

_BROKEN_BODY = (
    "valid response block",
    "unable to get json",
    "invalid response",
    "unterminated string",
    "expecting value",
)
_NO_KEY = re.compile(r"missing credentials|missing [a-z ]{0,20}api[ _]key|no api[ _]key")
_BROKEN_CONNECTION = (
    "connection error",
    "connection reset",
    "cannot connect",
    "not completed",
    "disconnected",
    "[errno",
)


def _takes(spec: str) -> bool:
    provider, slash, name = spec.partition("/")
    return bool(slash and provider and name) and "://" not in spec and "?" not in provider


def _open(spec: str, time_limit: float) -> HostedModel:
    """Opens a model of a provider.

    Raises:
        agents.registry.UnknownNameError: If LiteLLM knows no such provider.
    """
    model, _, query = spec.partition("?")
    schema = split_schema_option(spec, query)
    if schema == "regex":
        raise ModelNameError(f"model {spec!r}: LiteLLM passes no regular expressions on; leave schema=regex out")
    library = _litellm()
    _strip_keys()
    providers = {str(getattr(provider, "value", provider)) for provider in library.provider_list}
    provider = model.partition("/")[0]
    if provider not in providers:
        raise unknown_name("provider", provider, providers)
    return HostedModel(spec, model, provider, schema != "off", time_limit, library)


def _strip_keys() -> None:
    """Takes white space off keys, such as the line end of the file that they came from, which LiteLLM would send."""
    for name in list(os.environ):
        if name.endswith("_API_KEY") and (key := os.environ[name]) != key.strip():
            os.environ[name] = key.strip()


def _litellm() -> Any:
    os.environ.update(_LOCAL_ONLY)
    # Of no concern to whoever runs models: its types for Gemini, as pydantic sees them.
    warnings.filterwarnings("ignore", message=".*ReadOnly.* qualifier", category=UserWarning)
    import litellm

    litellm.suppress_debug_info = True
    return litellm


@dataclass(frozen=True)
class HostedModel:
    """One model of a provider.

    Attributes:
        name: As the user wrote it.
        model: Name as LiteLLM takes it, the provider first.
        provider: The provider.
        constrained: Whether schemas are sent where the model takes them.
        time_limit: Seconds that one call may take.
        library: LiteLLM.
    """

    name: str
    model: str
    provider: str
    constrained: bool
    time_limit: float
    library: Any = field(repr=False)
    is_vlm: bool = True

    @property
    def identity(self) -> str:
        """Provider, model and whether replies are constrained."""
        return self.name

    @property
    def missing_keys(self) -> tuple[str, ...]:
        """Environment variables that LiteLLM expects for this provider and that are not set."""
        found: Mapping[str, Any] = self.library.validate_environment(model=self.model)
        return tuple(found["missing_keys"])

    @property
    def price(self) -> Price | None:
        """What tokens cost by LiteLLM's own map; None where it does not say."""
        known = self._known
        taken, given = known.get("input_cost_per_token"), known.get("output_cost_per_token")
        if taken is None or given is None:
            return None
        cached = known.get("cache_read_input_token_cost")
        return Price(float(taken), float(given), float(taken if cached is None else cached))

    @property
    def _known(self) -> Mapping[str, Any]:
        """The model's entry in LiteLLM's map; empty where there is none."""
        bare = self.model.partition("/")[2]
        costs = self.library.model_cost
        found: Mapping[str, Any] = costs.get(self.model) or costs.get(bare) or {}
        return found if found.get("litellm_provider", self.provider).startswith(self.provider) else {}

    async def reply(self, request: Request) -> Reply:
        """Asks the provider.

        Raises:
            OutsideFailure: If no reply came of it.
        """
        messages = [
            {"role": message.role, "content": [await _part(part, request) for part in message.parts]}
            for message in request.messages
        ]
        settings, notes = self._settings(request)
        began = time.monotonic()
        try:
            async with asyncio.timeout(self.time_limit):
                try:
                    response = await self._completion(messages, settings)
                except self.library.UnsupportedParamsError as error:
                    # Refused by LiteLLM itself, before anything is sent: some models take it, but not beside another.
                    left_out = _named_in(str(error), settings)
                    if not left_out:
                        raise
                    notes = (*notes, f"{self.name} takes no {left_out.replace('_', ' ')} here; it was left out")
                    rest = {name: value for name, value in settings.items() if name != left_out}
                    response = await self._completion(messages, rest)
        except TimeoutError:
            raise OutsideFailure(f"{self.name}: no reply within {self.time_limit:g} s", kind="timeout") from None
        except Exception as error:
            # LiteLLM raises its own errors, its providers', and whatever its readers trip over in a strange reply.
            failure = self._failure(error)
            if failure.kind != "content_filter":
                raise failure from None
            return Reply("", finish_reason="refusal", raw_finish_reason="content_filter", notes=(str(failure),))
        return self._reply(response, time.monotonic() - began, notes)

    async def _completion(self, messages: list[dict[str, Any]], settings: Mapping[str, Any]) -> Any:
        return await self.library.acompletion(
            model=self.model, messages=messages, timeout=self.time_limit, num_retries=0, max_retries=0, **settings
        )

    async def close(self) -> None:
        """Closes LiteLLM's connections, which all its models of a process share."""
        await self.library.close_litellm_async_clients()

    def _settings(self, request: Request) -> tuple[dict[str, Any], tuple[str, ...]]:
        """What a call asks for, and what it cannot because the provider takes no such thing."""
        bare = self.model.partition("/")[2]
        taken = self.library.get_supported_openai_params(model=bare, custom_llm_provider=self.provider) or ()
        settings: dict[str, Any] = {"max_tokens": request.sampling.max_tokens}
        notes = []
        for name in ("temperature", "seed", "reasoning_effort"):
            value = getattr(request.sampling, name)
            if value is not None and name in taken:
                settings[name] = value
            elif value is not None:
                notes.append(f"{self.name} takes no {name.replace('_', ' ')}; it was left out")
        if request.constraint is not None and not self.constrained:
            notes.append(f"{self.name}: replies are not constrained, as schema=off asks")
        elif request.constraint is not None:
            if "response_format" in taken and self._known.get("supports_response_schema", not self._known):
                wanted = {"name": "reply", "schema": without_text_lengths(request.constraint.schema), "strict": True}
                settings["response_format"] = {"type": "json_schema", "json_schema": wanted}
            else:
                notes.append(f"{self.name} takes no JSON schema; it was left out, and replies are checked here alone")
        return settings, tuple(notes)

    def _reply(self, response: Any, seconds: float, notes: tuple[str, ...]) -> Reply:
        if not getattr(response, "choices", None):
            raise unreadable(self.name, "the reply holds no choices; is this the provider's API?")
        choice = response.choices[0]
        native = (getattr(choice, "provider_specific_fields", None) or {}).get("native_finish_reason")
        usage = getattr(response, "usage", None)
        return Reply(
            text=choice.message.content or "",
            reasoning=getattr(choice.message, "reasoning_content", None) or "",
            finish_reason=finish_reason(choice.finish_reason),
            usage=usage_of(None if usage is None else usage.model_dump()),
            seconds=seconds,
            cost=self._cost(response),
            raw_finish_reason=str(native or choice.finish_reason or ""),
            served_by=str(response.model or ""),
            notes=notes,
        )

    def _cost(self, response: Any) -> float | None:
        """US dollars by LiteLLM's map; None where the price or the usage is unknown."""
        if self.price is None or getattr(response, "usage", None) is None:
            return None
        try:
            return float(self.library.completion_cost(completion_response=response, model=self.model))
        except Exception:
            # It raises a plain Exception for whatever it has no price for.
            return None

    def _failure(self, error: Exception) -> OutsideFailure:
        said = str(error).partition("Traceback")[0]
        for noise in ("litellm.", type(error).__name__ + ": "):
            said = said.replace(noise, "")
        headers = getattr(error, "litellm_response_headers", None) or getattr(
            getattr(error, "response", None), "headers", {}
        )
        status = getattr(error, "status_code", None)
        lower = said.lower()
        if isinstance(error, self.library.Timeout):
            return OutsideFailure(f"{self.name}: no reply within {self.time_limit:g} s", kind="timeout")
        if _NO_KEY.search(lower):
            cure = f"set {' or '.join(self.missing_keys) or 'its key'} in the environment"
            return OutsideFailure(
                f"{self.name}: no key for {self.provider}; {cure}", permanent=True, kind="authentication"
            )
        if any(sign in lower for sign in _BROKEN_BODY) or (not status and not headers) or "Traceback" in str(error):
            return unreadable(self.name, f"the reply cannot be read ({one_line(said)})")
        if any(sign in lower for sign in _BROKEN_CONNECTION) and (status or 500) >= 500:
            return OutsideFailure(f"{self.name}: the connection broke ({one_line(said)})", kind="connection")
        if isinstance(error, self.library.ContentPolicyViolationError):
            return OutsideFailure(f"{self.name}: {one_line(said)}", permanent=True, kind="content_filter")
        # LiteLLM reports Anthropic's 529 as a 500.
        status = 529 if "overloaded_error" in lower else status
        failure = refused(self.name, status if isinstance(status, int) else 500, said, dict(headers))
        if is_about_schema(failure):
            failure.permanent = False
        return failure


def _named_in(message: str, settings: Mapping[str, Any]) -> str:
    """The one of the settings that may be left out and that a refusal names first; empty if it names none."""
    places = {name: message.find(name) for name in ("temperature", "seed", "reasoning_effort") if name in settings}
    return min((name for name, place in places.items() if place >= 0), key=places.__getitem__, default="")


async def _part(part: object, request: Request) -> dict[str, Any]:
    if isinstance(part, Image):
        url = await request.workbench.prepared(part.picture, "data URL", _data_url)
        return {"type": "image_url", "image_url": {"url": url}}
    return {"type": "text", "text": getattr(part, "text", "")}


def _data_url(encoded: EncodedPicture) -> str:
    return f"data:{encoded.media_type};base64,{b64encode(encoded.data).decode()}"


hosted = ModelAdapter(
    name="hosted",
    form="provider/name",
    takes=_takes,
    open=_open,
    summary="Hosted models of every provider that LiteLLM knows: openai/..., anthropic/..., gemini/...",
)
