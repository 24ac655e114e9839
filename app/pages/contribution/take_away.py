"""The card from which figures are taken along: as a table, or as a picture."""

from pathlib import Path

from PySide6.QtCore import QStandardPaths, Signal
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout

from app.pages.contribution.saving import save_picture
from app.pages.contribution.share_dialog import ShareDialog
from app.pages.contribution.share_picture import draw_picture
from app.pages.contribution.share_words import share_words
from app.style import theme
from app.style.theme import Palette
from app.widgets.basics import button, label
from app.widgets.file_dialogs import FileDialogs, NewFile
from core.api.contribution import ContributionShown

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
