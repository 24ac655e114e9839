"""Figures are taken along, where the person wants them."""

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.contribution.share_dialog import ShareDialog
from app.pages.contribution.share_picture import SIZE
from app.pages.contribution.take_away import TakeAway
from app.style.theme import DARK, LIGHT
from tests.app.pages.contribution.samples import MONTH


@pytest.fixture
def card(qtbot: QtBot) -> TakeAway:
    made = TakeAway(LIGHT)
    qtbot.addWidget(made)
    made.show_contribution(MONTH)
    made.show()
    return made


def press(card: TakeAway | ShareDialog, text: str) -> None:
    (found,) = (b for b in card.findChildren(QPushButton) if b.text() == text)
    found.click()


def answer(card: TakeAway, path: Path) -> None:
    (dialog,) = card.findChildren(QFileDialog)
    dialog.fileSelected.emit(str(path))


def test_a_table_is_asked_for_with_its_place(card: TakeAway, qtbot: QtBot, tmp_path: Path) -> None:
    """It is written by others, so nothing happens here."""
    press(card, "Save as table…")
    with qtbot.waitSignal(card.table_asked) as asked:
        answer(card, tmp_path / "mine.csv")
    assert asked.args == [tmp_path / "mine.csv"]
    assert list(tmp_path.iterdir()) == []


def test_a_picture_is_seen_and_then_saved(card: TakeAway, qtbot: QtBot, tmp_path: Path) -> None:
    """In the colours of the window, and the preview goes when it is done."""
    card.show_palette(DARK)
    press(card, "Make a picture…")
    (dialog,) = card.findChildren(ShareDialog)
    assert dialog.isVisible()
    press(dialog, "Save picture…")
    with qtbot.waitSignal(card.saved) as saved:
        answer(card, tmp_path / "mine.png")
    assert saved.args == [tmp_path / "mine.png"]
    picture = QImage(str(tmp_path / "mine.png"))
    assert picture.size() == SIZE
    assert picture.pixelColor(2, 2).name() == DARK.surface.lower()
    assert not dialog.isVisible()


def test_a_picture_that_cannot_be_saved_is_explained(
    card: TakeAway, qtbot: QtBot, tmp_path: Path
) -> None:
    """With what to do."""
    card.preview()
    (dialog,) = card.findChildren(ShareDialog)
    press(dialog, "Save picture…")
    with qtbot.waitSignal(card.failed) as failed:
        answer(card, tmp_path / "nowhere" / "mine.png")
    assert failed.args is not None
    assert "Choose another place" in failed.args[0]


@pytest.mark.parametrize("way", ["Close", "Save picture…"])
def test_a_preview_goes_with_its_picture(card: TakeAway, tmp_path: Path, way: str) -> None:
    """Each holds some megabytes: whoever looks at ten of them does not keep ten in memory."""
    card.preview()
    (dialog,) = card.findChildren(ShareDialog)
    press(dialog, way)
    if way != "Close":
        answer(card, tmp_path / "mine.png")
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert card.findChildren(ShareDialog) == []


def test_before_there_are_figures_there_is_no_picture(qtbot: QtBot) -> None:
    """Nothing is drawn from nothing."""
    card = TakeAway(LIGHT)
    qtbot.addWidget(card)
    card.preview()
    assert card.findChildren(ShareDialog) == []
