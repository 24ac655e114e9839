"""Where the Tab key goes."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def stops(window: QWidget) -> list[QWidget]:
    """All of ``window`` that takes the focus by the Tab key, in turn, seen or not."""
    found, at = list[QWidget](), window.nextInFocusChain()
    while at is not None and at is not window:
        if at.focusPolicy() & Qt.FocusPolicy.TabFocus:
            found.append(at)
        at = at.nextInFocusChain()
    return found
