"""The kinds that are built in, each with a switch, in two columns."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout

from app.pages.practice.puzzles_view_model import KindLine
from app.style import theme
from app.widgets.basics import label
from app.widgets.controls import Switch
from app.widgets.rows import SettingRow

COLUMNS: Final = 2
AT_ONCE: Final = 6
"""Rows that are made before the window may answer to a person again."""

NEXT_MS: Final = 10  # before the next ones, so that what was made is laid out and drawn


class KindGrid(QFrame):
    """A function of its lines; ``switch`` takes a task and whether it is to be practised."""

    def __init__(self, switch: Callable[[str, bool], None]) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._switch = switch
        self._lines: tuple[KindLine, ...] = ()
        self._is_free = True
        self._rows: dict[str, SettingRow] = {}
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(theme.SPACE_XXL)
        self._grid.setVerticalSpacing(0)
        for place in range(COLUMNS):
            self._grid.setColumnStretch(place, 1)
        self._later = QTimer(self, singleShot=True, interval=NEXT_MS)
        self._later.timeout.connect(self._make_some)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_M)
        column.setSpacing(theme.SPACE_XS)
        column.addWidget(label(self.tr("Built in"), "heading"))
        column.addLayout(self._grid)

    @property
    def is_whole(self) -> bool:
        """All lines have their rows."""
        return len(self._rows) == len(self._lines)

    def show_lines(self, lines: Sequence[KindLine], *, is_free: bool = True) -> None:
        """Draw ``lines``, which are of the same kinds as before, if there were any.

        ``is_free``: the person chooses among them.
        """
        self._lines, self._is_free = tuple(lines), is_free
        for line in lines:
            row = self._rows.get(line.task)
            if row is not None:
                self._show(row, line)
        if not self.is_whole:
            self._later.start()

    def _make_some(self) -> None:
        made = len(self._rows)
        for place, line in enumerate(self._lines[made : made + AT_ONCE], start=made):
            row = SettingRow(line.title, self._make_switch(line), line.facts)
            self._show(row, line)
            self._rows[line.task] = row
            self._grid.addWidget(row, place // COLUMNS, place % COLUMNS)
        if not self.is_whole:
            self._later.start()

    def _make_switch(self, line: KindLine) -> Switch:
        made = Switch(line.title)
        made.changed.connect(lambda on: self._switch(line.task, bool(on)))
        return made

    def _show(self, row: SettingRow, line: KindLine) -> None:
        row.say(line.facts)
        row.control.setEnabled(self._is_free)
        if isinstance(row.control, Switch):
            row.control.show_value(line.is_on)
