"""A curve is named beside a piece of it."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.pages.home.curve_key import CurveKey


def test_the_piece_has_the_colour_of_the_curve(qtbot: QtBot) -> None:
    """On the side where reading begins, whichever that is."""
    key = CurveKey("Swarm", dashed=False)
    qtbot.addWidget(key)
    key.resize(120, 20)
    key.set_colour("#ff0000")
    for direction, inside in (
        (Qt.LayoutDirection.LeftToRight, 10),
        (Qt.LayoutDirection.RightToLeft, 110),
    ):
        key.setLayoutDirection(direction)
        image = key.grab().toImage()
        ratio = image.devicePixelRatio()
        colour = image.pixelColor(round(inside * ratio), round(10 * ratio))
        assert (colour.red(), colour.green(), colour.blue()) == (255, 0, 0)
