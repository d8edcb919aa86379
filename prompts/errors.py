"""Mistakes in a template that its author can mend."""


class PromptError(Exception):
    """A template is missing, broken or lacks a variable; the message names the file and the cure in one line."""
