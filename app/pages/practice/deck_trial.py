"""How the model does at a deck, kept or not."""

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from app.backend.actions import Actions
from app.backend.helper_call import HelperCall, abandon
from app.pages.practice.deck_preview_model import tried_words
from app.style import theme
from app.text.error_words import told
from app.text.figures import figure
from app.widgets.basics import announce, bare_column, button, set_words, take_turns
from app.widgets.selectable_label import SelectableLabel
from core.api.decks import DeckProgress, DeckTried, TryDeck
from core.api.requests import Refused


class DeckTrialBox(QWidget):
    """Begins a trial, tells how far it is, and what came of it.

    ``wish`` is asked what a model, by its id, is to try by then; None: nothing.
    """

    def __init__(self, actions: Actions, wish: Callable[[str], TryDeck | None]) -> None:
        super().__init__()
        self._actions = actions
        self._wish = wish
        self._model = ""
        self._can_start = False
        self._call: HelperCall | None = None  # under way
        self._try = button(self.tr("How does my model do?"))
        self._cancel = button(self.tr("Cancel"))
        self._words = SelectableLabel()
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(self.tr("How far the trial is"))
        self._try.clicked.connect(self._on_try)
        self._cancel.clicked.connect(self._on_cancel)
        self._lay_out()
        self._show("")

    def show_model(self, model: str) -> None:
        """Try with ``model``, its id, from now on."""
        self._model = model

    def show_ready(self, *, can_start: bool) -> None:
        """Let a trial begin, or not."""
        self._can_start = can_start
        self._show_buttons()

    def forget(self) -> None:
        """End what is under way; what was said is about another deck."""
        abandon(self._call)
        self._call = None
        self._show("")

    def _on_try(self) -> None:
        wish = self._wish(self._model)
        if wish is None:
            return
        self._call = call = self._actions.call(wish)
        self._progress.setRange(0, 0)
        call.progress.connect(self._on_progress)
        call.done.connect(self._on_tried)
        call.refused.connect(self._on_refused)
        call.cancelled.connect(self._on_cancelled)
        self._show(self.tr("Waking the model up…"))

    def _on_cancel(self) -> None:
        if self._call is not None:
            self._call.cancel()
            self._show(self.tr("Stopping…"))

    def _on_progress(self, progress: DeckProgress) -> None:
        if self._call is not None and not self._call.is_ending:
            self._progress.setRange(0, progress.total)
            self._progress.setValue(progress.done)
            left = progress.total - progress.done
            self._show(self.tr("Trying questions: {} to go…").format(figure(left)))

    def _on_tried(self, tried: DeckTried) -> None:
        self._end(tried_words(tried))

    def _on_refused(self, why: Refused) -> None:
        self._end(told(why), is_trouble=True)

    def _on_cancelled(self) -> None:
        self._end(self.tr("The trial was ended."))

    def _end(self, words: str, *, is_trouble: bool = False) -> None:
        self._call = None
        self._show(words, is_trouble=is_trouble)
        announce(self, words)

    def _show(self, words: str, *, is_trouble: bool = False) -> None:
        set_words(self._words, words, "trouble" if is_trouble else "body")
        self._show_buttons()

    def _show_buttons(self) -> None:
        is_open = self._call is not None
        take_turns(self._try, self._cancel, is_open=is_open, can_start=self._can_start)
        self._progress.setVisible(is_open)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_M)
        row.addWidget(self._try)
        row.addWidget(self._cancel)
        row.addStretch()
        column = bare_column(self)
        column.addLayout(row)
        column.addWidget(self._progress)
        column.addWidget(self._words)
