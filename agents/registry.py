"""Things that are found by their name: one small file each in its folder, or an entry point of another package."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Generic, TypeVar

from tools.errors import UserError

T = TypeVar("T")


class UnknownNameError(UserError):
    """A name that no file and no entry point carries."""


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UnknownNameError:
    """Makes the error for a name that is not known, with the nearest names that are."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    cure = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(names) or 'none'}"
    return UnknownNameError(f"unknown {kind} {name!r}: {cure}")


@dataclass(frozen=True)
class Registry(Generic[T]):
    """The named things of one kind.

    `<package>/<name>.py` holds the thing `<name>`; another package adds its own under the entry point group.

    Attributes:
        kind: What one of them is called, in messages.
        package: Package whose modules hold one thing each.
        holds: Type of the things; modules that hold none of that name are not part of the registry.
        group: Entry point group, e.g. `situate.graphs`.
    """

    kind: str
    package: str
    holds: type[T]
    group: str

    def names(self) -> list[str]:
        """Names of everything registered, sorted. Nothing is imported but the package itself."""
        folder = importlib.import_module(self.package)
        modules = [
            module.name
            for module in pkgutil.iter_modules(folder.__path__)
            if not module.name.startswith("_") and module.name != "registry"
        ]
        return sorted({*modules, *(point.name for point in entry_points(group=self.group))})

    def get(self, name: str) -> T:
        """Imports and returns the thing of a name.

        Raises:
            UnknownNameError: If there is none, with the nearest names, or what carries the name is no such thing.
        """
        if name not in self.names():
            raise unknown_name(self.kind, name, self.names())
        external = {point.name: point for point in entry_points(group=self.group)}
        found: object
        if name in external:
            place = f"its entry point {external[name].value}"
            try:
                found = external[name].load()
            except Exception as error:
                # Another package's code, which can fail in any way.
                raise UnknownNameError(
                    f"{self.kind} {name!r}: {place} cannot be loaded ({type(error).__name__}: {error})"
                ) from error
        else:
            place = "its file"
            found = getattr(importlib.import_module(f"{self.package}.{name}"), name, None)
        if not isinstance(found, self.holds):
            raise UnknownNameError(
                f"{self.kind} {name!r}: {place} must define a {self.holds.__name__} called {name!r}, "
                f"not {type(found).__name__}"
            )
        return found

    def all(self) -> list[T]:
        """Everything registered, in the order of the names."""
        return [self.get(name) for name in self.names()]
