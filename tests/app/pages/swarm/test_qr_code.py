"""The QR code on the screen."""

from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from app.pages.swarm.qr_code import MOST_MODULES, QUIET, WIDTH, QrCode
from core.services.invites import qr_rows

LINK = "waggle://join/" + "a" * 120


def modules(code: QrCode, count: int) -> list[str]:
    """The picture as rows of modules, its quiet zone included."""
    image = QImage(code.size(), QImage.Format.Format_RGB32)
    code.render(image)
    side = code.width() // (count + 2 * QUIET)
    places = range(side // 2, code.width(), side)
    black = QColor("black")
    return ["".join("01"[image.pixelColor(x, y) == black] for x in places) for y in places]


def test_it_is_drawn_module_for_module(qtbot: QtBot) -> None:
    """In black on white, with the white around it that cameras need."""
    rows = qr_rows(LINK)
    code = QrCode()
    qtbot.addWidget(code)
    assert code.show_rows(rows)
    white = "0" * (len(rows) + 2 * QUIET)
    margin = "0" * QUIET
    inside = [f"{margin}{row}{margin}" for row in rows]
    assert modules(code, len(rows)) == [white] * QUIET + inside + [white] * QUIET
    assert code.width() <= WIDTH


def test_too_many_modules_are_not_drawn(qtbot: QtBot) -> None:
    """A camera could not read them from a screen."""
    code = QrCode()
    qtbot.addWidget(code)
    most = ("1" * MOST_MODULES,) * MOST_MODULES
    assert code.show_rows(most)
    assert code.width() // (MOST_MODULES + 2 * QUIET) == 2
    assert not code.show_rows((*most, most[0]))
    assert not code.show_rows(())
