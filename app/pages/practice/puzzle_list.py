"""All that can be practised: the decks first, then what is built in."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.backend.actions import Actions
from app.backend.latest_call import LatestCall
from app.pages.practice.deck_card import DeckCard, DeckWays
from app.pages.practice.deck_trial import DeckTrialBox
from app.pages.practice.kind_grid import KindGrid
from app.pages.practice.practised import choosing, forgetting, practised
from app.pages.practice.puzzles_view_model import puzzles_view_model
from app.state.app_state import AppState
from app.state.intents import Open, SharedDeck
from app.style import theme
from app.text.deck_words import deck_title
from app.text.error_words import told
from app.text.plain_text import name_for
from app.widgets.basics import bare_column, button, column_of, frame, label, set_words
from app.widgets.file_dialogs import FileDialogs, NewFile
from app.widgets.focusable_scroll_area import FocusableScrollArea
from app.widgets.notice_bar import NoticeBar
from app.widgets.row_list import arrange
from app.widgets.tab_order import in_turn
from core.api.decks import (
    DeckOpened,
    DecksShown,
    ExportDeck,
    KeptDeck,
    LookAtDeck,
    RemoveDeck,
    ShowDecks,
    TryDeck,
)
from core.api.requests import Done, Refused, Reply, Request


class PuzzleList(FocusableScrollArea):
    """A function of the settings and of the helper's replies."""

    def __init__(self, actions: Actions) -> None:
        super().__init__(self.tr("What is practised"))
        self._actions = actions
        self._call = LatestCall(actions)
        self._state: AppState | None = None
        self._shown: DecksShown | None = None
        self._headline = label("", "lead", wrap=True)
        self._detail = label("", "muted", wrap=True)
        self.add = button(self.tr("Add your own…"))
        self._all = button(self.tr("All built-in kinds"))
        self._notice = NoticeBar()
        self._head, self._decks = frame("card"), QWidget()
        self._cards: dict[str, DeckCard] = {}
        self._saving: dict[int, Path] = {}  # by the numbers of the calls
        self._removing: dict[int, str] = {}  # digests, likewise
        self._retries: dict[int, Callable[[], None]] = {}  # what is under way, to do it again
        self._kinds = KindGrid(self._on_switch)
        self._ways = DeckWays(
            switch=self._on_switch,
            only=self._on_only,
            share=self._share,
            look=self._on_look,
            export=self._on_export,
            remove=self.remove,
            trial=self._trial,
        )
        self.dialogs = FileDialogs()
        self._empty = label(
            self.tr(
                "Puzzles of your own become a deck: a table with a question and an answer in "
                "each row is enough. Drop such a file here, or press the button above."
            ),
            "muted",
            wrap=True,
        )
        self._connect()
        self._lay_out()
        self._show()

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """What is dressed one by one."""
        return self.verticalScrollBar(), self._notice, self._head, self._decks, self._kinds

    def show_state(self, state: AppState) -> None:
        """Be about the model and the settings of ``state``."""
        before, self._state = self._state, state
        if before is None or before.settings.practice != state.settings.practice:
            self._show()
        if before is None or _subject(before) != _subject(state):
            self.ask()
        for card in self._cards.values():
            card.show_model(state.model.id)

    def ask(self) -> None:
        """Look up what there is, if anybody looks at it."""
        if self.isVisible() and self._state is not None:
            request = ShowDecks(model=self._state.model.id)
            self._call.make(request, self._on_shown, self._on_refused)

    def welcome(self, deck: KeptDeck) -> None:
        """Say that ``deck`` is here, and how it is practised."""
        words = self.tr("“{}” is kept. It is practised once you switch it on.")
        way = partial(self._on_only, deck.task)
        self._notice.tell(words.format(deck_title(deck.name)), self.tr("Practise only this"), way)
        if self._shown is not None:
            others = [one for one in self._shown.decks if one.task != deck.task]
            decks = sorted((*others, deck), key=lambda one: one.name.casefold())
            self._on_shown_anew(tuple(decks))
        self.ask()

    def remove(self, digest: str) -> None:
        """Have a deck removed, as the person agreed."""
        request = RemoveDeck(digest=digest)
        number = self._send(request, self._on_removed, lambda: self.remove(digest))
        self._removing[number] = digest

    def _on_shown(self, shown: DecksShown) -> None:
        if self._state is not None and shown.model == self._state.model.id:
            self._notice.take_back(self.ask)
            self._shown = shown
            self._show()

    def _on_shown_anew(self, decks: tuple[KeptDeck, ...]) -> None:
        """Show ``decks`` at once; what is solved of them is looked up meanwhile."""
        if self._shown is not None:
            self._shown = replace(self._shown, decks=decks)
            self._show()

    def _send(
        self, request: Request, done: Callable[..., object], again: Callable[[], None]
    ) -> int:
        """Send ``request``; where it is refused, ``again`` is offered. Returns its number."""
        call = self._actions.call(request)
        self._retries[call.number] = again
        call.done.connect(self._on_done)
        call.done.connect(done)
        call.refused.connect(self._on_refused)
        return call.number

    def _on_done(self, reply: Reply) -> None:
        self._retries.pop(reply.id, None)

    def _on_refused(self, why: Refused) -> None:
        is_waited_for = why.id in self._retries
        self._saving.pop(why.id, None)
        again = self._retries.pop(why.id, self.ask)
        self._notice.tell(told(why), self.tr("Try again"), again, is_grave=True)
        if self._shown is None:
            self._detail.hide()
        if is_waited_for:
            self.ensureWidgetVisible(self._notice)

    def _show(self) -> None:
        if self._state is None:
            return
        looks = puzzles_view_model(self._shown, self._state.settings)
        self._headline.setText(looks.headline)
        set_words(self._detail, looks.detail, "muted")
        self._all.setVisible(looks.offers_all)
        lines = {line.digest: line for line in looks.decks}
        for digest in self._cards.keys() - lines.keys():
            self._cards[digest].forget()
        self._cards = arrange(
            self._column_of_decks,
            self._cards,
            list(lines),
            lambda digest: DeckCard(lines[digest], self._ways),
            harbour=self.add,
        )
        in_turn(self.add, self._all, *self._cards.values(), self._kinds)
        for digest, card in self._cards.items():
            card.show_line(lines[digest], is_free=looks.is_free)
        self._decks.setVisible(bool(lines))
        self._empty.setVisible(self._shown is not None and not lines)
        self._kinds.show_lines(looks.built_in, is_free=looks.is_free)
        self._kinds.setVisible(bool(looks.built_in))
        if looks.trouble:
            way = self._leave_out if looks.is_free else self._open_swarm
            words = self.tr("Leave it out") if looks.is_free else self.tr("Open Swarm")
            self._notice.tell(looks.trouble, words, way, is_grave=True)
        else:
            self._notice.take_back(self._leave_out, self._open_swarm)

    def _on_switch(self, task: str, on: bool) -> None:  # noqa: FBT001 - told by a switch
        if self._state is not None and self._shown is not None:
            chosen = practised(self._state.settings, self._shown)
            self._choose(chosen | {task} if on else chosen - {task})

    def _on_only(self, task: str) -> None:
        self._choose(frozenset({task}))

    def _leave_out(self) -> None:
        if self._state is not None and self._shown is not None:
            chosen = practised(self._state.settings, self._shown)
            self._choose(chosen or frozenset(kind.task for kind in self._shown.built_in))

    def _trial(self, digest: str) -> DeckTrialBox:
        made = DeckTrialBox(self._actions, lambda model: TryDeck(model=model, digest=digest))
        if self._state is not None:
            made.show_model(self._state.model.id)
        made.show_ready(can_start=True)
        return made

    def _on_export(self, digest: str) -> None:
        for deck in () if self._shown is None else self._shown.decks:
            if deck.digest == digest:
                name, kind = name_for(deck.name) or "deck", self.tr("Deck (*.deck)")
                wanted = NewFile(self.tr("Save the deck"), f"{name}.deck", kind)
                self.dialogs.to_write(self, wanted, lambda path: self._export(digest, path))

    def _export(self, digest: str, path: Path) -> None:
        request = ExportDeck(digest=digest, path=str(path))
        number = self._send(request, self._on_exported, lambda: self._export(digest, path))
        self._saving[number] = path

    def _on_exported(self, said: Done) -> None:
        self._notice.tell_saved(self._saving.pop(said.id), self._actions)
        self.ensureWidgetVisible(self._notice)

    def _open_swarm(self) -> None:
        self._actions.dispatch(Open("swarm"))

    def _share(self, digest: str) -> None:
        for deck in () if self._shown is None else self._shown.decks:
            if deck.digest == digest:
                self._actions.dispatch(Open("swarm", SharedDeck(digest, deck.name)))

    def _on_all(self) -> None:
        if self._shown is not None:
            self.add.setFocus()  # this button is about to go
            self._choose(frozenset(kind.task for kind in self._shown.built_in))

    def _choose(self, tasks: frozenset[str]) -> None:
        """Practise ``tasks``; nothing at all cannot be practised."""
        if self._shown is None:
            return
        wish = choosing(tasks, self._shown)
        if wish is not None:
            self._notice.hide()
            self._actions.dispatch(wish)
            return
        words = self.tr("Something has to be practised. Switch another kind on first.")
        self._notice.tell(words, self.tr("Close"), self._notice.hide, is_grave=True)
        self.ensureWidgetVisible(self._notice)
        self._show()  # the switch goes back

    def _on_look(self, digest: str) -> None:
        self._send(LookAtDeck(digest=digest), self._on_opened, lambda: self._on_look(digest))

    def _on_opened(self, opened: DeckOpened) -> None:
        card = self._cards.get(opened.digest)
        if card is not None:
            card.show_samples(opened.questions)

    def _on_removed(self, reply: Reply) -> None:
        digest = self._removing.pop(reply.id, "")
        decks = () if self._shown is None else self._shown.decks
        for deck in decks:
            if deck.digest == digest:
                self._actions.dispatch(forgetting(deck.task))
        self._on_shown_anew(tuple(deck for deck in decks if deck.digest != digest))

    def _connect(self) -> None:
        self._all.clicked.connect(self._on_all)

    def _lay_out(self) -> None:
        inside = column_of(self._head)
        inside.addWidget(self._headline)
        inside.addWidget(self._detail)
        ways = QHBoxLayout()
        ways.setSpacing(theme.SPACE_S)
        for way in (self.add, self._all):
            ways.addWidget(way)
        ways.addStretch()
        inside.addLayout(ways)
        inside.addWidget(self._empty)
        self._column_of_decks = bare_column(self._decks, theme.SPACE_M)
        for part in (self._notice, self._head, self._decks, self._kinds):
            self.column.addWidget(part)
        self.column.addStretch()


def _subject(state: AppState) -> tuple[str, str]:
    """What the list is about."""
    return state.model.id, state.settings.swarm.name
