"""A line of words in a picture."""

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from app.style.typeface import typeface


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """Words, and how they look."""

    words: str
    size: int  # px, at most
    colour: str
    bold: bool = False
    side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft


def write_line(painter: QPainter, room: QRectF, line: WrittenLine) -> None:
    """Write ``line``, smaller where ``room`` is too narrow for it."""
    size = line.size
    needed = QFontMetricsF(typeface(size, bold=line.bold)).horizontalAdvance(line.words)
    if needed > room.width():
        size = int(size * room.width() / needed)
    painter.setFont(typeface(size, bold=line.bold))
    painter.setPen(QColor(line.colour))
    painter.drawText(room, line.side | Qt.AlignmentFlag.AlignVCenter, line.words)
