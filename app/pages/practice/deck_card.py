"""A deck: what it is, whether it is practised, and what can be done with it."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.pages.practice.deck_trial import DeckTrialBox
from app.pages.practice.puzzles_view_model import DeckLine
from app.style import theme
from app.text.phrases import labelled
from app.widgets.basics import bare_column, button, drop, label, pass_focus
from app.widgets.confirmation import Confirmation, double_click_s
from app.widgets.controls import Switch
from app.widgets.question_box import SampleList
from app.widgets.row_list import RowButton
from app.widgets.tab_order import in_turn
from core.api.decks import SampleQuestion


@dataclass(frozen=True, slots=True)
class DeckWays:
    """What becomes of what is pressed; each is told the task or the digest of the deck."""

    switch: Callable[[str, bool], None]
    only: Callable[[str], None]
    share: Callable[[str], None]
    look: Callable[[str], None]
    export: Callable[[str], None]
    remove: Callable[[str], None]
    trial: Callable[[str], DeckTrialBox]  # one for the deck of that digest


class DeckCard(QFrame):
    """Draws a ``DeckLine``; asks before the deck is removed."""

    def __init__(
        self,
        line: DeckLine,
        ways: DeckWays,
        clock: Callable[[], float] = time.monotonic,
        least_s: Callable[[], float] = double_click_s,
    ) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._line = line
        self._ways = ways
        self._confirmation = Confirmation(clock, least_s)
        self._inside: QWidget | None = None  # while it is looked at
        self._trial: DeckTrialBox | None = None  # in there
        self._title = label(line.title, "heading", wrap=True)
        self._about, self._facts = label("", "small", wrap=True), label("", "small", wrap=True)
        self.switch = Switch(self.tr("Practise {}").format(line.title))
        self._only = button(self.tr("Practise only this"))
        self._share = button(self.tr("Share with others…"))
        self._look = button(self.tr("Look at ten questions"))
        self._remove = RowButton(self.tr("Remove…"), "danger")
        self._question = label("", wrap=True)
        self._leave = button(self.tr("Leave it"))
        self._column = QVBoxLayout(self)
        self._connect()
        self._lay_out()
        self._ask(is_open=False)
        self.show_line(line)

    def show_line(self, line: DeckLine, *, is_free: bool = True) -> None:
        """Draw ``line``, of the same deck; ``is_free``: the person chooses what is practised."""
        self._line = line
        for shown, words in ((self._about, line.about), (self._facts, line.facts)):
            shown.setText(words)
            shown.setVisible(bool(words))
        self.switch.show_value(line.is_on)
        self.switch.setEnabled(is_free)
        can_be_alone = is_free and not line.is_only
        if not can_be_alone:  # or Qt would give it to the button that shares the deck
            pass_focus(self._only, self.switch)
        self._only.setEnabled(can_be_alone)

    def show_samples(self, questions: Sequence[SampleQuestion]) -> None:
        """Show ``questions`` with their answers, and what else can be done, until put away."""
        self._hide_inside()
        self._inside, self._trial = QWidget(), self._ways.trial(self._line.digest)
        export = button(self.tr("Save to a file…"))
        export.clicked.connect(lambda: self._ways.export(self._line.digest))
        self._name(export, export.text())
        row = QHBoxLayout()
        row.addWidget(export)
        row.addStretch()
        column = bare_column(self._inside)
        column.addWidget(self._trial)
        column.addLayout(row)
        column.addWidget(SampleList(questions))
        self._column.addWidget(self._inside)
        in_turn(self._leave, self._inside)
        self._name(self._look, self.tr("Hide the questions"))

    def show_model(self, model: str) -> None:
        """Let ``model``, its id, try the deck from now on."""
        if self._trial is not None:
            self._trial.show_model(model)

    def forget(self) -> None:
        """Wait for nothing any more: the deck is gone."""
        self._hide_inside()

    def _hide_inside(self) -> None:
        if self._inside is not None and self._trial is not None:
            self._trial.forget()
            drop(self._inside, self._column)
        self._inside = self._trial = None
        self._name(self._look, self.tr("Look at ten questions"))

    def _on_look(self) -> None:
        if self._inside is None:
            self._ways.look(self._line.digest)
        else:
            self._hide_inside()

    def _on_remove(self) -> None:
        if self._confirmation.press():
            self._ask(is_open=False)
            self._ways.remove(self._line.digest)
        elif self._confirmation.is_asking and self._question.isHidden():
            self._ask(is_open=True)
            self._leave.setFocus()

    def _on_leave(self) -> None:
        self._confirmation.drop()
        self._remove.setFocus()
        self._ask(is_open=False)

    def _ask(self, *, is_open: bool) -> None:
        self._question.setText(
            self.tr("Remove “{}” from this computer? What was learnt from it stays.").format(
                self._line.title
            )
        )
        self._question.setVisible(is_open)
        self._leave.setVisible(is_open)
        for other in (self._only, self._share, self._look):  # all five need more room than there is
            other.setVisible(not is_open)
        self._leave.setAccessibleDescription(self._question.text())
        self._name(self._remove, self.tr("Yes, remove it") if is_open else self.tr("Remove…"))

    def _name(self, one: QPushButton, words: str) -> None:
        """Say which deck ``one`` is about to whoever does not see the card."""
        one.setText(words)
        one.setAccessibleName(labelled(words, self._line.title))

    def _connect(self) -> None:
        self.switch.changed.connect(lambda on: self._ways.switch(self._line.task, bool(on)))
        self._only.clicked.connect(lambda: self._ways.only(self._line.task))
        self._share.clicked.connect(lambda: self._ways.share(self._line.digest))
        self._look.clicked.connect(self._on_look)
        self._remove.clicked.connect(self._on_remove)
        self._leave.clicked.connect(self._on_leave)
        for way in (self._only, self._share, self._look):
            self._name(way, way.text())

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(theme.SPACE_XS // 2)
        for shown in (self._title, self._about, self._facts):
            words.addWidget(shown)
        top = QHBoxLayout()
        top.setSpacing(theme.SPACE_L)
        top.addLayout(words, 1)
        top.addWidget(self.switch, 0, Qt.AlignmentFlag.AlignTop)
        ways = QHBoxLayout()
        ways.setSpacing(theme.SPACE_S)
        for way in (self._only, self._share, self._look, self._remove, self._leave):
            ways.addWidget(way)
        ways.addStretch()
        self._column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_L)
        self._column.setSpacing(theme.SPACE_S)
        self._column.addLayout(top)
        self._column.addWidget(self._question)
        self._column.addLayout(ways)
