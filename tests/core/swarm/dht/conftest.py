"""A DHT that is looked at more often than a laptop would."""

import pytest

from core.swarm.dht import discovery as dht_module


@pytest.fixture
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at the session more often while somebody waits, or while no node is known."""
    for name, seconds in {"_LOOKING_S": 0.05, "_LONELY_S": 0.2, "_RETRY_S": 0.2}.items():
        monkeypatch.setattr(dht_module, name, seconds)
