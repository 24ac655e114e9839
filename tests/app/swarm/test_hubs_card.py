"""The rows of meeting points."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.swarm.hub_look import hub_look
from app.swarm.hubs_card import HubsCard
from tests.app.swarm.samples import HUB, HUBS

LOOKS = [hub_look(HUBS[0], is_named=True), hub_look(HUBS[1], is_named=False)]


@pytest.fixture
def card(qtbot: QtBot) -> HubsCard:
    made = HubsCard()
    qtbot.addWidget(made)
    made.show()
    made.show_hubs(LOOKS, "")
    return made


def texts(card: HubsCard) -> list[str]:
    shown = [one.text() for one in card.findChildren(QLabel) if one.isVisible()]
    return [text.replace("\u200b", "") for text in shown]


def removals(card: HubsCard) -> list[QPushButton]:
    return [one for one in card.findChildren(QPushButton) if one.isVisible()]


def test_every_hub_has_its_address_and_its_state(card: HubsCard) -> None:
    """In words."""
    assert [HUB, LOOKS[0].words] == texts(card)[1:3]
    assert LOOKS[1].words in texts(card)


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
    away = hub_look(HUBS[0].__class__(address=HUB, state="away"), is_named=True)
    card.show_hubs([away, LOOKS[1]], "")
    assert away.words in texts(card)
    assert removals(card) == before


def test_without_hubs_there_is_a_sentence(card: HubsCard) -> None:
    """Nothing of what was there is left."""
    card.show_hubs([], "None is named.")
    assert texts(card) == ["Meeting points", "None is named."]
