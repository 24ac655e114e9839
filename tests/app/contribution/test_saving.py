"""Where a file goes is the person's choice."""

from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from app.contribution.saving import Question, ask_where, save_picture

QUESTION = Question(
    "Save as table",
    "Table (*.csv)",
    "figures.csv",
    QStandardPaths.StandardLocation.DocumentsLocation,
)


def blank(colour: str = "white") -> QImage:
    made = QImage(12, 6, QImage.Format.Format_RGB32)
    made.fill(colour)
    return made


def test_the_person_names_the_file(qtbot: QtBot, tmp_path: Path) -> None:
    """A name is proposed, replacing is asked about, and a suffix is added where it was left out."""
    parent = QWidget()
    qtbot.addWidget(parent)
    chosen: list[Path] = []
    ask_where(parent, QUESTION, chosen.append)
    (dialog,) = parent.findChildren(QFileDialog)
    assert dialog.acceptMode() is QFileDialog.AcceptMode.AcceptSave
    assert not dialog.testOption(QFileDialog.Option.DontConfirmOverwrite)
    assert [Path(name).name for name in dialog.selectedFiles()] == ["figures.csv"]
    dialog.setDirectory(str(tmp_path))
    dialog.selectFile("mine")
    dialog.accept()
    assert chosen == [tmp_path / "mine.csv"]


def test_thinking_better_of_it_does_nothing(qtbot: QtBot) -> None:
    """A dialog that is closed names no file."""
    parent = QWidget()
    qtbot.addWidget(parent)
    chosen: list[Path] = []
    ask_where(parent, QUESTION, chosen.append)
    (dialog,) = parent.findChildren(QFileDialog)
    dialog.reject()
    assert chosen == []


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
