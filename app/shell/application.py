"""Qt's application, which hears what macOS asks of it: to end, to open a link, to come up."""

import sys
from contextlib import suppress
from typing import Final

import msgspec
from PySide6.QtCore import QDeadlineTimer, QEvent
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from app.desktop.single_instance import Opening
from app.shell.main_window import MainWindow

START_MS: Final = 5_000
"""For so long a start activates the program by itself, also one that should stay hidden."""


class Application(QApplication):
    """As Qt's own, until it has a window to serve.

    From the Dock, the menu and at log-out macOS asks for the end by an event. Qt would close the
    window, which may only hide it, and then tell the system that Waggle does not want to end. A
    click in the Dock only activates the program, which would leave a hidden window hidden.
    """

    _window: MainWindow | None = None
    _is_leaving = False

    def serve(self, window: MainWindow) -> None:
        """Pass on to ``window`` what the system asks, and end once it is closed for good."""
        self.setQuitOnLastWindowClosed(False)  # it may be hidden, with its icon in the tray
        self._window = window
        self._start = QDeadlineTimer(START_MS)
        window.leaving.connect(self._on_leaving)
        window.left.connect(self.exit)  # ``quit`` would ask by the very event that is taken here

    def event(self, event: QEvent) -> bool:
        """Take what the system asks; all else is Qt's."""
        if self._window is None:
            return super().event(event)
        if event.type() is QEvent.Type.Quit:
            if not self._is_leaving:  # or closing once more would not wait for what is saved
                self._window.quit_in_haste()
            return True
        if isinstance(event, QFileOpenEvent):
            with suppress(msgspec.ValidationError):  # no invite: not for us
                self._window.open_with(msgspec.convert({"link": event.url().toString()}, Opening))
            return True
        if event.type() is QEvent.Type.ApplicationActivate and self._is_wanted_back():
            self._window.open_with(Opening())
        return super().event(event)

    def _is_wanted_back(self) -> bool:
        """Whether somebody who activates Waggle would find no window."""
        is_hidden = self._window is not None and not self._window.isVisible()
        settled = self._start.hasExpired() and not self._is_leaving
        return sys.platform == "darwin" and is_hidden and settled

    def _on_leaving(self) -> None:
        self._is_leaving = True
