"""How far work has come: a bar, words, and the ways to hold or end it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from app.pages.models.act_button import ActButton, OnAct
from app.pages.models.progress import ProgressViewModel
from app.pages.models.view_model import Act
from app.style import theme
from app.widgets.basics import label

MOST_WAYS = 2
_STEPS = 1_000


class ProgressLine(QWidget):
    """Hidden while nothing is under way, and empty before anything was."""

    def __init__(self, on_act: OnAct) -> None:
        super().__init__()
        self._on_act = on_act
        self._inside: _Inside | None = None
        self.hide()

    def show_progress(self, progress: ProgressViewModel | None, ways: Sequence[Act]) -> None:
        """Draw how far it has come."""
        if progress is not None:
            (self._inside or self._build()).show_progress(progress, ways)
        self.setVisible(progress is not None)

    def _build(self) -> "_Inside":
        made = self._inside = _Inside(self._on_act)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.SPACE_XS, 0, theme.SPACE_XS)
        column.addWidget(made)
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
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACE_S)
        row.addLayout(told, 1)
        row.addSpacing(theme.SPACE_XS)
        for button in self._buttons:
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_progress(self, progress: ProgressViewModel, ways: Sequence[Act]) -> None:
        self._words.setText(progress.words)
        self._bar.setVisible(progress.share is not None)
        self._bar.setValue(round(_STEPS * (progress.share or 0.0)))
        self._bar.setAccessibleName(progress.words)
        for number, button in enumerate(self._buttons):
            button.show_act(ways[number] if number < len(ways) else None)
