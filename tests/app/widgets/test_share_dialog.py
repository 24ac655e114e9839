"""A picture is seen, saved and copied."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.file_dialogs import FileDialogs
from app.widgets.share_dialog import PREVIEW_WIDTH, ShareDialog, SharedPicture, save_picture
from tests.app.reading import press, text


def blank(colour: str = "white") -> QImage:
    made = QImage(1_200, 600, QImage.Format.Format_RGB32)
    made.fill(colour)
    return made


def test_a_picture_is_written_whole(tmp_path: Path) -> None:
    """In place of an older one, as PNG whatever the name says; nothing else is left there."""
    path = tmp_path / "mine.png"
    path.write_bytes(b"an older picture")
    assert save_picture(blank("red"), path) == ""
    assert path.read_bytes().startswith(b"\x89PNG")
    assert QImage(str(path)) == blank("red")
    assert list(tmp_path.iterdir()) == [path]


def test_a_picture_that_cannot_be_written_is_explained(tmp_path: Path) -> None:
    """What is there stays."""
    assert save_picture(blank(), tmp_path / "nowhere" / "mine.png")
    assert save_picture(blank(), tmp_path)
    assert tmp_path.is_dir()


@pytest.fixture
def dialog(qtbot: QtBot) -> Iterator[ShareDialog]:
    parent = QWidget()
    qtbot.addWidget(parent)
    picture = SharedPicture(blank("red"), "19 hours", "Nothing else.", "mine.png")
    made = ShareDialog(picture, FileDialogs(), parent)
    made.show()
    yield made
    assert parent  # a dialog goes with its parent


def test_the_picture_is_shown_and_read_aloud(dialog: ShareDialog) -> None:
    """As wide as a preview is, with the words that are on it, and with what is in it."""
    (preview,) = (p for p in dialog.findChildren(QLabel) if not p.pixmap().isNull())
    assert preview.pixmap().deviceIndependentSize().width() == PREVIEW_WIDTH
    assert preview.accessibleName() == "Preview: 19 hours"
    assert "Nothing else." in text(dialog)


def test_it_is_saved_where_the_person_says(
    dialog: ShareDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    """The dialog stays until it is known where to."""
    press(dialog, "Save picture…")
    assert dialog.isVisible()
    (asked,) = dialog.findChildren(QFileDialog)
    with qtbot.waitSignal(dialog.saved) as saved:
        asked.fileSelected.emit(str(tmp_path / "mine.png"))
    assert saved.args == [tmp_path / "mine.png"]
    assert QImage(str(tmp_path / "mine.png")) == blank("red")
    assert not dialog.isVisible()


def test_it_can_be_copied(dialog: ShareDialog) -> None:
    """And says so."""
    press(dialog, "Copy")
    assert QGuiApplication.clipboard().image().size() == blank().size()
    assert "Copied." in text(dialog)


def test_it_can_be_closed(dialog: ShareDialog) -> None:
    """Without a trace."""
    press(dialog, "Close")
    assert not dialog.isVisible()
