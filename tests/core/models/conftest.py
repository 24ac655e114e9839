"""A hub to fetch models from, and a home to put them in."""

from collections.abc import AsyncIterator
from pathlib import Path

import huggingface_hub
import pytest

from core.paths import Home
from tests.fake_model_hub import FakeModelHub


@pytest.fixture
async def hub(
    model_files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[FakeModelHub]:
    """A running hub; the suite forbids the network, but this one is our own."""
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    async with FakeModelHub(model_files).running() as running:
        yield running


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path)
    home.prepare()
    return home
