"""What the system says to a program: that it should end, or that the person logs out."""

import os
import signal
import socket
import sys
from contextlib import suppress

from PySide6.QtCore import QObject, QSocketNotifier, Signal
from PySide6.QtGui import QGuiApplication, QSessionManager

SIGNALS = ("SIGTERM", "SIGHUP")


class DesktopSession(QObject):
    """Passes on what the system says; never has Waggle come back by itself at the next log-in."""

    quit_asked = Signal()
    end_asked = Signal()  # the session ends as soon as this has been seen to

    def __init__(self, app: QGuiApplication) -> None:
        super().__init__()
        if sys.platform != "darwin":  # there Qt asks at every Quit, too: see app.shell.application
            app.commitDataRequest.connect(self._on_commit)
        app.saveStateRequest.connect(_stay_away)
        if os.name != "nt":
            self._listen()

    def close(self) -> None:
        """Listen no more."""
        if os.name != "nt":
            signal.set_wakeup_fd(-1)
            self._notifier.setEnabled(False)
            self._ear.close()
            self._mouth.close()

    def _on_commit(self, manager: QSessionManager) -> None:
        _stay_away(manager)
        self.end_asked.emit()

    def _listen(self) -> None:
        """Have signals wake Qt's loop, which would not let Python hear them."""
        self._ear, self._mouth = socket.socketpair()
        self._ear.settimeout(0)
        self._mouth.settimeout(0)
        self._notifier = QSocketNotifier(self._ear.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_signal)
        signal.set_wakeup_fd(self._mouth.fileno(), warn_on_full_buffer=False)
        for name in SIGNALS:
            signal.signal(getattr(signal, name), lambda _number, _frame: None)

    def _on_signal(self) -> None:
        with suppress(BlockingIOError):  # woken for nothing
            self._ear.recv(64)
        self.quit_asked.emit()


def _stay_away(manager: QSessionManager) -> None:
    """Starting with the computer is the person's choice, made in the settings."""
    manager.setRestartHint(QSessionManager.RestartHint.RestartNever)
