"""Milestones: those of the past with their day, those ahead with how far they are."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.pages.contribution.progress_ring import ProgressRing
from app.pages.contribution.steps import MilestoneStep
from app.style import theme
from app.style.theme import Palette
from app.text.phrases import labelled
from app.widgets.basics import label


class MilestoneList(QWidget):
    """A function of its steps."""

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._reached = _StepCard(palette, self.tr("Milestones"), self.tr("The first is near."))
        self._ahead = _StepCard(palette, self.tr("Next"), self.tr("All of them are behind you."))
        # The cards inside could grow; spare room belongs below them all.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACE_S)
        row.addWidget(self._reached, 1)
        row.addWidget(self._ahead, 1)

    def show_steps(self, reached: Sequence[MilestoneStep], ahead: Sequence[MilestoneStep]) -> None:
        """Show what was reached and what comes next."""
        self._reached.show_steps(reached)
        self._ahead.show_steps(ahead)

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette``."""
        self._reached.show_palette(palette)
        self._ahead.show_palette(palette)


class _StepCard(QFrame):
    def __init__(self, palette: Palette, title: str, otherwise: str) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._palette = palette
        self._rows: list[_StepRow] = []
        self._otherwise = label(otherwise, "muted", wrap=True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_L)
        self._column.setSpacing(theme.SPACE_S)
        self._column.addWidget(label(title, "heading"))
        self._column.addWidget(self._otherwise)
        self._column.addStretch()

    def show_steps(self, steps: Sequence[MilestoneStep]) -> None:
        for _ in range(len(self._rows), len(steps)):
            row = _StepRow(self._palette)
            self._rows.append(row)
            self._column.insertWidget(self._column.count() - 1, row)
        for row, step in zip(self._rows, steps, strict=False):
            row.show_step(step)
        for at, row in enumerate(self._rows):
            row.setVisible(at < len(steps))
        self._otherwise.setVisible(not steps)

    def show_palette(self, palette: Palette) -> None:
        self._palette = palette
        for row in self._rows:
            row.show_palette(palette)


class _StepRow(QWidget):
    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self._share = 0.0
        self._ring = ProgressRing(palette)
        self._words = label("", wrap=True)
        self._note = label("", "small")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACE_S)
        row.addWidget(self._ring, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._words, 1)
        row.addWidget(self._note, 0, Qt.AlignmentFlag.AlignTop)
        self._note.setMinimumHeight(theme.TEXT_LINE)

    def show_step(self, step: MilestoneStep) -> None:
        self._share = step.share
        self._words.setText(step.words)
        self._note.setText(step.note)
        self.setAccessibleName(labelled(step.words, step.note))
        self._ring.show_share(self._share, self._palette)

    def show_palette(self, palette: Palette) -> None:
        self._palette = palette
        self._ring.show_share(self._share, palette)
