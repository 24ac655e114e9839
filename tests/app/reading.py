"""What a person reads on a widget, and presses."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget


def texts(widget: QWidget) -> list[str]:
    """All labels in view; of a widget that is not shown, those that would be."""
    return [one.text() for one in widget.findChildren(QLabel) if one.isVisibleTo(widget)]


def text(widget: QWidget) -> str:
    """The same, below each other, without the places where a long word may break."""
    return "\n".join(texts(widget)).replace("\u200b", "")


def button(widget: QWidget, words: str) -> QPushButton:
    """The one button that says ``words``; of several, the one in view."""
    found = [one for one in widget.findChildren(QPushButton) if one.text() == words]
    if len(found) > 1:
        found = [one for one in found if one.isVisibleTo(widget)]
    (only,) = found
    return only


def press(widget: QWidget, words: str) -> None:
    """Click it."""
    button(widget, words).click()


def press_again(one: QPushButton) -> None:
    """The second half of a double click, whatever the first half met."""
    QTest.mouseDClick(one, Qt.MouseButton.LeftButton)  # no click of its own
    QTest.mouseRelease(one, Qt.MouseButton.LeftButton)


def clipped(widget: QWidget) -> list[str]:
    """Texts in view that are given less room than they need."""
    found = []
    for one in widget.findChildren(QLabel):
        if not one.isVisible() or not one.text():
            continue
        needed = one.heightForWidth(one.width()) if one.wordWrap() else one.sizeHint().height()
        wide = one.wordWrap() or one.width() >= one.sizeHint().width()
        if one.height() < needed or not wide:
            found.append(one.text())
    return found
