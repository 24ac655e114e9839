"""The totals as small cards, four in a row."""

from collections.abc import Sequence

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QWidget

from app.pages.contribution.totals import Tile
from app.style import theme
from app.text.phrases import labelled, series
from app.widgets.basics import column_of, frame, label

IN_A_ROW = 4


class TileGrid(QWidget):
    """A function of its tiles. Always given the same number of tiles, or none."""

    def __init__(self) -> None:
        super().__init__()
        self._cards: list[_TileCard] = []
        # The cards inside could grow; spare room belongs below them all.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(theme.SPACE_S)
        for at in range(IN_A_ROW):
            self._grid.setColumnStretch(at, 1)

    def show_tiles(self, tiles: Sequence[Tile]) -> None:
        """Show ``tiles`` in reading order."""
        for at in range(len(self._cards), len(tiles)):
            card = _TileCard()
            self._cards.append(card)
            self._grid.addWidget(card.frame, at // IN_A_ROW, at % IN_A_ROW)
        for card, tile in zip(self._cards, tiles, strict=False):
            card.show_tile(tile)
        self.setVisible(bool(tiles))


class _TileCard:
    def __init__(self) -> None:
        self.frame: QFrame = frame("card", margin=theme.SPACE_M, spacing=2)
        self._title = label("", "small", wrap=True)
        self._value = label("", "lead", wrap=True)
        self._note = label("", "small", wrap=True)
        font = QFont(self._value.font())
        font.setWeight(QFont.Weight.DemiBold)
        self._value.setFont(font)
        for line in (self._title, self._value, self._note):
            column_of(self.frame).addWidget(line)
        column_of(self.frame).addStretch()

    def show_tile(self, tile: Tile) -> None:
        self._title.setText(tile.title)
        self._value.setText(tile.value)
        self._note.setText(tile.note)
        self.frame.setAccessibleName(labelled(tile.title, series((tile.value, tile.note))))
