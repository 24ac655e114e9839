"""Time that passes when a test says so."""

import time
from collections.abc import Callable
from typing import Protocol

from app.backend.engine_client import EngineClient
from app.shell.main_window import MainWindow
from tests.fake_engine import Script


class HandAlarm:
    """An alarm that rings when it is told to."""

    def __init__(self) -> None:
        self.seconds: float | None = None
        self._call: Callable[[], None] | None = None

    def set(self, seconds: float, call: Callable[[], None]) -> None:
        self.seconds, self._call = seconds, call

    def clear(self) -> None:
        self.seconds = self._call = None

    def ring(self) -> None:
        call = self._call
        self.clear()
        assert call is not None, "nothing is planned"
        call()


class Connect(Protocol):
    """Makes a client of a fake engine, which takes the time from ``clock``."""

    def __call__(self, script: Script, clock: Callable[[], float] = time.time) -> EngineClient: ...


class OpenWindow(Protocol):
    """Opens a window on a fake engine, which meets others at ``hubs``."""

    def __call__(self, script: Script = "train", *hubs: str) -> tuple[MainWindow, EngineClient]: ...
