"""Whether the ring around what has the keyboard is there, and whole."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QAbstractButton, QApplication, QScrollArea, QWidget

_AROUND = 4  # px beside a widget, where nothing of its ring belongs
_LEAST = 0.2  # of each side; corners are round, and those of a switch leave a third


def bad_rings(page: QWidget, colour: str) -> list[str]:
    """What in ``page`` takes the keyboard and shows no whole ring of ``colour``, a line each.

    The window of ``page`` has to be active.
    """
    stops = [
        widget
        for widget in page.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isEnabled()
        and widget.isVisible()
        and widget.focusProxy() is None
    ]
    faults = [(widget, _fault(widget, colour)) for widget in stops]
    return [f"{_told(widget)}: {fault}" for widget, fault in faults if fault]


def _fault(widget: QWidget, colour: str) -> str:
    window = widget.window()
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    _scroll_to(widget)
    QApplication.processEvents()
    around = QRect(QPoint(-_AROUND, -_AROUND), widget.size()).adjusted(
        0, 0, 2 * _AROUND, 2 * _AROUND
    )
    here = QRect(widget.mapTo(window, around.topLeft()), around.size())
    drawn = _where(window.grab(here).toImage(), colour)
    if not drawn.any():
        return "no ring"
    rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    ring = drawn[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    sides = {"left": ring[:, :2], "right": ring[:, -2:], "top": ring[:2].T, "bottom": ring[-2:].T}
    missing = [name for name, side in sides.items() if side.mean(axis=0).max() < _LEAST]
    return f"no {', '.join(missing)}" if missing else ""


def _where(image: QImage, colour: str) -> NDArray[np.bool_]:
    """The pixels of ``image`` that have ``colour``, as (height, width)."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels: NDArray[np.uint32] = np.frombuffer(image.constBits(), np.uint32)
    pixels = pixels.reshape(image.height(), image.bytesPerLine() // 4)[:, : image.width()]
    return np.equal(pixels, np.uint32(QColor(colour).rgb()))


def _scroll_to(widget: QWidget) -> None:
    at = widget.parentWidget()
    while at is not None:
        if isinstance(at, QScrollArea):
            at.ensureWidgetVisible(widget)
        at = at.parentWidget()


def _told(widget: QWidget) -> str:
    words = widget.text() if isinstance(widget, QAbstractButton) else ""
    return f"{type(widget).__name__} {widget.accessibleName() or words!r}"
