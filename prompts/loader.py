"""Loads text templates and fills them; a user's folder replaces any of them."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    FileSystemLoader,
    StrictUndefined,
    TemplateNotFound,
    TemplateSyntaxError,
    meta,
)
from jinja2.sandbox import SandboxedEnvironment

from prompts.errors import PromptError

TEMPLATES = Path(__file__).parent / "templates"

WHOLE_PROMPTS = "graphs"
"""A file `graphs/<graph>.j2` in a user's folder is the whole text of that graph's fused call."""


class Prompts:
    """The templates of a run."""

    def __init__(self, override: Path | None = None) -> None:
        """Opens the templates.

        Args:
            override: Folder whose files replace the built-in ones of the same name; None for none.

        Raises:
            PromptError: If the folder is missing, holds no template, or holds one that replaces nothing.
        """
        self.override = override
        loaders: list[BaseLoader] = [FileSystemLoader(TEMPLATES)]
        if override is not None:
            _check_override(override)
            loaders.insert(0, FileSystemLoader(override))
        self._environment = SandboxedEnvironment(
            loader=ChoiceLoader(loaders),
            undefined=StrictUndefined,
            autoescape=False,
            # A file that is changed during a run must not change the run.
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
        )

    def render(self, template: str, values: Mapping[str, object], text: str = "") -> str:
        """Fills a template.

        Args:
            template: Name relative to the templates' folder, e.g. `steps/frame_selection.j2`.
            values: Its variables.
            text: What to fill where there is no file of that name: the words of a step of somebody's own.

        Returns:
            The text, without white space at either end.

        Raises:
            PromptError: If the template is missing or broken, or uses a variable that has no value.
        """
        try:
            if text and not self.has(template):
                return self._environment.from_string(text).render(values).strip()
            return self._environment.get_template(template).render(values).strip()
        except TemplateNotFound as error:
            raise PromptError(
                f"prompt template {error.name!r} does not exist in {TEMPLATES.name}/ or --prompts"
            ) from None
        except Exception as error:
            # A template computes, so it can fail in any way in which Python can.
            line = getattr(error, "lineno", None)
            file = self._file(template) if self.has(template) else template
            place = f"{file}, line {line}" if line else str(file)
            known = ", ".join(sorted(values))
            wrong = " ".join(str(error).split())
            raise PromptError(f"{place}: {wrong}; variables that may be used there: {known}") from None

    def has(self, template: str) -> bool:
        """Whether there is a template of that name."""
        return self._file(template).is_file()

    def whole_prompts(self) -> list[str]:
        """Names of the graphs whose whole text a user's folder replaces."""
        folder = None if self.override is None else self.override / WHOLE_PROMPTS
        return [] if folder is None else sorted(path.stem for path in folder.glob("*.j2"))

    def digest(self, templates: Iterable[str]) -> str:
        """Hash of the text of some templates, for fingerprints; names that do not exist do not change it.

        What a template includes, imports or extends counts as its own text.
        """
        total = hashlib.sha256()
        for name in sorted(self._with_included(templates)):
            total.update(f"{name}\0".encode() + self._file(name).read_bytes() + b"\0")
        return total.hexdigest()[:32]

    def _with_included(self, templates: Iterable[str]) -> set[str]:
        """The templates that exist, and those that they refer to; a name that is computed may be any of the user's."""
        found: set[str] = set()
        left = [name for name in templates if self.has(name)]
        while left:
            name = left.pop()
            if name in found:
                continue
            found.add(name)
            try:
                parsed = self._environment.parse(self._file(name).read_text(encoding="utf-8"))
            except (TemplateSyntaxError, UnicodeDecodeError):
                # Told where it is filled.
                continue
            for other in meta.find_referenced_templates(parsed):
                left += [one for one in (self._own() if other is None else [other]) if self.has(one)]
        return found

    def _own(self) -> list[str]:
        """Names of the files of a user's folder."""
        folder = self.override
        return [] if folder is None else [path.relative_to(folder).as_posix() for path in folder.rglob("*.j2")]

    def _file(self, template: str) -> Path:
        if self.override is not None and (self.override / template).is_file():
            return self.override / template
        return TEMPLATES / template


def _check_override(folder: Path) -> None:
    if not folder.is_dir():
        raise PromptError(f"--prompts {folder}: no such folder")
    known = {str(path.relative_to(TEMPLATES).as_posix()) for path in TEMPLATES.rglob("*.j2")}
    given = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.j2"))
    if not given:
        raise PromptError(f"--prompts {folder}: holds no .j2 file; built-in ones are called {', '.join(sorted(known))}")
    for name in given:
        if name not in known and not name.startswith(f"{WHOLE_PROMPTS}/"):
            near = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
            cure = f"did you mean {' or '.join(near)}?" if near else f"built-in ones: {', '.join(sorted(known))}"
            raise PromptError(f"--prompts {folder / name}: replaces no template; {cure}")
