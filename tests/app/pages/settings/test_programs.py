"""The card with programs that come first."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.settings.programs import ProgramsCard, with_program, without_program
from core.api.programs import plain_name
from core.settings import MOST_PROGRAMS, RulesSettings
from tests.app.focus_chain import stops
from tests.app.reading import text


@pytest.fixture
def card(qtbot: QtBot) -> ProgramsCard:
    made = ProgramsCard()
    qtbot.addWidget(made)
    made.show()
    made.show_programs(("blender",))
    return made


def names(card: ProgramsCard) -> set[str]:
    QApplication.processEvents()  # Qt shows what came into a layout a moment later
    return {one.accessibleName() for one in card.findChildren(QPushButton) if one.isVisibleTo(card)}


def type_name(card: ProgramsCard, name: str) -> None:
    field = card.findChildren(QComboBox)[0].lineEdit()
    assert field is not None
    QTest.keyClicks(field, name)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_a_program_is_added_by_typing(card: ProgramsCard, qtbot: QtBot) -> None:
    """The field is empty again, and the list waits for the settings."""
    with qtbot.waitSignal(card.changed) as told:
        type_name(card, "steam")
    assert told.args == [("blender", "steam")]
    assert card.findChildren(QComboBox)[0].currentText() == ""
    assert "steam" not in text(card)


def test_a_program_is_removed_by_its_own_button(card: ProgramsCard, qtbot: QtBot) -> None:
    """Which says which one it removes."""
    card.show_programs(("blender", "steam"))
    assert {"Remove blender", "Remove steam"} <= names(card)
    shown = (one for one in card.findChildren(QPushButton) if one.isVisibleTo(card))
    (remove,) = (one for one in shown if one.accessibleName() == "Remove blender")
    with qtbot.waitSignal(card.changed) as told:
        remove.click()
    assert told.args == [("steam",)]


def test_what_is_no_name_is_told(card: ProgramsCard, qtbot: QtBot) -> None:
    """And stays, to be mended."""
    with qtbot.assertNotEmitted(card.changed):
        type_name(card, "/usr/bin/x")
    assert "That is no name of a program" in text(card)
    assert card.findChildren(QComboBox)[0].currentText() == "/usr/bin/x"


def test_nothing_and_what_is_there_change_nothing(card: ProgramsCard, qtbot: QtBot) -> None:
    """No wish without a change."""
    with qtbot.assertNotEmitted(card.changed):
        type_name(card, "")
        type_name(card, "Blender")


def test_what_runs_is_offered_and_what_is_typed_stays(card: ProgramsCard) -> None:
    """An answer may come while somebody types."""
    box = card.findChildren(QComboBox)[0]
    field = box.lineEdit()
    assert field is not None
    QTest.keyClicks(field, "ste")
    card.offer(("firefox", "steam"))
    assert box.currentText() == "ste"
    assert [box.itemText(at) for at in range(box.count())] == ["firefox", "steam"]


def test_an_empty_list_says_so(card: ProgramsCard) -> None:
    """In words."""
    card.show_programs(())
    assert "None yet." in text(card)
    assert "blender" not in text(card)


def test_removing_one_leaves_the_others_alone(card: ProgramsCard) -> None:
    """Neither a double click nor a held space bar takes the one that moves up."""
    lists: list[object] = []
    card.changed.connect(lists.append)
    card.changed.connect(card.show_programs)
    card.show_programs(("blender", "steam", "vlc"))
    first = next(
        one for one in card.findChildren(QPushButton) if one.accessibleName() == "Remove blender"
    )
    first.setFocus()
    QApplication.processEvents()
    window, none = card.windowHandle(), Qt.KeyboardModifier.NoModifier
    assert window is not None
    QTest.mouseDClick(
        window, Qt.MouseButton.LeftButton, none, first.mapTo(card, first.rect().center())
    )
    focused = card.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_Space)
    assert lists == [("steam", "vlc")]


def test_the_tab_key_goes_through_the_list_in_its_order(card: ProgramsCard) -> None:
    """Down to the field for another one, whatever was added last."""
    card.show_programs(("blender", "steam"))
    card.show_programs(("krita", "blender", "steam"))
    names = [one.accessibleName() for one in stops(card) if isinstance(one, QPushButton)]
    at = names.index("Remove krita")
    turned = names[at:] + names[:at]
    assert turned == ["Remove krita", "Remove blender", "Remove steam", "Add this program"]


@pytest.mark.parametrize("typed", ["blender", "Blender ", "BLENDER.EXE"])
def test_a_program_is_in_the_list_once(typed: str) -> None:
    """However it is spelt."""
    assert with_program(("blender",), typed) == ("blender",)


@pytest.mark.parametrize("typed", ["", "  ", "/usr/bin/blender", "a\\b", "x" * 101, "a\nb"])
def test_what_is_no_name_is_refused(typed: str) -> None:
    """Neither folders nor nothing."""
    assert with_program((), typed) is None


def test_the_list_has_an_end() -> None:
    """What does not fit the settings is never asked for."""
    full = tuple(f"program-{number}" for number in range(MOST_PROGRAMS))
    assert with_program(full, "one more") is None
    assert with_program(full[1:], "one more") == (*full[1:], "one more")
    assert without_program(full, "program-0") == full[1:]


def test_a_full_list_is_said_to_be_full(card: ProgramsCard) -> None:
    """A proper name is not called none."""
    card.show_programs(tuple(f"program-{number}" for number in range(MOST_PROGRAMS)))
    type_name(card, "steam")
    assert "no room for more than 50" in text(card)


@given(st.lists(st.text(max_size=120), max_size=60))
def test_whatever_is_typed_the_settings_stay_valid(typed: list[str]) -> None:
    """And no two names are alike."""
    programs: tuple[str, ...] = ()
    for one in typed:
        programs = with_program(programs, one) or programs
    msgspec.convert({"programs": programs}, RulesSettings)
    assert len({plain_name(name) for name in programs}) == len(programs)
