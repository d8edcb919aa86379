"""What can go wrong while houses are made, each in one line with its cure."""

from __future__ import annotations

from tools.errors import UserError


class HouseFileError(UserError):
    """A house file is not what ProcTHOR's format says."""


class RendererMissingError(UserError):
    """The package or the build that a renderer needs is not there."""


class SceneError(UserError):
    """A house cannot be used: no free floor, a camera inside something solid, nothing to look at."""


class DatasetFolderError(UserError):
    """The output folder holds something else, or the data folder lacks something."""


class VideoError(UserError):
    """A video cannot be read, or too few frames are in it."""


class CommandFileError(UserError):
    """A file of hand-written commands breaks its form."""


class SentenceError(UserError):
    """A sentence was asked for that would give away what it must not."""
