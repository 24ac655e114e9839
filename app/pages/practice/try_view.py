"""The tab *Try it*: the same question to the model as it was and as it is."""

import secrets
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.backend.actions import Actions
from app.backend.helper_call import HelperCall
from app.pages.practice.answer_list import AnswerList, question_box
from app.pages.practice.answers import tally
from app.pages.practice.scrolled import Scrolled
from app.pages.practice.try_form import TryForm
from app.pages.practice.try_view_model import try_view_model
from app.state.model_choices import ModelChoice
from app.style import theme
from app.text.error_words import told
from app.widgets.basics import button, column_of, drop, frame, hung, label, take_turns
from core.api.practice import ModelTried, PuzzleKind, Trying, TryModel
from core.api.preview import Attempts
from core.api.requests import Refused

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
        self._scroll = Scrolled(self.tr("Try it"))
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
        self._model = model.id
        self._form.show_model(model)

    def show_kinds(self, kinds: tuple[PuzzleKind, ...]) -> None:
        """Offer ``kinds`` of puzzles."""
        self._form.show_kinds(kinds)

    def _on_ask(self) -> None:
        self._status.setText(self.tr("Asking…"))
        question = TryModel(
            model=self._model,
            task=self._form.task,
            text=self._form.text,
            seed=secrets.randbelow(SEEDS),
        )
        self._call = call = self._actions.call(question)
        call.progress.connect(self._on_progress)
        call.done.connect(self._on_tried)
        call.refused.connect(self._on_refused)
        call.cancelled.connect(self._end)
        self._show_buttons()

    def _on_cancel(self) -> None:
        if self._call is not None:
            self._call.cancel()

    def _on_progress(self, trying: Trying) -> None:
        waking, thinking = self.tr("Waking the model up…"), self.tr("Thinking…")
        self._status.setText(waking if trying.is_loading else thinking)

    def _on_tried(self, tried: ModelTried) -> None:
        self._end()
        if tried.model == self._model:  # or another was chosen meanwhile
            self._show_card(_result_card(tried))
            QTimer.singleShot(0, self._result, self._show_all_of_it)  # in its place by then

    def _on_refused(self, why: Refused) -> None:
        self._end()
        self._status.setText(told(why))

    def _end(self) -> None:
        self._call = None
        self._status.clear()
        self._show_buttons()

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
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.addWidget(self._scroll)


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
