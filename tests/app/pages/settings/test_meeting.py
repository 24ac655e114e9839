"""Where others are met."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.settings.meeting import MeetingSection
from app.state.intents import Keep, Open
from app.style.theme import LIGHT
from core.settings import NetworkSettings, Settings, SwarmSettings
from tests.app.reading import text
from tests.fake_actions import FakeActions, state_of


@pytest.fixture
def section(actions: FakeActions, qtbot: QtBot) -> MeetingSection:
    made = MeetingSection(LIGHT, actions)
    qtbot.addWidget(made)
    made.show_state(state_of())
    return made


def field(section: MeetingSection, name: str) -> QLineEdit:
    (found,) = (one for one in section.findChildren(QLineEdit) if one.accessibleName() == name)
    return found


def enter(line: QLineEdit, typed: str) -> None:
    line.selectAll()
    QTest.keyClicks(line, typed)
    QTest.keyClick(line, Qt.Key.Key_Return)


@pytest.mark.parametrize("proxy", ["http://proxy:3128", "https://me:p%40ss@proxy.example:8080"])
def test_a_proxy_is_kept(actions: FakeActions, section: MeetingSection, proxy: str) -> None:
    """Once it is whole, and once."""
    enter(field(section, "Proxy"), f" {proxy} ")
    QTest.keyClick(field(section, "Proxy"), Qt.Key.Key_Return)
    assert actions.kept().network.proxy == proxy
    assert len(actions.of(Keep)) == 1


@pytest.mark.parametrize("typed", ["proxy:3128", "http://proxy", "socks5://proxy:1", "a b"])
def test_what_is_no_proxy_is_told_and_stays(
    actions: FakeActions, section: MeetingSection, typed: str
) -> None:
    """Nothing is kept; a state that arrives does not wipe it away; mending it does."""
    line = field(section, "Proxy")
    enter(line, typed)
    section.show_state(state_of())
    assert actions.all == []
    assert line.text() == typed
    assert line.property("wrong")
    assert "with its port" in text(section)
    enter(line, "http://proxy:3128")
    assert not line.property("wrong")
    assert "with its port" not in text(section)


def test_a_proxy_that_is_selected_stays_so(section: MeetingSection) -> None:
    """To copy it, or to type over it, while states arrive."""
    state = state_of(Settings(network=NetworkSettings(proxy="http://proxy:1")))
    section.show_state(state)
    line = field(section, "Proxy")
    line.setSelection(7, 5)
    section.show_state(state)
    assert line.selectedText() == "proxy"


def test_a_proxy_can_be_taken_back(actions: FakeActions, section: MeetingSection) -> None:
    """By leaving the field empty."""
    settings = Settings(network=NetworkSettings(proxy="http://proxy:1"))
    section.show_state(state_of(settings))
    line = field(section, "Proxy")
    assert line.text() == "http://proxy:1"
    line.selectAll()
    QTest.keyClick(line, Qt.Key.Key_Delete)
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert actions.kept(settings).network.proxy == ""


def test_the_port_is_kept(actions: FakeActions, section: MeetingSection) -> None:
    """As a number."""
    enter(field(section, "Port"), "7777")
    assert actions.kept().swarm.port == 7777


def test_the_swarm_is_named_and_leads_to_its_page(
    actions: FakeActions, section: MeetingSection
) -> None:
    """Not by what only programs call it, and without the secret of an invite."""
    assert "One that is open." in text(section)
    link = "waggle://join/abcDEF"
    section.show_state(state_of(Settings(swarm=SwarmSettings(name=link))))
    assert link not in text(section)
    assert "invited" in text(section)
    (way,) = (b for b in section.findChildren(QPushButton) if b.text() == "Open Swarm")
    way.click()
    assert actions.last(Open) == Open("swarm")
