"""The card from which figures are taken along: as a table, or as a picture."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QByteArray, QSaveFile, QStandardPaths, Signal
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter, QPixmap
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.pages.contribution.share_picture import draw_picture
from app.pages.contribution.share_words import share_words
from app.style import theme
from app.style.theme import Palette
from app.widgets.basics import button, column_of, frame, label
from app.widgets.file_dialogs import FileDialogs, NewFile
from core.api.contribution import ContributionShown

PREVIEW_WIDTH = 640


class ShareDialog(QDialog):
    """The picture, and what can be done with it."""

    def __init__(
        self, picture: QImage, spoken: str, save: Callable[[QDialog], None], parent: QWidget
    ) -> None:
        """``save`` lets the person say where the picture shall go."""
        super().__init__(parent)
        self._picture = picture
        self.setWindowTitle(self.tr("A picture to share"))
        self.setProperty("role", "page")
        self._save = button(self.tr("Save picture…"))
        self._copy = button(self.tr("Copy"))
        self._close = button(self.tr("Close"))
        self._save.clicked.connect(lambda: save(self))
        self._copy.clicked.connect(self._put_on_clipboard)
        self._close.clicked.connect(self.reject)
        self._said = label("", "small")
        self._lay_out(spoken)
        self._save.setFocus()

    def _lay_out(self, spoken: str) -> None:
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
        column.addWidget(self._preview(spoken))
        words = self.tr(
            "Key figures and your made-up name, nothing else. It leaves this computer only if you "
            "send it."
        )
        column.addWidget(label(words, "muted", wrap=True))
        column.addLayout(row)

    def _preview(self, spoken: str) -> QFrame:
        shown = QPixmap.fromImage(self._picture)
        shown.setDevicePixelRatio(shown.width() / PREVIEW_WIDTH)
        made = QLabel()
        made.setPixmap(shown)
        made.setAccessibleName(self.tr("Preview: {}").format(spoken))
        card = frame("card", margin=theme.SPACE_XS)
        column_of(card).addWidget(made)
        return card

    def _put_on_clipboard(self) -> None:
        QGuiApplication.clipboard().setImage(self._picture)
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


_Place = QStandardPaths.StandardLocation


class TakeAway(QFrame):
    """Asks where to; pictures are written here, tables by whoever hears ``table_asked``."""

    table_asked = Signal(object)  # Path
    saved = Signal(object)  # Path of a picture
    failed = Signal(str)  # why a picture could not be saved

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._palette = palette
        self._dialogs = FileDialogs()
        self._shown: ContributionShown | None = None
        table = button(self.tr("Save as table…"))
        picture = button(self.tr("Make a picture…"))
        table.clicked.connect(self.ask_for_table)
        picture.clicked.connect(self.preview)
        words = self.tr("Take it along: all days as a table, or the key figures as a picture.")
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_M)
        row.setSpacing(theme.SPACE_S)
        row.addWidget(label(words, "muted", wrap=True), 1)
        row.addWidget(table)
        row.addWidget(picture)

    def show_contribution(self, shown: ContributionShown) -> None:
        """From now on it is ``shown`` that is taken along."""
        self._shown = shown

    def show_palette(self, palette: Palette) -> None:
        """Draw pictures in the colours of ``palette``."""
        self._palette = palette

    def ask_for_table(self) -> None:
        """Let the person say where the table shall go."""
        kind = self.tr("Table (*.csv)")
        title = self.tr("Save as table")
        wanted = NewFile(title, "waggle-contribution.csv", kind, _Place.DocumentsLocation)
        self._dialogs.to_write(self, wanted, self.table_asked.emit)

    def preview(self) -> None:
        """Show the picture, and let the person say where it shall go."""
        if self._shown is None:
            return
        words = share_words(self._shown)
        picture = draw_picture(words, self._palette)
        kind = self.tr("Picture (*.png)")
        title = self.tr("Save picture")
        wanted = NewFile(title, "waggle-contribution.png", kind, _Place.PicturesLocation)

        def save(path: Path) -> None:
            why = save_picture(picture, path)
            dialog.accept()
            if why:
                words = self.tr("{path} cannot be written ({why}). Choose another place.")
                self.failed.emit(words.format(path=path, why=why))
            else:
                self.saved.emit(path)

        def choose(dialog: QDialog) -> None:
            self._dialogs.to_write(dialog, wanted, save)

        dialog = ShareDialog(picture, words.spoken, choose, self)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
