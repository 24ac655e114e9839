"""Milestones as two cards."""

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.pages.contribution.milestone_list import MilestoneList, ProgressRing
from app.pages.contribution.steps import MilestoneStep
from app.style.theme import DARK, LIGHT
from tests.app.reading import texts

FIRST = MilestoneStep("The first round", "12 Nov 2026", 1.0)
NEXT = MilestoneStep("100 rounds", "80 of 100", 0.8)


@pytest.fixture
def milestones(qtbot: QtBot) -> MilestoneList:
    made = MilestoneList(LIGHT)
    qtbot.addWidget(made)
    made.resize(684, 200)
    made.show()
    return made


def test_both_cards_say_what_they_hold(milestones: MilestoneList) -> None:
    """What was reached with its day, what comes next with how far it is."""
    milestones.show_steps([FIRST], [NEXT])
    assert texts(milestones) == [
        "Milestones",
        "The first round",
        "12 Nov 2026",
        "Next",
        "100 rounds",
        "80 of 100",
    ]
    heard = {part.accessibleName() for part in milestones.findChildren(QWidget)}
    assert {"The first round: 12 Nov 2026", "100 rounds: 80 of 100"} <= heard


def test_an_empty_card_says_why(milestones: MilestoneList) -> None:
    """Before the first one, and after the last."""
    milestones.show_steps([], [])
    assert texts(milestones) == [
        "Milestones",
        "The first is near.",
        "Next",
        "All of them are behind you.",
    ]


def test_lists_grow_and_shrink(milestones: MilestoneList) -> None:
    """No row of before is left standing."""
    milestones.show_steps([FIRST] * 4, [NEXT])
    assert texts(milestones).count("The first round") == 4
    milestones.show_steps([FIRST], [])
    assert texts(milestones).count("The first round") == 1
    assert "100 rounds" not in texts(milestones)


def test_both_palettes_can_be_worn(milestones: MilestoneList) -> None:
    """The rings are drawn anew."""
    milestones.show_steps([FIRST], [NEXT])
    light = milestones.grab().toImage()
    milestones.show_palette(DARK)
    assert milestones.grab().toImage() != light


def test_every_share_looks_different(qtbot: QtBot) -> None:
    """Empty, half, nearly full, and full with a tick; in both palettes."""
    ring = ProgressRing(LIGHT)
    qtbot.addWidget(ring)

    def look(share: float) -> QImage:
        ring.show_share(share, LIGHT)
        return ring.grab().toImage()

    shares = [look(share) for share in (0.0, 0.25, 0.5, 0.95, 1.0)]
    assert all(one != other for one in shares for other in shares if one is not other)
    ring.show_share(1.0, DARK)
    assert ring.grab().toImage() != shares[-1]
