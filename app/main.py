"""``waggle-app``: opens the window."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from app.appearance import Appearance
from app.engine_client import EngineClient
from app.engine_process import OutputLog, engine_command
from app.main_window import MainWindow
from core.paths import Home, default_home

NO_SCREEN = (
    "Waggle cannot open a window here, since there is no screen that it can use. "
    "Run it without one: waggle join"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the window until it is closed; returns the exit code."""
    home, hubs = read_arguments(arguments)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Qt's loop would not let Python hear Ctrl-C
    app = open_application()
    window = MainWindow(home, connect_engine, Appearance(app), hubs)
    window.show()
    return app.exec()


def open_application() -> QApplication:
    """Start Qt; where it cannot start, say so in words and end the process.

    Qt aborts the process itself when no screen can be used, so the words are said from its
    last message and not after the fact.
    """
    qInstallMessageHandler(_explain_fatal)
    app = QApplication(sys.argv[:1])
    qInstallMessageHandler(None)
    app.setApplicationName("waggle")
    app.setApplicationDisplayName("Waggle")
    app.setDesktopFileName("waggle")
    return app


def connect_engine(home: Home) -> EngineClient:
    """A client for the real engine on ``home``."""
    return EngineClient(engine_command(home.root), OutputLog(home.logs))


def read_arguments(arguments: Sequence[str] | None) -> tuple[Home, tuple[str, ...]]:
    """The home that the command line names, else the platform's; and the hubs that it names."""
    parser = argparse.ArgumentParser(
        prog="waggle-app",
        description="Open the Waggle window.",
        epilog="Example: waggle-app --hub http://127.0.0.1:8765",
    )
    parser.add_argument(
        "--home", type=Path, metavar="DIR", help="folder that holds everything Waggle keeps"
    )
    parser.add_argument(
        "--hub",
        action="append",
        default=[],
        metavar="URL",
        help="meeting point to use; may be repeated (default: those in the settings)",
    )
    asked = parser.parse_args(arguments)
    chosen: Path | None = asked.home
    home = default_home() if chosen is None else Home(chosen.expanduser().absolute())
    return home, tuple(asked.hub)


def _explain_fatal(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    if kind is QtMsgType.QtFatalMsg:
        sys.stderr.write(f"{NO_SCREEN}\n")
        sys.stderr.flush()
        os._exit(1)
    if kind is QtMsgType.QtCriticalMsg:
        sys.stderr.write(f"{message}\n")


if __name__ == "__main__":
    sys.exit(main())
