"""Decks that come with an invite: fetched, looked at, and agreed to or not."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from app.backend.actions import Actions
from app.backend.helper_call import HelperCall, abandon
from app.pages.swarm.card import Card
from app.pages.swarm.offer_view_model import OfferLine, offer_view_model
from app.style import theme
from app.text.error_words import told
from app.widgets.basics import announce, button, drop, label, set_button, set_words
from app.widgets.focusable_scroll_area import FocusableScrollArea
from app.widgets.question_box import SampleList
from app.widgets.row_list import RowButton
from core.api.decks import AdoptDecks, DeckOffered, DeckProgress, FetchDecks
from core.api.requests import Refused, Reply
from core.api.swarm import InviteShown


class OfferCard(Card):
    """A deck as it is, before anybody agrees to it; all of it plain text."""

    def __init__(self, line: OfferLine) -> None:
        super().__init__()
        self.column.addWidget(label(line.title, "lead", wrap=True))
        self.column.addWidget(label(line.about, wrap=True))
        self.column.addWidget(label(line.facts, "small", wrap=True))
        for words, is_error in line.findings:
            self.column.addWidget(label(words, "trouble" if is_error else "body", wrap=True))
        self.column.addWidget(SampleList(line.questions))


class OfferView(QWidget):
    """A function of the invite and of what the helper says of its decks.

    Escape declines, as does leaving; agreeing takes a press of its button.
    """

    agreed = Signal(object)  # InviteShown: its decks are here
    left = Signal()  # nothing was kept

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self._invite: InviteShown | None = None
        self._call: HelperCall | None = None  # under way
        self._offered: list[DeckOffered] = []
        self._cards: list[OfferCard] = []
        self._is_whole = False  # all of them came
        self._trouble = ""  # why nobody can agree to them
        self._headline, self._detail = label("", "hero", wrap=True), label("", "muted", wrap=True)
        self._scroll = FocusableScrollArea(self.tr("Puzzles that come with the invite"))
        self._progress = QProgressBar()
        self._status = label("", "muted", wrap=True)
        # What shows under the pointer is not pressed by the second half of a double click.
        self._agree = RowButton(self.tr("Practise these"), "primary")
        self._again = button(self.tr("Try again"))
        self._leave = button(self.tr("Not now"))
        self._connect()
        self._lay_out()
        self._show()

    def begin(self, invite: InviteShown) -> None:
        """Fetch the decks of ``invite``."""
        self._forget()
        self._invite = invite
        self._draw()
        self._request(FetchDecks(link=invite.link), self.tr("Asking where its members meet…"))
        self._leave.setFocus()

    def leave(self) -> None:
        """Decline, if anything is asked."""
        if self._invite is not None:
            self._forget()
            self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Decline by Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def _request(self, request: FetchDecks | AdoptDecks, doing: str) -> None:
        self._call = call = self._actions.call(request)
        call.progress.connect(self._on_progress)
        call.done.connect(self._on_done)
        call.refused.connect(self._on_refused)
        self._progress.setRange(0, 0)
        self._say(doing)

    def _on_progress(self, reply: Reply) -> None:
        if isinstance(reply, DeckOffered):
            self._offered.append(reply)
            self._draw()
        elif isinstance(reply, DeckProgress) and reply.total:
            self._progress.setRange(0, reply.total if reply.total > 1 else 0)
            self._progress.setValue(reply.done)
            if not self._is_whole and reply.done < reply.total:
                words = self.tr("Fetching deck {number} of {all}…")
                self._say(words.format(number=reply.done + 1, all=reply.total))

    def _on_done(self, _reply: Reply) -> None:
        self._call = None
        if not self._is_whole:
            self._is_whole = True
            self._draw()
            self._scroll.setFocus()  # to be read
        elif self._invite is not None:
            invite = self._invite
            self._forget()
            self.agreed.emit(invite)

    def _on_refused(self, why: Refused) -> None:
        self._call = None
        self._say(told(why), is_trouble=True)

    def _on_agree(self) -> None:
        if self._invite is not None and self._call is None:
            self._request(AdoptDecks(link=self._invite.link), self.tr("Keeping them…"))

    def _on_again(self) -> None:
        if self._invite is not None:
            self.begin(self._invite)

    def _forget(self) -> None:
        """Wait for nothing any more, and show nothing of it."""
        abandon(self._call)
        self._call, self._invite, self._is_whole = None, None, False
        self._offered = []
        self._draw()

    def _draw(self) -> None:
        for card in self._cards:
            drop(card, self._scroll.column)
        self._cards = []
        if self._invite is None:
            self._say("")
            return
        looks = offer_view_model(self._invite, self._offered)
        self._headline.setText(looks.headline)
        self._detail.setText(looks.detail)
        for place, line in enumerate(looks.decks):
            self._cards.append(OfferCard(line))
            self._scroll.column.insertWidget(place, self._cards[-1])
        self._trouble = looks.trouble
        if self._is_whole:
            self._say(looks.trouble, is_trouble=True)

    def _say(self, words: str, *, is_trouble: bool = False) -> None:
        set_words(self._status, words, "trouble" if is_trouble else "muted")
        announce(self._status, words)
        self._show()

    def _show(self) -> None:
        is_busy = self._call is not None
        self._progress.setVisible(is_busy)
        self._agree.setVisible(self._is_whole)
        self._agree.setEnabled(self._is_whole and not is_busy and not self._trouble)
        self._again.setVisible(not is_busy and not self._is_whole)
        set_button(self._leave, self.tr("Cancel") if is_busy else self.tr("Not now"), enabled=True)

    def _connect(self) -> None:
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(self.tr("How far the puzzles are on their way"))
        self._agree.clicked.connect(self._on_agree)
        self._again.clicked.connect(self._on_again)
        self._leave.clicked.connect(self.leave)

    def _lay_out(self) -> None:
        ways = QHBoxLayout()
        ways.setSpacing(theme.SPACE_S)
        for way in (self._agree, self._again, self._leave):
            ways.addWidget(way)
        ways.addStretch()
        self._scroll.column.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_L)
        column.setSpacing(theme.SPACE_M)
        column.addWidget(self._headline)
        column.addWidget(self._detail)
        column.addWidget(self._scroll, 1)
        column.addWidget(self._status)
        column.addWidget(self._progress)
        column.addLayout(ways)
