"""The card from which figures are taken along: as a table, or as a picture."""

from PySide6.QtCore import QRectF, QSize, QStandardPaths, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QPainter,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QFrame, QHBoxLayout

from app.pages.contribution.share_words import ShareWords, share_words
from app.style import theme
from app.style.icons import EMBLEM
from app.style.theme import Palette
from app.widgets.basics import button, label
from app.widgets.file_dialogs import FileDialogs, NewFile
from app.widgets.share_dialog import ShareDialog, SharedPicture
from app.widgets.written_line import WrittenLine, write_line
from core.api.contribution import ContributionShown

SIZE = QSize(1_200, 630)
_EDGE = 72
_EMBLEM = 64
_BARS = QRectF(_EDGE, 440, SIZE.width() - 2 * _EDGE, 92)


def draw_picture(words: ShareWords, palette: Palette) -> QImage:
    """The picture in the colours of ``palette``."""
    picture = QImage(SIZE, QImage.Format.Format_RGB32)
    picture.fill(QColor(palette.surface))
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _draw_head(painter, words, palette)
    _draw_story(painter, words, palette)
    _draw_figures(painter, words, palette)
    _draw_bars(painter, words, palette)
    write_line(
        painter, QRectF(_EDGE, 556, _BARS.width(), 34), WrittenLine(words.footer, 22, palette.muted)
    )
    painter.end()
    return picture


def _draw_head(painter: QPainter, words: ShareWords, palette: Palette) -> None:
    QSvgRenderer(str(EMBLEM)).render(painter, QRectF(_EDGE, 52, _EMBLEM, _EMBLEM))
    brand = QRectF(_EDGE + _EMBLEM + 18, 52, 400, _EMBLEM)
    write_line(painter, brand, WrittenLine("Waggle", 34, palette.text, bold=True))
    name = QRectF(SIZE.width() / 2, 52, SIZE.width() / 2 - _EDGE, _EMBLEM)
    right = Qt.AlignmentFlag.AlignRight
    write_line(painter, name, WrittenLine(words.name, 30, palette.mine, bold=True, side=right))


def _draw_story(painter: QPainter, words: ShareWords, palette: Palette) -> None:
    above = QRectF(_EDGE, 146, _BARS.width(), 72)
    write_line(painter, above, WrittenLine(words.headline, 54, palette.text, bold=True))
    below = QRectF(_EDGE, 218, _BARS.width(), 44)
    write_line(painter, below, WrittenLine(words.helped, 30, palette.muted))


def _draw_figures(painter: QPainter, words: ShareWords, palette: Palette) -> None:
    width = _BARS.width() / len(words.figures)
    for at, (value, title) in enumerate(words.figures):
        room = QRectF(_EDGE + at * width, 296, width - 16, 58)
        write_line(painter, room, WrittenLine(value, 44, palette.mine, bold=True))
        room = QRectF(room.left(), 354, room.width(), 34)
        write_line(painter, room, WrittenLine(title, 24, palette.muted))


def _draw_bars(painter: QPainter, words: ShareWords, palette: Palette) -> None:
    pitch = _BARS.width() / len(words.heights)
    painter.fillRect(QRectF(_BARS.left(), _BARS.bottom(), _BARS.width(), 2), QColor(palette.line))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(palette.accent))
    for at, height in enumerate(words.heights):
        if height > 0:
            tall = max(4.0, _BARS.height() * height)
            left = _BARS.left() + at * pitch + pitch * 0.15
            painter.drawRoundedRect(QRectF(left, _BARS.bottom() - tall, pitch * 0.7, tall), 4, 4)


_Place = QStandardPaths.StandardLocation


class ExportCard(QFrame):
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
        holds = self.tr(
            "Key figures and your made-up name, nothing else. It leaves this computer only if you "
            "send it."
        )
        image = draw_picture(words, self._palette)
        picture = SharedPicture(image, words.spoken, holds, "waggle-contribution.png")
        dialog = ShareDialog(picture, self._dialogs, self)
        dialog.saved.connect(self.saved.emit)
        dialog.failed.connect(self.failed.emit)
        dialog.open()
