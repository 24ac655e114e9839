"""The section About."""

from PySide6.QtWidgets import QComboBox, QLabel, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.pages.settings.about import AboutSection
from app.pages.settings.licences import Licence
from app.style.theme import LIGHT
from core.version import VERSION
from tests.fake_actions import FakeActions

PARTS = (
    Licence("numpy", "2.0", "BSD-3-Clause", "Permission to use numpy"),
    Licence("a-library-with-an-uncommonly-long-name", "10.20.30", "", ""),
)


def texts(section: AboutSection) -> list[str]:
    return [one.text() for one in section.findChildren(QLabel) if one.isVisibleTo(section)]


def test_it_says_which_waggle_this_is(actions: FakeActions, qtbot: QtBot) -> None:
    """And in a checkout, where the licences are."""
    section = AboutSection(LIGHT, actions, ())
    qtbot.addWidget(section)
    assert f"Waggle {VERSION}" in texts(section)
    assert any("runs from its source" in text for text in texts(section))


def test_every_part_is_shown_with_its_terms(actions: FakeActions, qtbot: QtBot) -> None:
    """One at a time; the text can be read and not be changed."""
    section = AboutSection(LIGHT, actions, PARTS)
    qtbot.addWidget(section)
    (box,) = section.findChildren(QComboBox)
    (text,) = section.findChildren(QPlainTextEdit)
    assert text.isReadOnly()
    assert text.toPlainText() == "Permission to use numpy"
    assert "BSD-3-Clause" in texts(section)
    box.activated.emit(1)
    assert "without a text" in text.toPlainText()
    assert all(len(box.itemText(at)) < 40 for at in range(box.count()))
