"""Rows that come, go and change places while somebody may be about to press a button in one."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.widgets.basics import drop

Row = TypeVar("Row", bound=QWidget)


def arrange(
    column: QVBoxLayout,
    rows: Mapping[str, Row],
    order: Sequence[str],
    make: Callable[[str], Row],
    harbour: QWidget,
) -> dict[str, Row]:
    """The rows that ``column`` holds from now on, by their keys: those of ``order``.

    A row that is there already stays, with the focus that it may have; ``make`` makes the others.
    Where the one with the focus goes, ``harbour`` gets it: Qt would give it to a button of the
    next row, and whoever presses the space bar again meant another.
    """
    for key in [key for key in rows if key not in order]:
        if has_focus(rows[key]):
            harbour.setFocus()
        drop(rows[key], column)
    arranged = {key: rows[key] if key in rows else make(key) for key in order}
    for place, row in enumerate(arranged.values()):
        if column.indexOf(row) != place:
            column.removeWidget(row)
            column.insertWidget(place, row)
    return arranged


def has_focus(row: QWidget) -> bool:
    """Whether the keyboard is in ``row``."""
    focused = row.window().focusWidget()
    return focused is not None and (focused is row or row.isAncestorOf(focused))


class RowButton(QPushButton):
    """A button by which its row goes, gets another place, or which means something else then.

    What is under the pointer by then is not pressed by the second half of a double click.
    """

    def __init__(self, text: str, kind: str = "plain") -> None:
        super().__init__(text)
        self.setProperty("kind", kind)
        self.setAccessibleName(text)
        self.setAutoDefault(True)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Take it, and do nothing."""
        event.accept()
