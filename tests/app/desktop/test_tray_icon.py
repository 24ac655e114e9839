"""Shapes, not colours alone."""

from itertools import combinations
from typing import get_args

from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.desktop.tray_icon import PIXELS, tray_icon
from app.desktop.tray_view_model import Shape


def grey(shape: Shape) -> QImage:
    image = tray_icon(shape).pixmap(PIXELS, PIXELS).toImage()
    return image.convertToFormat(QImage.Format.Format_Grayscale8)


def test_without_colours_the_icons_still_differ(qtbot: QtBot) -> None:
    """Any two of them in many pixels, also in grey."""
    assert qtbot
    for one, other in combinations(map(grey, get_args(Shape)), 2):
        places = [(x, y) for x in range(PIXELS) for y in range(PIXELS)]
        differing = sum(
            abs(one.pixelColor(x, y).lightness() - other.pixelColor(x, y).lightness()) > 60
            for x, y in places
        )
        assert differing > 100
