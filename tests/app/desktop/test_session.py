"""What the system says reaches the window."""

import os
import signal

import pytest
from pytestqt.qtbot import QtBot

from app.desktop.session import SIGNALS, DesktopSession


@pytest.mark.skipif(os.name == "nt", reason="Windows tells programs otherwise")
@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_asks_for_the_end(session: DesktopSession, qtbot: QtBot, name: str) -> None:
    """Qt's loop wakes up for it, and the process lives on to put things away."""
    with qtbot.waitSignal(session.quit_asked):
        os.kill(os.getpid(), getattr(signal, name))
