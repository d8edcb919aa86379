"""A plain YAML form for commands that people write about real frames, in the paper's three conditions.

Such a dataset has no ground truth: nobody measured where anything is. Its answers can be looked at, not scored.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from evals.scenes.errors import CommandFileError

FRAMES, COMMANDS = "frames", "commands.yaml"
LARGEST_FILE = 2_000_000
NO_TRUTH = "no ground truth: written by hand for a real video, so answers are shown but not scored"
"""What is said wherever such a dataset is used."""

Direction = Literal["right", "left", "front", "up"]

TEMPLATE = """\
## Commands about the frames beside this file. There is no ground truth: answers are shown, not scored.
## Take the mark at the start of each line below away and write your own; every direction and every condition may be
## left out.
# scenarios:
#   - name: entrance           # unique in this file
#     observer: mirror         # what the speaker was busy with
#     anchor: coffee table     # what the target is relative to
#     observer_view: frame_000.png   # the frame nearest to what the speaker saw; needed for `given`
#     directions:
#       right:
#         inferred: While tidying up by the front door, I saw the keys on the right side of the coffee table.
#         stated: While wiping the mirror by the front door, I saw the keys on the right side of the coffee table.
#         given: The keys were on the right side of the coffee table.
"""
"""Valid as it stands and, whether `#` or `# ` is taken away and from which lines, with its example."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class Commands(_Strict):
    """The sentences of one direction; at least one of the three conditions.

    Attributes:
        inferred: Condition A.
        stated: Condition B.
        given: Condition C.
    """

    inferred: str | None = Field(default=None, min_length=3, max_length=500)
    stated: str | None = Field(default=None, min_length=3, max_length=500)
    given: str | None = Field(default=None, min_length=3, max_length=500)

    @model_validator(mode="after")
    def _some(self) -> Commands:
        if self.inferred is None and self.stated is None and self.given is None:
            raise ValueError("needs at least one of inferred, stated, given")
        return self


class Scenario(_Strict):
    """What one speaker says of one anchor.

    Attributes:
        name: Unique in the file.
        observer: What the speaker was busy with.
        anchor: What the target is relative to.
        observer_view: Name of the frame that is nearest to what the speaker saw.
        directions: Sentences by direction.
    """

    name: str = Field(min_length=1, max_length=100, pattern=r"^[^/\\|]+$")
    observer: str = Field(min_length=1, max_length=100)
    anchor: str = Field(min_length=1, max_length=100)
    observer_view: str | None = None
    directions: dict[Direction, Commands] = Field(min_length=1)

    @field_validator("observer_view")
    @classmethod
    def _plain_name(cls, name: str | None) -> str | None:
        if name is not None and (Path(name).name != name or name.startswith(".")):
            raise ValueError("must be the name of a frame without a folder")
        return name

    @model_validator(mode="after")
    def _view_where_given(self) -> Scenario:
        if self.observer_view is None and any(commands.given for commands in self.directions.values()):
            raise ValueError("has a `given` sentence, so it needs an observer_view")
        return self


class Tour(_Strict):
    """All commands of one folder of frames.

    Attributes:
        scenarios: Speakers with their commands; may be empty while nobody has written any.
    """

    scenarios: tuple[Scenario, ...] = ()

    @property
    def instances(self) -> int:
        """Number of sentences."""
        return sum(
            sentence is not None
            for scenario in self.scenarios
            for commands in scenario.directions.values()
            for sentence in (commands.inferred, commands.stated, commands.given)
        )


class _PlainLoader(yaml.SafeLoader):
    """YAML without anchors that repeat and without keys that stand twice."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.events.AliasEvent):
            event: Any = self.peek_event()  # type: ignore[no-untyped-call]
            raise yaml.constructor.ConstructorError(None, None, "aliases (*name) are not used here", event.start_mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        seen = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"{key.value!r} stands twice", key.start_mark)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep=deep)


def read_commands(folder: Path) -> Tour:
    """Reads `commands.yaml` beside a folder of frames.

    Args:
        folder: What `extract_frames` wrote.

    Returns:
        The commands; every frame they name is there.

    Raises:
        CommandFileError: If the file is missing, is no YAML, breaks the form, or names a frame that is not there.
    """
    path = folder / COMMANDS
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise CommandFileError(f"{path}: larger than {LARGEST_FILE // 1_000_000} MB: split it")
        raw = yaml.load(path.read_text(encoding="utf-8"), Loader=_PlainLoader)
    except OSError as error:
        raise CommandFileError(f"{path}: cannot be read ({error.strerror}): run `evals frames` first") from error
    except (UnicodeDecodeError, yaml.YAMLError, RecursionError, ValueError, TypeError) as error:
        text = " ".join(str(error).split())
        raise CommandFileError(f"{path}: is not plain YAML ({text}): mend that place") from error
    try:
        tour = Tour.model_validate(raw if raw is not None else {})
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "top level"
        raise CommandFileError(f"{path}: {place}: {first['msg']}") from error
    names = [scenario.name for scenario in tour.scenarios]
    for scenario in tour.scenarios:
        if names.count(scenario.name) > 1:
            raise CommandFileError(f"{path}: scenario {scenario.name!r} stands twice: give each its own name")
        if scenario.observer_view and not (folder / FRAMES / scenario.observer_view).is_file():
            raise CommandFileError(
                f"{path}: scenario {scenario.name!r}: there is no frame {scenario.observer_view!r} in {FRAMES}/"
            )
    return tour
