"""Line icons in the colour of the palette, sharp at every scale."""

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from core.paths import RESOURCES

ICONS = RESOURCES / "icons"
EMBLEM = ICONS / "waggle.svg"
_PIXELS = 96  # four times the size at which they are shown


def line_icon(name: str, colour: str, chosen: str) -> QIcon:
    """The icon ``name`` (a path below the icons, without suffix); ``chosen`` while checked."""
    text = (ICONS / f"{name}.svg").read_text("utf-8")
    icon = QIcon(_drawn(text, colour))
    icon.addPixmap(_drawn(text, chosen), QIcon.Mode.Normal, QIcon.State.On)
    return icon


def _drawn(text: str, colour: str) -> QPixmap:
    renderer = QSvgRenderer(QByteArray(text.replace("currentColor", colour).encode()))
    pixmap = QPixmap(_PIXELS, _PIXELS)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, _PIXELS, _PIXELS))
    painter.end()
    return pixmap
