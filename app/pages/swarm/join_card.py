"""An invite of others: paste it, see what it says, agree to its addresses, take part."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.backend.actions import Actions
from app.backend.latest_call import LatestCall
from app.pages.swarm.card import Card
from app.pages.swarm.destinations import described, doubts_of
from app.pages.swarm.fields import add_field, field
from app.style import theme
from app.text.error_words import told
from app.widgets.basics import bare_column, button, label, set_button
from app.widgets.row_list import RowButton
from core.api.requests import Refused
from core.api.swarm import DoubtfulHub, InviteShown, ShowInvite


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


class JoinCard(Card):
    """Asks the helper what a link says, and then the person."""

    join_asked = Signal(object)  # InviteShown
    decks_asked = Signal(object)  # InviteShown: its decks are to be seen before anybody joins

    def __init__(self, actions: Actions) -> None:
        super().__init__(self.tr("Join another swarm"))
        self._call = LatestCall(actions)
        self._shown: InviteShown | None = None
        self._link = field(
            self.tr("An invite, or the name of an open swarm"), self.tr("waggle://join/…")
        )
        self._read = button(self.tr("See what it says"))
        self._trouble = label("", "trouble", wrap=True)
        self._name = label("", "lead", wrap=True)
        self._words = label("", "muted", wrap=True)
        self._join = button(self.tr("Join this swarm"))
        self._question = AddressQuestion()
        self._found = QWidget()
        self._link.textEdited.connect(self._forget)
        self._link.returnPressed.connect(self._ask)
        self._read.clicked.connect(self._ask)
        self._join.clicked.connect(self._on_join)
        self._question.agreed.connect(self._go)
        self._question.declined.connect(self._stay)
        self.setFocusProxy(self._link)
        self._lay_out()
        self._forget()

    def fill_in(self, link: str) -> None:
        """Show what ``link`` says, as if the person had pasted it."""
        self._link.setText(link)
        self._ask()

    def clear(self) -> None:
        """Be ready for another link."""
        self._link.clear()
        self._forget()

    def _ask(self) -> None:
        self._forget()
        if self._link.text().strip():
            request = ShowInvite(link=self._link.text().strip())
            self._call.make(request, self._on_shown, self._on_refused)

    def _on_shown(self, shown: InviteShown) -> None:
        self._shown = shown
        self._name.setText(shown.swarm.name)
        self._words.setText(described(shown.swarm))
        way = self.tr("See its puzzles") if shown.missing else self.tr("Join this swarm")
        set_button(self._join, way, enabled=True)
        self._found.show()

    def _on_refused(self, why: Refused) -> None:
        self._trouble.setText(told(why))
        self._trouble.show()

    def _on_join(self) -> None:
        doubtful = () if self._shown is None else self._shown.doubtful
        if not doubtful:
            self._go()
            return
        self._question.put(doubtful)
        self._join.hide()  # after the question has taken the keyboard over

    def _stay(self) -> None:
        self._join.show()
        self._join.setFocus()

    def _go(self) -> None:
        shown = self._shown
        if shown is None:
            return
        if shown.missing:
            self._join.show()  # for whoever comes back without having agreed
            self.decks_asked.emit(shown)
        else:
            self.clear()
            self.join_asked.emit(shown)

    def _forget(self) -> None:
        """Nothing of what was found counts for another link."""
        self._call.forget()
        self._shown = None
        for part in (self._found, self._question, self._trouble):
            part.hide()
        self._join.show()

    def _lay_out(self) -> None:
        found = bare_column(self._found)
        for part in (self._name, self._words, self._join, self._question):
            found.addWidget(part)
        found.setContentsMargins(0, theme.SPACE_S, 0, 0)
        add_field(self.column, self._link)
        for whole in (self._read, self._trouble, self._found):
            self.column.addWidget(whole)
