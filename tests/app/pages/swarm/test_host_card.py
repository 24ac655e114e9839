"""The switch of a meeting point."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.swarm.host_card import HostCard, beyond, company, meaning, reach
from core.api.requests import Cancel, Cancelled, Refused
from core.api.swarm import HostHub
from core.hub.decks import DeckLimits
from core.settings import HostingSettings, Settings, SwarmSettings
from core.wire.codec import DECK_LIFE_S, ITEM_LIFE_S
from tests.app.languages import figures_of
from tests.app.pages.swarm.samples import HUB, OPEN
from tests.app.reading import text
from tests.fake_actions import FakeActions

SETTINGS = Settings(hosting=HostingSettings(port=9_000, url=HUB))


class Played:
    """The card with what it asked."""

    def __init__(self, actions: FakeActions, qtbot: QtBot) -> None:
        self.actions = actions
        self.invited: list[bool] = []
        self.card = HostCard(actions, lambda: self.invited.append(True))
        qtbot.addWidget(self.card)
        self.card.show()
        self.asked = actions.all
        self.chosen: list[HostingSettings] = []
        self.card.chosen.connect(self.chosen.append)
        self.card.show_settings(SETTINGS)
        self.url, self.port = self.card.findChildren(QLineEdit)
        (self.switch,) = self.card.findChildren(QCheckBox)

    def flip(self) -> None:
        QTest.mouseClick(self.switch, Qt.MouseButton.LeftButton, pos=self.switch.rect().center())

    def open(self) -> None:
        """Until others can come."""
        self.flip()
        self.actions.reply(OPEN)

    def buttons(self) -> dict[str, QPushButton]:
        shown: Sequence[QPushButton] = self.card.findChildren(QPushButton)
        return {one.text(): one for one in shown if one.isVisible()}


@pytest.fixture
def played(actions: FakeActions, qtbot: QtBot) -> Played:
    return Played(actions, qtbot)


def test_it_is_closed_until_the_person_opens_it(played: Played) -> None:
    """It says what it means before that, and offers what was chosen last."""
    assert not played.switch.isChecked()
    assert "trains nothing" in text(played.card)
    assert (played.url.text(), played.port.text()) == (HUB, "9000")
    assert played.buttons() == {}


def test_opening_asks_the_played_and_remembers_the_choice(played: Played) -> None:
    """Then it says where it is, who came, and whom it cannot reach."""
    played.flip()
    (asked,) = played.asked
    assert isinstance(asked, HostHub)
    assert (asked.port, asked.url) == (9_000, HUB)
    assert played.chosen == [HostingSettings(port=9_000, url=HUB)]
    assert "Opening…" in text(played.card)
    played.actions.reply(OPEN)
    assert played.card.hub == replace(OPEN, id=1)
    for words in (OPEN.addresses[0], "3 computers", "port 9000"):
        assert words in text(played.card)


def test_closing_cancels_the_request(played: Played) -> None:
    """It is closed once the helper says so."""
    played.open()
    played.flip()
    assert played.asked[1:] == [Cancel(request=1)]
    played.actions.reply(Cancelled())
    assert not played.switch.isChecked()
    assert played.card.hub is None
    assert played.buttons() == {}


@pytest.mark.parametrize("was_open", [False, True])
def test_what_goes_wrong_is_said_and_it_can_be_tried_again(
    played: Played,
    was_open: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """While it opens, or later."""
    played.open() if was_open else played.flip()
    played.actions.reply(Refused(words="The port is in use."))
    assert "The port is in use." in text(played.card)
    assert not played.switch.isChecked()
    played.flip()
    assert isinstance(played.asked[1], HostHub)
    assert "The port is in use." not in text(played.card)


@pytest.mark.parametrize("typed", ["", "80", "99999"])
def test_a_port_that_is_none_is_not_asked_for(played: Played, typed: str) -> None:
    """It is said which ones there are, and the switch stays where it was."""
    played.port.setText(typed)
    played.flip()
    assert played.asked == []
    assert not played.switch.isChecked()
    assert "from 1024 to 65535" in text(played.card)


@pytest.mark.parametrize("locale", ["de_DE", "en_GB", "ar_EG"])
def test_a_port_has_digits_alone(actions: FakeActions, qtbot: QtBot, locale: str) -> None:
    """Whatever groups thousands where the person lives, or makes a number of them, stays out."""
    with figures_of(locale):
        played = Played(actions, qtbot)
    for typed in ("8.765", "8,765", "+8765", "8\u00a0765", "08765"):
        played.port.clear()
        QTest.keyClicks(played.port, typed)
        assert played.port.text() == "8765"
    played.flip()
    assert played.chosen == [HostingSettings(port=8_765, url=HUB)]


def test_others_can_be_invited_to_it_and_the_own_model_can_go_there(
    played: Played, qtbot: QtBot
) -> None:
    """Once it is among the meeting points, there is nothing more to ask."""
    played.open()
    QTest.mouseClick(played.buttons()["Invite others to it"], Qt.MouseButton.LeftButton)
    assert played.invited
    with qtbot.waitSignal(played.card.use_asked) as asked:
        QTest.mouseClick(played.buttons()["Meet others there, too"], Qt.MouseButton.LeftButton)
    assert asked.args == ["http://127.0.0.1:9000"]
    hubs = SwarmSettings(hubs=("http://127.0.0.1:9000",))
    played.card.show_settings(replace(SETTINGS, swarm=hubs))
    assert "Meet others there, too" not in played.buttons()


def test_what_is_typed_is_not_overwritten(played: Played) -> None:
    """Settings are shown anew whenever anything changes, wherever the keyboard is by then."""
    played.url.clear()
    QTest.keyClicks(played.url, "https://another.example")
    played.card.show_settings(SETTINGS)
    assert played.url.text() == "https://another.example"
    played.open()
    played.card.show_settings(SETTINGS)
    assert played.url.text() == "https://another.example"


def test_what_is_selected_stays_so(played: Played) -> None:
    """So that it can be copied or typed over, whatever changes elsewhere."""
    for entry, words in ((played.url, HUB), (played.port, "9000")):
        entry.selectAll()
        played.card.show_settings(SETTINGS)
        assert entry.selectedText() == words


def test_what_it_is_comes_before_the_switch() -> None:
    """What it does, what it does not, and how long it lasts."""
    kept = f"({DeckLimits().bytes // 10**9} GB at most) for up to {DECK_LIFE_S // 86_400} days"
    for words in ("meet", "trains nothing", "ten minutes", kept, "or quit Waggle"):
        assert words in meaning()
    assert ITEM_LIFE_S == 10 * 60


def test_every_address_is_told() -> None:
    """One that can be copied by hand."""
    words = reach(OPEN).replace("\u200b", "")
    assert words == "Open. Others find it at http://192.168.1.5:8765 or http://10.0.0.5:8765."
    assert " or " not in reach(replace(OPEN, addresses=OPEN.addresses[:1]))


def test_who_cannot_reach_it_is_told_too() -> None:
    """With the port that a router has to pass on."""
    assert "port 9000" in beyond("9000")


def test_visitors_are_counted() -> None:
    """In the singular, too."""
    assert company(0) == "Nobody has left anything there yet."
    assert company(1).startswith("1 computer ")
    assert company(1_000).startswith("1,000 computers ")
