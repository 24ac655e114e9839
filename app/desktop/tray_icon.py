"""The icon in the tray: the emblem, and a badge whose shape says what is going on."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSystemTrayIcon

from app.desktop.notifications import NOTICE_MS, Notification
from app.desktop.tray_view_model import Shape
from app.style.icons import EMBLEM

PIXELS = 64
_BADGE = QRectF(28, 28, 36, 36)
_INK = QColor("#241902")  # trays are light or dark, whatever the window is: both on one badge
_PAPER = QColor("#FFFFFF")


def tray_icon(shape: Shape) -> QIcon:
    """The emblem: bare while practising, with bars, a sign of warning, or a square otherwise."""
    pixmap = QPixmap(PIXELS, PIXELS)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(str(EMBLEM)).render(painter, QRectF(0, 0, PIXELS, PIXELS))
    if shape != "practising":
        _draw_badge(painter, shape)
    painter.end()
    return QIcon(pixmap)


def show_notice(icon: QSystemTrayIcon, notice: Notification) -> None:
    """Show ``notice`` at ``icon`` for a while, where the system has a place for it."""
    kind = QSystemTrayIcon.MessageIcon
    sign = kind.Warning if notice.is_grave else kind.Information
    icon.showMessage(notice.title, notice.words, sign, NOTICE_MS)


def _draw_badge(painter: QPainter, shape: Shape) -> None:
    painter.setPen(QPen(_PAPER, 3))
    painter.setBrush(_INK)
    if shape == "trouble":
        top, right, left = QPointF(46, 28), QPointF(63, 61), QPointF(29, 61)
        painter.drawPolygon(QPolygonF([top, right, left]))
        painter.fillRect(QRectF(44, 39, 4, 11), _PAPER)
        painter.fillRect(QRectF(44, 53, 4, 4), _PAPER)
        return
    disc = _BADGE.adjusted(2, 2, -2, -2)
    if shape == "paused":
        painter.drawEllipse(disc)
        painter.fillRect(QRectF(39, 38, 5, 16), _PAPER)
        painter.fillRect(QRectF(48, 38, 5, 16), _PAPER)
    else:
        painter.setBrush(_PAPER)
        painter.setPen(QPen(_INK, 3))
        painter.drawEllipse(disc)
        painter.fillRect(QRectF(39, 39, 14, 14), _INK)
