"""Whether the five top-level packages, whose names are common words, are really the ones that Python finds."""

from __future__ import annotations

import importlib.util
from importlib.metadata import packages_distributions
from pathlib import Path

PACKAGES = ("evals", "graphs", "agents", "prompts", "tools")
ROOT = Path(__file__).resolve().parent.parent
"""Where this package's siblings must be found."""


def shadowed() -> list[str]:
    """What stands in the way of each package that Python finds elsewhere, a line each; quick, and imports nothing."""
    lines = []
    for name in PACKAGES:
        found = importlib.util.find_spec(name)
        places = list(found.submodule_search_locations or [found.origin or ""]) if found else []
        if not any(Path(place).resolve() == ROOT / name for place in places):
            where = places[0] if places else "nowhere"
            lines.append(f"package {name!r} of situate is shadowed: Python finds it at {where}; {_cure(where)}")
    return lines


def _cure(where: str) -> str:
    if "site-packages" in where or "dist-packages" in where:
        return "install situate in a virtual environment of its own"
    return "start from another folder, rename it, or take its folder off PYTHONPATH"


def contended() -> list[str]:
    """Other installed distributions that bring a package of the same name, and local folders that would shadow one."""
    owners = packages_distributions()
    lines = [
        f"distribution {owner!r} also installs a package {name!r}; install situate in an environment of its own"
        for name in PACKAGES
        for owner in sorted(set(owners.get(name, [])) - {"situate"})
    ]
    for name in PACKAGES:
        here = Path.cwd() / name
        if here.resolve() != ROOT / name and ((here / "__init__.py").is_file() or here.with_suffix(".py").is_file()):
            lines.append(f"folder {Path.cwd()} holds a {name!r} of its own, which `python -m evals` there would take")
    return lines
