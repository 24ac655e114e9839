"""Draws the picture for sharing, 1200 x 630 px: what sites show of a link."""

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from app.pages.contribution.share_words import ShareWords
from app.style.icons import EMBLEM
from app.style.theme import Palette
from app.style.typeface import typeface

SIZE = QSize(1_200, 630)
_EDGE = 72
_EMBLEM = 64
_BARS = QRectF(_EDGE, 440, SIZE.width() - 2 * _EDGE, 92)


@dataclass(frozen=True, slots=True)
class _Line:
    words: str
    size: int  # px, at most
    colour: str
    bold: bool = False
    side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft


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
    _write(painter, QRectF(_EDGE, 556, _BARS.width(), 34), _Line(words.footer, 22, palette.muted))
    painter.end()
    return picture


def _draw_head(painter: QPainter, words: ShareWords, palette: Palette) -> None:
    QSvgRenderer(str(EMBLEM)).render(painter, QRectF(_EDGE, 52, _EMBLEM, _EMBLEM))
    brand = QRectF(_EDGE + _EMBLEM + 18, 52, 400, _EMBLEM)
    _write(painter, brand, _Line("Waggle", 34, palette.text, bold=True))
    name = QRectF(SIZE.width() / 2, 52, SIZE.width() / 2 - _EDGE, _EMBLEM)
    right = Qt.AlignmentFlag.AlignRight
    _write(painter, name, _Line(words.name, 30, palette.mine, bold=True, side=right))


def _draw_story(painter: QPainter, words: ShareWords, palette: Palette) -> None:
    above = QRectF(_EDGE, 146, _BARS.width(), 72)
    _write(painter, above, _Line(words.headline, 54, palette.text, bold=True))
    below = QRectF(_EDGE, 218, _BARS.width(), 44)
    _write(painter, below, _Line(words.helped, 30, palette.muted))


def _draw_figures(painter: QPainter, words: ShareWords, palette: Palette) -> None:
    width = _BARS.width() / len(words.figures)
    for at, (value, title) in enumerate(words.figures):
        room = QRectF(_EDGE + at * width, 296, width - 16, 58)
        _write(painter, room, _Line(value, 44, palette.mine, bold=True))
        room = QRectF(room.left(), 354, room.width(), 34)
        _write(painter, room, _Line(title, 24, palette.muted))


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


def _write(painter: QPainter, room: QRectF, line: _Line) -> None:
    """Write ``line``, smaller where ``room`` is too narrow for it."""
    size = line.size
    needed = QFontMetricsF(typeface(size, bold=line.bold)).horizontalAdvance(line.words)
    if needed > room.width():
        size = int(size * room.width() / needed)
    painter.setFont(typeface(size, bold=line.bold))
    painter.setPen(QColor(line.colour))
    painter.drawText(room, line.side | Qt.AlignmentFlag.AlignVCenter, line.words)
