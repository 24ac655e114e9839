"""A Redis for tests that talk to it."""

from collections.abc import Iterator

import pytest

from tests.redis_server import Server, redis_server


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with redis_server() as running:
        yield running


@pytest.fixture
def redis(server: Server) -> Server:
    """With nothing in it."""
    server.flush()
    return server
