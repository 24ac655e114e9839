"""The inside of the window: the rail, and the page that it leads to.

Pages are made when they are first shown, so that the window opens fast and a page that nobody
looks at costs nothing.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import get_args

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.backend.actions import Actions
from app.pages.home.page import HomePage
from app.pages.page import Page
from app.state.app_state import AppState
from app.state.intents import PageName, Subject
from app.style import theme
from app.style.icons import line_icon
from app.style.theme import Palette
from app.widgets.basics import bare_row, button, column_of, frame, label, picture
from core.api.preview import PuzzleTried

_THIN_SPACE = "\u2009"  # between icon and words, where the style leaves too little


class Navigation(QFrame):
    """A button a page, one of them checked; Ctrl+1 to Ctrl+6 press them."""

    chosen = Signal(str)  # PageName

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self.setProperty("role", "rail")
        self.setFixedWidth(theme.RAIL_WIDTH)
        self._buttons: dict[PageName, QToolButton] = {}
        self._group = QButtonGroup(self)
        for name, title in self._titles().items():
            self._add(name, title)
        self.about = self._link(self.tr("What is Waggle?"))
        self._lay_out()
        self.show_palette(palette)

    def show_chosen(self, name: PageName) -> None:
        """Mark the page that is shown."""
        self._buttons[name].setChecked(True)

    def show_palette(self, palette: Palette) -> None:
        """Draw the icons in the colours of ``palette``."""
        for name, entry in self._buttons.items():
            entry.setIcon(line_icon(f"pages/{name}", palette.muted, palette.mine))

    def _titles(self) -> dict[PageName, str]:
        return {
            "home": self.tr("Home"),
            "practice": self.tr("Practice"),
            "contribution": self.tr("Contribution"),
            "swarm": self.tr("Swarm"),
            "models": self.tr("Models"),
            "settings": self.tr("Settings"),
        }

    def _add(self, name: PageName, title: str) -> None:
        entry = QToolButton()
        entry.setText(f"{_THIN_SPACE}{title}")
        entry.setAccessibleName(title)
        entry.setProperty("role", "rail")
        entry.setCheckable(True)
        entry.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        entry.setIconSize(QSize(theme.ICON, theme.ICON))
        entry.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        entry.setFixedWidth(theme.RAIL_WIDTH - 2 * theme.SPACE_M)
        entry.clicked.connect(lambda: self.chosen.emit(name))
        keys = QKeySequence(f"Ctrl+{len(self._buttons) + 1}")
        QShortcut(keys, self).activated.connect(entry.click)
        entry.setToolTip(f"{title} ({keys.toString(QKeySequence.SequenceFormat.NativeText)})")
        self._buttons[name] = entry
        self._group.addButton(entry)

    def _link(self, words: str) -> QPushButton:
        made = button(words)
        made.setProperty("role", "rail-link")
        made.setToolTip("F1")
        return made

    def _lay_out(self) -> None:
        brand = QHBoxLayout()
        brand.setSpacing(theme.SPACE_S)
        brand.addWidget(picture(theme.SPACE_XL))
        brand.addWidget(label("Waggle", "brand"))
        brand.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_M, theme.SPACE_L, theme.SPACE_M, theme.SPACE_L)
        column.setSpacing(theme.SPACE_XS)
        column.addLayout(brand)
        column.addSpacing(theme.SPACE_L)
        for name, entry in self._buttons.items():
            if name == "settings":
                column.addStretch()
            column.addWidget(entry)
        column.addWidget(self.about)


def _practice(palette: Palette, actions: Actions) -> Page:
    from app.pages.practice.page import PracticePage

    return PracticePage(palette, actions)


def _contribution(palette: Palette, actions: Actions) -> Page:
    from app.pages.contribution.page import ContributionPage

    return ContributionPage(palette, actions)


def _swarm(palette: Palette, actions: Actions) -> Page:
    from app.pages.swarm.page import SwarmPage

    return SwarmPage(palette, actions)


def _models(palette: Palette, actions: Actions) -> Page:
    from app.pages.models.page import ModelsPage

    return ModelsPage(palette, actions)


def _settings(palette: Palette, actions: Actions) -> Page:
    from app.pages.settings.page import SettingsPage

    return SettingsPage(palette, actions)


MODULES = tuple(f"app.pages.{name}.page" for name in get_args(PageName) if name != "home")
"""What the pages come from that do not come with the window."""

PAGES: Mapping[PageName, Callable[[Palette, Actions], Page]] = {
    "home": HomePage,
    "practice": _practice,
    "contribution": _contribution,
    "swarm": _swarm,
    "models": _models,
    "settings": _settings,
}


WARM_UP_MS = 400  # after the window is there, and between the modules of two pages


class Shell(QWidget):
    """Shows one page at a time."""

    def __init__(self, palette: Palette, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self.setProperty("role", "page")
        self._palette = palette
        self._state: AppState | None = None
        self._pages: dict[PageName, Page] = {}
        self.page: PageName = "home"  # the one that is open, once one is
        self.navigation = Navigation(palette)
        self.navigation.chosen.connect(self.open)
        self._stack = QStackedWidget()
        self.trouble = frame("notice", margin=theme.SPACE_M)  # a setting could not be kept
        self._trouble_words = label("", wrap=True)
        column_of(self.trouble).addWidget(self._trouble_words)
        self.trouble.setProperty("grave", True)  # noqa: FBT003 - Qt takes it so
        self.trouble.hide()
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._show_page)
        self._cold = list(MODULES)
        self._warming = QTimer(self, interval=WARM_UP_MS)
        self._warming.timeout.connect(self._warm_up)
        row = bare_row(self, 0)
        row.addWidget(self.navigation)
        column = QVBoxLayout()
        column.setSpacing(0)
        bar = QVBoxLayout()
        bar.setContentsMargins(theme.SPACE_XL, theme.SPACE_L, theme.SPACE_XL, 0)
        bar.addWidget(self.trouble)
        column.addLayout(bar)
        column.addWidget(self._stack, 1)
        row.addLayout(column, 1)

    def open(self, name: PageName, subject: Subject = "") -> None:
        """Show the page ``name``; let it take ``subject`` up, if there is one."""
        is_new = name not in self._pages
        if is_new:
            self._pages[name] = self._make(name)
        self.page = name
        self.navigation.show_chosen(name)
        self._show_trouble()
        if is_new and self.isVisible() and not subject:
            self._soon.start()  # to make it and to show it in one turn would be felt
            return
        self._show_page()
        if subject:
            self._pages[name].take(subject)

    def show_state(self, state: AppState) -> None:
        """Let every page draw ``state``."""
        self._state = state
        self._show_trouble()
        for page in self._pages.values():
            page.show_state(state)

    def see(self, puzzle: PuzzleTried) -> None:
        """Let every page see a puzzle that passes by."""
        for page in self._pages.values():
            page.see(puzzle)

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette`` where the style sheet does not reach."""
        self._palette = palette
        self.navigation.show_palette(palette)
        for page in self._pages.values():
            page.show_palette(palette)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Begin to load what other pages are made of, while nobody waits for it."""
        super().showEvent(event)
        if self._cold:
            self._warming.start()

    def _show_trouble(self) -> None:
        """Say why a setting could not be kept; Home says it with what is to be done."""
        words = "" if self._state is None or self.page == "home" else self._state.problem
        self._trouble_words.setText(words)
        self.trouble.setVisible(bool(words))

    def _show_page(self) -> None:
        self._stack.setCurrentWidget(self._pages[self.page])

    def _warm_up(self) -> None:
        import_module(self._cold.pop(0))
        if not self._cold:
            self._warming.stop()

    def _make(self, name: PageName) -> Page:
        page = PAGES[name](self._palette, self._actions)
        page.setParent(self._stack)  # first, or it would be dressed once more there
        for part in page.parts:
            self._actions.dress(part)
        if self._state is not None:
            page.show_state(self._state)
        self._stack.addWidget(page)
        return page
