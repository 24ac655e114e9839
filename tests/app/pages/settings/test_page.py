"""The page Settings as a whole."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from app.pages.settings.page import SECTIONS, SectionName, SettingsPage
from app.pages.settings.section import Section
from app.pages.settings.week_grid import WeekGrid
from app.style.theme import DARK, LIGHT
from app.widgets.controls import Choices
from core.api.maintenance import MeasureFolders
from core.api.programs import ListPrograms
from core.settings import Settings
from tests.app.reading import button
from tests.fake_actions import FakeActions, state_of

ENTRIES = (
    "When it runs",
    "How much",
    "Meeting others",
    "Window",
    "Identity and data",
    "What works here",
    "Updates",
    "About",
)


@pytest.fixture
def page(actions: FakeActions, qtbot: QtBot) -> SettingsPage:
    made = SettingsPage(LIGHT, actions)
    qtbot.addWidget(made)
    made.show_state(state_of())
    made.resize(732, 600)
    made.show()
    return made


def test_the_index_leads_to_every_section(page: SettingsPage) -> None:
    """Each is made when it is first shown, and the index says where one is."""
    for number, text in enumerate(ENTRIES):
        button(page, text).click()
        assert [button(page, one).isChecked() for one in ENTRIES].index(True) == number
        assert len(page.findChildren(Section)) == number + 1
        visible = [one for one in page.findChildren(Section) if one.isVisible()]
        assert len(visible) == 1


def test_a_section_asks_for_fresh_data_when_it_is_seen(
    actions: FakeActions, page: SettingsPage
) -> None:
    """And what it asks for comes out of the page."""
    actions.all.clear()
    page.open_section("identity")
    page.open_section("times")
    page.open_section("identity")
    assert len(actions.of(MeasureFolders)) == 2
    assert len(actions.of(ListPrograms)) == 1


def test_every_choice_offers_what_the_settings_allow(
    actions: FakeActions, page: SettingsPage
) -> None:
    """Whatever is clicked, the file stays valid; every default is among the choices."""
    for name in SECTIONS:
        page.open_section(name)
    for box in page.findChildren(Choices):
        actions.all.clear()
        count = box.count()
        page.show_state(state_of())
        assert box.count() == count, f"the default of {box.accessibleName()} has no words"
        for at in range(count):
            box.activated.emit(at)
            kept = actions.kept()
            assert msgspec.convert(msgspec.to_builtins(kept), Settings) == kept


@pytest.mark.parametrize("name", SECTIONS)
@pytest.mark.parametrize("size", [(732, 600), (1232, 900)])
def test_nothing_is_cut_off(
    page: SettingsPage, name: SectionName, size: tuple[int, int], qtbot: QtBot
) -> None:
    """Also with words a third longer: no section scrolls sideways, no button cuts its text."""
    for one in page.findChildren(QPushButton):
        if one.text() in ENTRIES:
            one.setText(one.text() + "xxxxx")
    page.open_section(name)
    page.resize(*size)

    def has_room() -> None:  # once the new words have gone through all layouts
        for scroll in page.findChildren(QScrollArea):
            assert not scroll.isVisible() or scroll.horizontalScrollBar().maximum() == 0
        for made in page.findChildren(QPushButton):
            assert not made.isVisible() or made.width() >= made.minimumSizeHint().width()

    qtbot.waitUntil(has_room)


def test_the_keyboard_reaches_every_control(page: SettingsPage) -> None:
    """Tab leads to each of them, and to one entry of the index; each has a name."""
    for name in SECTIONS:
        page.open_section(name)
    assert any(button(page, text).focusPolicy().value & 1 for text in ENTRIES)
    for one in page.findChildren(QPushButton):
        assert one.accessibleName()
        assert one.text() in ENTRIES or one.focusPolicy().value & 1, one.text()
    for box in page.findChildren(QComboBox):
        assert box.accessibleName()
        assert box.focusPolicy().value & 1


def test_a_section_can_be_where_somebody_is_sent(page: SettingsPage) -> None:
    """By its name; one that is not there changes nothing."""
    for subject in ("updates", "nowhere"):
        page.take(subject)
        assert button(page, "Updates").isChecked()


def test_arrows_lead_through_the_index(page: SettingsPage) -> None:
    """As through all choices of which one is taken."""
    button(page, "When it runs").setFocus()
    QTest.keyClick(button(page, "When it runs"), Qt.Key.Key_Down)
    assert button(page, "How much").isChecked()
    assert [type(one).__name__ for one in page.findChildren(Section) if one.isVisible()] == [
        "AmountsSection"
    ]


def test_the_palette_reaches_what_is_painted_by_hand(page: SettingsPage) -> None:
    """The hours of the week take on the colours of the rest."""
    page.show_palette(DARK)
    (grid,) = page.findChildren(WeekGrid)
    picture = grid.grab().toImage()
    colours = {picture.pixelColor(x, 60).name().upper() for x in range(picture.width())}
    assert DARK.accent in colours
    assert LIGHT.mine not in colours
