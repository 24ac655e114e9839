"""The link of an invite, and its picture."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.swarm.invite_card import MOST_MODULES, QUIET, WIDTH, InviteCard, QrCode
from core.api.swarm import HubTrouble, InviteMade
from core.services.invites import qr_rows
from tests.app.pages.swarm.samples import MADE, MEADOW
from tests.app.reading import text


@pytest.fixture
def card(qtbot: QtBot) -> InviteCard:
    made = InviteCard()
    qtbot.addWidget(made)
    return made


def button_called(card: InviteCard, name: str) -> QPushButton:
    (found,) = [one for one in card.findChildren(QPushButton) if one.accessibleName() == name]
    return found


def test_without_an_invite_there_is_no_card(card: InviteCard) -> None:
    """It comes with the first one, and goes again."""
    assert card.isHidden()
    card.show_invite(MADE, is_own=True)
    assert card.isVisible()
    card.show_invite(None, is_own=True)
    assert card.isHidden()


def test_the_link_is_copied_with_one_click(card: InviteCard) -> None:
    """And the button says so."""
    card.show_invite(MADE, is_own=True)
    assert card.findChild(QLineEdit).text() == MADE.link  # type: ignore[union-attr]  # there is one
    copy = button_called(card, "Copy the link")
    QTest.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == MADE.link
    assert copy.text() == "Copied"


def test_the_same_is_shown_as_a_code(card: InviteCard) -> None:
    """Unless it is too long for one, which is said."""
    card.show_invite(MADE, is_own=True)
    code = card.findChild(QrCode)
    assert code is not None
    assert code.isVisible()
    assert "too long" not in text(card)
    dense = tuple("1" * (MOST_MODULES + 1) for _ in range(MOST_MODULES + 1))
    card.show_invite(replace(MADE, link="waggle://join/xyz", code=dense), is_own=True)
    assert code.isHidden()
    assert "too long" in text(card)


@pytest.mark.parametrize(("made", "words"), [(MADE, "whom you trust"), (None, "anybody")])
def test_it_says_who_may_see_it(card: InviteCard, made: InviteMade | None, words: str) -> None:
    """Before it is handed out."""
    card.show_invite(made or replace(MADE, swarm=MEADOW), is_own=True)
    assert words in text(card)


def test_who_made_a_new_swarm_can_join_it(card: InviteCard, qtbot: QtBot) -> None:
    """Whoever is there already is not asked."""
    card.show_invite(MADE, is_own=False)
    join = button_called(card, "Join it yourself")
    with qtbot.waitSignal(card.join_asked) as asked:
        QTest.mouseClick(join, Qt.MouseButton.LeftButton)
    assert asked.args == [MADE]
    card.show_invite(MADE, is_own=True)
    assert join.isHidden()


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


def test_where_decks_could_not_be_left_is_said(card: InviteCard) -> None:
    """Each meeting point in its words, and what becomes of that."""
    away = HubTrouble(words="The meeting point http://a.example does not answer.")
    made = replace(MADE, swarm=replace(MADE.swarm, decks=1), troubles=(away,))
    card.show_invite(made, is_own=True)
    assert "http://a.example does not answer.\nOthers get the puzzles" in text(card)
    assert "Decks: 1." in text(card)
    card.show_invite(replace(MADE, link="waggle://join/2"), is_own=True)
    assert "does not answer" not in text(card)
