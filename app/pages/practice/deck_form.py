"""A table on its way to a deck: what became of its rows, what else there is to say, and Keep."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QWidget

from app.backend.actions import Actions
from app.backend.helper_call import HelperCall, abandon
from app.pages.practice.deck_fields import DeckFields
from app.pages.practice.deck_preview_model import (
    is_sound,
    shown_rows,
    summary,
    trouble_words,
)
from app.pages.practice.deck_rows import DeckRowsModel, DeckRowsTable
from app.pages.practice.deck_trial import DeckTrialBox
from app.style import theme
from app.style.theme import Palette
from app.text.deck_words import finding_words
from app.text.error_words import told
from app.text.plain_text import legible
from app.widgets.basics import (
    announce,
    button,
    column_of,
    drop,
    frame,
    label,
    set_words,
    take_turns,
)
from app.widgets.focusable_scroll_area import FocusableScrollArea
from core.api.decks import (
    DeckKept,
    DeckPlan,
    DeckPreviewed,
    KeepDeck,
    PreviewDeck,
    TryDeck,
)
from core.api.requests import Refused

_LONGEST_FILE = 60  # letters of its name


class DeckForm(FocusableScrollArea):
    """Asks the helper anew whenever something is to be understood in another way."""

    closed = Signal()  # nothing was kept
    kept = Signal(object)  # KeptDeck

    def __init__(self, palette: Palette, actions: Actions) -> None:
        super().__init__(self.tr("Puzzles of your own"))
        self._actions = actions
        self._path: Path | None = None
        self._call: HelperCall | None = None  # reading or keeping
        self._is_due = False  # something was changed while it was read
        self._is_current = False  # what is shown is what the person wants by now
        self._shown: DeckPreviewed | None = None
        self.choose = button(self.tr("Choose another file…"))
        self._cancel, self._again = button(self.tr("Cancel")), button(self.tr("Look again"))
        self._file = label("", "lead", wrap=True)
        self._status = label("", "muted", wrap=True)
        self._progress = QProgressBar()
        self._top, self._what, self._more, self._end = (frame("card") for _ in range(4))
        self._model = DeckRowsModel(palette)
        self._table = DeckRowsTable(self._model)
        self._cut = label("", "small", wrap=True)
        self._findings: list[QLabel] = []
        self._found = label(self.tr("Worth knowing"), "heading", wrap=True)
        self._fields = DeckFields()
        self._trial = DeckTrialBox(actions, self._trial_of)
        self._keep = button(self.tr("Keep"), kind="primary")
        self._leave = button(self.tr("Discard"))
        self._connect()
        self._lay_out()
        self._show()

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """What is dressed one by one."""
        return self.verticalScrollBar(), self._top, self._what, self._more, self._end

    def show_model(self, model: str) -> None:
        """Let ``model``, its id, try the deck."""
        self._trial.show_model(model)

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette`` where the style sheet does not reach."""
        self._model.show_palette(palette)

    def begin(self, path: Path) -> None:
        """Read ``path``."""
        self._forget()
        self._path = path
        self._file.setText(legible(path.name, _LONGEST_FILE))
        self._model.skipped.clear()
        self._fields.begin(path.stem)
        self.verticalScrollBar().setValue(0)
        self._ask()

    def leave(self) -> None:
        """Discard what there is."""
        self._forget()
        self._path = None
        self.closed.emit()

    def _plan(self) -> DeckPlan | None:
        return None if self._path is None else self._fields.plan(str(self._path))

    def _trial_of(self, model: str) -> TryDeck | None:
        plan = self._plan()
        return None if plan is None else TryDeck(model=model, plan=plan)

    def _forget(self) -> None:
        """Wait for nothing any more, and show nothing of it."""
        abandon(self._call)
        self._call, self._is_due, self._shown = None, False, None
        self._is_current = False
        self._trial.forget()
        self._say("")

    def _ask(self) -> None:
        plan = self._plan()
        if plan is None:
            return
        self._is_current = False
        if self._call is not None:
            self._is_due = True
            return
        self._call = call = self._actions.call(PreviewDeck(plan=plan))
        call.done.connect(self._on_previewed)
        call.refused.connect(self._on_refused)
        call.cancelled.connect(self._on_cancelled)
        self._say(self.tr("Reading…") if self._shown is None else self.tr("Looking at it again…"))

    def _on_change(self) -> None:
        self._fields.skipped = tuple(self._model.skipped)
        self._trial.forget()
        self._ask()

    def _on_previewed(self, shown: DeckPreviewed) -> None:
        self._call, self._shown = None, shown
        self._is_current = not self._is_due
        self._model.show_rows(shown)
        self._table.show_problems(are_there=any(row.problem for row in shown.rows))
        self._fields.show_preview(shown)
        self._cut.setText(shown_rows(shown))
        self._cut.setVisible(bool(self._cut.text()))
        self._show_findings(shown)
        trouble = trouble_words(shown)
        said = trouble or summary(shown, len(self._model.skipped))
        self._say(said, is_trouble=bool(trouble))
        self._ask_again()

    def _ask_again(self) -> None:
        if self._is_due:
            self._is_due = False
            self._ask()

    def _on_keep(self) -> None:
        plan = self._plan()
        if plan is None or self._call is not None:
            return
        self._call = call = self._actions.call(KeepDeck(plan=plan))
        call.done.connect(self._on_kept)
        call.refused.connect(self._on_refused)
        call.cancelled.connect(self._on_cancelled)
        self._say(self.tr("Keeping it…"))
        self.verticalScrollBar().setValue(0)

    def _on_kept(self, kept: DeckKept) -> None:
        self._call = None
        self._forget()
        self._path = None
        self.kept.emit(kept.deck)

    def _on_refused(self, why: Refused) -> None:
        self._call = None
        self._say(told(why), is_trouble=True)
        self._ask_again()

    def _on_cancelled(self) -> None:
        self._call, self._is_due = None, False
        self._say(self.tr("That was ended; nothing was kept."))

    def _on_cancel(self) -> None:
        if self._call is not None:
            self._call.cancel()

    def _show_findings(self, shown: DeckPreviewed) -> None:
        column = column_of(self._what)
        for one in self._findings:
            drop(one, column)
        self._findings = [
            label(finding_words(one), "trouble" if one.is_error else "body", wrap=True)
            for one in shown.findings
        ]
        for one in self._findings:
            column.addWidget(one)
        self._found.setVisible(bool(self._findings))

    def _say(self, words: str, *, is_trouble: bool = False) -> None:
        set_words(self._status, words, "trouble" if is_trouble else "muted")
        announce(self._status, words)
        self._show()

    def _show(self) -> None:
        shown, is_busy = self._shown, self._call is not None
        self._what.setVisible(shown is not None)
        self._more.setVisible(shown is not None)
        self._end.setVisible(shown is not None)
        self._again.setVisible(shown is not None and not is_busy and not self._is_current)
        take_turns(self.choose, self._cancel, is_open=is_busy)
        self._progress.setVisible(is_busy and shown is None)
        can_keep = shown is not None and not is_busy and self._is_current and is_sound(shown)
        self._keep.setEnabled(can_keep and self._fields.is_complete)
        self._trial.show_ready(can_start=can_keep and self._fields.is_complete)

    def _connect(self) -> None:
        self._progress.setRange(0, 0)
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(self.tr("The file is being read"))
        self._cancel.clicked.connect(self._on_cancel)
        self._again.clicked.connect(self._ask)
        self._keep.clicked.connect(self._on_keep)
        self._leave.clicked.connect(self.leave)
        self._fields.renumbered.connect(self._model.skipped.clear)
        self._fields.changed.connect(self._on_change)
        self._fields.named.connect(self._show)
        self._model.skips_changed.connect(self._on_change)

    def _lay_out(self) -> None:
        top = column_of(self._top)
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_M)
        row.addWidget(self._file, 1)
        for way in (self._cancel, self._again, self.choose, self._leave):
            row.addWidget(way)
        top.addLayout(row)
        top.addWidget(self._status)
        top.addWidget(self._progress)
        what = column_of(self._what)
        what.addWidget(self._table)
        what.addWidget(self._cut)
        what.addWidget(self._found)
        column_of(self._more).addWidget(self._fields)
        end = column_of(self._end)
        end.setSpacing(theme.SPACE_M)
        end.addWidget(self._trial)
        last = QHBoxLayout()
        last.addWidget(self._keep)
        last.addStretch()
        end.addLayout(last)
        for card in (self._top, self._what, self._more, self._end):
            self.column.addWidget(card)
        self.column.addStretch()
