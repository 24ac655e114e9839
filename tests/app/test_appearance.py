"""The application is dressed once, and again when the choice changes."""

from weakref import ref

from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app import theme
from app.appearance import Appearance


def test_choosing_dark_changes_the_palette_once(appearance: Appearance, qtbot: QtBot) -> None:
    """Those who paint by hand are told; choosing the same again tells nobody."""
    appearance.choose("light")
    with qtbot.waitSignal(appearance.palette_changed) as told:
        appearance.choose("dark")
    assert told.args == [theme.DARK]
    with qtbot.assertNotEmitted(appearance.palette_changed):
        appearance.choose("dark")
    appearance.choose("light")


def test_the_typeface_comes_along(appearance: Appearance, qapp: QApplication) -> None:
    """The window looks the same on a system without the typeface, bold letters included."""
    assert appearance.palette in (theme.LIGHT, theme.DARK)
    font = qapp.font()
    assert QFontInfo(font).family() == theme.FONT_FAMILY
    font.setWeight(font.Weight.DemiBold)
    assert QFontInfo(font).weight() == font.Weight.DemiBold


def test_the_icon_can_be_drawn(appearance: Appearance, qapp: QApplication) -> None:
    """The SVG reader is among what is installed."""
    assert appearance.palette
    assert not qapp.windowIcon().pixmap(64, 64).isNull()


def test_what_is_seen_changes_at_once_and_the_rest_soon(
    appearance: Appearance, qtbot: QtBot
) -> None:
    """Hidden parts follow in turns of their own; one that is gone by then does no harm."""
    appearance.choose("light")
    seen, hidden, gone = (QLabel(words) for words in ("seen", "hidden", "gone"))
    for part in (seen, hidden, gone):
        appearance.dress(part)
    for part in (seen, hidden):
        qtbot.addWidget(part)
    seen.show()
    before = hidden.styleSheet()
    appearance.choose("dark")
    assert seen.styleSheet() != before
    assert hidden.styleSheet() == before
    gone.deleteLater()
    qtbot.waitUntil(lambda: hidden.styleSheet() == seen.styleSheet())
    appearance.choose("light")


def test_what_is_looked_at_meanwhile_comes_first(appearance: Appearance, qtbot: QtBot) -> None:
    """Of many hidden parts, one that somebody opens by then does not wait for the rest."""
    appearance.choose("light")
    parts = [QLabel(str(number)) for number in range(30)]
    for part in parts:
        qtbot.addWidget(part)
        appearance.dress(part)
    appearance.choose("dark")
    opened = parts[15]
    opened.show()
    before = parts[0].styleSheet()
    qtbot.waitUntil(lambda: opened.styleSheet() != before)
    assert sum(part.styleSheet() == before for part in parts) >= len(parts) / 2


def test_parts_that_come_and_go_are_forgotten(appearance: Appearance) -> None:
    """Live puzzles pass by for days without a change of colours."""
    parts = [QLabel(str(number)) for number in range(3)]
    for part in parts:
        appearance.dress(part)
    kept = [ref(part) for part in parts]
    parts.clear()
    del part
    assert [kept_part() for kept_part in kept] == [None] * 3
