"""What mends a call that failed, in words for the person who can mend it."""

from __future__ import annotations

from agents.failures import is_about_images, is_about_schema
from agents.model import Model, OutsideFailure
from agents.models.openai_server import OpenAIServer


async def cure_for(failure: OutsideFailure, model: Model, pictures: int) -> str:
    """Says what mends a failed call.

    Args:
        failure: The failure.
        model: The model that was asked; a server is asked which models it serves.
        pictures: How many pictures the request held.

    Returns:
        The cure; empty where the failure says all there is to say.
    """
    if is_about_images(failure):
        limit = f"--limit-mm-per-prompt '{{\"image\":{pictures}}}'"
        return f"the request holds {pictures} pictures; start vLLM with {limit}, or take another model"
    if is_about_schema(failure):
        server = isinstance(model, OpenAIServer)
        form = (
            f"{model.base}?schema=off#{model.model}" if isinstance(model, OpenAIServer) else f"{model.name}?schema=off"
        )
        other = ", or ?schema=json or ?schema=regex for another form of it" if server else ""
        return f"it refuses the schema of the reply; leave the schema out with --model {form!r}{other}"
    if "redirected to" in str(failure):
        return ""
    match failure.kind:
        case "timeout":
            return "see that it is not stuck; one that needs longer, say to load, is given more with --timeout"
        case "authentication" | "forbidden":
            variables = getattr(model, "key_variable", "") or " or ".join(getattr(model, "missing_keys", ()))
            if "in the environment" in str(failure) or "set it anew" in str(failure):
                return ""
            return f"set {variables} to a key for it in the environment" if variables else "check its key"
        case "not_found" if isinstance(model, OpenAIServer):
            return await _served_instead(model)
        case "not_found":
            return "check the model's name at its provider, and that the key may use it"
        case "quota":
            return "the account has no credit left; top it up, then give the same command"
        case "rate_limit" | "overloaded":
            return "try again later, or set --rpm lower"
        case "bad_request":
            return "the server refuses the request itself; change what its message names"
    return ""


async def _served_instead(server: OpenAIServer) -> str:
    try:
        served = sorted(await server.served())
    except OutsideFailure:
        return f"check that {server.base} is the API's address; it often ends in /v1"
    return f"name one that the server serves behind the #: {', '.join(served) or 'it serves none'}"
