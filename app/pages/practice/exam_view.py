"""The tab *Exam*: puzzles that the model never practised, before and after."""

from typing import Final

from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QWidget

from app.backend.actions import Actions
from app.backend.helper_call import HelperCall
from app.pages.practice.exam_chart import ExamChart
from app.pages.practice.exam_view_model import (
    ExamViewModel,
    exam_view_model,
    progress_words,
)
from app.state.model_choices import ModelChoice
from app.style import theme
from app.style.theme import Palette
from app.text.error_words import told
from app.text.figures import figure
from app.text.phrases import labelled
from app.widgets.basics import (
    announce,
    bare_column,
    button,
    column_of,
    drop,
    frame,
    label,
    set_words,
    take_turns,
)
from app.widgets.controls import DropDown
from app.widgets.focusable_scroll_area import FocusableScrollArea
from core.api.practice import ExamProgress, ExamResult, ExamTaken, TakeExam
from core.api.requests import Refused

SIZES: Final = (100, 300, 600, 2_400)
"""Puzzles of a quick, a short, a usual and a thorough exam: of every kind and level that is built
in the last three have one, two or eight."""

_USUAL: Final = 2


class ExamView(QWidget):
    """Shows how far an exam is, and the last one that was taken."""

    def __init__(self, palette: Palette, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self._palette = palette
        self._model: ModelChoice | None = None
        self._call: HelperCall | None = None  # the exam under way
        self._examined: ModelChoice | None = None  # the model in it, while there is one
        self._shown: ExamResult | None = None
        self._size = DropDown()
        self._take = button(self.tr("Take the exam"), kind="primary")
        self._cancel = button(self.tr("Cancel"))
        self._status = label("", "muted", wrap=True)
        self._progress = QProgressBar()
        self._heading = label("", "heading", wrap=True)
        self._offer, self._result = frame("card"), self._empty_card()
        self._charts: tuple[ExamChart, ...] = ()
        self._scroll = FocusableScrollArea(self.tr("Exam"))
        self._column = self._scroll.column
        self._connect()
        self._lay_out()
        self._show_buttons()

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """What is dressed one by one."""
        return self._scroll.verticalScrollBar(), self._offer, self._result

    def show_model(self, model: ModelChoice) -> None:
        """Examine ``model`` from now on."""
        is_other = self._model is None or model.id != self._model.id
        self._model = model
        self._heading.setText(self.tr("What has {} learnt?").format(model.title))
        if is_other:
            self._show_result(None)
            if self._call is None:
                self._say("")  # it was about another one

    def show_result(self, model: str, result: ExamResult | None) -> None:
        """Show the last exam of ``model``; None where there was none."""
        if self._model is not None and model == self._model.id:
            self._show_result(result)

    def show_trouble(self, words: str) -> None:
        """Say why nobody knows how the last exam went."""
        if self._call is None:
            self._say(words, "trouble")

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette`` where the style sheet does not reach."""
        self._palette = palette
        for chart in self._charts:
            chart.show_palette(palette)

    def _on_take(self) -> None:
        if self._model is None:
            return
        self._examined = self._model
        self._say(self.tr("Getting ready…"))
        self._progress.setValue(0)
        puzzles = SIZES[self._size.currentIndex()]
        self._call = call = self._actions.call(TakeExam(model=self._model.id, puzzles=puzzles))
        call.progress.connect(self._on_progress)
        call.done.connect(self._on_taken)
        call.refused.connect(self._on_refused)
        call.cancelled.connect(self._on_cancelled)
        self._show_buttons()

    def _on_cancel(self) -> None:
        if self._call is not None:
            self._call.cancel()
            self._say(self.tr("Stopping…"))

    def _on_progress(self, progress: ExamProgress) -> None:
        if self._call is not None and not self._call.is_ending:
            self._say(progress_words(progress.done, progress.total))
        self._progress.setMaximum(max(1, progress.total))
        self._progress.setValue(progress.done)

    def _on_taken(self, taken: ExamTaken) -> None:
        over = self.tr("The exam is over. Choose this model to see it.")
        self._end(over if self._other is not None else "")
        self.show_result(taken.result.model, taken.result)

    def _on_refused(self, why: Refused) -> None:
        self._end(told(why), "trouble")

    def _on_cancelled(self) -> None:
        self._end(self.tr("The exam was ended; nothing of it is kept."))

    def _end(self, words: str, role: str = "muted") -> None:
        self._call = None
        self._say(words, role)
        announce(self, words)
        self._examined = None
        self._show_buttons()

    @property
    def _other(self) -> ModelChoice | None:
        """The model in the exam, where another one is shown."""
        asked, shown = self._examined, self._model
        return asked if asked is not None and shown is not None and asked.id != shown.id else None

    def _say(self, words: str, role: str = "muted") -> None:
        """Show ``words`` of an exam; with its model, where that is not the one that is shown."""
        other = self._other
        set_words(self._status, labelled(other.title, words) if other and words else words, role)

    def _show_buttons(self) -> None:
        is_open = self._call is not None
        take_turns(self._take, self._cancel, is_open=is_open)
        self._size.setEnabled(not is_open)
        self._progress.setVisible(is_open)

    def _show_result(self, result: ExamResult | None) -> None:
        if result == self._shown:
            return
        self._shown = result
        drop(self._result, self._column)
        if result is None:
            self._result, self._charts = self._empty_card(), ()
        else:
            self._result, self._charts = self._card(exam_view_model(result))
        self._column.insertWidget(1, self._result)
        self._actions.dress(self._result)

    def _card(self, looks: ExamViewModel) -> tuple[QFrame, tuple[ExamChart, ...]]:
        card = frame("card", spacing=theme.SPACE_XS)
        column = column_of(card)
        column.addWidget(label(looks.headline, "lead", wrap=True))
        for words in filter(None, (looks.finding, looks.reach)):
            column.addWidget(label(words, wrap=True))
        column.addWidget(label(looks.detail, "small", wrap=True))
        column.addSpacing(theme.SPACE_M)
        measures = ExamChart(looks.measures, self._palette, looks.scale)
        kinds = ExamChart(looks.rows, self._palette)
        column.addWidget(measures)
        column.addSpacing(theme.SPACE_M)
        column.addWidget(label(self.tr("Kind by kind"), "heading"))
        column.addWidget(label(self.tr("A single kind proves little."), "small", wrap=True))
        column.addWidget(kinds)
        return card, (measures, kinds)

    def _empty_card(self) -> QFrame:
        card = frame("card")
        words = self.tr(
            "What came of the last exam will stand here: what practice has brought, kind by kind, "
            "and how sure that is."
        )
        column_of(card).addWidget(label(words, "muted", wrap=True))
        return card

    def _connect(self) -> None:
        self._size.setAccessibleName(self.tr("How many puzzles"))
        self._size.addItems(
            [
                self.tr("Quick: {} puzzles").format(figure(SIZES[0])),
                self.tr("Short: {} puzzles").format(figure(SIZES[1])),
                self.tr("Usual: {} puzzles").format(figure(SIZES[2])),
                self.tr("Thorough: {} puzzles").format(figure(SIZES[3])),
            ]
        )
        self._size.setCurrentIndex(_USUAL)
        self._progress.setAccessibleName(self.tr("How far the exam is"))
        self._progress.setTextVisible(False)
        self._take.clicked.connect(self._on_take)
        self._cancel.clicked.connect(self._on_cancel)

    def _lay_out(self) -> None:
        inside = column_of(self._offer)
        inside.addWidget(self._heading)
        words = self.tr(
            "The exam asks puzzles of what is practised, at every level, that were kept out of "
            "practice: the same for everyone, and of a small deck all there are. Each is asked "
            "eight times: first of the model as it is now, then as it was before any practice. "
            "Practice may go on meanwhile."
        )
        inside.addWidget(label(words, "muted", wrap=True))
        inside.addSpacing(theme.SPACE_XS)
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_M)
        for widget in (self._take, self._cancel, self._size):
            row.addWidget(widget)
        row.addStretch()
        inside.addLayout(row)
        inside.addWidget(self._status)
        inside.addWidget(self._progress)
        self._column.addWidget(self._offer)
        self._column.addWidget(self._result)
        self._column.addStretch()
        bare_column(self).addWidget(self._scroll)
