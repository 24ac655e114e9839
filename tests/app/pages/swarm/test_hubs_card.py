"""The rows of meeting points."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.swarm.hub_view_model import hub_view_model
from app.pages.swarm.hubs_card import AddHub, HubsCard
from core.api.requests import Refused
from core.api.swarm import CheckHub, HubChecked
from core.api.swarm_view import MOST_NAMED_HUBS
from tests.app.pages.swarm.samples import HUB, HUBS, LONG_HUB
from tests.app.reading import press_again, text
from tests.fake_actions import FakeActions

LOOKS = [hub_view_model(HUBS[0], is_named=True), hub_view_model(HUBS[1], is_named=False)]


@pytest.fixture
def card(actions: FakeActions, qtbot: QtBot) -> HubsCard:
    made = HubsCard(actions)
    qtbot.addWidget(made)
    made.show()
    made.show_hubs(LOOKS, "")
    return made


def removals(card: HubsCard) -> list[QPushButton]:
    QApplication.processEvents()  # what is new gets its place
    visible = [one for one in card.findChildren(QPushButton) if one.isVisible()]
    return [one for one in visible if one.text() == "Remove"]


def back(card: HubsCard) -> QPushButton:
    (found,) = [one for one in card.findChildren(QPushButton) if one.text() == "Bring it back"]
    return found


def test_every_hub_has_its_address_and_its_state(card: HubsCard) -> None:
    """In words."""
    shown = text(card).splitlines()
    assert shown.index(LOOKS[0].words) == shown.index(HUB) + 1
    assert LOOKS[1].words in shown


def test_an_address_turns_no_letters_around(card: HubsCard) -> None:
    """The invite in the settings may be anybody's."""
    card.show_hubs([replace(LOOKS[0], address="http://gro.elpmaxe\u202e\u2066")], "")
    (remove,) = removals(card)
    assert not {"\u202e", "\u2066"} & set(text(card) + remove.accessibleName())


def test_one_of_the_settings_can_be_removed(card: HubsCard, qtbot: QtBot) -> None:
    """Only such a one; its button says which."""
    (remove,) = removals(card)
    assert remove.accessibleName() == f"Remove {HUB}"
    with qtbot.waitSignal(card.removal_asked) as asked:
        QTest.mouseClick(remove, Qt.MouseButton.LeftButton)
    assert asked.args == [HUB]


def test_a_changed_state_changes_the_row(card: HubsCard) -> None:
    """Which stays, with the focus that it may have."""
    before = removals(card)
    away = hub_view_model(HUBS[0].__class__(address=HUB, state="away"), is_named=True)
    card.show_hubs([away, LOOKS[1]], "")
    assert away.words in text(card)
    assert removals(card) == before


def test_without_hubs_there_is_a_sentence(card: HubsCard) -> None:
    """Nothing of what was there is left."""
    card.show_hubs([], "None is named.")
    assert text(card).splitlines() == ["Meeting points", "None is named.", "Add one by its address"]


def test_what_was_removed_can_be_brought_back(card: HubsCard, qtbot: QtBot) -> None:
    """By a button that the space bar, pressed twice, does not reach; it removes nothing else."""
    assert not back(card).isVisible()
    removals(card)[0].click()
    card.show_hubs([LOOKS[1]], "")
    assert f"Removed {HUB};" in text(card)
    assert not isinstance(card.focusWidget(), QPushButton)
    with qtbot.waitSignal(card.addition_asked) as asked:
        QTest.keyClick(back(card), Qt.Key.Key_Space)
    assert asked.args == [HUB]
    assert not back(card).isVisible()


def test_leaving_the_page_or_removing_another_one_settles_it(card: HubsCard) -> None:
    """There is one step back."""
    other = replace(LOOKS[1], is_named=True)
    card.show_hubs([LOOKS[0], other], "")
    asked: list[str] = []
    card.addition_asked.connect(asked.append)
    for _ in range(2):
        removals(card)[0].click()
        card.show_hubs([other] if len(removals(card)) > 1 else [], "")
    back(card).click()
    assert asked == [LONG_HUB]
    card.show_hubs([other], "")
    removals(card)[0].click()
    card.hide()
    card.show()
    assert not back(card).isVisible()


