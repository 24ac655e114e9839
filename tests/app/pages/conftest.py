"""Figures are written as in English, whatever language this computer speaks."""

from collections.abc import Iterator

import pytest

from tests.app.languages import figures_of


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    with figures_of("en_US"):
        yield
