"""Asks where a file shall go, and writes a picture there in one step."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QByteArray, QSaveFile, QStandardPaths, Qt
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QFileDialog, QWidget


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and what is proposed."""

    title: str
    kind: str  # such as "Table (*.csv)"
    name: str  # of the file, with its suffix
    folder: QStandardPaths.StandardLocation


def ask_where(parent: QWidget, question: Question, then: Callable[[Path], None]) -> None:
    """Let the person name a file, and do ``then`` with it; the dialog asks before it replaces one.

    Returns at once; nothing is done where the person thinks better of it.
    """
    folder = QStandardPaths.writableLocation(question.folder)
    dialog = QFileDialog(parent, question.title, folder, question.kind)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(Path(question.name).suffix.removeprefix("."))
    dialog.selectFile(question.name)
    dialog.fileSelected.connect(lambda name: then(Path(name)))
    dialog.open()


def save_picture(picture: QImage, path: Path) -> str:
    """Write ``picture`` as PNG; returns why that could not be done, or nothing.

    What was there before stays until the new one is whole.
    """
    file = QSaveFile(str(path))
    if not file.open(QSaveFile.OpenModeFlag.WriteOnly):
        return file.errorString()
    writer = QImageWriter(file, QByteArray(b"png"))
    if not writer.write(picture):
        return writer.errorString()
    return "" if file.commit() else file.errorString()
