"""Whether every part of a page is dressed, and none twice."""

from collections.abc import Iterable

from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QTabBar, QWidget
from shiboken6 import isValid

_STYLED = (QAbstractButton, QComboBox, QTabBar)  # the others say what they are


def badly_dressed(page: QWidget, parts: Iterable[QWidget]) -> list[tuple[str, int]]:
    """What the style sheet speaks of and is not in one of ``parts``, and in how many it is."""
    dressed = [part for part in set(parts) if isValid(part)]
    styled = [
        widget
        for widget in page.findChildren(QWidget)
        if isinstance(widget, _STYLED) or widget.property("role") or widget.property("kind")
    ]
    counts = [(widget, sum(is_in(part, widget) for part in dressed)) for widget in styled]
    return [(_name(widget), count) for widget, count in counts if count != 1]


def is_in(part: QWidget, widget: QWidget) -> bool:
    """``widget`` is dressed with ``part``: it is that, or within it."""
    return part is widget or part.isAncestorOf(widget)


def _name(widget: QWidget) -> str:
    words = widget.text() if isinstance(widget, QAbstractButton | QLabel) else ""
    return f"{type(widget).__name__} {words or widget.property('role') or ''}"
