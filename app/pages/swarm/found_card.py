"""A swarm of one's own: a name, who may take part, what is practised, and where members meet."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QHBoxLayout,
    QProgressBar,
    QRadioButton,
    QWidget,
)

from app.backend.actions import Actions
from app.backend.helper_call import HelperCall, abandon
from app.pages.swarm.card import Card
from app.pages.swarm.fields import add_field, field
from app.state.intents import SharedDeck
from app.style import theme
from app.text.deck_words import deck_title
from app.text.error_words import told
from app.text.plain_text import LONGEST_NAME, name_for
from app.widgets.basics import bare_column, button, hung, label, take_turns
from app.widgets.row_list import RowButton
from core.api.requests import Refused
from core.api.swarm import MOST_HUBS, MOST_PLACE, InviteMade, LeavingDecks, MakeInvite


class FoundCard(Card):
    """Asks the helper for an invite to what the person describes."""

    made = Signal(object)  # InviteMade
    join_asked = Signal(object)  # InviteMade: the person wants to be a member at once

    def __init__(self, actions: Actions) -> None:
        super().__init__(self.tr("Start a swarm of your own"))
        self._actions = actions
        self._call: HelperCall | None = None  # under way
        self._deck: SharedDeck | None = None  # what is practised; None: what is built in
        self._places: Sequence[str] = ()  # where others can come
        self._practised = QWidget()
        self._what = label("", wrap=True)
        self._built_in = button(self.tr("Practise what is built in instead"), kind="small")
        self._name = field(self.tr("Its name"), self.tr("our-class"), most=LONGEST_NAME)
        self._private = _choice(self.tr("Private: by invite only"))
        self._open = _choice(self.tr("Open to anybody"))
        self._kinds = QButtonGroup(self)
        self._hubs = field(
            self.tr("Meeting points, if there are any; a space between them"),
            self.tr("https://hub.example.org"),
        )
        self._needed = label(
            self.tr(
                "Puzzles of your own are handed on by a meeting point. Name one here, or open one "
                "on this computer: see “Host a meeting point” on this page."
            ),
            "small",
            wrap=True,
        )
        self._too = QCheckBox(self.tr("Join it now, too"))
        self._too.setAccessibleName(self._too.text())
        self._make, self._cancel = RowButton(self.tr("Make the invite")), button(self.tr("Cancel"))
        self._trouble, self._status = label("", "trouble", wrap=True), label("", "muted", wrap=True)
        self._progress = QProgressBar()
        self._connect()
        self._lay_out()
        self._show_deck(None)

    def share(self, deck: SharedDeck) -> None:
        """Offer to found a swarm that practises ``deck`` alone."""
        self._leave()
        self._name.setText(name_for(deck.name))
        self._private.setChecked(True)
        self._too.setChecked(True)
        self._hubs.setText(" ".join(self._places))
        self._show_deck(deck)
        self._name.setFocus()
        self._name.selectAll()

    def show_hubs(self, places: Sequence[str]) -> None:
        """Name ``places``, where others can come, as meeting points of a deck's swarm.

        What the person typed stays.
        """
        if tuple(places) == tuple(self._places):
            return
        self._places = tuple(places)
        if self._deck is not None and not self._hubs.isModified():
            self._hubs.setText(" ".join(places))
            self._say("")  # that one is to be named, perhaps
        self._show_deck(self._deck)

    def _ask(self) -> None:
        if self._call is not None:
            self._call.forget()  # without decks, an invite is made at once, and the last one counts
        self._say("")
        hubs = tuple(self._hubs.text().replace(",", " ").split())
        name = self._name.text().strip()
        if not name:
            self._say(self.tr("Give it a name first, such as our-class."))
            self._name.setFocus()
        elif len(hubs) > MOST_HUBS:
            self._say(self.tr("An invite names up to {} meeting points.").format(MOST_HUBS))
        elif any(len(hub) > MOST_PLACE for hub in hubs):
            said = self.tr("No meeting point has so long an address. Look what was pasted there.")
            self._say(said)
            self._hubs.setFocus()
        elif self._deck is not None and not hubs:
            self._say(self.tr("Name a meeting point first."))
            self._hubs.setFocus()
        else:
            self._request(name, hubs)

    def _request(self, name: str, hubs: tuple[str, ...]) -> None:
        private = self._private.isChecked()
        decks = () if self._deck is None else (self._deck.digest,)
        request = MakeInvite(swarm=name, hubs=hubs, is_private=private, decks=decks)
        self._call = call = self._actions.call(request)
        self._progress.setRange(0, 0)
        call.progress.connect(self._on_progress)
        call.done.connect(self._on_made)
        call.refused.connect(self._on_refused)
        call.cancelled.connect(self._on_cancelled)
        self._show_call()

    def _on_progress(self, leaving: LeavingDecks) -> None:
        words = self.tr("Leaving the puzzles at meeting point {number} of {all}…")
        self._status.setText(words.format(number=leaving.done + 1, all=leaving.total))
        self._progress.setRange(0, leaving.total if leaving.total > 1 else 0)
        self._progress.setValue(leaving.done)
        self._show_call()

    def _on_refused(self, why: Refused) -> None:
        self._call = None
        self._show_call()
        self._say(told(why))

    def _on_cancelled(self) -> None:
        self._call = None
        self._show_call()
        self._say(self.tr("That was ended; there is no invite."))

    def _on_made(self, made: InviteMade) -> None:
        joins = self._deck is not None and self._too.isChecked()
        self._call = None
        self._show_call()
        self._name.clear()
        if self._deck is not None:
            self._hubs.clear()
        self._show_deck(None)
        self.made.emit(made)
        if joins:
            self.join_asked.emit(made)

    def _on_return(self) -> None:
        if self._make.isEnabled():
            self._ask()

    def _on_cancel(self) -> None:
        if self._call is not None:
            self._call.cancel()

    def _on_built_in(self) -> None:
        self._leave()
        self._name.setFocus()  # this button is about to go
        self._show_deck(None)

    def _leave(self) -> None:
        """Wait for no invite any more."""
        abandon(self._call)
        self._call = None
        self._show_call()
        self._say("")

    def _show_deck(self, deck: SharedDeck | None) -> None:
        self._deck = deck
        if deck is not None:
            words = self.tr("It practises “{}” and nothing else.")
            self._what.setText(words.format(deck_title(deck.name)))
        for part in (self._practised, self._too):
            part.setVisible(deck is not None)
        self._needed.setVisible(deck is not None and not self._hubs.text().strip())

    def _show_call(self) -> None:
        is_open = self._call is not None and self._deck is not None
        self._status.setVisible(is_open and bool(self._status.text()))
        self._progress.setVisible(is_open)
        take_turns(self._make, self._cancel, is_open=is_open)
        if not is_open:
            self._status.clear()

    def _say(self, trouble: str) -> None:
        self._trouble.setText(trouble)
        self._trouble.setVisible(bool(trouble))

    def _connect(self) -> None:
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(self.tr("How far the puzzles are on their way"))
        self._built_in.clicked.connect(self._on_built_in)
        self._make.clicked.connect(self._ask)
        self._cancel.clicked.connect(self._on_cancel)
        self._hubs.textEdited.connect(lambda _text: self._show_deck(self._deck))
        for line in (self._name, self._hubs):
            line.returnPressed.connect(self._on_return)

    def _lay_out(self) -> None:
        self._private.setChecked(True)
        practised = bare_column(self._practised)
        practised.addWidget(self._what)
        practised.addLayout(_beginning(self._built_in))
        self.column.addWidget(self._practised)
        add_field(self.column, self._name)
        for kind in (self._private, self._open):
            self._kinds.addButton(kind)
            self.column.addLayout(hung(kind, theme.RADIO_INSET))
        add_field(self.column, self._hubs)
        self.column.addWidget(self._needed)
        for part in (
            self._too,
            self._make,
            self._cancel,
            self._status,
            self._progress,
            self._trouble,
        ):
            self.column.addWidget(part)
        for part in (self._cancel, self._status, self._progress, self._trouble):
            part.hide()


def _beginning(made: QWidget) -> QHBoxLayout:
    """``made`` as wide as it has to be."""
    row = QHBoxLayout()
    row.addWidget(made)
    row.addStretch()
    return row


def _choice(words: str) -> QRadioButton:
    made = QRadioButton(words)
    made.setAccessibleName(words)
    return made
