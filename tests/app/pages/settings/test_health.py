"""What works here."""

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.pages.settings.health import HealthSection
from app.style.theme import LIGHT
from core.api.maintenance import Finding, LookAround, LookedAround
from core.api.requests import Refused
from tests.wishes import Wishes


@pytest.fixture
def section(qtbot: QtBot) -> HealthSection:
    made = HealthSection(LIGHT)
    qtbot.addWidget(made)
    return made


def texts(section: HealthSection) -> list[str]:
    return [one.text() for one in section.findChildren(QLabel) if one.isVisibleTo(section)]


def test_it_looks_once_by_itself(section: HealthSection) -> None:
    """And again when it is asked to."""
    wishes = Wishes(section.asked)
    section.opened()
    section.opened()
    (request,) = wishes.of(LookAround)
    (again,) = section.findChildren(QPushButton)
    again.click()
    assert wishes.of(LookAround) == [request]
    section.hear(Refused(id=request.id, words="It went wrong."))
    assert "It went wrong." in texts(section)
    again.click()
    assert len(wishes.of(LookAround)) == 2


def test_looking_again_keeps_the_keyboard(section: HealthSection) -> None:
    """While it looks, and afterwards."""
    wishes = Wishes(section.asked)
    section.show()
    section.hear(Refused(id=wishes.last(LookAround).id, words="It went wrong."))
    (again,) = section.findChildren(QPushButton)
    again.setFocus()
    again.click()
    assert section.focusWidget() is again
    section.hear(Refused(id=wishes.last(LookAround).id, words="It went wrong."))
    assert section.focusWidget() is again


def test_what_was_found_is_told(section: HealthSection) -> None:
    """The newest only; signs have words for a screen reader."""
    wishes = Wishes(section.asked)
    section.opened()
    bad = Finding("memory", ok=False, words="only little is free")
    section.hear(LookedAround(id=wishes.last(LookAround).id, findings=(bad,)))
    assert "Only little is free" in texts(section)
    assert "One thing keeps this computer from practising." in texts(section)
    names = {one.accessibleName() for one in section.findChildren(QLabel)}
    assert "needs you" in names
    section.findChildren(QPushButton)[0].click()
    good = Finding("memory", ok=True, words="plenty is free")
    section.hear(LookedAround(id=wishes.last(LookAround).id, findings=(good,)))
    assert "Plenty is free" in texts(section)
    assert "Only little is free" not in texts(section)
