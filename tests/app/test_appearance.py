"""The application is dressed once, and again when the choice changes."""

from weakref import ref

from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication, QLabel, QWidget
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


def test_what_is_seen_changes_in_one_picture_and_the_rest_later(
    appearance: Appearance, qtbot: QtBot
) -> None:
    """No window is half in new colours, and none stays frozen; one that is gone does no harm."""
    appearance.choose("light")
    window, hidden, gone = QWidget(), QLabel("hidden"), QLabel("gone")
    seen = [QLabel(words, window) for words in ("one", "two", "three")]
    for part in (*seen, hidden, gone):
        appearance.dress(part)
    qtbot.addWidget(window)
    qtbot.addWidget(hidden)
    window.show()
    before = hidden.styleSheet()
    drawn: list[bool] = []
    appearance.palette_changed.connect(
        lambda: drawn.append(all(part.styleSheet() != before for part in seen))
    )
    appearance.choose("dark")
    assert not window.updatesEnabled()
    qtbot.waitUntil(window.updatesEnabled)
    assert drawn == [True], "who paints by hand follows once all of it is ready"
    assert hidden.styleSheet() == before
    gone.deleteLater()
    qtbot.waitUntil(lambda: hidden.styleSheet() == seen[0].styleSheet())
    appearance.choose("light")
    qtbot.waitUntil(window.updatesEnabled)


def test_a_second_change_in_the_middle_of_the_first_wins(
    appearance: Appearance, qtbot: QtBot
) -> None:
    """Somebody who goes through the choices with the arrow keys ends where they stopped."""
    appearance.choose("light")
    window = QWidget()
    qtbot.addWidget(window)
    seen = [QLabel(str(number), window) for number in range(5)]
    for part in seen:
        appearance.dress(part)
    window.show()
    light = seen[0].styleSheet()
    appearance.choose("dark")
    appearance.choose("light")
    qtbot.waitUntil(window.updatesEnabled)
    assert {part.styleSheet() for part in seen} == {light}


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
