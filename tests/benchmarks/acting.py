"""All that a person does at the window, as acts that are carried out one after another."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Final, TypeVar

from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QScrollArea, QTabBar, QWidget

from app.shell.main_window import MainWindow

NOTHING: Final = "nothing"
Act = tuple[str, Callable[[MainWindow], bool]]
"""What it is called, and how it is done; False: there was nothing to do it to."""

Kind = TypeVar("Kind", bound=QWidget)


def press(name: str) -> Act:
    """Click what is called ``name``, where it can be clicked."""

    def act(window: MainWindow) -> bool:
        for one in _seen(window, QAbstractButton):
            if name in (one.accessibleName(), one.text()) and one.isEnabled():
                QTest.mouseClick(one, Qt.MouseButton.LeftButton, pos=QPoint(12, one.height() // 2))
                return True
        return False

    return f"press {name}", act


def turn_to(tab: int) -> Act:
    """Click a tab of the page."""

    def act(window: MainWindow) -> bool:
        for tabs in (seen := _seen(window, QTabBar)):
            place = tabs.tabRect(tab).center()
            QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=place)
        return bool(seen)

    return f"tab {tab + 1}", act


def choose(name: str, value: int) -> Act:
    """Choose the entry ``value`` of the choice called ``name``, as the arrow keys do."""

    def act(window: MainWindow) -> bool:
        for box in _seen(window, QComboBox):
            if box.accessibleName() == name and box.isEnabled():
                box.setCurrentIndex(value)
                box.activated.emit(value)
                return True
        return False

    return f"choose {name} {value}", act


def scroll() -> Act:
    """Scroll all that can be scrolled to its end, or back."""

    def act(window: MainWindow) -> bool:
        for area in (seen := _seen(window, QScrollArea)):
            bar = area.verticalScrollBar()
            bar.setValue(bar.maximum() if bar.value() == 0 else 0)
        return bool(seen)

    return "scroll", act


def resize(width: int, height: int) -> Act:
    """Drag the window's corner."""

    def act(window: MainWindow) -> bool:
        window.resize(width, height)
        return True

    return f"resize {width}", act


def keys(name: str, key: Qt.Key) -> Act:
    """Press a key."""

    def act(window: MainWindow) -> bool:
        QTest.keyClick(window, key)
        return True

    return f"key {name}", act


PAGES: Final = ("Practice", "Contribution", "Swarm", "Models", "Settings", "Home")
SECTIONS: Final = (
    "How much",
    "Meeting others",
    "Window",
    "Identity and data",
    "What works here",
    "When it runs",
)
_LOOKS: Final = ("Light or dark", "Colours")

TOUR: Final[tuple[Act, ...]] = (
    *(press(page) for page in PAGES),
    press("Practice"),
    turn_to(2),
    press("Ask"),
    turn_to(3),
    press("Take the exam"),
    turn_to(0),
    scroll(),
    press("Settings"),
    *(press(section) for section in SECTIONS),
    press("Window"),
    choose(_LOOKS[0], 2),
    choose(_LOOKS[0], 1),
    choose(_LOOKS[1], 1),
    choose(_LOOKS[1], 0),
    press("Practice"),
    press("Contribution"),
    scroll(),
    press("Models"),
    scroll(),
    press("Swarm"),
    scroll(),
    press("Home"),
    resize(1_400, 860),
    resize(900, 600),
    resize(1_100, 720),
    press("Hour"),
    press("Day"),
    press("All"),
    press("Pause"),
    press("Go on"),
    keys("F1", Qt.Key.Key_F1),
    keys("F1", Qt.Key.Key_F1),
)


class Actor(QObject):
    """Does one act after another, ``pace_s`` apart, each in a turn of its own.

    What an act set going, such as an answer of the helper, counts as its own until the next one.
    """

    def __init__(self, window: MainWindow, pace_s: float, acts: tuple[Act, ...] = TOUR) -> None:
        super().__init__()
        self._window = window
        self._acts: Iterator[Act] = cycle(acts)
        self._timer = QTimer(self, interval=round(1_000 * pace_s))
        self._timer.timeout.connect(self._act)
        self.doing = NOTHING
        self.acts = 0
        self.missed: Counter[str] = Counter()  # acts that there was nothing for

    def begin(self) -> None:
        """Act from now on."""
        self._timer.start()

    def end(self) -> None:
        """Act no more."""
        self._timer.stop()
        self.doing = NOTHING

    def _act(self) -> None:
        self.doing, act = next(self._acts)
        self.acts += 1
        if not act(self._window):
            self.missed[self.doing] += 1


def _seen(window: QWidget, kind: type[Kind]) -> list[Kind]:
    return [one for one in window.findChildren(kind) if one.isVisible()]
