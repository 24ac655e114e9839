"""How much."""

import os

from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from app.pages.settings.amounts import AmountsSection
from app.style.theme import LIGHT
from core.api.devices import CardSeen, CardsListed
from core.settings import ComputeSettings, NetworkSettings, RulesSettings, Settings
from tests.fake_actions import FakeActions, state_of


def shown(settings: Settings, qtbot: QtBot) -> dict[str, str]:
    section = AmountsSection(LIGHT, FakeActions())
    qtbot.addWidget(section)
    section.show_state(state_of(settings))
    return {box.accessibleName(): box.currentText() for box in section.findChildren(QComboBox)}


def test_the_defaults_are_in_words(qtbot: QtBot) -> None:
    """Nobody has to know a number."""
    assert shown(Settings(), qtbot) == {
        "Where models are trained": "Automatic",
        "Cores at work": "As many as help",
        "Share of the time": "All of it",
        "Memory that stays free": "500\u00a0MB",
        "Disk space that stays free": "1\u00a0GB",
        "Downloading models": "As fast as they come",
        "Level": "Automatic",
    }


def test_other_values_are_shown_as_they_are(qtbot: QtBot) -> None:
    """Those of the file, too, with their units."""
    rules = RulesSettings(share_percent=33, memory_floor_mb=0, disk_floor_mb=1_500)
    network = NetworkSettings(models_kb_s=750)
    found = shown(Settings(rules=rules, network=network), qtbot)
    assert found["Share of the time"] == "33\u00a0%"
    assert found["Memory that stays free"] == "Never mind"
    assert found["Disk space that stays free"] == "1.5\u00a0GB"
    assert found["Downloading models"] == "750\u00a0kB/s"


def test_a_device_can_be_chosen_where_there_is_a_card(qtbot: QtBot) -> None:
    """By its maker's name, two of a kind told apart; without a card the row is not seen."""
    actions = FakeActions()
    section = AmountsSection(LIGHT, actions)
    qtbot.addWidget(section)
    section.show_state(state_of(Settings()))
    section.opened()
    row = section._device  # noqa: SLF001 - one of many rows
    box = row.findChildren(QComboBox)[0]
    actions.reply(CardsListed(cards=()))
    assert row.isHidden()
    cards = [CardSeen(device=f"cuda:{number}", title="NVIDIA A") for number in range(2)]
    actions.reply(CardsListed(cards=tuple(cards)))
    assert not row.isHidden()
    texts = [box.itemText(at) for at in range(box.count())]
    assert texts == ["Automatic", "Processor", "NVIDIA A", "NVIDIA A (2)"]
    box.activated.emit(3)
    assert actions.kept().compute.device == "cuda:1"


def test_a_card_that_is_gone_can_be_given_up(qtbot: QtBot) -> None:
    """The row stays while the settings name one."""
    section = AmountsSection(LIGHT, FakeActions())
    qtbot.addWidget(section)
    section.show_state(state_of(Settings(compute=ComputeSettings(device="cuda:1"))))
    assert not section._device.isHidden()  # noqa: SLF001 - one of many rows
    assert section._device.findChildren(QComboBox)[0].currentText() == "cuda:1"  # noqa: SLF001 - likewise


def test_no_more_cores_are_offered_than_there_are(qtbot: QtBot) -> None:
    """One entry each, and the one that chooses by itself."""
    section = AmountsSection(LIGHT, FakeActions())
    qtbot.addWidget(section)
    (cores,) = (
        box for box in section.findChildren(QComboBox) if box.accessibleName() == "Cores at work"
    )
    assert cores.count() == 1 + (os.cpu_count() or 1)
