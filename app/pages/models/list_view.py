"""The cards of the page *Models*, in a column that scrolls."""

import re
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.pages.models.card import ModelCard
from app.pages.models.details import details
from app.pages.models.inline_message import InlineMessage
from app.pages.models.store import LIST, LOOK_UP, ModelListing, WorkOutcome
from app.pages.models.view_model import RowAction, card_view_model, means, order
from app.state.app_state import AppState
from app.style import theme
from app.widgets.basics import bare_column, button, column_of, drop, label, set_button, set_style
from app.widgets.scroll_area import ScrollArea
from app.widgets.tab_order import in_turn
from core.api.models import ListedModel

_PAGE: Final = re.compile(r"^(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/", re.ASCII)
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,42}/[A-Za-z0-9._-]{1,96}", re.ASCII)
"""About the form of a name; ``core.models.catalog.catalog`` has the last word."""


def repository_in(text: str) -> str | None:
    """The ``owner/name`` in ``text``, which may be the address of its page; None without one."""
    name = text.strip()
    if found := _PAGE.match(name):
        name = "/".join(re.split(r"[/?#]", name[found.end() :])[:2])
    return name if _NAME.fullmatch(name) else None


class AddForm(QFrame):
    """A field and a button; what is found becomes a card of its own."""

    asked = Signal(str)  # owner/name

    def __init__(self) -> None:
        super().__init__()
        self._was_busy = False
        self.setProperty("role", "card")
        self._field = QLineEdit()
        self._field.setPlaceholderText("Qwen/Qwen2.5-0.5B")
        self._field.setMaxLength(200)
        self._field.setAccessibleName(self.tr("Name of a model on Hugging Face"))
        self._look_up = button(self.tr("Look it up"), kind="small")
        self._words = label("", "small", wrap=True)
        self._field.returnPressed.connect(self._on_asked)
        self._look_up.clicked.connect(self._on_asked)
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_S)
        row.addWidget(self._field, 1)
        row.addWidget(self._look_up)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_M)
        column.setSpacing(theme.SPACE_S)
        column.addWidget(label(self.tr("Another model"), "heading"))
        column.addWidget(
            label(
                self.tr(
                    "Any small model of the Llama or Qwen family, by its name on huggingface.co. "
                    "Nothing is downloaded before you have seen how large it is and whether it "
                    "fits."
                ),
                "muted",
                wrap=True,
            )
        )
        column.addLayout(row)
        column.addWidget(self._words)
        self._say("", is_trouble=False)

    def show_search(self, said: WorkOutcome | None, *, is_busy: bool) -> None:
        """Say how looking up goes, and what became of it; nothing once it has a card."""
        if self._was_busy and not is_busy and (said is None or not said.is_trouble):
            self._field.clear()
        if self._was_busy or is_busy:
            self._say("" if said is None else said.words, is_trouble=bool(said and said.is_trouble))
        self._was_busy = is_busy
        text = self.tr("Looking…") if is_busy else self.tr("Look it up")
        # Never disabled, or it would lose the keyboard to what comes next: a download.
        set_button(self._look_up, text, enabled=True)

    def _say(self, words: str, *, is_trouble: bool) -> None:
        self._words.setText(words)
        set_style(self._words, "role", "trouble" if is_trouble else "small")
        self._words.setVisible(bool(words))

    def _on_asked(self) -> None:
        name = repository_in(self._field.text())
        if name is None:
            words = self.tr("Write it as owner/name, as its page on huggingface.co shows it.")
            self._say(words, is_trouble=True)
        elif not self._was_busy:
            self.asked.emit(name)


MOST_AT_ONCE = 1
"""Cards that are made before the window may answer to a person again: each takes some 15 ms."""


