"""The welcome in three short steps: what this is, how large a model, when it runs."""

from collections.abc import Callable

from app.backend.actions import Actions
from app.pages.page import Page
from app.pages.welcome.wizard import WelcomeWizard
from app.state.app_state import AppState
from app.widgets.basics import bare_column


class WelcomePage(Page):
    """Made when it is first seen, since most starts never show it; begins anew each time."""

    def __init__(
        self, actions: Actions, agreed: Callable[[], None], left: Callable[[], None]
    ) -> None:
        """Call ``agreed`` at the end, or ``left`` where one who agreed before goes before it."""
        super().__init__(actions)
        self._ends = agreed, left
        self.setProperty("role", "page")
        self._state: AppState | None = None
        self._wizard: WelcomeWizard | None = None
        self._column = bare_column(self)

    def show_state(self, state: AppState) -> None:
        """Take note of what is chosen; what is being chosen here stays."""
        self._state = state

    def opened(self) -> None:
        """Begin, with what is chosen by now."""
        if self._state is None:
            return
        if self._wizard is None:
            self._wizard = WelcomeWizard(self._actions, *self._ends)
            self._column.addWidget(self._wizard)
        self._wizard.begin(self._state)
