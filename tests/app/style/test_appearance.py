"""The application is dressed once, and again when the choice changes."""

from weakref import ref

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.style import theme
from app.style.appearance import Appearance, TransitionCover


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


def two_words(qtbot: QtBot, appearance: Appearance) -> tuple[QWidget, QLabel, QLabel]:
    """A window, and its two parts."""
    window = QWidget()
    qtbot.addWidget(window)
    parts = QLabel("one", window), QLabel("two", window)
    parts[1].move(0, 40)
    for part in parts:
        appearance.dress(part)
    window.show()
    return window, *parts


def test_nobody_sees_a_window_half_in_the_new_colours(
    appearance: Appearance, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the last part that is seen has them, the window looks as it did."""
    monkeypatch.setattr("app.style.appearance.SPELL_MS", 0)  # one part a turn
    appearance.choose("light")
    window, *parts = two_words(qtbot, appearance)
    before, light = window.grab().toImage(), parts[0].styleSheet()
    appearance.choose("dark")
    while any(part.styleSheet() == light for part in parts):
        assert window.grab().toImage() == before
        QApplication.processEvents()
    qtbot.waitUntil(lambda: window.grab().toImage() != before)
    qtbot.waitUntil(lambda: window.findChild(TransitionCover) is None)
    appearance.choose("light")


def test_a_change_of_mind_comes_through(appearance: Appearance, qtbot: QtBot) -> None:
    """Who changes colours while they change gets what they chose last, and sees it."""
    appearance.choose("light")
    window, *_ = two_words(qtbot, appearance)
    before = window.grab().toImage()
    appearance.choose("dark")
    QApplication.processEvents()
    appearance.choose("light")
    qtbot.waitUntil(lambda: window.findChild(TransitionCover) is None)
    assert window.grab().toImage() == before


def test_a_window_may_go_while_its_colours_change(appearance: Appearance, qtbot: QtBot) -> None:
    """Its cover goes with it; others are dressed all the same."""
    appearance.choose("light")
    gone, *_ = two_words(qtbot, appearance)
    stays, *parts = two_words(qtbot, appearance)
    light = parts[1].styleSheet()
    appearance.choose("dark")
    gone.close()
    gone.deleteLater()
    qtbot.waitUntil(lambda: stays.findChild(TransitionCover) is None)
    assert parts[1].styleSheet() != light
    appearance.choose("light")


class Dressed(QLabel):
    """Writes down that it was dressed."""

    def __init__(self, words: str, diary: list[str]) -> None:
        super().__init__(words)
        self._diary = diary

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self._diary.append(self.text())


def test_what_is_seen_changes_first(appearance: Appearance, qtbot: QtBot) -> None:
    """Hidden parts follow; one that is gone by then does no harm."""
    appearance.choose("light")
    diary: list[str] = []
    hidden, seen, gone = (Dressed(words, diary) for words in ("hidden", "seen", "gone"))
    for part in (hidden, seen, gone):
        appearance.dress(part)
    for part in (hidden, seen):
        qtbot.addWidget(part)
    seen.show()
    before = hidden.styleSheet()
    appearance.choose("dark")
    diary.clear()
    gone.deleteLater()
    qtbot.waitUntil(lambda: hidden.styleSheet() != before)
    assert [words for words in diary if words != "gone"] == ["seen", "hidden"]
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


@pytest.fixture
def window(qtbot: QtBot, appearance: Appearance) -> QWidget:
    """With a button at its top left."""
    assert appearance.palette
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(300, 200)
    QPushButton("Press", made).setGeometry(0, 0, 100, 40)
    made.show()
    return made


def test_it_shows_what_was_there_until_it_is_dropped(window: QWidget) -> None:
    """Dot by dot, whatever is done behind it."""
    before = window.grab().toImage()
    cover = TransitionCover(window)
    window.findChildren(QPushButton)[0].setText("Something else")
    assert window.grab().toImage() == before
    cover.drop()
    assert window.grab().toImage() != before


def test_it_shows_new_words_in_the_room_that_they_need(qtbot: QtBot) -> None:
    """Colours may change in the same moment as words."""
    window = QWidget()
    qtbot.addWidget(window)
    row = QHBoxLayout(window)
    button = QPushButton("Go on")
    row.addWidget(button)
    row.addStretch()
    window.resize(400, 60)
    window.show()
    button.setText("Hold all of it still for a while")
    TransitionCover(window)
    assert button.width() >= button.sizeHint().width()


def test_what_is_behind_can_be_pressed(window: QWidget, qtbot: QtBot) -> None:
    """Whoever is quick presses what they see."""
    (button,) = window.findChildren(QPushButton)
    TransitionCover(window)
    handle = window.windowHandle()
    with qtbot.waitSignal(button.clicked):
        QTest.mouseClick(handle, Qt.MouseButton.LeftButton, pos=QPoint(50, 20))


def test_it_takes_no_keyboard(window: QWidget) -> None:
    """Who types goes on where they are."""
    (button,) = window.findChildren(QPushButton)
    button.setFocus()
    cover = TransitionCover(window)
    assert window.focusWidget() is button
    assert cover.focusPolicy() is Qt.FocusPolicy.NoFocus
