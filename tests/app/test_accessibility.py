"""Every page for everybody: by keyboard, by screen reader, in all colours, right to left."""

from collections import Counter
from collections.abc import Iterator
from typing import get_args

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QRadioButton,
    QSlider,
    QTextEdit,
    QWidget,
)

from app.pages.page import Page
from app.shell.main_window import MainWindow
from app.state.intents import Open, PageName
from app.style.appearance import Appearance
from app.style.theme import Choice, Colours
from core.paths import Home
from core.settings import Settings, WindowSettings, save_settings
from tests.app.contrast import contrast
from tests.app.focus_rings import bad_rings
from tests.hand_alarm import OpenWindow

CONTROLS = (QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox, QSlider, QTextEdit)
PAGES = get_args(PageName)
MOST_TABS = 200
AA = 4.5
AA_LARGE = 3.0  # from 24 px on, or 18.5 px bold (WCAG 2.2, 1.4.3)
LARGE_PX = 24


@pytest.fixture
def left_to_right() -> Iterator[None]:
    """Other tests read as usual, whatever this one does."""
    yield
    QApplication.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def show(window: MainWindow, name: PageName) -> Page:
    window.dispatch(Open(name))
    QApplication.processEvents()
    return next(page for page in window.findChildren(Page) if page.isVisible())  # not its parts


def is_part(widget: QWidget) -> bool:
    """A piece of a larger control, such as the field in a spin box or the button that clears it."""
    parent = widget.parentWidget()
    return isinstance(parent, (QAbstractSpinBox, QComboBox, QLineEdit))


def controls(window: QWidget) -> list[QWidget]:
    """All that can be operated right now, in the window or by scrolling."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if isinstance(widget, CONTROLS)
        and widget.isVisible()
        and widget.isEnabled()
        and not is_part(widget)
        and not widget.objectName().startswith("qt_")
    ]


def tabbed(window: MainWindow) -> set[QWidget]:
    """What the focus comes to while Tab is pressed again and again."""
    seen: set[QWidget] = set()
    for _ in range(MOST_TABS):
        focused = QApplication.focusWidget()
        if focused is not None:
            if focused in seen and len(seen) > 1 and focused is not window.focusWidget():
                break
            seen.add(focused)
        QTest.keyClick(focused or window, Qt.Key.Key_Tab)
    return seen


def is_reached(widget: QWidget, seen: set[QWidget]) -> bool:
    """By Tab, or by arrows from the one of its group that Tab comes to."""
    if widget in seen or widget.focusProxy() in seen:
        return True
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    if group is not None and group.exclusive():
        return any(button in seen for button in group.buttons())
    parent = widget.parentWidget()
    if not isinstance(widget, QRadioButton) or parent is None:
        return False
    return any(one in seen for one in parent.findChildren(QRadioButton))


def described(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, (QAbstractButton, QLineEdit)) else ""
    return f"{type(widget).__name__} {widget.accessibleName() or text!r}"


@pytest.mark.parametrize("name", PAGES)
def test_every_control_speaks_and_is_reached_by_tab(
    open_window: OpenWindow, name: PageName
) -> None:
    """No control without a name, and none that takes a mouse."""
    window, _client = open_window()
    show(window, name)
    found = controls(window)
    assert len(found) >= 7  # the rail alone has as many
    nameless = [described(widget) for widget in found if not widget.accessibleName()]
    assert nameless == []
    seen = tabbed(window)
    assert [described(widget) for widget in found if not is_reached(widget, seen)] == []


def ground(image: QImage, rect: QRect) -> QColor:
    """The colour that most of ``rect`` has: what the text stands on."""
    places = (
        (x, y)
        for x in range(rect.left(), rect.right(), 3)
        for y in range(rect.top(), rect.bottom(), 2)
        if image.valid(x, y)
    )
    counts = Counter(image.pixel(x, y) for x, y in places)
    return QColor.fromRgb(counts.most_common(1)[0][0]) if counts else QColor()


def faint(page: QWidget) -> list[str]:
    """Labels whose words stand out too little from what they stand on."""
    image = page.grab().toImage()
    found = []
    for label in page.findChildren(QLabel):
        rect = QRect(label.mapTo(page, QPoint()), label.size())
        if not (label.isVisible() and label.text() and label.isEnabled()):
            continue
        if not page.rect().contains(rect) or label.visibleRegion().isEmpty():
            continue  # scrolled out of sight
        wanted = AA_LARGE if label.font().pixelSize() >= LARGE_PX else AA
        got = contrast(label.palette().color(label.foregroundRole()), ground(image, rect))
        if got < wanted:
            found.append(f"{label.text()!r}: {got:.1f}")
    return found


@pytest.mark.parametrize("colours", get_args(Colours))
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_stand_out_on_every_page(
    open_first: OpenWindow, home: Home, theme: Choice, colours: Colours
) -> None:
    """At least 4.5 : 1, large ones 3 : 1, as they are really drawn."""
    chosen = WindowSettings(consent=True, theme=theme, colours=colours)
    save_settings(Settings(window=chosen), home.settings)
    window, _client = open_first()
    window.resize(1400, 900)
    assert {name: faint(show(window, name)) for name in PAGES} == {name: [] for name in PAGES}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_keyboard_shows_where_it_is_on_every_page(
    open_first: OpenWindow, appearance: Appearance, home: Home, theme: Choice
) -> None:
    """A ring around whatever has it, cut off on no side."""
    save_settings(Settings(window=WindowSettings(consent=True, theme=theme)), home.settings)
    window, _client = open_first()
    found = {name: bad_rings(show(window, name), appearance.palette.focus) for name in PAGES}
    assert found == {name: [] for name in PAGES}


def overlaps(page: QWidget) -> list[str]:
    """Pairs of labels and buttons that cover each other."""
    kinds = (QLabel, QAbstractButton, QLineEdit, QComboBox)
    shown = [w for w in page.findChildren(QWidget) if isinstance(w, kinds) and w.isVisible()]
    words = [w for w in shown if not is_part(w) and not w.visibleRegion().isEmpty()]
    places = [(w, QRect(w.mapTo(page, QPoint()), w.size())) for w in words]
    return [
        f"{described(one)} covers {described(other)}"
        for number, (one, first) in enumerate(places)
        for other, second in places[number + 1 :]
        if first.intersects(second) and not (one.isAncestorOf(other) or other.isAncestorOf(one))
    ]


@pytest.mark.usefixtures("left_to_right")
@pytest.mark.parametrize("direction", Qt.LayoutDirection)
def test_nothing_covers_anything_in_either_direction(
    open_window: OpenWindow, direction: Qt.LayoutDirection
) -> None:
    """Pages are laid out for languages that are written from right to left, too."""
    if direction is Qt.LayoutDirection.LayoutDirectionAuto:
        pytest.skip("the direction of the language, which is one of the other two")
    QApplication.setLayoutDirection(direction)
    window, _client = open_window()
    window.resize(900, 600)
    assert {name: overlaps(show(window, name)) for name in PAGES} == {name: [] for name in PAGES}
