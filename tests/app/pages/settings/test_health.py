"""What works here."""

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.settings.health import HealthSection
from app.style.theme import LIGHT
from core.api.maintenance import Finding, LookAround, LookedAround
from core.api.requests import Refused
from tests.app.reading import texts
from tests.fake_actions import FakeActions


@pytest.fixture
def section(actions: FakeActions, qtbot: QtBot) -> HealthSection:
    made = HealthSection(LIGHT, actions)
    qtbot.addWidget(made)
    return made


def test_it_looks_once_by_itself(actions: FakeActions, section: HealthSection) -> None:
    """And again when it is asked to."""
    section.opened()
    section.opened()
    (request,) = actions.of(LookAround)
    (again,) = section.findChildren(QPushButton)
    again.click()
    assert actions.of(LookAround) == [request]
    actions.reply(Refused(id=request.id, words="It went wrong."))
    assert "It went wrong." in texts(section)
    again.click()
    assert len(actions.of(LookAround)) == 2


def test_looking_again_keeps_the_keyboard(actions: FakeActions, section: HealthSection) -> None:
    """While it looks, and afterwards."""
    section.show()
    actions.reply(Refused(id=actions.last(LookAround).id, words="It went wrong."))
    (again,) = section.findChildren(QPushButton)
    again.setFocus()
    again.click()
    assert section.focusWidget() is again
    actions.reply(Refused(id=actions.last(LookAround).id, words="It went wrong."))
    assert section.focusWidget() is again


def test_what_was_found_is_told(actions: FakeActions, section: HealthSection) -> None:
    """The newest only; signs have words for a screen reader."""
    section.opened()
    bad = Finding("memory", ok=False, words="only little is free")
    actions.reply(LookedAround(id=actions.last(LookAround).id, findings=(bad,)))
    assert "Only little is free" in texts(section)
    assert "One thing keeps this computer from practising." in texts(section)
    names = {one.accessibleName() for one in section.findChildren(QLabel)}
    assert "needs you" in names
    section.findChildren(QPushButton)[0].click()
    good = Finding("memory", ok=True, words="plenty is free")
    actions.reply(LookedAround(id=actions.last(LookAround).id, findings=(good,)))
    assert "Plenty is free" in texts(section)
    assert "Only little is free" not in texts(section)