class ModelsView(ScrollArea):
    """Draws a listing; the order of the cards only changes when it is told to sort anew."""

    def __init__(
        self,
        dress: Callable[[QWidget], None],
        on_act: Callable[[str, RowAction], None],
        look_up: Callable[[str], None],
    ) -> None:
        """``on_act`` takes the id of a model, ``look_up`` the name of a repository."""
        super().__init__(widest=theme.CARDS_WIDTH + 2 * theme.SPACE_XL + theme.SCROLL_BAR)
        self._dress, self._on_act = dress, on_act
        self._shown: tuple[ModelListing, AppState] | None = None
        self._cards: dict[str, ModelCard] = {}
        self._order: tuple[str, ...] = ()
        self._is_due = True  # to be sorted
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._go_on)
        lead = self.tr("Choose what this computer trains. Larger ones know more, and need more.")
        self._head = label(self.tr("Models"), "hero"), label(lead, "lead", wrap=True)
        self._means = label("", "muted", wrap=True)
        self._empty = label(self.tr("Looking at what is here…"), "muted", wrap=True)
        self._trouble = InlineMessage(lambda act: on_act(LIST, act))
        self._add = AddForm()
        self._add.asked.connect(look_up)
        self._listed, self._found = _column(), _column()
        self._lay_out()

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """What is dressed one by one, each card by itself."""
        fixed = (self._means, self._empty, self._trouble, self._add)
        return self.verticalScrollBar(), *self._head, *fixed, *self._cards.values()

    def sort_anew(self) -> None:
        """With the next list, put the cards in order."""
        self._is_due = True

    def show_models(self, listing: ModelListing, state: AppState) -> None:
        """Draw what is known."""
        self._shown = listing, state
        unlisted, looking = listing.said.get(LIST), listing.job_on(LOOK_UP) is not None
        self._show_trouble("" if unlisted is None else unlisted.words)
        self._empty.setVisible(not listing.is_listed and unlisted is None)
        self._means.setVisible(listing.is_listed)
        self._means.setText(means(listing, state))
        self._add.setVisible(listing.is_listed)
        self._add.show_search(listing.said.get(LOOK_UP), is_busy=looking)
        self._arrange(listing, state)
        for model in listing.all:
            self._show_card(model)

    def show_news_of(self, name: str) -> None:
        """Bring into view how work on a model goes, once that has its place."""
        QTimer.singleShot(0, self, lambda: self._scroll_to(name))

    def _scroll_to(self, name: str) -> None:
        if name in self._cards:
            self.ensureWidgetVisible(self._cards[name].news, 0, theme.CALL_HEIGHT)

    def _show_trouble(self, words: str) -> None:
        again = RowAction(self.tr("Try again"), "list")
        self._trouble.say(words, (again,), is_grave=True)

    def _arrange(self, listing: ModelListing, state: AppState) -> None:
        """Let the columns hold the cards of ``listing``, new ones at the end until it is sorted."""
        if self._is_due and listing.is_listed:
            self._order, self._is_due = order(listing, state.chosen), False
            self.verticalScrollBar().setValue(0)
        ids = [model.id for model in listing.models]
        kept = [name for name in self._order if name in ids]
        self._order = (*kept, *(name for name in ids if name not in kept))
        found = [model.id for model in listing.found]
        for name in set(self._cards) - {*ids, *found}:
            gone = self._cards.pop(name)
            column = self._listed if self._listed.isAncestorOf(gone) else self._found
            drop(gone, column_of(column))
        missing = [name for name in (*self._order, *found) if name not in self._cards]
        for name in missing[:MOST_AT_ONCE]:
            self._make(name, listing)
        if len(missing) > MOST_AT_ONCE:
            self._later.start()
        _fill(self._listed, [self._cards[name] for name in self._order if name in self._cards])
        _fill(self._found, [self._cards[name] for name in found if name in self._cards])
        if missing:
            in_turn(self._listed, self._add, self._found)

    def _go_on(self) -> None:
        if self._shown is not None:
            self.show_models(*self._shown)

    def _show_card(self, model: ListedModel) -> None:
        made = self._cards.get(model.id)
        if self._shown is not None and made is not None:
            listing, state = self._shown
            unfolded = details(model, listing, state) if made.is_unfolded else None
            made.show_card(card_view_model(model, listing, state), unfolded)

    def _make(self, name: str, listing: ModelListing) -> None:
        model = listing.model(name)
        if model is not None:
            made = self._cards[name] = ModelCard(model.title, lambda act: self._on_act(name, act))
            made.unfolded.connect(lambda: self._on_unfolded(name))
            self._dress(made)

    def _on_unfolded(self, name: str) -> None:
        model = self._shown[0].model(name) if self._shown is not None else None
        if model is not None:
            self._show_card(model)
            if model.gated:
                self._on_act(name, RowAction("", "show_token"))

    def _lay_out(self) -> None:
        column = self.column
        column.setSpacing(theme.SPACE_M)
        above = (*self._head, self._means, self._empty, self._trouble)
        for part in (*above, self._listed, self._add, self._found):
            column.addWidget(part)
        column.addStretch()


def _column() -> QWidget:
    made = QWidget()
    bare_column(made, theme.SPACE_M)
    return made


def _fill(column: QWidget, cards: list[ModelCard]) -> None:
    """Let ``column`` hold ``cards`` in their order; what is in its place already is not touched."""
    layout = column_of(column)
    for place, made in enumerate(cards):
        if layout.indexOf(made) != place:
            layout.removeWidget(made)
            layout.insertWidget(place, made)
            made.show()
    column.setVisible(bool(cards))
