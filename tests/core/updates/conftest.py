"""An update source, served."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.update_source import UpdateSource


@pytest.fixture
def source(tmp_path: Path) -> Iterator[UpdateSource]:
    if sys.platform == "win32":
        pytest.skip("the tiny Waggles are shell scripts")
    folder = tmp_path / "source"
    folder.mkdir()
    with UpdateSource(folder).running() as running:
        yield running