def test_what_could_not_be_removed_is_not_said_to_be(card: HubsCard) -> None:
    """Where the settings cannot be written, it is there again."""
    removals(card)[0].click()
    card.show_hubs([LOOKS[1]], "")
    card.show_hubs(LOOKS, "")
    assert not back(card).isVisible()


def test_a_double_click_removes_one(card: HubsCard) -> None:
    """Its second half meets the row that moved up."""
    asked: list[str] = []
    hubs = [replace(LOOKS[1], address=f"http://10.0.0.{n}:1", is_named=True) for n in range(3)]
    card.show_hubs(hubs, "")
    card.removal_asked.connect(asked.append)
    card.removal_asked.connect(
        lambda url: card.show_hubs([h for h in hubs if h.address != url], "")
    )
    QApplication.processEvents()
    window, none, first = card.windowHandle(), Qt.KeyboardModifier.NoModifier, removals(card)[0]
    assert window is not None
    place = first.mapTo(card, first.rect().center())
    QTest.mouseDClick(window, Qt.MouseButton.LeftButton, none, place)
    assert asked == ["http://10.0.0.0:1"]


def test_a_double_click_on_the_last_one_does_not_bring_it_back(card: HubsCard) -> None:
    """Its second half meets the button that comes up in its place."""
    asked: list[str] = []
    card.addition_asked.connect(asked.append)
    removals(card)[0].click()
    card.show_hubs([LOOKS[1]], "")
    QApplication.processEvents()
    press_again(back(card))
    assert asked == []


def test_what_the_invite_names_too_is_not_said_to_be_asked_no_more(card: HubsCard) -> None:
    """It comes with the swarm."""
    card.show_hubs([replace(LOOKS[0], is_invited=True), LOOKS[1]], "")
    removals(card)[0].click()
    assert f"Removed {HUB}, but the invite of your swarm names it, too." in text(card)


class Adding:
    """The form, with what it asked and what it found."""

    def __init__(self, actions: FakeActions, qtbot: QtBot) -> None:
        self.actions = actions
        self.found: list[str] = []
        self.form = AddHub(actions, self.found.append)
        qtbot.addWidget(self.form)
        self.form.show()
        (self.line,) = self.form.findChildren(QLineEdit)
        (self.add,) = self.form.findChildren(QPushButton)

    @property
    def asked(self) -> list[CheckHub]:
        return self.actions.of(CheckHub)

    def type(self, url: str) -> None:
        QTest.keyClicks(self.line, url)
        QTest.keyClick(self.line, Qt.Key.Key_Return)


@pytest.fixture
def adding(actions: FakeActions, qtbot: QtBot) -> Adding:
    return Adding(actions, qtbot)


def test_an_address_is_looked_at_and_handed_on(adding: Adding) -> None:
    """As the helper spells it; then there is room for another one."""
    adding.type(f" {HUB}/ ")
    (asked,) = adding.asked
    assert asked.url == f"{HUB}/"
    assert adding.found == []
    adding.actions.reply(HubChecked(url=HUB))
    assert adding.found == [HUB]
    assert adding.line.text() == ""


def test_what_is_no_address_is_said_below_the_field(adding: Adding) -> None:
    """In the words of the helper, until something else is typed; what was typed stays."""
    QTest.keyClicks(adding.line, "hub")
    adding.add.click()
    words = "'hub' is no address of a meeting point."
    adding.actions.reply(Refused(words=words))
    assert words in text(adding.form)
    assert adding.line.text() == "hub"
    QTest.keyClicks(adding.line, "x")
    assert words not in text(adding.form)
    assert adding.found == []


def test_late_answers_are_left_alone(adding: Adding) -> None:
    """What is typed by then is another address."""
    adding.type(HUB)
    QTest.keyClicks(adding.line, "x")
    adding.actions.reply(HubChecked(url=HUB))
    assert adding.found == []


def test_an_empty_field_asks_nothing(adding: Adding) -> None:
    """The button leads to it."""
    adding.add.click()
    assert adding.asked == []
    assert adding.form.focusWidget() is adding.line


def test_there_are_no_more_than_can_be_shown(adding: Adding) -> None:
    """The settings have room for more, but nobody could remove them here."""
    adding.form.show_named(MOST_NAMED_HUBS)
    adding.type(HUB)
    assert adding.asked == []
    assert "Remove one first." in text(adding.form)
    adding.form.show_named(MOST_NAMED_HUBS - 1)
    adding.add.click()
    assert len(adding.asked) == 1
