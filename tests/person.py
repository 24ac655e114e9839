"""A person at a real window: reads what it says, clicks what is there, types, and waits."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

from PySide6.QtCore import QDeadlineTimer, QPoint, QRect, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QRadioButton,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.pages.home.chart import ScoreChart
from app.shell.main_window import MainWindow

Kind = TypeVar("Kind", bound=QWidget)

TIMEOUT_S = 240
LOOK_MS = 100  # between two looks at the window
EDGE = 10  # px
MOST_TABS = 60


class Person:
    """Knows the window by what it shows: words, and the names of what can be operated."""

    def __init__(self, window: MainWindow, qtbot: QtBot, pictures: Path) -> None:
        self.window = window
        self._qtbot = qtbot
        self._pictures = pictures
        self._has_left = False

    def words(self) -> str:
        """All that can be read, by scrolling where there is more."""
        shown = (one.text() for one in self._seen(QLabel))
        return "\n".join(text for text in shown if text).replace("\u200b", "").replace("\xa0", " ")

    def chart(self) -> str:
        """What a screen reader says of the chart."""
        return "".join(one.accessibleDescription() for one in self._seen(ScoreChart))

    def beside(self, name: str) -> str:
        """What stands after ``name`` in a list of names and values."""
        lines = self.words().split("\n")
        return lines[lines.index(name) + 1] if name in lines[:-1] else ""

    def rounds(self) -> int:
        """The last one on the chart, as a screen reader is told; 0 while it is empty."""
        said = re.search(r"([\d,]+) (?:is|are) shown", self.chart())
        return int(said[1].replace(",", "")) if said else 0

    def close(self) -> None:
        """Close the window by keyboard, and wait until it is gone."""
        self.press(Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
        self.until(lambda: not self.window.isVisible(), "end")

    def leave(self) -> None:
        """Have the window closed, whatever it shows, and what it started put away."""
        if self._has_left:
            return
        self._has_left = True
        self.window.quit()
        self.until(lambda: not self.window.isVisible(), "end")
        self.window.deleteLater()

    def reads(self, *words: str) -> None:
        """Wait until all of ``words`` can be read."""
        self.until(lambda: all(one in self.words() for one in words), " and ".join(words))

    def until(self, is_so: Callable[[], bool], what: str) -> None:
        """Wait for ``what``.

        Raises:
            AssertionError: it does not come; a picture of the window is kept.
        """
        deadline = QDeadlineTimer(1_000 * TIMEOUT_S)
        while not is_so():
            if deadline.hasExpired():
                picture = self._pictures / "in-vain.png"
                self.window.grab().save(str(picture))
                raise AssertionError(f"no {what!r}, see {picture}. It says:\n{self.words()}")
            self._qtbot.wait(LOOK_MS)

    def offered(self, name: str) -> bool:
        """Whether something of that name can be pressed."""
        return any(one.isEnabled() for one in self._buttons(name))

    def click(self, name: str) -> None:
        """Click what is called ``name`` with the mouse, once it can be clicked."""
        self.until(lambda: self.offered(name), f"button {name}")
        (found,) = self._buttons(name)
        has_box = isinstance(found, QCheckBox | QRadioButton)
        self._click_on(found, _on_box if has_box else QRect.center)

    def tab_to(self, name: str) -> None:
        """Press Tab until what is called ``name`` has the focus."""
        for _ in range(MOST_TABS):
            focused = self.window.focusWidget()
            if focused is not None and focused.accessibleName() == name:
                return
            self.press(Qt.Key.Key_Tab)
        raise AssertionError(f"Tab does not lead to {name!r}")

    def press(
        self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        """Press a key, in this window and no other."""
        if not self.window.isActiveWindow():
            with self._qtbot.waitActive(self.window):
                self.window.activateWindow()
        QTest.keyClick(self.window.focusWidget() or self.window, key, modifier)

    def open(self, number: int) -> None:
        """Open a page by its place in the rail."""
        self.press(Qt.Key(Qt.Key.Key_0.value + number), Qt.KeyboardModifier.ControlModifier)

    def line(self, name: str) -> QLineEdit:
        """The field called ``name``, once it is there."""
        self.until(lambda: bool(self._lines(name)), f"field {name}")
        return self._lines(name)[0]

    def fill_in(self, name: str, text: str) -> None:
        """Type ``text`` into the field called ``name``, in place of what is there."""
        field = self.line(name)
        self._click_on(field, QRect.center)
        field.selectAll()
        QTest.keyClicks(field, text)

    def click_and_name(self, name: str, path: Path) -> None:
        """Click ``name``, and in the dialog that asks for a place name ``path``."""
        look = QTimer(interval=LOOK_MS)

        def answer() -> None:
            if _answer(path):
                look.stop()

        look.timeout.connect(answer)
        look.start()
        self.click(name)
        self.until(lambda: not look.isActive(), f"dialog after {name}")

    def _seen(self, kind: type[Kind]) -> list[Kind]:
        return [one for one in self.window.findChildren(kind) if one.isVisible()]

    def _lines(self, name: str) -> list[QLineEdit]:
        return [one for one in self._seen(QLineEdit) if one.accessibleName() == name]

    def _buttons(self, name: str) -> list[QAbstractButton]:
        return [
            one for one in self._seen(QAbstractButton) if name in (one.accessibleName(), one.text())
        ]

    def _click_on(self, widget: QWidget, at: Callable[[QRect], QPoint]) -> None:
        """Click on the window where ``widget`` is, once nothing covers it there."""

        def spot() -> QPoint:
            return widget.mapTo(self.window, at(widget.rect()))

        def is_free() -> bool:
            _scroll_to(widget)
            return self.window.childAt(spot()) is widget

        self.until(is_free, f"{widget.accessibleName()} without a cover")
        handle, left = self.window.windowHandle(), Qt.MouseButton.LeftButton
        QTest.mouseClick(handle, left, Qt.KeyboardModifier.NoModifier, spot())


class SitDown(Protocol):
    """Opens a window on a home; who ``consents`` has been through the welcome before."""

    def __call__(self, root: Path, *, consents: bool = False) -> Person: ...


def _on_box(rect: QRect) -> QPoint:
    """Where a check box is clicked, whose words leave room on the right."""
    return QPoint(EDGE, rect.center().y())


def _scroll_to(widget: QWidget) -> None:
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            parent.ensureWidgetVisible(widget)
        parent = parent.parentWidget()


def _answer(path: Path) -> bool:
    """Paste ``path`` into the dialog that asks for one, if there is one."""
    for dialog in QApplication.topLevelWidgets():
        if isinstance(dialog, QFileDialog) and dialog.isVisible():
            field = dialog.findChildren(QLineEdit)[0]
            field.setText(str(path))  # pasted: typing opens a list that takes the Return
            QTest.keyClick(field, Qt.Key.Key_Return)
            return True
    return False
