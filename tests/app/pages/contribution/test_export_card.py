"""Figures are taken along, where the person wants them."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from app.pages.contribution.export_card import SIZE, ExportCard, draw_picture
from app.pages.contribution.share_words import share_words
from app.style.theme import DARK, LIGHT, Palette
from app.widgets.share_dialog import ShareDialog
from tests.app.pages.contribution.samples import EVERY, MONTH, YEARS
from tests.app.reading import press


@pytest.fixture
def card(qtbot: QtBot) -> ExportCard:
    made = ExportCard(LIGHT)
    qtbot.addWidget(made)
    made.show_contribution(MONTH)
    made.show()
    return made


def answer(card: ExportCard, path: Path) -> None:
    (dialog,) = card.findChildren(QFileDialog)
    dialog.fileSelected.emit(str(path))


def test_a_table_is_asked_for_with_its_place(
    card: ExportCard, qtbot: QtBot, tmp_path: Path
) -> None:
    """It is written by others, so nothing happens here."""
    press(card, "Save as table…")
    with qtbot.waitSignal(card.table_asked) as asked:
        answer(card, tmp_path / "mine.csv")
    assert asked.args == [tmp_path / "mine.csv"]
    assert list(tmp_path.iterdir()) == []


def test_a_picture_is_seen_and_then_saved(card: ExportCard, qtbot: QtBot, tmp_path: Path) -> None:
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
    card: ExportCard, qtbot: QtBot, tmp_path: Path
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
def test_a_preview_goes_with_its_picture(card: ExportCard, tmp_path: Path, way: str) -> None:
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
    card = ExportCard(LIGHT)
    qtbot.addWidget(card)
    card.preview()
    assert card.findChildren(ShareDialog) == []


MARGIN = 40  # px in which nothing may stand


def edge_colours(picture: QImage) -> set[str]:
    """Of the right margin, where a text that is too long would stick out."""
    left = SIZE.width() - MARGIN
    return {
        QColor(picture.pixel(x, y)).name()
        for x in range(left, SIZE.width(), 2)
        for y in range(SIZE.height())
    }


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("name", ["one", "month", "years", "old"])
def test_it_is_drawn_for_every_history_in_both_palettes(name: str, palette: Palette) -> None:
    """As large as sites want it, in the palette's colours, and nothing reaches the edge."""
    picture = draw_picture(share_words(EVERY[name]), palette)
    assert picture.size() == SIZE
    assert QColor(picture.pixel(2, 2)).name() == palette.surface.lower()
    assert edge_colours(picture) == {palette.surface.lower()}
    drawn = {QColor(picture.pixel(x, 500)).name() for x in range(0, SIZE.width(), 2)}
    assert palette.accent.lower() in drawn  # bars


def test_long_words_become_smaller(qapp: QApplication) -> None:
    """Other languages and great figures need more room; they stay inside."""
    assert qapp
    words = share_words(YEARS)
    long = replace(words, headline=words.headline * 3, name="very-long-name" * 5)
    picture = draw_picture(long, LIGHT)
    assert edge_colours(picture) == {LIGHT.surface.lower()}


def test_another_name_is_another_picture(qapp: QApplication) -> None:
    """The made-up name is on it."""
    assert qapp
    words = share_words(MONTH)
    assert draw_picture(words, LIGHT) == draw_picture(words, LIGHT)
    assert draw_picture(words, LIGHT) != draw_picture(replace(words, name="jolly-lark-11"), LIGHT)
