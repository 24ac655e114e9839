"""The inside of the window: the rail, and the page that it leads to.

Pages are made when they are first shown, so that the window opens fast and a page that nobody
looks at costs nothing.
"""

from importlib import import_module

from PySide6.QtCore import QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from app.backend.actions import Actions
from app.pages.page import Page
from app.shell.navigation import Navigation
from app.shell.registry import MODULES, PAGES
from app.state.app_state import AppState
from app.state.intents import PageName
from app.style.theme import Palette
from core.api.preview import PuzzleTried

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
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._show_page)
        self._cold = list(MODULES)
        self._warming = QTimer(self, interval=WARM_UP_MS)
        self._warming.timeout.connect(self._warm_up)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.navigation)
        row.addWidget(self._stack, 1)

    def open(self, name: PageName, subject: str = "") -> None:
        """Show the page ``name``; let it take ``subject`` up, if there is one."""
        is_new = name not in self._pages
        if is_new:
            self._pages[name] = self._make(name)
        self.page = name
        self.navigation.show_chosen(name)
        if is_new and self.isVisible() and not subject:
            self._soon.start()  # to make it and to show it in one turn would be felt
            return
        self._show_page()
        if subject:
            self._pages[name].take(subject)

    def show_state(self, state: AppState) -> None:
        """Let every page draw ``state``."""
        self._state = state
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
