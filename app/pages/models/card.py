"""A model as a card: what it is, whether it fits, what can be done with it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from app.pages.models.act_button import ActButton, OnAct
from app.pages.models.detail_panel import DetailPanel
from app.pages.models.details import Details
from app.pages.models.inline_message import MOST_WAYS, InlineMessage
from app.pages.models.progress import ProgressViewModel
from app.pages.models.question import InlineQuestion
from app.pages.models.store import WorkOutcome
from app.pages.models.view_model import CardViewModel, Pill, RowAction
from app.style import theme
from app.text.phrases import labelled
from app.widgets.basics import bare_row, button, hung, label, set_button, set_style
from app.widgets.tab_order import in_turn

_STEPS = 1_000


class ProgressLine(QWidget):
    """Hidden while nothing is under way, and empty before anything was."""

    def __init__(self, on_act: OnAct) -> None:
        super().__init__()
        self._on_act = on_act
        self._inside: _Inside | None = None
        self.hide()

    def show_progress(self, progress: ProgressViewModel | None, ways: Sequence[RowAction]) -> None:
        """Draw how far it has come."""
        if progress is not None:
            (self._inside or self._build()).show_progress(progress, ways)
        self.setVisible(progress is not None)

    def _build(self) -> "_Inside":
        made = self._inside = _Inside(self._on_act)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.SPACE_XS, 0, theme.SPACE_XS)
        column.addWidget(made)
        in_turn(self.parentWidget() or self)  # between what stands above and below
        return made


class _Inside(QWidget):
    def __init__(self, on_act: OnAct) -> None:
        super().__init__()
        self._bar = QProgressBar()
        self._bar.setRange(0, _STEPS)
        self._bar.setTextVisible(False)
        self._words = label("", "small", wrap=True)
        self._buttons = [ActButton(on_act) for _ in range(MOST_WAYS)]
        told = QVBoxLayout()
        told.setSpacing(theme.SPACE_XS)
        told.addStretch()
        told.addWidget(self._bar)
        told.addWidget(self._words)
        told.addStretch()
        row = bare_row(self)
        row.addLayout(told, 1)
        row.addSpacing(theme.SPACE_XS)
        for way in self._buttons:
            row.addWidget(way, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_progress(self, progress: ProgressViewModel, ways: Sequence[RowAction]) -> None:
        self._words.setText(progress.words)
        self._bar.setVisible(progress.share is not None)
        self._bar.setValue(round(_STEPS * (progress.share or 0.0)))
        self._bar.setAccessibleName(progress.words)
        for number, way in enumerate(self._buttons):
            way.show_act(ways[number] if number < len(ways) else None)


MOST_PILLS = 2
LONG_TITLE = 44  # letters; a longer one may take two lines


class ModelCard(QFrame):
    """Draws a ``CardViewModel``; calls ``on_act`` after asking where that is needed."""

    unfolded = Signal()

    def __init__(self, title: str, on_act: OnAct) -> None:
        super().__init__()
        self._on_act = on_act
        self.setProperty("role", "card")
        self.setAccessibleName(title)
        self._shown: tuple[CardViewModel, Details | None] | None = None
        self.details: DetailPanel | None = None  # made when it is first looked at
        self._title = label(title, "heading", wrap=len(title) > LONG_TITLE)
        self._pills = [label("", "pill") for _ in range(MOST_PILLS)]
        self._sentence = label("", "muted", wrap=True)
        self._facts, self._fit = label("", "small", wrap=True), label("", "small", wrap=True)
        self._question, self._said = InlineQuestion(on_act), InlineMessage(on_act)
        self._main = ActButton(self._question.put, "plain")
        self._progress = ProgressLine(self._question.put)
        self._fold = button(self.tr("Details"), kind="quiet")
        self._connect()
        self._lay_out()

    @property
    def news(self) -> QWidget:
        """Where it is told how work goes and went."""
        return self._progress if self._said.isHidden() else self._said

    @property
    def is_unfolded(self) -> bool:
        """Its details are shown."""
        return self.details is not None and not self.details.isHidden()

    def show_card(self, card: CardViewModel, details: Details | None) -> None:
        """Draw ``card``, and ``details`` where they are unfolded."""
        if self._shown == (card, details):
            return
        self._shown = card, details
        self._show_words(card)
        self._main.show_act(card.main)
        self._progress.show_progress(card.progress, card.ways)
        self._show_said(card.said)
        if details is not None and self.details is not None:
            self.details.show_details(details)
        self._question.keep_if(card.main, *card.ways)

    def _show_words(self, card: CardViewModel) -> None:
        for number, shown in enumerate(self._pills):
            _show_pill(shown, card.pills[number] if number < len(card.pills) else None)
        for shown, text in (
            (self._sentence, card.sentence),
            (self._facts, card.facts),
            (self._fit, card.fit),
        ):
            shown.setText(text)
            shown.setVisible(bool(text))
        set_style(self, "chosen", card.is_chosen)

    def _show_said(self, said: WorkOutcome | None) -> None:
        if said is None:
            self._said.say("", (), is_grave=False)
            return
        close = RowAction(self.tr("Close"), "dismiss")
        reveal = RowAction(self.tr("Show the folder"), "reveal", said.path)
        ways = (reveal, close) if said.path else (close,)
        self._said.say(said.words, ways, is_grave=said.is_trouble)

    def _on_fold(self) -> None:
        if self.details is None:
            self.details = DetailPanel(self._on_act)
            self._column.addWidget(self.details)
            self.details.hide()
        self.details.setVisible(self.details.isHidden())
        text = self.tr("Fewer details") if self.is_unfolded else self.tr("Details")
        set_button(self._fold, text, enabled=True)
        self._fold.setAccessibleName(labelled(text, self.accessibleName()))
        if self.is_unfolded:
            self.unfolded.emit()
            in_turn(self._fold, self.details)

    def _connect(self) -> None:
        self._fold.clicked.connect(self._on_fold)
        self._fold.setAccessibleName(labelled(self._fold.text(), self.accessibleName()))

    def _lay_out(self) -> None:
        name = QHBoxLayout()
        name.setSpacing(theme.SPACE_S)
        name.addWidget(self._title, int(self._title.wordWrap()))
        for pill in self._pills:
            name.addWidget(pill, 0, Qt.AlignmentFlag.AlignVCenter)
        name.addStretch()
        words = QVBoxLayout()
        words.setSpacing(theme.SPACE_XS)
        words.addLayout(name)
        words.addWidget(self._sentence)
        top = QHBoxLayout()
        top.setSpacing(theme.SPACE_L)
        top.addLayout(words, 1)
        top.addWidget(self._main, 0, Qt.AlignmentFlag.AlignTop)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_S)
        self._column.setSpacing(theme.SPACE_XS)
        self._column.addLayout(top)
        for part in (self._facts, self._fit, self._progress, self._question, self._said):
            self._column.addWidget(part)
        fold = hung(self._fold, theme.QUIET_INSET)
        fold.addStretch()
        self._column.addLayout(fold)


def _show_pill(shown: QLabel, pill: Pill | None) -> None:
    if pill is not None:
        shown.setText(pill.text)
        set_style(shown, "tone", pill.tone)
    shown.setVisible(pill is not None)
