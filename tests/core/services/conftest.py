"""What services are asked with."""

from collections.abc import AsyncIterator

import pytest

from core.api.requests import Reply
from core.paths import Home
from core.services.service import ServiceContext
from tests.fake_model_hub import FakeModelHub
from tests.fetching import everybodys_hub


@pytest.fixture(name="hub")
async def fake_hub(
    model_files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[FakeModelHub]:
    async with everybodys_hub(model_files, monkeypatch) as running:
        yield running


@pytest.fixture
def place(home: Home) -> ServiceContext:
    return ServiceContext(home)


@pytest.fixture
def told() -> list[Reply]:
    """What services said, where a test collects it."""
    return []
