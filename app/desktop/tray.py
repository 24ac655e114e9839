"""Waggle in the tray, for desktops that have one; all of it can be done in the window, too."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from app.backend.actions import Actions
from app.desktop.notifications import Notification
from app.desktop.tray_icon import show_notice, tray_icon
from app.desktop.tray_view_model import Shape, TrayViewModel
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
