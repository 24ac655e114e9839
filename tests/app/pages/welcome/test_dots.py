"""How far the welcome has come."""

from pytestqt.qtbot import QtBot

from app.pages.welcome.dots import Dots
from app.style.stylesheet import qt_palette
from app.style.theme import LIGHT


def test_the_step_is_told_to_eyes_and_ears(qtbot: QtBot) -> None:
    """The filled dot moves to the right, and the words with it."""
    dots = Dots(3)
    qtbot.addWidget(dots)
    dots.setPalette(qt_palette(LIGHT))  # another test may have left the desktop dark
    dots.setAutoFillBackground(True)
    dots.resize(dots.sizeHint())
    ink = []
    for step in range(3):
        dots.show_step(step)
        assert dots.accessibleName() == f"Step {step + 1} of 3"
        picture = dots.grab().toImage()
        middle = picture.height() // 2
        row = [picture.pixelColor(x, middle).lightness() for x in range(picture.width())]
        dark = [x for x, lightness in enumerate(row) if lightness < min(row) + 40]
        ink.append(sum(dark) / len(dark))
    assert ink == sorted(ink)
