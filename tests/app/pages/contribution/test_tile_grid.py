"""Totals as cards."""

from PySide6.QtWidgets import QFrame
from pytestqt.qtbot import QtBot

from app.pages.contribution.tile_grid import TileGrid
from app.pages.contribution.totals import tiles
from tests.app.pages.contribution.samples import MONTH, OLD
from tests.app.reading import texts


def test_tiles_are_shown_and_shown_anew(qtbot: QtBot) -> None:
    """The same cards carry the new figures; none are left when there are none."""
    grid = TileGrid()
    qtbot.addWidget(grid)
    grid.show_tiles(tiles(MONTH))
    cards = grid.findChildren(QFrame)
    assert "Rounds" in texts(grid)
    grid.show_tiles(tiles(OLD))
    assert grid.findChildren(QFrame) == cards
    assert texts(grid).count("Not known yet") == 4
    grid.show_tiles(())
    assert not grid.isVisible()


def test_a_tile_is_heard_as_one_sentence(qtbot: QtBot) -> None:
    """Title, value and note belong together."""
    grid = TileGrid()
    qtbot.addWidget(grid)
    grid.show_tiles(tiles(MONTH))
    names = {card.accessibleName() for card in grid.findChildren(QFrame)}
    assert "Others helped: 3, 21 thank-yous" in names
