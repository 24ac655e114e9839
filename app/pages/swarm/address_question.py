"""Asks before Waggle connects to an address of an invite that may lead where nobody wants it to."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout

from app.pages.swarm.card import Card
from app.pages.swarm.destinations import doubts_of
from app.style import theme
from app.widgets.basics import label
from app.widgets.row_list import RowButton
from core.api.swarm import DoubtfulHub


class AddressQuestion(Card):
    """Hidden while nothing is asked. Enter and Escape decline: agreeing takes a choice."""

    agreed = Signal()
    declined = Signal()

    def __init__(self) -> None:
        super().__init__(role="notice")
        self._words = label("", wrap=True)
        # What shows under the pointer is not pressed by the second half of a double click.
        self._yes, self._no = RowButton(self.tr("Connect")), RowButton(self.tr("Do not connect"))
        self._yes.clicked.connect(self._on_yes)
        self._no.clicked.connect(self._on_no)
        ways = QHBoxLayout()
        ways.setSpacing(theme.SPACE_S)
        for way in (self._yes, self._no):
            ways.addWidget(way)
        ways.addStretch()
        self.column.addWidget(self._words)
        self.column.addLayout(ways)
        self.hide()

    def put(self, hubs: Sequence[DoubtfulHub]) -> None:
        """Ask about ``hubs``, at least one, and wait for the answer."""
        words = doubts_of(hubs)
        self._words.setText(words)
        self.setAccessibleName(words)
        self._no.setAccessibleDescription(words)  # it gets the focus, and a screen reader says it
        self.show()
        self._no.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Decline by Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self._on_no()
        else:
            super().keyPressEvent(event)

    def _on_yes(self) -> None:
        self.hide()
        self.agreed.emit()

    def _on_no(self) -> None:
        self.hide()
        self.declined.emit()
