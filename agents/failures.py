"""What went wrong with a call, in one line that a person can act on and that holds no key."""

from __future__ import annotations

import email.utils
import json
import os
import re
import time
from collections.abc import Mapping
from functools import lru_cache

from agents.model import FailureKind, OutsideFailure

LONGEST_MESSAGE = 300
"""Characters kept of what a server said."""

_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)S?$", re.IGNORECASE)
_LEAST_KEY = 6
"""Characters from which the value of a key variable is taken for a key and not for a word."""

_SECRETS = [
    (re.compile(r"\b(sk|pk|xai|gsk|hf|AIza)([-_][^\s'\",;&]{4,}|[0-9A-Za-z_-]{30,})"), "[key]"),
    (re.compile(r"(?i)\b(bearer|basic)\s+[^\s'\",;]+"), r"\1 [key]"),
    (re.compile(r"(?i)((?:api[-_]?|x-api-|access[-_]?)?key|token)(\s*[=:]\s*)['\"]?[^\s'\"&,;]{8,}"), r"\1\2[key]"),
    (re.compile(r"(://)[^/\s:@]+:[^/\s@]+@"), r"\1[key]@"),
]

_BY_STATUS: Mapping[int, FailureKind] = {
    400: "bad_request",
    401: "authentication",
    402: "quota",
    403: "forbidden",
    404: "not_found",
    408: "timeout",
    413: "bad_request",
    415: "bad_request",
    422: "bad_request",
    425: "overloaded",
    429: "rate_limit",
    503: "overloaded",
    504: "timeout",
    529: "overloaded",
}
_PERMANENT: frozenset[FailureKind] = frozenset(
    {"authentication", "forbidden", "quota", "not_found", "content_filter", "bad_request"}
)

_FILTERED = re.compile(
    r"content[_ -]?(filter|policy|management)|responsible ?ai ?policy|prohibited_content|safety (system|filter)"
    r"|requires moderation|input was flagged|flagged (as|by|for)"
)
_SPENT = re.compile(r"insufficient_quota|exceeded your current quota|credit balance is too low|billing[_ ](hard|not)")
_KEY = re.compile(
    r"api[ _]key (not valid|is invalid|client option must be set)|(invalid|incorrect|missing|no) (x-)?api[ _-]key"
)
_IMAGES = re.compile(r"at most \d+ image|too many images|maximum number of images|image limit|limit.mm.per.prompt")
_SCHEMA = re.compile(
    r"response_format|json_schema|structured|guided|grammar|response_schema|output_config|output_format"
)


@lru_cache(maxsize=4096)
def _names_a_key(name: str) -> bool:
    return _SECRET_NAME.search(name) is not None


def without_known_keys(text: str) -> str:
    """Takes the values of the environment's key variables out of a text that must otherwise stay as it came.

    A value counts as it is sent, without white space around it, and as JSON spells it.
    """
    for name in filter(_names_a_key, os.environ):
        value = os.environ.get(name, "").strip()
        # A plain number, as in MAX_TOKENS, is no key.
        if len(value) >= _LEAST_KEY and not value.isdecimal():
            for spelled in {value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}:
                text = text.replace(spelled, "[key]")
    return text


def without_keys(text: str) -> str:
    """Takes everything out of a text that is, or looks like, a key; values of key variables are known and go first."""
    text = without_known_keys(text)
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


def one_line(text: str, most: int = LONGEST_MESSAGE) -> str:
    """A server's words on one line, without keys and control characters, shortened to `most` characters."""
    line = " ".join(without_keys("".join(c if c.isprintable() else " " for c in text)).split())
    return line if len(line) <= most else line[: most - 3] + "..."


def refused(place: str, status: int, message: str, headers: Mapping[str, str] | None = None) -> OutsideFailure:
    """The failure for an error status.

    Args:
        place: Model or server that answered, as the user knows it.
        status: The HTTP status.
        message: What the server said.
        headers: Headers of the response; keys in lower case.
    """
    said = message.lower()
    kind = _BY_STATUS.get(status, "server" if status >= 500 else "bad_request")
    if _FILTERED.search(said):
        kind = "content_filter"
    elif _SPENT.search(said):
        kind = "quota"
    elif status == 400 and _KEY.search(said):
        kind = "authentication"
    return OutsideFailure(
        f"{place}: {status} {one_line(message) or 'without a word'}",
        retry_after=wait_hint(headers or {}),
        permanent=kind in _PERMANENT,
        kind=kind,
    )


def wait_hint(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server asks to wait (`retry-after-ms`, `Retry-After` in seconds or as a date); None if neither."""
    lower = {name.lower(): value for name, value in headers.items()}
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            return max(0.0, float(lower[name]) / scale)
        except (KeyError, ValueError):
            continue
    try:
        until = email.utils.parsedate_to_datetime(lower["retry-after"])
    except (KeyError, ValueError, TypeError):
        return None
    return max(0.0, until.timestamp() - time.time())


def is_about_images(failure: OutsideFailure) -> bool:
    """Whether a server refused the number of pictures."""
    return bool(_IMAGES.search(str(failure).lower()))


def is_about_schema(failure: OutsideFailure) -> bool:
    """Whether a server refused the form in which the reply's schema was sent."""
    return failure.kind == "bad_request" and bool(_SCHEMA.search(str(failure).lower()))
