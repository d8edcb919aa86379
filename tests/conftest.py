"""Fixtures that tests of several packages share."""

from collections.abc import Iterator

import pytest
from loopback_server import ModelServer


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """A real HTTP server that answers as model providers do; `loopback_server.py` says how it is told what to do."""
    with ModelServer() as server:
        yield server
