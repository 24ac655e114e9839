"""Samplers in llama.cpp."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.llama_models import SamplerOpener


@pytest.fixture
def open_sampler(tmp_path: Path) -> Iterator[SamplerOpener]:
    """Opens samplers on files of their own, and closes them after the test."""
    opener = SamplerOpener(tmp_path)
    yield opener
    opener.close()
