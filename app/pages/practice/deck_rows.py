"""The rows of a table as they were understood, each of which can be left out."""

from html import escape
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from app.pages.practice.deck_preview_model import part_title, problem_words
from app.style.theme import Palette
from app.text.figures import figure
from app.text.phrases import labelled
from app.text.plain_text import legible
from core.api.decks import SHOWN_ANSWER, SHOWN_QUESTION, DeckPreviewed, PreviewRow

_Index = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole

USE, QUESTION, ANSWER, LEVEL, PROBLEM = range(5)
HEIGHT: Final = 264  # px, some seven rows
_SHARES: Final = {QUESTION: 6, ANSWER: 3, PROBLEM: 6}  # of the width that the narrow ones leave


class DeckRowsModel(QAbstractTableModel):
    """A row's number with its tick, its question, answer and level, and what is wrong with it."""

    skips_changed = Signal()

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self._rows: tuple[PreviewRow, ...] = ()
        self._is_fixed = False  # nothing can be left out
        self.skipped: set[int] = set()  # numbers of rows

    def show_rows(self, shown: DeckPreviewed) -> None:
        """Draw the rows of ``shown``; those that are skipped stay so."""
        before = [row.number for row in self._rows]
        self._is_fixed = shown.is_made
        if before == [row.number for row in shown.rows] and before:
            self._rows = shown.rows
            self.dataChanged.emit(self.index(0, 0), self.index(len(before) - 1, PROBLEM))
            return
        self.beginResetModel()
        self._rows = shown.rows
        self.endResetModel()

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette``."""
        self._palette = palette

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: N802, B008 - Qt's
        """Rows that are shown."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: N802, B008 - Qt's
        """Always the same."""
        return 0 if parent.isValid() else PROBLEM + 1

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole
    ) -> str | None:
        """What the columns are called."""
        if orientation is not Qt.Orientation.Horizontal or role != _Role.DisplayRole:
            return None
        titles = (
            self.tr("Row"),
            part_title("question"),
            part_title("answer"),
            part_title("level"),
            self.tr("What is wrong"),
        )
        return titles[section]

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """A good row has a tick to be changed."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        row = self._rows[index.row()]
        if index.column() == USE and not row.problem and not self._is_fixed:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def data(self, index: _Index, role: int = _Role.DisplayRole) -> Any:  # noqa: ANN401 - Qt's
        """What a cell says, whole in its tip, and whether it is ticked."""
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        if role in (_Role.DisplayRole, _Role.ToolTipRole):
            words = _words(row, column)  # a tip is shown as HTML wherever it looks like that
            return words if role == _Role.DisplayRole else f"<p>{escape(words)}</p>"
        if role == _Role.AccessibleTextRole:
            title = self.headerData(column, Qt.Orientation.Horizontal)
            return labelled(title or "", _words(row, column))
        if role == _Role.CheckStateRole and column == USE and not self._is_fixed:
            return self._tick(row)
        if role == _Role.ForegroundRole:
            return self._colour(row, column)
        return None

    def setData(  # noqa: N802 - Qt's name
        self,
        index: _Index,
        value: Any,  # noqa: ANN401 - Qt's
        role: int = _Role.EditRole,
    ) -> bool:
        """Leave a row out, or take it in again."""
        if role != _Role.CheckStateRole or index.column() != USE:
            return False
        number = self._rows[index.row()].number
        if Qt.CheckState(value) is Qt.CheckState.Checked:
            self.skipped.discard(number)
        else:
            self.skipped.add(number)
        self.dataChanged.emit(index, self.index(index.row(), PROBLEM))
        self.skips_changed.emit()
        return True

    def _tick(self, row: PreviewRow) -> Qt.CheckState:
        is_used = not row.problem and row.number not in self.skipped
        return Qt.CheckState.Checked if is_used else Qt.CheckState.Unchecked

    def _colour(self, row: PreviewRow, column: int) -> QColor | None:
        if row.problem:
            return QColor(self._palette.trouble if column == PROBLEM else self._palette.muted)
        return QColor(self._palette.muted) if row.number in self.skipped else None


def _words(row: PreviewRow, column: int) -> str:
    texts = {
        USE: figure(row.number),
        QUESTION: legible(row.question, SHOWN_QUESTION),
        ANSWER: legible(row.answer, SHOWN_ANSWER),
        LEVEL: str(row.level or ""),
    }
    return texts[column] if column in texts else problem_words(row)


class DeckRowsTable(QTableView):
    """Its columns share its width; that of problems is there while there are any."""

    def __init__(self, model: DeckRowsModel) -> None:
        super().__init__()
        self.setModel(model)
        self.setAccessibleName(self.tr("Rows of the table"))
        self.setFixedHeight(HEIGHT)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.setWordWrap(True)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column in (USE, LEVEL):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        for column in _SHARES:
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        self._soon = QTimer(self, singleShot=True, interval=0)  # once all that changed has
        self._soon.timeout.connect(self._share_out)
        model.modelReset.connect(self._soon.start)
        model.dataChanged.connect(lambda *_: self._soon.start())

    def show_problems(self, *, are_there: bool) -> None:
        """Show what is wrong with rows, if anything is."""
        self.setColumnHidden(PROBLEM, not are_there)
        self._soon.start()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Let the wide columns share what there is."""
        super().resizeEvent(event)
        self._soon.start()

    def _share_out(self) -> None:
        shown = {at: share for at, share in _SHARES.items() if not self.isColumnHidden(at)}
        narrow = sum(self.columnWidth(at) for at in (USE, LEVEL))
        left, whole = self.viewport().width() - narrow, sum(shown.values())
        for column, share in shown.items():
            self.setColumnWidth(column, left * share // whole)
        self.resizeRowsToContents()  # words wrap in other places now
