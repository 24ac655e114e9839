"""A DHT that is looked at more often than a laptop would."""

import pytest

from core.swarm.dht import discovery as dht_module


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in {"_LOOKING_S": 0.05, "_LONELY_S": 0.2, "_RETRY_S": 0.2}.items():
        monkeypatch.setattr(dht_module, name, seconds)
