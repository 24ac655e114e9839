"""What fills the window: the welcome, the pages with their rail, or a message in their place."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.backend.actions import Actions
from app.pages.welcome.page import WelcomePage
from app.shell.shell import Shell
from app.state.app_state import AppState
from app.state.fields import Field
from app.state.intents import PageName, Subject
from app.style import theme
from app.style.theme import Palette
from app.widgets.basics import button, label, picture
from app.widgets.selectable_label import SelectableLabel
from core.api.preview import PuzzleTried


class TroublePage(QWidget):
    """Waggle cannot begin: why, and how to go on."""

    def __init__(self, retry: Callable[[], None]) -> None:
        super().__init__()
        self.setProperty("role", "page")
        self._words = SelectableLabel("", "lead")
        again = button(self.tr("Try again"), kind="primary")
        again.clicked.connect(retry)
        column = _centred_column(self)
        column.addWidget(label(self.tr("Waggle cannot start yet"), "hero", wrap=True))
        column.addWidget(self._words)
        column.addWidget(again, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch()

    def show_words(self, words: str) -> None:
        """Say what is wrong and what to do."""
        self._words.setText(words)


class SavingPage(QWidget):
    """The window is about to close."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "page")
        column = _centred_column(self)
        column.addWidget(label(self.tr("Saving…"), "hero"))
        words = self.tr("The window closes by itself in a moment.")
        column.addWidget(label(words, "lead", wrap=True))
        column.addStretch()


def _centred_column(page: QWidget) -> QVBoxLayout:
    inner = QWidget()
    inner.setMaximumWidth(theme.READING_WIDTH)
    column = QVBoxLayout(inner)
    column.setSpacing(theme.SPACE_L)
    column.addStretch()
    column.addWidget(picture(theme.EMBLEM))
    row = QHBoxLayout(page)
    row.addStretch(1)
    row.addWidget(inner, 100)
    row.addStretch(1)
    return column


class RootView(QStackedWidget):
    """One stage at a time; F1 leads to the welcome and back."""

    def __init__(self, palette: Palette, actions: Actions, retry: Callable[[], None]) -> None:
        super().__init__()
        self._state: AppState | None = None
        self._wish: tuple[PageName, Subject] | None = None  # what to open once Waggle can begin
        self._actions = actions
        self._welcome = WelcomePage(actions, self._on_agreed, self._turn)
        self._shell = Shell(palette, actions)
        self._trouble, self._saving = TroublePage(retry), SavingPage()
        for stage in (self._welcome, self._shell, self._trouble, self._saving):
            self.addWidget(stage)
        self._shell.navigation.about.clicked.connect(self._turn)
        QShortcut(QKeySequence("F1"), self).activated.connect(self._turn)

    @property
    def page(self) -> PageName:
        """The page that is open, or would be if pages were shown."""
        return self._shell.page

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """All that is to be dressed from the beginning; pages come when they are made."""
        shell = self._shell
        return self._welcome, shell.navigation, shell.trouble, self._trouble, self._saving

    def begin(self, state: AppState, page: PageName) -> None:
        """Show the pages, of them ``page``; to who has not agreed yet, the welcome."""
        self.show_state(state)
        self._shell.open(page)
        self.setCurrentWidget(self._shell if state.settings.window.consent else self._welcome)
        self.setFocus()  # or the rail would be ringed before anybody touched a key
        if self._wish is not None:
            self.open(*self._wish)

    def open(self, page: PageName, subject: Subject = "") -> None:
        """Show ``page``; let it take ``subject`` up, if there is one.

        Who has not agreed yet sees it after that, and where Waggle cannot begin, once it can.
        """
        self._wish = (page, subject) if self.currentWidget() is self._trouble else None
        if self._wish is not None:
            return
        self._shell.open(page, subject)
        if self.currentWidget() is self._welcome:
            self._turn()

    def show_trouble(self, words: str) -> None:
        """Say why Waggle cannot begin."""
        self._trouble.show_words(words)
        self.setCurrentWidget(self._trouble)

    def show_saving(self) -> None:
        """Say that the window is about to close."""
        self.setCurrentWidget(self._saving)

    def show_state(self, state: AppState) -> None:
        """Let every page draw ``state``."""
        self._state = state
        self._welcome.show_state(state)
        self._shell.show_state(state)

    def see(self, puzzle: PuzzleTried) -> None:
        """Let every page see a puzzle that passes by."""
        self._shell.see(puzzle)

    def show_palette(self, palette: Palette) -> None:
        """Take on the colours of ``palette`` where the style sheet does not reach."""
        self._shell.show_palette(palette)

    def _on_agreed(self) -> None:
        self._actions.dispatch(Field("window", "consent").keep(value=True))
        self.setCurrentWidget(self._shell)

    def _turn(self) -> None:
        """To the welcome, and back from it where that was agreed to before."""
        has_agreed = self._state is not None and self._state.settings.window.consent
        if self.currentWidget() is self._shell:
            self.setCurrentWidget(self._welcome)
        elif self.currentWidget() is self._welcome and has_agreed:
            self.setCurrentWidget(self._shell)
