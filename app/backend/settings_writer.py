"""Writes what was chosen to the settings' file, in a thread: a disk may take longer than a turn."""

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from app.state.intents import Change
from app.text.error_words import explain_error
from core.errors import WaggleError
from core.settings import Settings, load_settings, save_settings

LOOK_MS: Final = 10
TIMEOUT_S: Final = 4.0
"""After which a disk that hangs no longer holds up what waits for a setting to be written."""


class SettingsWriter(QObject):
    """Makes changes one after another, each on top of what the file holds by then."""

    kept = Signal(object, str)
    """Settings as the file holds them, once no change is under way any more; and for a person, why
    one of the changes was not made, if one was not."""

    def __init__(self, parent: QObject, path: Path, settings: Settings) -> None:
        super().__init__(parent)
        self.settings = settings  # what the file holds, as far as is known
        self._path = path
        self._writer = ThreadPoolExecutor(1, "keeper")
        self._waiting: deque[Future[Settings]] = deque()
        self._problem = ""  # of the changes under way, the last
        # The window may be destroyed while the thread writes, so the thread emits nothing: its
        # results are polled.
        self._look = QTimer(self, interval=LOOK_MS)
        self._look.timeout.connect(self._heed)

    def keep(self, change: Change) -> None:
        """Make ``change`` soon."""
        self._waiting.append(self._writer.submit(_make, change, self._path))
        self._look.start()

    def finish(self) -> None:
        """Wait until all that was chosen is in the file, TIMEOUT_S at most."""
        wait(self._waiting, TIMEOUT_S)

    def _heed(self) -> None:
        while self._waiting and self._waiting[0].done():
            try:
                self.settings = self._waiting.popleft().result()
            except WaggleError as error:
                self._problem = explain_error(error)
        if not self._waiting:
            self._look.stop()
            problem, self._problem = self._problem, ""
            self.kept.emit(self.settings, problem)


def _make(change: Change, path: Path) -> Settings:
    settings = change(load_settings(path))
    save_settings(settings, path)
    return settings
