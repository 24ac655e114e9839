"""What stays of Waggle while its window is closed: an icon in the tray, and few notices."""

import sys
from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from app.backend.actions import Actions
from app.desktop.notifications import Notices, Notification, hidden
from app.desktop.tray import Tray
from app.desktop.tray_view_model import tray_view_model
from app.state.app_state import AppState
from app.state.intents import BringUp

HasTray = Callable[[], bool]
Tell = Callable[[Notification], object]


class Background(QObject):
    """Keeps ``window`` company; has an icon where the settings want it and the desktop has a tray.

    ``insists`` is for a start without a window, which would leave nothing to see otherwise. Without
    an icon, ``tell`` passes notices to the desktop.
    """

    def __init__(
        self,
        window: QWidget,
        actions: Actions,
        has_tray: HasTray | None = None,
        tell: Tell | None = None,
    ) -> None:
        super().__init__(window)
        self._actions = actions
        self._window = window
        self._has_tray = has_tray or QSystemTrayIcon.isSystemTrayAvailable
        self._notices = Notices()
        self._has_told = False  # that closing the window is not the end
        self.tray: Tray | None = None
        self.insists = False
        self._tell_desktop = tell
        self._wants_notices = False

    @property
    def keeps(self) -> bool:
        """Closing the window is not the end."""
        return self.tray is not None

    def show_state(self, state: AppState) -> None:
        """Draw ``state``; say what is worth a word, unless the window is being looked at."""
        self._come_or_go(wanted=state.settings.window.tray or self.insists)
        if self.tray is not None:
            self.tray.show_look(tray_view_model(state))
        self._wants_notices = state.settings.window.notifications
        notice = self._notices.observe(state)
        if notice is not None:
            self.tell(notice)

    def tell(self, notice: Notification) -> None:
        """Say ``notice`` where it is wanted and nobody looks at the window, which says it, too."""
        if not self._wants_notices or self._window.isActiveWindow():
            return
        if self.tray is not None:
            self.tray.notify(notice)
        else:
            self._tell_desktop = self._tell_desktop or self._desktop()
            self._tell_desktop(notice)
        if notice.is_grave:
            QApplication.alert(self._window)

    def say_hidden(self) -> None:
        """Say, once, that the window was closed and Waggle was not."""
        if self.tray is not None and not self._has_told:
            self._has_told = True
            self.tray.notify(hidden())

    def leave(self) -> None:
        """Take the icon away."""
        if self.tray is not None:
            self.tray.close()
            self.tray = None

    def _desktop(self) -> Tell:
        if sys.platform == "linux":
            from app.desktop.dbus_notifications import NoticeBus as Desktop
        else:
            from app.desktop.transient_icon import PassingIcon as Desktop
        made = Desktop(self)
        made.open_asked.connect(lambda: self._actions.dispatch(BringUp()))
        return made.notify

    def _come_or_go(self, *, wanted: bool) -> None:
        if not wanted:
            self.leave()
        elif self.tray is None and self._has_tray():
            self.tray = Tray(self._actions)
