"""Words in pictures stay inside."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.widgets.written_line import WrittenLine, write_line


def test_long_words_become_smaller(qapp: QApplication) -> None:
    """Nothing is written beside the room that there is."""
    assert qapp
    picture = QImage(300, 40, QImage.Format.Format_RGB32)
    picture.fill("white")
    painter = QPainter(picture)
    write_line(painter, QRectF(10, 0, 200, 40), WrittenLine("many words " * 6, 30, "black"))
    painter.end()
    beside = {picture.pixelColor(x, y).name() for x in range(215, 300) for y in range(40)}
    inside = {picture.pixelColor(x, y).lightness() for x in range(10, 210) for y in range(40)}
    assert beside == {"#ffffff"}
    assert min(inside) < 64
