"""How far back the chart reaches."""

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QWidget

from app.home.scene import Span
from app.widgets import button


class SpanSwitch(QWidget):
    """Three buttons, of which one is pressed; the arrow keys go from one to the next."""

    changed = Signal(str)  # Span

    def __init__(self) -> None:
        super().__init__()
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        spans: tuple[tuple[Span, str, str], ...] = (
            ("hour", self.tr("Hour"), self.tr("Show the last hour")),
            ("day", self.tr("Day"), self.tr("Show the last day")),
            ("all", self.tr("All"), self.tr("Show all rounds")),
        )
        for span, words, name in spans:
            made = button(words, kind="span")
            made.setCheckable(True)
            made.setChecked(span == "all")
            made.setAccessibleName(name)
            made.setMinimumSize(QSize(0, 0))
            made.toggled.connect(lambda on, span=span: self.changed.emit(span) if on else None)
            self._group.addButton(made)
            row.addWidget(made)
