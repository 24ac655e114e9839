"""The order in which the Tab key goes through what was made at different times."""

from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def in_turn(*parts: QWidget) -> None:
    """Let the Tab key go through ``parts`` of one window, and what is in them, in this order.

    Without it, what was made last comes last of the whole window, wherever it stands.
    """
    stops = [
        widget
        for part in parts
        for widget in (part, *part.findChildren(QWidget))
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    for before, after in pairwise(stops):
        QWidget.setTabOrder(before, after)
