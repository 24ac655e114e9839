"""What is said about the data folder."""

from typing import get_args

import pytest
from PySide6.QtCore import QLocale

from app.pages.settings.keeping import part_in_words, total_in_words
from core.api.maintenance import DiskUsage, FoldersMeasured, Part


@pytest.fixture(autouse=True)
def english() -> None:
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))


def test_every_part_has_words_of_its_own() -> None:
    """A new one is not forgotten."""
    parts: tuple[Part, ...] = get_args(Part)
    assert len({part_in_words(part) for part in parts}) == len(parts)


def test_all_of_it_is_summed_up() -> None:
    """In words."""
    measured = FoldersMeasured(
        root="x", name="", parts=(DiskUsage("models", 2_000_000), DiskUsage("logs", 5_000_000))
    )
    assert total_in_words(measured) == "7\u00a0MB in all"
