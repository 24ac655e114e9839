"""The picture is seen before it goes anywhere."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.pages.contribution.share_dialog import PREVIEW_WIDTH, ShareDialog
from app.pages.contribution.share_picture import draw_picture
from app.pages.contribution.share_words import share_words
from app.style.theme import LIGHT
from tests.app.pages.contribution.samples import MONTH


@pytest.fixture
def picture(qtbot: QtBot) -> QImage:
    assert qtbot
    return draw_picture(share_words(MONTH), LIGHT)


@pytest.fixture
def saved() -> list[QDialog]:
    return []


@pytest.fixture
def dialog(qtbot: QtBot, picture: QImage, saved: list[QDialog]) -> Iterator[ShareDialog]:
    parent = QWidget()
    qtbot.addWidget(parent)
    made = ShareDialog(picture, "19 hours", saved.append, parent)
    made.show()
    yield made
    assert parent  # a dialog goes with its parent


def press(dialog: ShareDialog, text: str) -> None:
    (found,) = (b for b in dialog.findChildren(QPushButton) if b.text() == text)
    found.click()


def test_the_picture_is_shown_and_read_aloud(dialog: ShareDialog) -> None:
    """As wide as a preview is, with the words that are on it."""
    (preview,) = (p for p in dialog.findChildren(QLabel) if not p.pixmap().isNull())
    assert preview.pixmap().deviceIndependentSize().width() == PREVIEW_WIDTH
    assert preview.accessibleName() == "Preview: 19 hours"


def test_saving_is_left_to_whoever_knows_where_to(
    dialog: ShareDialog, saved: list[QDialog]
) -> None:
    """The dialog stays, until it is known where to."""
    press(dialog, "Save picture…")
    assert saved == [dialog]
    assert dialog.isVisible()


def test_it_can_be_copied(dialog: ShareDialog, picture: QImage) -> None:
    """And says so."""
    press(dialog, "Copy")
    assert QGuiApplication.clipboard().image().size() == picture.size()
    assert "Copied." in {words.text() for words in dialog.findChildren(QLabel)}


def test_it_can_be_closed(dialog: ShareDialog) -> None:
    """Without a trace."""
    press(dialog, "Close")
    assert not dialog.isVisible()
