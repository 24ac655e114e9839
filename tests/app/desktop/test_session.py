"""What the system says reaches the window."""

import os
import signal
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desktop.session import SIGNALS, DesktopSession


@pytest.fixture
def session(qapp: QApplication) -> Iterator[DesktopSession]:
    before = {name: signal.getsignal(getattr(signal, name)) for name in SIGNALS}
    made = DesktopSession(qapp)
    yield made
    made.close()
    for name, handler in before.items():
        signal.signal(getattr(signal, name), handler)


@pytest.mark.skipif(os.name == "nt", reason="Windows tells programs otherwise")
@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_asks_for_the_end(session: DesktopSession, qtbot: QtBot, name: str) -> None:
    """Qt's loop wakes up for it, and the process lives on to put things away."""
    with qtbot.waitSignal(session.quit_asked):
        os.kill(os.getpid(), getattr(signal, name))
