"""A picture that a person may share: seen first, then saved or copied."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QByteArray, QSaveFile, QStandardPaths, Qt, Signal
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter, QPixmap
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.style import theme
from app.widgets.basics import button, column_of, frame, label
from app.widgets.file_dialogs import FileDialogs, NewFile

PREVIEW_WIDTH = 640
PREVIEW_HEIGHT = 460
"""px that a picture is shown in, at most."""


@dataclass(frozen=True, slots=True)
class SharedPicture:
    """A picture, and what is said of it."""

    image: QImage
    spoken: str  # what it shows, for a screen reader
    holds: str  # what is in it, and what is not, for whoever may send it
    name: str  # of its file, as proposed


class ShareDialog(QDialog):
    """The picture, and what can be done with it; gone once it is closed."""

    saved = Signal(object)  # Path
    failed = Signal(str)  # why it could not be saved, and what to do

    def __init__(self, picture: SharedPicture, dialogs: FileDialogs, parent: QWidget) -> None:
        super().__init__(parent)
        self._picture = picture
        self._dialogs = dialogs
        self.setWindowTitle(self.tr("A picture to share"))
        self.setProperty("role", "page")
        self._save = button(self.tr("Save picture…"))
        self._copy = button(self.tr("Copy"))
        self._close = button(self.tr("Close"))
        self._save.clicked.connect(self._ask)
        self._copy.clicked.connect(self._put_on_clipboard)
        self._close.clicked.connect(self.reject)
        self.finished.connect(self.deleteLater)
        self._said = label("", "small")
        self._lay_out()
        self._save.setFocus()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_S)
        for way in (self._save, self._copy):
            row.addWidget(way)
        row.addWidget(self._said)
        row.addStretch()
        row.addWidget(self._close)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL)
        column.setSpacing(theme.SPACE_L)
        column.addWidget(self._preview(), 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(label(self._picture.holds, "muted", wrap=True))
        column.addLayout(row)

    def _preview(self) -> QFrame:
        shown = QPixmap.fromImage(self._picture.image)
        scale = max(shown.width() / PREVIEW_WIDTH, shown.height() / PREVIEW_HEIGHT)
        shown.setDevicePixelRatio(scale)
        made = QLabel()
        made.setPixmap(shown)
        made.setAccessibleName(self.tr("Preview: {}").format(self._picture.spoken))
        card = frame("card", margin=theme.SPACE_XS)
        column_of(card).addWidget(made)
        return card

    def _ask(self) -> None:
        """Let the person say where the picture shall go."""
        kind, title = self.tr("Picture (*.png)"), self.tr("Save picture")
        place = QStandardPaths.StandardLocation.PicturesLocation
        self._dialogs.to_write(self, NewFile(title, self._picture.name, kind, place), self._keep)

    def _keep(self, path: Path) -> None:
        why = save_picture(self._picture.image, path)
        self.accept()
        if why:
            words = self.tr("{path} cannot be written ({why}). Choose another place.")
            self.failed.emit(words.format(path=path, why=why))
        else:
            self.saved.emit(path)

    def _put_on_clipboard(self) -> None:
        QGuiApplication.clipboard().setImage(self._picture.image)
        self._said.setText(self.tr("Copied."))


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
