"""One puzzle that passed by."""

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.pages.practice.puzzle_card import PuzzleCard
from app.style.appearance import Appearance
from tests.app.focus_rings import bad_rings
from tests.app.pages.practice.samples import PEER, own_puzzle, peer_puzzle, shared_puzzle
from tests.app.reading import press_again, texts


def test_the_own_tries_are_told_as_such(qtbot: QtBot) -> None:
    """What was asked, by which round, and how many answers were right; nobody to block."""
    card = PuzzleCard(own_puzzle(1_812))
    qtbot.addWidget(card)
    said = texts(card)
    assert said[:2] == ["Find the greatest common divisor", "Round 1,812"]
    assert "Your model: 1\u00a0of\u00a03\u00a0right" in said
    assert card.findChildren(QPushButton) == []


def test_a_peers_tries_bear_its_name(qtbot: QtBot) -> None:
    """Judged here, with a way to block it that names nobody else."""
    card = PuzzleCard(peer_puzzle())
    qtbot.addWidget(card)
    assert "What gentle-hare-31 answered to this: 1\u00a0of\u00a02\u00a0right" in texts(card)
    (block,) = card.findChildren(QPushButton)
    assert block.accessibleName() == "Block gentle-hare-31"
    assert "gentle-hare-31" in block.accessibleDescription()
    with qtbot.waitSignal(card.block_asked) as asked:
        block.click()
    assert asked.args == [PEER]


def test_a_double_click_blocks_one(qtbot: QtBot) -> None:
    """Its second half meets the card that slid under the pointer, of somebody else."""
    card = PuzzleCard(peer_puzzle())
    qtbot.addWidget(card)
    asked: list[str] = []
    card.block_asked.connect(asked.append)
    (block,) = card.findChildren(QPushButton)
    press_again(block)
    assert asked == []


def test_the_ring_around_the_way_to_block_is_whole(appearance: Appearance, qtbot: QtBot) -> None:
    """Though its words stand in line with the answers above."""
    card = PuzzleCard(shared_puzzle())
    qtbot.addWidget(card)
    appearance.dress(card)
    with qtbot.waitActive(card):
        card.show()
        card.activateWindow()
    assert bad_rings(card, appearance.palette.focus) == []


def test_both_stand_side_by_side(qtbot: QtBot) -> None:
    """Own answers first, then those of the peer."""
    card = PuzzleCard(shared_puzzle())
    qtbot.addWidget(card)
    said = texts(card)
    mine = said.index("Your model: 1\u00a0of\u00a03\u00a0right")
    assert mine < said.index("What gentle-hare-31 answered to this: 1\u00a0of\u00a02\u00a0right")


def test_the_mouse_is_told_of(qtbot: QtBot) -> None:
    """As soon as it comes over the card, before anything is pressed."""
    card = PuzzleCard(peer_puzzle())
    qtbot.addWidget(card)
    card.show()
    QTest.mouseMove(card, card.rect().bottomRight() * 3)
    with qtbot.waitSignal(card.entered):
        QTest.mouseMove(card, card.rect().center())
