"""How the window looks and behaves."""

import pytest
from PySide6.QtWidgets import QComboBox, QLabel
from pytestqt.qtbot import QtBot

from app.pages.settings.window_section import WindowSection
from app.style.theme import LIGHT
from app.widgets.controls import Switch
from core.api.maintenance import AutostartShown, SetAutostart, ShowAutostart
from core.api.requests import Refused
from tests.fake_actions import FakeActions, state_of


class Played:
    """The section, opened, and what it asked for."""

    def __init__(self, actions: FakeActions, qtbot: QtBot) -> None:
        self.section = WindowSection(LIGHT, actions)
        qtbot.addWidget(self.section)
        self.actions = actions
        self.section.show_state(state_of())
        self.section.opened()

    @property
    def autostart(self) -> Switch:
        return self.switch("Start with the computer")

    def switch(self, name: str) -> Switch:
        (found,) = (s for s in self.section.findChildren(Switch) if s.accessibleName() == name)
        return found


@pytest.fixture
def played(actions: FakeActions, qtbot: QtBot) -> Played:
    return Played(actions, qtbot)


def test_starting_with_the_computer_waits_for_the_systems_word(played: Played) -> None:
    """Nothing is claimed before."""
    assert not played.autostart.isEnabled()
    request = played.actions.last(ShowAutostart)
    played.actions.reply(AutostartShown(id=request.id, on=True))
    assert played.autostart.isEnabled()
    assert played.autostart.isChecked()


def test_the_system_has_the_last_word(played: Played) -> None:
    """A switch that it does not allow goes back, and why is told."""
    played.actions.reply(AutostartShown(id=played.actions.last(ShowAutostart).id, on=False))
    played.autostart.click()
    request = played.actions.last(SetAutostart)
    assert request.on
    played.actions.reply(Refused(id=request.id, words="The system does not allow it."))
    assert not played.autostart.isChecked()
    texts = [one.text() for one in played.section.findChildren(QLabel)]
    assert "The system does not allow it." in texts
    played.autostart.click()
    played.actions.reply(AutostartShown(id=played.actions.last(SetAutostart).id, on=True))
    assert played.autostart.isChecked()


def test_without_a_tray_nobody_can_stay_in_it(played: Played) -> None:
    """Offscreen there is none, and that is said."""
    tray = played.switch("Stay in the tray when the window is closed")
    assert not tray.isEnabled()
    assert "no tray" in tray.accessibleDescription()


def test_looks_and_language_are_kept(played: Played) -> None:
    """Languages are called as those who speak them call them."""
    boxes = {box.accessibleName(): box for box in played.section.findChildren(QComboBox)}
    languages = boxes["Words of this window"]
    names = [languages.itemText(at) for at in range(languages.count())]
    assert names[1:] == ["English", "Deutsch", "Español", "简体中文"]
    languages.activated.emit(2)
    boxes["Colours"].activated.emit(1)
    boxes["Light or dark"].activated.emit(2)
    played.switch("Notifications").click()
    window = played.actions.kept().window
    assert (window.language, window.colours, window.theme) == ("de", "sea", "dark")
    assert not window.notifications
