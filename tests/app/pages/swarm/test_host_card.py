"""The switch of a meeting point."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.swarm.host_card import HostCard
from core.api.requests import Cancel, Cancelled, Refused, Request
from core.api.swarm import HostHub
from core.settings import HostingSettings, Settings, SwarmSettings
from tests.app.pages.swarm.samples import HUB, OPEN

SETTINGS = Settings(hosting=HostingSettings(port=9_000, url=HUB))


class Desk:
    """The card with what it asked."""

    def __init__(self, qtbot: QtBot) -> None:
        self.card = HostCard()
        qtbot.addWidget(self.card)
        self.card.show()
        self.asked: list[Request] = []
        self.chosen: list[HostingSettings] = []
        self.card.asked.connect(self.asked.append)
        self.card.chosen.connect(self.chosen.append)
        self.card.show_settings(SETTINGS)
        self.url, self.port = self.card.findChildren(QLineEdit)
        (self.switch,) = self.card.findChildren(QCheckBox)

    def flip(self) -> None:
        QTest.mouseClick(self.switch, Qt.MouseButton.LeftButton, pos=self.switch.rect().center())

    def open(self) -> None:
        """Until others can come."""
        self.flip()
        self.card.hear(replace(OPEN, id=self.asked[0].id))

    def texts(self) -> str:
        shown = [one.text() for one in self.card.findChildren(QLabel) if one.isVisible()]
        return "\n".join(shown).replace("\u200b", "")

    def buttons(self) -> dict[str, QPushButton]:
        shown: Sequence[QPushButton] = self.card.findChildren(QPushButton)
        return {one.text(): one for one in shown if one.isVisible()}


@pytest.fixture
def helper(qtbot: QtBot) -> Desk:
    return Desk(qtbot)


def test_it_is_closed_until_the_person_opens_it(helper: Desk) -> None:
    """It says what it means before that, and offers what was chosen last."""
    assert not helper.switch.isChecked()
    assert "trains nothing" in helper.texts()
    assert (helper.url.text(), helper.port.text()) == (HUB, "9000")
    assert helper.buttons() == {}


def test_opening_asks_the_helper_and_remembers_the_choice(helper: Desk) -> None:
    """Then it says where it is, who came, and whom it cannot reach."""
    helper.flip()
    (asked,) = helper.asked
    assert isinstance(asked, HostHub)
    assert (asked.port, asked.url) == (9_000, HUB)
    assert helper.chosen == [HostingSettings(port=9_000, url=HUB)]
    assert "Opening…" in helper.texts()
    helper.card.hear(replace(OPEN, id=asked.id))
    assert helper.card.hub == replace(OPEN, id=asked.id)
    for words in (OPEN.addresses[0], "3 computers", "port 9000"):
        assert words in helper.texts()


def test_closing_cancels_the_request(helper: Desk) -> None:
    """It is closed once the helper says so."""
    helper.open()
    helper.flip()
    assert helper.asked[1:] == [Cancel(errand=helper.asked[0].id)]
    helper.card.hear(Cancelled(id=helper.asked[0].id))
    assert not helper.switch.isChecked()
    assert helper.card.hub is None
    assert helper.buttons() == {}


@pytest.mark.parametrize("was_open", [False, True])
def test_what_goes_wrong_is_said_and_it_can_be_tried_again(
    helper: Desk,
    was_open: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """While it opens, or later."""
    helper.open() if was_open else helper.flip()
    helper.card.hear(Refused(id=helper.asked[0].id, words="The port is in use."))
    assert "The port is in use." in helper.texts()
    assert not helper.switch.isChecked()
    helper.flip()
    assert isinstance(helper.asked[1], HostHub)
    assert "The port is in use." not in helper.texts()


def test_answers_to_others_are_left_alone(helper: Desk) -> None:
    """Every page hears every answer, also while nothing is hosted."""
    helper.card.hear(OPEN)
    assert "Others find it" not in helper.texts()
    helper.open()
    helper.card.hear(Refused(id=helper.asked[0].id + 1, words="The disk is full."))
    assert "Others find it" in helper.texts()
    assert "disk" not in helper.texts()


def test_a_port_that_is_none_is_not_asked_for(helper: Desk) -> None:
    """It is said which ones there are, and the switch stays where it was."""
    helper.port.setText("80")
    helper.flip()
    assert helper.asked == []
    assert not helper.switch.isChecked()
    assert "from 1024 to 65535" in helper.texts()


def test_others_can_be_invited_to_it_and_the_own_model_can_go_there(
    helper: Desk, qtbot: QtBot
) -> None:
    """Once it is among the meeting points, there is nothing more to ask."""
    helper.open()
    with qtbot.waitSignal(helper.card.invite_asked):
        QTest.mouseClick(helper.buttons()["Invite others to it"], Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(helper.card.use_asked) as asked:
        QTest.mouseClick(helper.buttons()["Meet others there, too"], Qt.MouseButton.LeftButton)
    assert asked.args == ["http://127.0.0.1:9000"]
    hubs = SwarmSettings(hubs=("http://127.0.0.1:9000",))
    helper.card.show_settings(replace(SETTINGS, swarm=hubs))
    assert "Meet others there, too" not in helper.buttons()


def test_what_is_typed_is_not_overwritten(helper: Desk) -> None:
    """Settings are shown anew whenever anything changes, wherever the keyboard is by then."""
    helper.url.clear()
    QTest.keyClicks(helper.url, "https://another.example")
    helper.card.show_settings(SETTINGS)
    assert helper.url.text() == "https://another.example"
    helper.open()
    helper.card.show_settings(SETTINGS)
    assert helper.url.text() == "https://another.example"
