"""Adding a meeting point by its address."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.swarm.add_hub import AddHub
from core.api.requests import Refused
from core.api.swarm import CheckHub, HubChecked
from core.api.swarm_view import MOST_NAMED_HUBS
from tests.app.pages.swarm.samples import HUB
from tests.fake_actions import FakeActions


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

    def texts(self) -> str:
        return "\n".join(one.text() for one in self.form.findChildren(QLabel) if one.isVisible())


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
    assert words in adding.texts()
    assert adding.line.text() == "hub"
    QTest.keyClicks(adding.line, "x")
    assert words not in adding.texts()
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
    assert "Remove one first." in adding.texts()
    adding.form.show_named(MOST_NAMED_HUBS - 1)
    adding.add.click()
    assert len(adding.asked) == 1
