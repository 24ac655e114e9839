"""What is kept, where, and how large it is."""

from pathlib import Path
from typing import get_args

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.settings.data_card import DataCard, part_in_words, total_in_words
from app.state.intents import Reveal
from core.api.maintenance import DiskUsage, FoldersMeasured, Part
from tests.fake_actions import FakeActions


def measured(models: int) -> FoldersMeasured:
    parts = (DiskUsage("models", models), DiskUsage("logs", 0))
    return FoldersMeasured(root="/data/waggle", name="", parts=parts)


def test_sizes_follow_what_was_measured(actions: FakeActions, qtbot: QtBot) -> None:
    """The folder can be opened once it is known."""
    card = DataCard(actions)
    qtbot.addWidget(card)
    (way,) = card.findChildren(QPushButton)
    assert not way.isEnabled()
    for models in (1_000, 7_000_000):
        card.show_sizes(measured(models))
    texts = [one.text() for one in card.findChildren(QLabel)]
    assert "7\u00a0MB" in texts
    assert not any("1 kB" in text for text in texts)
    assert "7\u00a0MB in all: /data/waggle" in texts
    way.click()
    assert actions.last(Reveal) == Reveal(Path("/data/waggle"))


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
