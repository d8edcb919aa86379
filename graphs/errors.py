"""Mistakes in a graph that its author can mend."""

from tools.errors import UserError


class GraphError(UserError):
    """A graph that cannot be built, loaded, or run on what it is given."""
