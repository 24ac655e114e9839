"""The order in which the Tab key goes through what was made at different times."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def in_turn(*parts: QWidget) -> None:
    """Let the Tab key go through ``parts`` of one window, and what is in them, in this order.

    Without it, what was made last comes last of the whole window, wherever it stands.
    """
    _chain(_stops(parts))


def in_turn_before(stop: QWidget, *parts: QWidget) -> None:
    """Let the Tab key go through ``parts`` in this order right before it comes to ``stop``."""
    own = _stops(parts)
    before = stop.previousInFocusChain()
    while before is not None and before is not stop and (before in own or not _is_stop(before)):
        before = before.previousInFocusChain()
    _chain([*filter(None, (before,)), *own])


def _stops(parts: Sequence[QWidget]) -> list[QWidget]:
    return [
        widget
        for part in parts
        for widget in (part, *part.findChildren(QWidget))
        if _is_stop(widget) and widget.window() is part.window()  # the list of a combo box is not
    ]


def _is_stop(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)


def _chain(stops: Sequence[QWidget]) -> None:
    for before, after in pairwise(stops):
        QWidget.setTabOrder(before, after)
