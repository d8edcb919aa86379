"""`evals doctor`: versions, extras, keys, and what stands in the way."""

from __future__ import annotations

import json
from typing import Any

import typer

from evals.commands.output import WITH_FAILURES, Format, FormatOption


def doctor(output: FormatOption = Format.TABLE) -> None:
    """Say which versions, extras and keys are there, and what stands in the way."""
    from evals.reporting.table import as_csv
    from evals.reporting.text import printable

    rows = [*_versions(), *_extras(), *_keys(), *_problems()]
    if output is Format.JSON:
        print(json.dumps(rows, indent=1))
    elif output is Format.CSV:
        print(as_csv(rows), end="")
    else:
        for row in rows:
            print(printable(f"{row['kind']:8} {row['name']}: {row['state']}"))
    if any(row["kind"] == "problem" for row in rows):
        raise typer.Exit(WITH_FAILURES)


def _versions() -> list[dict[str, Any]]:
    import platform

    rows = [_row("version", "python", f"{platform.python_version()} on {platform.platform()}")]
    return rows + [_row("version", name, _version(name) or "missing") for name in ("situate", *_required(None))]


def _extras() -> list[dict[str, Any]]:
    from importlib.metadata import metadata

    rows = []
    for extra in sorted(metadata("situate").get_all("Provides-Extra") or []):
        missing = [name for name in _required(extra) if _version(name) is None]
        cure = f"pip install 'situate[{extra}]'"
        state = f"not installed ({', '.join(missing)}); {cure}" if missing else "installed"
        rows.append(_row("extra", extra, state))
    return rows


def _required(extra: str | None) -> list[str]:
    """Distributions that situate needs: always, or for an extra."""
    from importlib.metadata import requires

    from packaging.requirements import Requirement

    needed = [Requirement(text) for text in requires("situate") or []]
    if extra is None:
        return [one.name for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})]
    return [one.name for one in needed if one.marker is not None and one.marker.evaluate({"extra": extra})]


def _version(name: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _keys() -> list[dict[str, Any]]:
    """Names of the variables that hold keys, never their values."""
    import os

    usual = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "SITUATE_API_KEY", "HF_TOKEN"]
    others = sorted(name for name in os.environ if name.endswith("_API_KEY") and name not in usual)
    return [_row("key", name, "set" if os.environ.get(name, "").strip() else "not set") for name in [*usual, *others]]


def _problems() -> list[dict[str, Any]]:
    from evals.shadowing import contended, shadowed

    found = [*shadowed(), *contended()]
    bad = {"1.82.7", "1.82.8"}
    if _version("litellm") in bad:
        found.append(f"litellm {_version('litellm')} is reported to be compromised; pip install -U litellm")
    return [_row("problem", "shadowing" if "litellm" not in line else "litellm", line) for line in found]


def _row(kind: str, name: str, state: str) -> dict[str, Any]:
    return {"kind": kind, "name": name, "state": state}
