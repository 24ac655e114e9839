"""Which swarm it is."""

from functools import partial

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.pages.swarm.own_card import OwnCard
from core.api.swarm import OfferedSwarm
from tests.app.focus_chain import stops
from tests.app.pages.swarm.samples import CLASS_SHOWN, SHOWN
from tests.app.reading import text


@pytest.fixture
def pressed() -> list[str]:
    return []


@pytest.fixture
def card(pressed: list[str], qtbot: QtBot) -> OwnCard:
    made = OwnCard(*(partial(pressed.append, way) for way in ("invite", "cancel", "change", "see")))
    qtbot.addWidget(made)
    made.show()
    made.show_swarm(SHOWN)
    return made


def buttons(card: OwnCard) -> dict[str, QPushButton]:
    QApplication.processEvents()  # what is new gets its place
    return {one.text(): one for one in card.findChildren(QPushButton) if one.isVisible()}


def test_the_swarm_is_shown_with_who_can_take_part(card: OwnCard) -> None:
    """By its title and what it is for; a private one by its name."""
    for words in ("The meadow", "The swarm for everybody.", "Open"):
        assert words in text(card)
    card.show_swarm(CLASS_SHOWN)
    assert "our-class" in text(card)
    assert "The swarm for everybody." not in text(card)


def test_there_is_a_way_back_to_every_open_swarm(card: OwnCard, qtbot: QtBot) -> None:
    """And none to where one is."""
    assert list(buttons(card)) == ["Invite others"]
    card.show_swarm(CLASS_SHOWN)
    back = buttons(card)["Go to: The meadow"]
    with qtbot.waitSignal(card.return_asked) as asked:
        QTest.mouseClick(back, Qt.MouseButton.LeftButton)
    assert asked.args == ["meadow"]
    card.show_swarm(SHOWN)
    assert list(buttons(card)) == ["Invite others"]


def test_a_way_back_has_its_turn_where_it_stands(qtbot: QtBot) -> None:
    """And who took it by the keyboard does not come upon the next one by accident."""
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    card, below = OwnCard(*[lambda: None] * 4), QPushButton("below")
    column.addWidget(card)
    column.addWidget(below)
    page.show()
    pond = OfferedSwarm("pond", "The pond", "Another one.")
    card.show_swarm(replace(CLASS_SHOWN, offered=(*SHOWN.offered, pond)))
    shown = [one for one in stops(page) if isinstance(one, QPushButton)]
    texts = [one.text() for one in shown]
    ways = ["Invite others", "Cancel", "Go to: The meadow", "Go to: The pond", "below"]
    assert texts[texts.index("Invite others") :] == ways
    asked: list[str] = []
    card.return_asked.connect(asked.append)
    QApplication.processEvents()  # what is new gets its place
    shown[texts.index("Go to: The meadow")].setFocus()
    card.show_swarm(replace(SHOWN, offered=(*SHOWN.offered, pond)))
    focused = page.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_Space)
    assert asked == []


def test_a_run_elsewhere_can_change_over(card: OwnCard, pressed: list[str]) -> None:
    """With a click; then it says what it waits for, and takes no second one."""
    assert "changes over" not in text(card)
    card.show_lateness(is_late=True, is_changing=False)
    assert "still practises in the swarm from before" in text(card)
    QTest.mouseClick(buttons(card)["Change over now"], Qt.MouseButton.LeftButton)
    assert pressed == ["change"]
    card.show_lateness(is_late=True, is_changing=True)
    assert not buttons(card)["Finishing the round…"].isEnabled()
    card.show_lateness(is_late=False, is_changing=False)
    assert "changes over" not in text(card)


def test_why_there_is_no_invite_is_said(card: OwnCard, pressed: list[str]) -> None:
    """Until there is one."""
    QTest.mouseClick(buttons(card)["Invite others"], Qt.MouseButton.LeftButton)
    assert pressed == ["invite"]
    card.show_trouble("The invite is too long for a link.")
    assert "too long for a link" in text(card)
    card.show_trouble("")
    assert "too long for a link" not in text(card)


def test_decks_that_are_not_here_can_be_seen(card: OwnCard, pressed: list[str]) -> None:
    """Practice cannot begin without them; where they are here, only their number is said."""
    swarm = replace(CLASS_SHOWN.swarm, decks=2)
    card.show_swarm(replace(CLASS_SHOWN, swarm=swarm, missing=1))
    assert "Decks: 2." in text(card)
    assert "practice cannot begin" in text(card)
    QTest.mouseClick(buttons(card)["See its puzzles"], Qt.MouseButton.LeftButton)
    assert pressed == ["see"]
    card.show_swarm(replace(CLASS_SHOWN, swarm=swarm))
    assert "practice cannot begin" not in text(card)


def test_an_invite_that_takes_its_time_says_so(card: OwnCard) -> None:
    """And is not asked for twice meanwhile."""
    card.show_making(is_making=True)
    assert not buttons(card)["Invite others"].isEnabled()
    assert "Leaving the puzzles where others meet…" in text(card)
    card.show_making(is_making=False)
    assert "Leaving the puzzles" not in text(card)
    assert buttons(card)["Invite others"].isEnabled()


def test_an_invite_that_takes_its_time_can_be_cancelled(card: OwnCard, pressed: list[str]) -> None:
    """By the keyboard, too: it goes from the one button to the other and back."""
    buttons(card)["Invite others"].setFocus()
    card.show_making(is_making=True)
    assert card.focusWidget() is buttons(card)["Cancel"]
    QTest.keyClick(card.focusWidget(), Qt.Key.Key_Space)
    assert pressed == ["cancel"]
    card.show_making(is_making=False)
    assert list(buttons(card)) == ["Invite others"]
    assert card.focusWidget() is buttons(card)["Invite others"]
