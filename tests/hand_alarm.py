"""Time that passes when a test says so."""

from collections.abc import Callable
from typing import Protocol

from app.engine_client import EngineClient
from app.main_window import MainWindow
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


Connect = Callable[[Script], EngineClient]


class OpenWindow(Protocol):
    """Opens a window on a fake engine, which meets others at ``hubs``."""

    def __call__(self, script: Script = "train", *hubs: str) -> tuple[MainWindow, EngineClient]: ...
