"""What stays of Waggle while its window is closed: an icon in the tray, and few notices."""

import sys
from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon, QWidget

from app.backend.actions import Actions
from app.desktop.notifications import Notices, Notification, hidden
from app.desktop.tray_icon import show_notice, tray_icon
from app.desktop.tray_view_model import Shape, TrayViewModel, tray_view_model
from app.state.app_state import AppState
from app.state.intents import BringUp, JoinChosen, Quit
from app.state.run_status import Button
from app.widgets.snooze_menu import fill_snoozes
from core.api.events import Finish, Pause, Resume, Snooze


class Tray(QObject):
    """A function of ``TrayViewModel``."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._dispatch = dispatch = actions.dispatch
        self._shape: Shape | None = None
        self._resumes = False
        self.menu = QMenu()
        self._add(self.tr("Open Waggle"), lambda: dispatch(BringUp()))
        self.menu.addSeparator()
        self._join = self._add(self.tr("Join swarm"), lambda: dispatch(JoinChosen()))
        self._pause = self._add("", self._on_pause)
        self._snooze = self.menu.addMenu(self.tr("Pause for a while"))
        fill_snoozes(self._snooze, lambda seconds: dispatch(Snooze(seconds=seconds)))
        self._finish = self._add("", lambda: dispatch(Finish()))
        self.menu.addSeparator()
        self._add(self.tr("Quit"), lambda: dispatch(Quit()))
        self.icon = QSystemTrayIcon(self)
        self.icon.setContextMenu(self.menu)
        self.icon.activated.connect(self._on_activated)
        self.icon.messageClicked.connect(lambda: dispatch(BringUp()))

    def show_look(self, looks: TrayViewModel) -> None:
        """Draw ``looks``."""
        if looks.shape != self._shape:
            self._shape = looks.shape
            self.icon.setIcon(tray_icon(looks.shape))
        self.icon.setToolTip(f"Waggle\n{looks.words}")
        self._resumes = looks.resumes
        self._join.setVisible(looks.can_join)
        for action, button in ((self._pause, looks.pause), (self._finish, looks.finish)):
            _show(action, button, visible=looks.is_running)
        self._snooze.menuAction().setVisible(looks.is_running)
        self._snooze.setEnabled(looks.pause.enabled)
        self.icon.show()

    def notify(self, notice: Notification) -> None:
        """Show ``notice`` for a while."""
        show_notice(self.icon, notice)

    def close(self) -> None:
        """Leave the tray."""
        self.icon.hide()
        self.menu.deleteLater()
        self.deleteLater()

    def _on_pause(self) -> None:
        self._dispatch(Resume() if self._resumes else Pause())

    def _on_activated(self, how: QSystemTrayIcon.ActivationReason) -> None:
        if how is QSystemTrayIcon.ActivationReason.Trigger:
            self._dispatch(BringUp())

    def _add(self, words: str, call: Callable[[], object]) -> QAction:
        action = self.menu.addAction(words)
        action.triggered.connect(lambda _on=False: call())
        return action


def _show(action: QAction, button: Button, *, visible: bool) -> None:
    action.setText(button.text)
    action.setEnabled(button.enabled)
    action.setVisible(visible)


HasTray = Callable[[], bool]
Tell = Callable[[Notification], object]


class Background(QObject):
    """Keeps ``window`` company; has an icon where the settings want it and the desktop has a tray.

    ``insists`` is for a start without a window, which would leave nothing to see otherwise; once
    the window is there, the settings alone decide. Without an icon, ``tell`` passes notices to the
    desktop.
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
        self.insists = self.insists and not self._window.isVisible()
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
            from app.desktop.transient_icon import TransientIcon as Desktop
        made = Desktop(self)
        made.open_asked.connect(lambda: self._actions.dispatch(BringUp()))
        return made.notify

    def _come_or_go(self, *, wanted: bool) -> None:
        if not wanted:
            self.leave()
        elif self.tray is None and self._has_tray():
            self.tray = Tray(self._actions)
