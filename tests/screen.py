"""A screen of our own under Xvfb, for pictures of real windows."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QWidget


@contextmanager
def own_screen(width: int, height: int, scale: float = 1.0) -> Iterator[None]:
    """Let Qt draw on a fresh X server of ``width`` x ``height`` points at ``scale``."""
    size = f"{round(width * scale)}x{round(height * scale)}x24"
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", size, "-nolisten", "tcp"]
    server = subprocess.Popen(  # noqa: S603 - our own command line
        command, pass_fds=(writer,), stderr=subprocess.DEVNULL
    )
    os.close(writer)
    with os.fdopen(reader) as answer:
        number = answer.readline().strip()
    os.environ |= {"DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": str(scale)}
    try:
        yield
    finally:
        server.terminate()
        server.wait()


def settle(seconds: float = 0.7) -> None:
    """Let the window work for a while; longer than the pause between two drawings of the chart.

    In a loop of its own, which also puts away what is to be deleted.
    """
    loop = QEventLoop()
    QTimer.singleShot(round(1_000 * seconds), loop.quit)
    loop.exec()


def take_picture(window: QWidget, path: Path) -> None:
    """Save what the screen shows of ``window``."""
    settle()
    settle(0.2)  # for painting what came in the last moment, on a slow machine
    path.parent.mkdir(parents=True, exist_ok=True)
    if not window.screen().grabWindow(window.winId()).save(str(path)):
        raise OSError(f"cannot write {path}")
