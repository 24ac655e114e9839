"""Controls tell what a person changed, and nothing else."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.widgets import controls
from app.widgets.controls import Choices, Number, Switch

OPTIONS = (("pause", "Pause"), ("run", "Run as always"))


@pytest.fixture
def choices(qtbot: QtBot) -> Choices:
    made = Choices("On battery", OPTIONS)
    qtbot.addWidget(made)
    made.show()
    return made


def test_a_choice_is_told_by_its_value(choices: Choices) -> None:
    """By keyboard; showing a value tells nothing."""
    told: list[object] = []
    choices.changed.connect(told.append)
    choices.show_value("pause")
    assert choices.currentText() == "Pause"
    QTest.keyClick(choices, Qt.Key.Key_Down)
    assert told == ["run"]
    assert choices.accessibleName() == "On battery"


def test_a_value_that_is_not_offered_is_shown_as_it_is(choices: Choices) -> None:
    """Whoever wrote it into the file sees it here, once."""
    choices.show_value("sometimes")
    choices.show_value("sometimes")
    assert choices.currentText() == "sometimes"
    assert choices.count() == 3


def test_others_can_have_words_of_their_own(qtbot: QtBot) -> None:
    """Where a value itself would say nothing."""
    choices = Choices("Hours", OPTIONS, lambda value: f"as chosen: {value}")
    qtbot.addWidget(choices)
    choices.show_value(7)
    assert choices.currentText() == "as chosen: 7"


def test_the_wheel_changes_nothing(choices: Choices) -> None:
    """It scrolls the page."""
    choices.show_value("pause")
    at = QPointF(5, 5)
    turn = QWheelEvent(
        at,
        choices.mapToGlobal(at),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,  # noqa: FBT003 - Qt's signature
    )
    QApplication.sendEvent(choices, turn)
    assert choices.currentText() == "Pause"
    assert not turn.isAccepted()


def test_no_field_that_unfolds_is_qts_own() -> None:
    """Those change what is chosen when somebody scrolls past."""
    app = Path(controls.__file__).parent.parent
    sources = {path.name: path.read_text("utf-8") for path in app.rglob("*.py")}
    assert [name for name, text in sources.items() if "QComboBox()" in text] == []


def test_a_switch_is_pressed_by_mouse_and_keyboard(qtbot: QtBot) -> None:
    """Anywhere on it."""
    switch = Switch("Notifications")
    qtbot.addWidget(switch)
    switch.show()
    told: list[object] = []
    switch.changed.connect(told.append)
    switch.show_value(True)  # noqa: FBT003 - the value of a setting
    assert switch.isChecked()
    QTest.mouseClick(switch, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert told == [False, True]


def test_a_switch_looks_different_on_and_off(qtbot: QtBot) -> None:
    """By its shape: also where there is no colour."""
    switch = Switch("Notifications")
    qtbot.addWidget(switch)
    switch.show()
    grey = []
    for on in (False, True):
        switch.show_value(on)
        picture = switch.grab().toImage()
        row = [picture.pixelColor(x, picture.height() // 2).lightness() for x in range(44)]
        grey.append(row)
    left, right = slice(5, 20), slice(24, 39)
    assert min(grey[0][left]) < min(grey[0][right]), "a dark knob on the left"
    assert max(grey[1][right]) > max(grey[1][left]), "a bright knob on the right"


@pytest.mark.parametrize(
    ("typed", "value"),
    [("7000", 7000), ("99999", 65_535), ("", 0), ("0", 0), ("abc", 0), ("-1", 0)],
)
def test_a_number_is_told_once_it_is_whole(typed: str, value: int, qtbot: QtBot) -> None:
    """What is none, or nothing, is 0; what is too much is the most."""
    number = Number("Port", 65_535, "Any free one")
    qtbot.addWidget(number)
    told: list[object] = []
    number.changed.connect(told.append)
    number.show_value(80)
    number.selectAll()
    QTest.keyClicks(number, typed) if typed else QTest.keyClick(number, Qt.Key.Key_Delete)
    assert told == []
    QTest.keyClick(number, Qt.Key.Key_Return)
    assert told == [value]
    assert number.text() == str(value or "")


def test_a_number_that_is_being_typed_stays(qtbot: QtBot) -> None:
    """A state that arrives meanwhile does not take it away."""
    number = Number("Port", 65_535, "Any free one")
    qtbot.addWidget(number)
    QTest.keyClicks(number, "70")
    number.show_value(80)
    assert number.text() == "70"
    assert number.placeholderText() == "Any free one"


def test_a_number_that_is_selected_stays_so(qtbot: QtBot) -> None:
    """A state that arrives before it is typed over says the same as before."""
    number = Number("Port", 65_535, "Any free one")
    qtbot.addWidget(number)
    number.show_value(8_765)
    number.setSelection(1, 2)
    number.show_value(8_765)
    assert number.selectedText() == "76"
    number.show_value(80)
    assert number.text() == "80"
