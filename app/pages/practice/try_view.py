"""The tab *Try it*: the same question to the model as it was and as it is."""

import secrets
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.backend.actions import Actions
from app.backend.helper_call import HelperCall
from app.pages.practice.answer_list import AnswerList
from app.pages.practice.answers import tally
from app.pages.practice.try_view_model import hint, try_view_model
from app.state.model_choices import ModelChoice
from app.style import theme
from app.text.core_words import listed
from app.text.error_words import told
from app.widgets.basics import (
    announce,
    bare_column,
    bare_row,
    button,
    column_of,
    drop,
    frame,
    hung,
    label,
    set_style,
    take_turns,
)
from app.widgets.controls import DropDown
from app.widgets.focusable_scroll_area import FocusableScrollArea
from app.widgets.question_box import question_box
from core.api.practice import ModelTried, PuzzleKind, Trying, TryModel
from core.api.preview import QUESTION_LENGTH, Attempts
from core.api.requests import Refused

_TEXT_HEIGHT = 72  # px, three lines


class TryForm(QWidget):
    """A choice of two; ``changed`` whenever what it would ask is another thing."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._kinds: tuple[PuzzleKind, ...] = ()
        self._puzzle = QRadioButton(self.tr("A puzzle"))
        self._own = QRadioButton(self.tr("Your own words"))
        self._kind = DropDown()
        self._text = QPlainTextEdit()
        self._hint = label("", "small", wrap=True)
        self._group = QButtonGroup(self)
        self._set_up()
        self._lay_out()
        self._puzzle.setChecked(True)

    @property
    def task(self) -> str:
        """The kind of puzzle to ask, drawn by lot where any will do; empty for own words."""
        if not self._puzzle.isChecked() or not self._kinds:
            return ""
        chosen = self._kind.currentIndex()
        return secrets.choice(self._kinds).task if chosen < 1 else self._kinds[chosen - 1].task

    @property
    def text(self) -> str:
        """The own words; empty for a puzzle.

        Of too many, so many that the helper says so.
        """
        typed = "" if self._puzzle.isChecked() else self._text.toPlainText().strip()
        return typed[: QUESTION_LENGTH + 1]

    @property
    def can_ask(self) -> bool:
        """There is something to ask."""
        return bool(self._kinds if self._puzzle.isChecked() else self.text)

    def show_model(self, model: ModelChoice) -> None:
        """Say what may be asked of ``model``."""
        self._hint.setText(hint(model))

    def show_kinds(self, kinds: Sequence[PuzzleKind]) -> None:
        """Offer ``kinds`` of puzzles."""
        ordered = tuple(sorted(kinds, key=lambda kind: listed(kind.title).casefold()))
        if ordered == self._kinds:
            return
        self._kinds = ordered
        self._kind.clear()
        self._kind.addItem(self.tr("Of any kind"))
        self._kind.addItems([listed(kind.title) for kind in ordered])
        self.changed.emit()

    def _set_up(self) -> None:
        for choice in (self._puzzle, self._own):
            choice.setAccessibleName(choice.text())
            self._group.addButton(choice)
            choice.toggled.connect(self._on_toggled)
        self._kind.setAccessibleName(self.tr("Kind of puzzle"))
        self._kind.setSizeAdjustPolicy(DropDown.SizeAdjustPolicy.AdjustToContents)
        self._text.setAccessibleName(self.tr("Your own words"))
        self._text.setPlaceholderText(self.tr("Ask something, for example: What is 17 + 25?"))
        self._text.setFixedHeight(_TEXT_HEIGHT)
        self._text.setTabChangesFocus(True)
        self._text.textChanged.connect(self.changed)

    def _on_toggled(self) -> None:
        self._kind.setVisible(self._puzzle.isChecked())
        for widget in (self._text, self._hint):
            widget.setVisible(self._own.isChecked())
        self.changed.emit()

    def _lay_out(self) -> None:
        choices = hung(self._puzzle, theme.RADIO_INSET)
        choices.addSpacing(theme.SPACE_XL)
        choices.addWidget(self._own)
        choices.addStretch()
        row = bare_row(self, 0)
        row.addSpacing(theme.RADIO_INSET)
        column = QVBoxLayout()
        row.addLayout(column)
        column.setSpacing(theme.SPACE_S)
        column.addLayout(choices)
        column.addWidget(self._kind, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._text)
        column.addWidget(self._hint)


SEEDS: Final = 2**32


class TryView(QWidget):
    """Asks both, and shows what comes of it."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self._model = ""
        self._call: HelperCall | None = None  # the question that is open
        self._form = TryForm()
        self._ask = button(self.tr("Ask"), kind="primary")
        self._cancel = button(self.tr("Cancel"))
        self._status = label("", "muted", wrap=True)
        self._question, self._result = frame("card", spacing=theme.SPACE_M), self._empty_card()
        self._scroll = FocusableScrollArea(self.tr("Try it"))
        self._column = self._scroll.column
        self._form.changed.connect(self._show_buttons)
        self._ask.clicked.connect(self._on_ask)
        self._cancel.clicked.connect(self._on_cancel)
        self._lay_out()
        self._show_buttons()

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """What is dressed one by one."""
        return self._scroll.verticalScrollBar(), self._question, self._result

    def show_model(self, model: ModelChoice) -> None:
        """Ask ``model`` from now on; what another one answered goes."""
        if self._model and model.id != self._model:
            self._show_card(self._empty_card())
            if self._call is None:
                self._say("")  # it was about another one
        self._model = model.id
        self._form.show_model(model)

    def show_kinds(self, kinds: tuple[PuzzleKind, ...]) -> None:
        """Offer ``kinds`` of puzzles."""
        self._form.show_kinds(kinds)

    def show_trouble(self, words: str) -> None:
        """Say why there is nothing to choose from."""
        if self._call is None:
            self._say(words, "trouble")

    def _on_ask(self) -> None:
        self._say(self.tr("Asking…"))
        form, seed = self._form, secrets.randbelow(SEEDS)
        question = TryModel(model=self._model, task=form.task, text=form.text, seed=seed)
        self._call = call = self._actions.call(question)
        call.progress.connect(self._on_progress)
        call.done.connect(self._on_tried)
        call.refused.connect(self._on_refused)
        call.cancelled.connect(self._end)
        self._show_buttons()

    def _on_cancel(self) -> None:
        if self._call is not None:
            self._call.cancel()
            self._say(self.tr("Stopping…"))

    def _on_progress(self, trying: Trying) -> None:
        if self._call is None or self._call.is_ending:
            return
        waking, thinking = self.tr("Waking the model up…"), self.tr("Thinking…")
        self._say(waking if trying.is_loading else thinking)

    def _on_tried(self, tried: ModelTried) -> None:
        self._end()
        if tried.model != self._model:
            self._say(self.tr("Another model was asked. Ask again to see what this one says."))
            return
        self._show_card(_result_card(tried))
        QTimer.singleShot(0, self._result, self._show_all_of_it)  # in its place by then

    def _on_refused(self, why: Refused) -> None:
        self._end()
        self._say(told(why), "trouble")
        announce(self, told(why))

    def _end(self) -> None:
        self._call = None
        self._say("")
        self._show_buttons()

    def _say(self, words: str, role: str = "muted") -> None:
        self._status.setText(words)
        set_style(self._status, "role", role)

    def _show_buttons(self) -> None:
        can_ask = self._form.can_ask
        take_turns(self._ask, self._cancel, is_open=self._call is not None, can_start=can_ask)

    def _show_card(self, card: QFrame) -> None:
        drop(self._result, self._column)
        self._result = card
        self._column.insertWidget(1, card)
        self._actions.dress(card)

    def _show_all_of_it(self) -> None:
        self._scroll.ensureWidgetVisible(self._result, 0, 0)

    def _empty_card(self) -> QFrame:
        card = frame("card")
        words = self.tr(
            "The answers will stand here: those of the model as it was before any practice, and "
            "beside them those of today."
        )
        column_of(card).addWidget(label(words, "muted", wrap=True))
        return card

    def _lay_out(self) -> None:
        inside = column_of(self._question)
        inside.addWidget(
            label(self.tr("Ask the same before and after practice"), "heading", wrap=True)
        )
        inside.addLayout(hung(self._form, theme.RADIO_INSET))
        inside.addSpacing(theme.SPACE_XS)
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_M)
        for widget in (self._ask, self._cancel):
            row.addWidget(widget)
        row.addWidget(self._status, 1)
        inside.addLayout(row)
        self._column.addWidget(self._question)
        self._column.addWidget(self._result)
        self._column.addStretch()
        bare_column(self).addWidget(self._scroll)


def _result_card(tried: ModelTried) -> QFrame:
    looks = try_view_model(tried)
    card = frame("card", spacing=theme.SPACE_M)
    column = column_of(card)
    column.addWidget(label(looks.heading, "heading", wrap=True))
    column.addWidget(question_box(tried.question))
    sides = QHBoxLayout()
    sides.setSpacing(theme.SPACE_XL)
    sides.addLayout(_side(looks.before, tried.before), 1)
    sides.addLayout(_side(looks.now, tried.now), 1)
    column.addLayout(sides)
    column.addWidget(label(looks.note, "small", wrap=True))
    return card


def _side(heading: str, attempts: Attempts) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(theme.SPACE_S)
    column.addWidget(label(heading, "heading", wrap=True))
    said = tally(attempts)
    if said:
        column.addWidget(label(said, "muted"))
    column.addWidget(AnswerList(attempts))
    column.addStretch()
    return column
