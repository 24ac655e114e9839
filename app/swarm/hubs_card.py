"""The meeting points, and how each of them does."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app import theme
from app.plain_text import breakable
from app.swarm.card import Card
from app.swarm.hub_look import HubLook
from app.widgets import button, drop, label


class HubsCard(Card):
    """A function of its rows."""

    removal_asked = Signal(str)  # address

    def __init__(self) -> None:
        super().__init__(self.tr("Meeting points"))
        self._shown: tuple[HubLook, ...] = ()
        self._rows: list[_HubRow] = []
        self._hint = label("", "muted", wrap=True)
        self._list = QVBoxLayout()
        self._list.setSpacing(theme.SPACE_M)
        self.column.addLayout(self._list)
        self.column.addWidget(self._hint)

    def show_hubs(self, hubs: Sequence[HubLook], hint: str) -> None:
        """Show ``hubs`` in their order, and ``hint`` below them."""
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))
        if tuple(hubs) == self._shown:
            return
        same = [hub.address for hub in hubs] == [hub.address for hub in self._shown]
        self._shown = tuple(hubs)
        if not same:
            self._rebuild()
        for row, hub in zip(self._rows, hubs, strict=True):
            row.show_hub(hub)

    def _rebuild(self) -> None:
        for row in self._rows:
            drop(row, self._list)
        self._rows = [self._row(hub.address) for hub in self._shown]

    def _row(self, address: str) -> "_HubRow":
        row = _HubRow(address)
        row.remove.clicked.connect(lambda: self.removal_asked.emit(address))
        self._list.addWidget(row)
        return row


class _HubRow(QWidget):
    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = label(breakable(address), "heading", wrap=True)
        self._words = label("", "small", wrap=True)
        self.remove = button(self.tr("Remove"))
        self.remove.setAccessibleName(self.tr("Remove {}").format(address))
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addStretch()
        words.addWidget(self._address)
        words.addWidget(self._words)
        words.addStretch()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACE_M)
        row.addLayout(words, 1)
        row.addWidget(self.remove, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_hub(self, hub: HubLook) -> None:
        """Draw ``hub``."""
        self._words.setText(hub.words)
        self.remove.setVisible(hub.is_named)
