"""The first step: what this is, what is shared and what never is; agreed to once."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout

from app.pages.welcome.step import WelcomeStep
from app.state.app_state import AppState
from app.style import theme
from app.widgets.basics import column_of, frame, label, picture


class PrivacyStep(WelcomeStep):
    """Ready once the box is ticked; nothing is preselected."""

    def __init__(self) -> None:
        super().__init__()
        agreement = self.tr("I have read this, and I agree to share these things.")
        self._agree = QCheckBox(agreement)
        self._agree.setAccessibleName(agreement)
        self._agree.toggled.connect(self.changed)
        self._agreed = label(self.tr("You have agreed to share these things."), "good")
        self._agreed.hide()
        self._lay_out()

    @property
    def is_ready(self) -> bool:
        """The person agrees, now or before."""
        return self._agree.isChecked() or not self._agreed.isHidden()

    def begin(self, state: AppState) -> None:
        """Who agreed before is not asked again."""
        has_agreed = state.settings.window.consent
        self._agree.setChecked(False)
        self._agree.setVisible(not has_agreed)
        self._agreed.setVisible(has_agreed)

    def _lay_out(self) -> None:
        what = self.tr(
            "Waggle lets this computer train a small language model. It practises puzzles with "
            "known answers, keeps what works, and swaps ideas with the models of other people: "
            "the swarm."
        )
        small_print = self.tr(
            "Others that you connect to see your internet address, as with any website. "
            "Nothing here earns money: a score only says how many puzzles were solved."
        )
        self.column.addStretch(1)
        self.column.addWidget(picture(theme.EMBLEM))
        self.column.addWidget(label(self.tr("Train a small model, together."), "hero", wrap=True))
        self.column.addWidget(label(what, "lead", wrap=True))
        self.column.addSpacing(theme.SPACE_S)
        self.column.addLayout(self._lists())
        self.column.addWidget(label(small_print, "muted", wrap=True))
        self.column.addSpacing(theme.SPACE_S)
        self.column.addWidget(self._agree)
        self.column.addWidget(self._agreed)
        self.column.addStretch(1)

    def _lists(self) -> QHBoxLayout:
        shared = (
            self.tr("which puzzles were tried, and when"),
            self.tr("what your model answered, as text"),
            self.tr("how many puzzles it solved last, and whose tries it learnt from"),
            self.tr("the kind of model, and a made-up name and number that stay the same"),
        )
        never = (
            self.tr("your files, or anything you type"),
            self.tr("your name or your computer's name"),
            self.tr("your model itself"),
        )
        lists = QHBoxLayout()
        lists.setSpacing(theme.SPACE_L)
        lists.addWidget(_listing(self.tr("What is shared"), "heading", shared), 4)
        lists.addWidget(_listing(self.tr("What is never shared"), "good", never), 3)
        return lists


def _listing(title: str, role: str, lines: Sequence[str]) -> QFrame:
    card = frame("card")
    column = column_of(card)
    column.addWidget(label(title, role))
    for line in lines:
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_S)
        row.addWidget(label("•"), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(label(line, wrap=True), 1)
        column.addLayout(row)
    column.addStretch()
    return card
