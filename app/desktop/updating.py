"""Looks for updates now and then, and installs one after Waggle has ended, as the settings have it.

The window itself asks nobody: the helper does, and refuses to where updates are switched off.
"""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, QProcess, Signal

from app.backend.actions import Actions
from app.backend.timer import QtTimer, Timer
from app.desktop.notifications import Notification
from app.state.app_state import AppState
from core.api.updates import GetUpdate, LookForUpdate, UpdatesShown
from core.paths import RESOURCES

FIRST_S = 30.0  # after the start, which has enough to do
AGAIN_S = 6 * 3_600.0  # the helper decides whether it is due

Start = Callable[[tuple[str, ...]], object]


def has_source() -> bool:
    """Whether an update source is built in; without one, the helper is not even started for it."""
    return (RESOURCES / "updates" / "root.json").is_file()


def start_detached(command: tuple[str, ...]) -> bool:
    """Start something that outlives the window; whether it runs."""
    program, *arguments = command
    return QProcess.startDetached(program, arguments)[0]


class Updating(QObject):
    """Asks, fetches where the settings want it, and knows what to start at the very end."""

    found = Signal(object)  # Notification

    def __init__(
        self,
        parent: QObject,
        actions: Actions,
        alarm: Timer | None = None,
        built_in: Callable[[], bool] = has_source,
    ) -> None:
        super().__init__(parent)
        self._actions = actions
        self._alarm = alarm or QtTimer()
        self._built_in = built_in
        self._when = ""
        self._fetched = ""  # the version that was asked for last, unless that failed
        self._known: UpdatesShown | None = None
        self._ready: tuple[str, ...] = ()  # by itself
        self._then: tuple[str, ...] = ()  # because the person asked for it

    def show_state(self, state: AppState) -> None:
        """Do as the settings have it from now on."""
        before, self._when = self._when, state.settings.updates.when
        if self._when != "automatic":
            self._ready = ()
        elif before != "automatic":  # what is known already counts as if it were just told
            self._fetched, self._known = "", None
        if not before and self._built_in():
            self._alarm.set(FIRST_S, self._look)
        if state.updates is not None and state.updates is not self._known:
            self._known = state.updates
            self._go_by(state.updates)

    def _go_by(self, shown: UpdatesShown) -> None:
        """Tell what is new, or fetch it; keep the command that installs what was fetched."""
        if shown.obstacle != "none":
            return
        if shown.is_news and self._when == "notify":
            self.found.emit(_notice(shown.newest))
        if self._when == "automatic" and shown.command:
            self._ready = shown.command
        elif self._when == "automatic" and shown.newest not in ("", self._fetched):
            self._fetched = shown.newest
            call = self._actions.call(GetUpdate())
            for failure in (call.refused, call.cancelled):
                failure.connect(self._on_failed)

    def _on_failed(self) -> None:
        self._fetched = ""  # the next look tries again

    def leave_for(self, command: tuple[str, ...]) -> None:
        """Start ``command`` at the very end, in place of what would be started otherwise."""
        self._then = command

    def stay(self) -> None:
        """Nobody leaves after all."""
        self._then = ()

    def forget(self) -> None:
        """The session ends: nothing is started in its last seconds."""
        self._alarm.clear()
        self._ready = self._then = ()

    def depart(self, start: Start = start_detached) -> None:
        """The window is gone: start what is to be started, if anything is."""
        self._alarm.clear()
        command = self._then or self._ready
        if command:
            start(command)

    def _look(self) -> None:
        self._alarm.set(AGAIN_S, self._look)
        if self._when != "off":
            self._actions.call(LookForUpdate(only_if_due=True))


def _notice(version: str) -> Notification:
    translate = QCoreApplication.translate
    return Notification(
        title=translate("Updating", "There is a newer Waggle: {}").format(version),
        words=translate("Updating", "To install it, open Settings, Updates."),
    )
