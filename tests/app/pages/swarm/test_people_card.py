"""The rows of others."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.pages.swarm.people_card import AT_ONCE, PeopleCard
from app.pages.swarm.person_view_model import PersonViewModel, person_view_model
from app.state.model_choices import load_known
from tests.app.focus_chain import stops
from tests.app.pages.swarm.samples import ANNE, BOB, CAROL, PEERS
from tests.app.reading import press_again, text

PEOPLE = [person_view_model(one, {model.id: model for model in load_known()}) for one in PEERS]


class HeldCard(PeopleCard):
    """One over which the mouse is said to be."""

    is_under_mouse = False

    def underMouse(self) -> bool:  # noqa: N802 - Qt's name
        return self.is_under_mouse


@pytest.fixture
def asked() -> list[tuple[str, bool]]:
    return []


@pytest.fixture
def card(asked: list[tuple[str, bool]], qtbot: QtBot) -> HeldCard:
    made = HeldCard(lambda peer, on: asked.append((peer, on)))
    qtbot.addWidget(made)
    made.resize(400, 600)
    made.show()
    made.show_people(PEOPLE, "")
    return made


def buttons(card: PeopleCard) -> list[QPushButton]:
    """In the order in which they stand on the screen."""
    QApplication.processEvents()  # what is new gets its place
    visible = [one for one in card.findChildren(QPushButton) if one.isVisible()]
    return sorted(visible, key=lambda one: one.mapTo(card, one.rect().topLeft()).y())


def buttons_in_turn(page: QWidget) -> list[QPushButton]:
    return [one for one in stops(page) if isinstance(one, QPushButton)]


def names(card: PeopleCard) -> list[str]:
    return [one.accessibleName() for one in buttons(card)]


def test_everybody_is_shown_with_a_button_of_their_own(card: HeldCard) -> None:
    """A screen reader says whom it blocks."""
    assert names(card) == [
        "Block: amber-finch-27",
        "Block: breezy-oriole-93",
        "Unblock: calm-otter-11",
    ]
    for words in ("here", "silent", "blocked", "12 of its 40 tries taught your model something."):
        assert words in text(card)


def test_texts_of_strangers_are_plain(card: HeldCard) -> None:
    """Nobody puts markup on this page."""
    assert {one.textFormat() for one in card.findChildren(QLabel)} == {Qt.TextFormat.PlainText}


def test_a_click_asks_to_block_and_to_unblock(
    card: HeldCard, asked: list[tuple[str, bool]]
) -> None:
    """The peer, and what is wanted of it."""
    first, _, last = buttons(card)
    QTest.mouseClick(first, Qt.MouseButton.LeftButton)
    QTest.keyClick(last, Qt.Key.Key_Space)
    assert asked == [(ANNE, True), (CAROL, False)]


def test_a_double_click_blocks_and_leaves_it_at_that(
    card: HeldCard, asked: list[tuple[str, bool]]
) -> None:
    """Its second half meets the button that unblocks."""
    blocked = [replace(PEOPLE[0], is_blocked=True), *PEOPLE[1:]]
    first = buttons(card)[0]
    QTest.mouseClick(first, Qt.MouseButton.LeftButton)
    card.show_people(blocked, "")
    press_again(first)
    assert asked == [(ANNE, True)]
    assert names(card)[0] == "Unblock: amber-finch-27"


def order(card: PeopleCard, people: list[PersonViewModel]) -> list[str]:
    card.show_people(people, "")
    return list(card._rows)  # noqa: SLF001 - the order of rows is what is tested


def test_rows_follow_their_order_and_leave(card: HeldCard) -> None:
    """Whoever is gone is no longer there."""
    assert order(card, PEOPLE[::-1]) == [CAROL, BOB, ANNE]
    assert order(card, PEOPLE[:1]) == [ANNE]
    assert [one.accessibleName() for one in card.findChildren(QPushButton) if one.isVisible()] == [
        "Block: amber-finch-27"
    ]


def test_under_the_mouse_nothing_moves(card: HeldCard) -> None:
    """Nobody is blocked who only came under the mouse by accident; new ones come at the end."""
    order(card, PEOPLE[:2])
    card.is_under_mouse = True
    assert order(card, PEOPLE[::-1]) == [ANNE, BOB, CAROL]
    card.is_under_mouse = False
    assert order(card, PEOPLE[::-1]) == [CAROL, BOB, ANNE]


def test_without_rows_there_is_a_sentence(card: HeldCard) -> None:
    """And no empty line where there are rows."""
    card.show_people([], "Nobody has been met yet.")
    assert "Nobody has been met yet." in text(card)


def test_a_crowd_is_shown_bit_by_bit(card: HeldCard) -> None:
    """The window does not stand still for it, and nobody is out of reach."""
    crowd = [replace(PEOPLE[0], peer=f"{number:064x}") for number in range(AT_ONCE + 3)]
    assert len(order(card, crowd)) == AT_ONCE
    QTest.mouseClick(buttons(card)[-1], Qt.MouseButton.LeftButton)
    assert len(order(card, crowd)) == AT_ONCE + 3
    assert all("more" not in name for name in names(card))


def test_whoever_has_the_focus_is_not_dropped_for_a_crowd(card: HeldCard) -> None:
    """The space bar would block somebody else."""
    crowd = [replace(PEOPLE[0], peer=f"{number:064x}") for number in range(AT_ONCE + 3)]
    order(card, crowd)
    mine = crowd[2].peer
    block = card._rows[mine].block  # noqa: SLF001 - the rows are what is tested
    block.setFocus()
    others = [one for one in crowd if one.peer != mine]
    assert order(card, [*others, crowd[2]])[-1] == mine
    assert card.focusWidget() is block
    left = set(order(card, [*others, crowd[2]]))
    assert len(left) == AT_ONCE


def test_nobody_inherits_the_focus_of_who_left(
    card: HeldCard, asked: list[tuple[str, bool]]
) -> None:
    """It goes to the card, where the space bar does nothing."""
    buttons(card)[0].setFocus()
    order(card, PEOPLE[1:])
    focused = card.window().focusWidget() or card
    QTest.keyClick(focused, Qt.Key.Key_Space)
    assert asked == []


def test_the_tab_key_goes_through_the_rows_before_what_is_below(qtbot: QtBot) -> None:
    """However late they came."""
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    card, above, below = (
        PeopleCard(lambda _peer, _on: None),
        QPushButton("above"),
        QPushButton("below"),
    )
    for part in (above, card, below):
        column.addWidget(part)
    for people in (PEOPLE[::-1], PEOPLE):
        card.show_people(people, "")
    names = [one.accessibleName() or one.text() for one in buttons_in_turn(page)]
    assert names == [
        "above",
        "Block: amber-finch-27",
        "Block: breezy-oriole-93",
        "Unblock: calm-otter-11",
        "Show more (0)",
        "below",
    ]
