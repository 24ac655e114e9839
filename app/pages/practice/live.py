"""The tab *Live*: puzzles that pass by, the newest on top, until somebody wants to read."""

from typing import Final

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.backend.actions import Actions
from app.pages.practice.feed import Feed
from app.pages.practice.live_view_model import live_view_model
from app.pages.practice.only_bar import OnlyBar
from app.pages.practice.puzzle_card import PuzzleCard
from app.state.app_state import AppState
from app.state.intents import Keep, Open
from app.state.swarm_changes import blocking
from app.style import theme
from app.widgets.basics import bare_column, button, drop, label, picture, set_button
from app.widgets.focusable_scroll_area import FocusableScrollArea
from app.widgets.row_list import has_focus
from app.widgets.tab_order import in_turn
from core.api.preview import PuzzleTried, WatchPuzzles
from core.api.swarm_view import Block

STEP: Final = 8  # cards that are there before somebody asks for older ones
AT_ONCE: Final = 1
"""Cards that are made before the window may answer to a person again: each takes some 20 ms."""
NEXT_MS: Final = 10  # before the next one, so that what was made is laid out and drawn


class LiveView(QWidget):
    """A function of its feed, which waits for whoever reads.

    That is who scrolled down, or has the mouse or the keyboard in a card: no button may move away
    from under them. They may go on to the button above the cards, which still says the same.

    Unless it is held there are cards only while they are seen: they are many widgets, which take
    long to be dressed.
    """

    wish_changed = Signal()  # others shall be told of

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self._feed = Feed()
        self.wish = WatchPuzzles(on=True)  # which puzzles are wanted
        self._only = OnlyBar()
        self._only.every.clicked.connect(self.show_all)
        self._state: AppState | None = None
        self._blocked: frozenset[str] = frozenset()
        self._is_reading = False  # held because somebody reads
        self._is_pointed_at = False  # the mouse came to a card, and is not outside yet
        self._is_focused = False  # the keyboard came to a card, and went at most to the button
        self._words = label("", "muted", wrap=True)
        self._hold = button(self.tr("Hold still"))
        self._hold.clicked.connect(self._on_hold)
        self._empty_words = label("", "muted", wrap=True)
        self._home = button(self.tr("Open Home"))
        self._home.clicked.connect(lambda: actions.dispatch(Open("home")))
        self._older = button(self.tr("Show older ones"))
        self._older.clicked.connect(self._on_older)
        self._made: list[PuzzleCard] = []  # the newest on top
        self._most = STEP  # cards; more on request
        self._later = QTimer(self, singleShot=True, interval=NEXT_MS)
        self._later.timeout.connect(self._show_cards)
        self._focus_moved = QTimer(self, singleShot=True, interval=0)  # cards may be half dropped
        self._focus_moved.timeout.connect(self._on_focus)
        self._cards = QVBoxLayout()
        self._top, self._empty = QWidget(), QWidget()
        self._scroll = FocusableScrollArea(self.tr("Puzzles, the newest on top"))
        self._scroll.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self._stack = QStackedWidget()
        self._lay_out()
        app = QApplication.instance()
        if isinstance(app, QApplication):  # there is one, or no widget could be made
            app.focusChanged.connect(self._after_focus)

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """What is dressed one by one, each card by itself."""
        fixed = (self._only, self._top, self._empty, self._older)
        return self._scroll.verticalScrollBar(), *fixed, *self._made

    def show_state(self, state: AppState) -> None:
        """Draw ``state``; nothing of peers who are blocked in it stays."""
        before, self._state = self._state, state
        if before is not None and before.model.id != state.model.id:
            self._become(Feed())  # what stands there as "your model" was another one
        blocked = frozenset(state.settings.swarm.blocked)
        if blocked != self._blocked:
            self._blocked = blocked
            self._become(self._feed.without(blocked))
        else:
            self._show_words()

    def show_only(self, task: str, level: int, title: str) -> None:
        """From now on show puzzles of ``task`` at ``level``, which people call ``title``."""
        self._only.show_title(title)
        self._wish_for(WatchPuzzles(on=True, task=task, level=level))
        self._become(self._feed.only(task, level))

    def show_all(self) -> None:
        """Show all puzzles again."""
        self._only.show_title("")
        was_read = self._is_reading
        self._wish_for(WatchPuzzles(on=True))
        if was_read:  # of one kind alone; nobody reads what comes now
            self._go_on()
        else:
            self._show_words()

    def _wish_for(self, wish: WatchPuzzles) -> None:
        self.wish = wish
        self._is_reading = self._is_pointed_at = self._is_focused = False
        self.wish_changed.emit()

    def see(self, puzzle: PuzzleTried) -> None:
        """Put ``puzzle`` on top, or let it wait while the feed is held."""
        if self.wish.task and (puzzle.task, puzzle.level) != (self.wish.task, self.wish.level):
            return  # it was under way when others were asked for
        self._feed = self._feed.take(puzzle).without(self._blocked)
        if not self._later.isActive():
            self._show_cards()
            self._later.start()  # of several that come at once each gets a turn of its own
        self._show_words()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Make the cards, in turns of their own."""
        super().showEvent(event)
        self._later.start()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        """Drop them."""
        super().hideEvent(event)
        self._on_mouse_left()
        self._show_cards()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Go on, unless they read in another way."""
        super().leaveEvent(event)
        self._on_mouse_left()

    def _on_hold(self) -> None:
        if self._feed.is_held:
            self._go_on()
            self._scroll.verticalScrollBar().setValue(0)
        else:
            self._become(self._feed.hold())

    def _on_scrolled(self, value: int) -> None:
        if value > 0:
            self._hold_for_reader()
        else:
            self._release_if_unread()

    def _on_mouse_came(self) -> None:
        self._is_pointed_at = True
        self._hold_for_reader()

    def _on_mouse_left(self) -> None:
        self._is_pointed_at = False
        self._release_if_unread()

    def _after_focus(self) -> None:
        self._focus_moved.start()

    def _on_focus(self) -> None:
        focused = QApplication.focusWidget() or self
        if any(card.isAncestorOf(focused) for card in self._made):
            self._is_focused = True
            self._hold_for_reader()
        elif focused is not self._hold:
            self._is_focused = False
            self._release_if_unread()

    def _hold_for_reader(self) -> None:
        if not self._feed.is_held:
            self._is_reading = True
            self._become(self._feed.hold())

    def _release_if_unread(self) -> None:
        """Go on, if what was held for a reader is read no more."""
        is_down = self._scroll.verticalScrollBar().value() > 0
        if self._is_reading and not (is_down or self._is_pointed_at or self._is_focused):
            self._go_on()

    def _on_older(self) -> None:
        self._most += STEP
        self._show_cards()

    def _go_on(self) -> None:
        self._is_reading = self._is_pointed_at = self._is_focused = False
        self._most = STEP
        self._become(self._feed.go_on())

    def _become(self, feed: Feed) -> None:
        self._feed = feed
        self._show_cards()
        self._show_words()

    def _show_cards(self) -> None:
        """Make cards for what is new, few at a time, and drop those of what is gone."""
        shown = self._wanted()
        known = {id(card.puzzle): card for card in self._made}
        missing = [puzzle for puzzle in shown if id(puzzle) not in known]
        known |= {id(puzzle): self._make(puzzle) for puzzle in missing[:AT_ONCE]}
        self._made = [known.pop(id(puzzle)) for puzzle in shown if id(puzzle) in known]
        if len(missing) > AT_ONCE:
            self._later.start()
        for card in known.values():
            if self._hold.isVisible() and has_focus(card):
                self._hold.setFocus()  # and not to the next card, where it could block somebody
            drop(card, self._cards)
        for place, card in enumerate(self._made):
            if self._cards.indexOf(card) != place:
                self._cards.insertWidget(place, card)
        if missing:
            in_turn(*(card.block for card in self._made if card.block is not None), self._older)
        self._older.setVisible(len(shown) < len(self._feed.shown))

    def _wanted(self) -> tuple[PuzzleTried, ...]:
        """What has a card: nothing while unseen, unless somebody stopped in the middle of it."""
        if self.isVisible():
            return self._feed.shown[: self._most]
        return self._feed.shown[: len(self._made)] if self._feed.is_held else ()

    def _make(self, puzzle: PuzzleTried) -> PuzzleCard:
        card = PuzzleCard(puzzle)
        card.block_asked.connect(self._block)
        card.entered.connect(self._on_mouse_came)
        card.setParent(self._scroll.inside)  # or it would be dressed again once it has its place
        self._actions.dress(card)
        return card

    def _block(self, peer: str) -> None:
        self._actions.dispatch(Keep(blocking(peer, on=True)))
        if self._state is not None and self._state.is_running:
            self._actions.dispatch(Block(peer=peer, on=True))

    def _show_words(self) -> None:
        if self._state is None:
            return
        looks = live_view_model(self._state, self._feed, is_one_cell=bool(self.wish.task))
        self._words.setText(looks.words)
        self._empty_words.setText(looks.empty)
        self._home.setVisible(looks.offers_home)
        set_button(self._hold, looks.button, enabled=looks.can_hold)
        self._top.setVisible(looks.can_hold)
        self._stack.setCurrentWidget(self._empty if looks.empty else self._scroll)

    def _lay_out(self) -> None:
        self._cards.setSpacing(theme.SPACE_M)
        self._scroll.column.addLayout(self._cards)
        self._scroll.column.addWidget(self._older, 0, Qt.AlignmentFlag.AlignHCenter)
        self._scroll.column.addStretch()
        row = QHBoxLayout(self._top)
        row.setContentsMargins(theme.RING, 0, theme.RING, 0)
        row.addWidget(self._words, 1)
        row.addWidget(self._hold)
        self._lay_out_empty()
        self._stack.addWidget(self._scroll)
        self._stack.addWidget(self._empty)
        page = bare_column(self, theme.SPACE_M)
        page.addWidget(self._only)
        page.addWidget(self._top)
        page.addWidget(self._stack, 1)

    def _lay_out_empty(self) -> None:
        self._empty_words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty_words.setFixedWidth(theme.HINT_WIDTH)
        words = QHBoxLayout()  # in a row of its own, its height follows from its width
        words.addStretch()
        words.addWidget(self._empty_words)
        words.addStretch()
        middle = Qt.AlignmentFlag.AlignHCenter
        column = QVBoxLayout(self._empty)
        column.setSpacing(theme.SPACE_L)
        column.addStretch()
        column.addWidget(picture(theme.EMBLEM), 0, middle)
        column.addLayout(words)
        column.addWidget(self._home, 0, middle)
        column.addStretch()
