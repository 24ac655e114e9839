"""A page whose words depend on the date."""

from collections.abc import Callable

from PySide6.QtCore import QEvent
from PySide6.QtGui import QHideEvent, QShowEvent

from app.backend.actions import Actions
from app.backend.new_day import NewDay
from app.pages.page import Page

MakeNewDay = Callable[[Callable[[], None]], NewDay]


class DatedPage(Page):
    """Watches the calendar while somebody may look, be it that nothing else changes."""

    def __init__(self, actions: Actions, new_day: MakeNewDay = NewDay) -> None:
        super().__init__(actions)
        self._calendar = new_day(self.turn_over)

    def turn_over(self) -> None:
        """Draw anew, or ask for what to draw: the date that was noted is no longer today's."""

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Watch the calendar while somebody may look."""
        super().showEvent(event)
        self._calendar.watch()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        """Watch it no longer."""
        super().hideEvent(event)
        self._calendar.rest()

    def event(self, event: QEvent) -> bool:
        """Look at the calendar when somebody comes back to the window; all else is Qt's."""
        if event.type() is QEvent.Type.WindowActivate and self.isVisible():
            self._calendar.watch()
        return super().event(event)
