"""``waggle-app``: opens the window."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import msgspec
from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from app.backend.engine_client import EngineClient
from app.backend.helper_client import HelperClient
from app.backend.output_log import OutputLog
from app.backend.processes import Connectors
from app.desktop.plain_words import say_plainly
from app.desktop.session import DesktopSession
from app.desktop.single_instance import Opening, SingleInstance
from app.shell.application import Application
from app.shell.main_window import MainWindow
from app.style.appearance import Appearance
from app.text.translation import translate
from core.children import python_command
from core.errors import WaggleError
from core.paths import Home, default_home
from core.settings import Language, load_settings

ENGINE_LOG = "engine-output.log"
HELPER_LOG = "helper-output.log"

NO_SCREEN = (
    "Waggle cannot open a window here, since there is no screen that it can use. "
    "Run it without one: waggle join"
)


class _Parser(argparse.ArgumentParser):
    """Whose errors are seen even by whoever clicked on a link."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the command line, and end."""
        say_plainly(f"{self.format_usage()}{self.prog}: error: {message}")
        sys.exit(2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the window until it is closed; returns the exit code."""
    home, opening = read_arguments(arguments)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Qt's loop would not let Python hear Ctrl-C
    app = open_application()
    first = SingleInstance(home)
    if not first.claim(opening):
        return 0
    window = open_window(home, app)
    first.asked.connect(window.open_with)
    window.leaving.connect(first.release)
    window.left.connect(first.release)
    session = DesktopSession(app)
    end_with(session, window)
    window.open_with(opening)
    if opening.background:
        window.start_hidden()
    code = app.exec()
    window.updating.depart()
    return code


def open_window(home: Home, app: Application) -> MainWindow:
    """The window on ``home``, not shown yet; ``app`` ends when it is closed for good."""
    translate(app, language_of(home))
    window = MainWindow(home, Connectors(connect_engine, connect_helper), Appearance(app))
    app.serve(window)
    return window


def end_with(session: DesktopSession, window: MainWindow) -> None:
    """Close ``window`` when the system says so, and begin no update as the session ends."""
    session.quit_asked.connect(window.quit_in_haste)
    session.end_asked.connect(window.updating.forget)  # one that is cut off half-way does harm
    session.end_asked.connect(window.quit_in_haste)


def open_application() -> Application:
    """Start Qt; where it cannot start, say so in words and end the process.

    Qt aborts the process itself when no screen can be used, so the words are said from its
    last message and not after the fact.
    """
    qInstallMessageHandler(_explain_fatal)
    app = Application(sys.argv[:1])
    qInstallMessageHandler(None)
    app.setApplicationName("waggle")
    app.setApplicationDisplayName("Waggle")
    app.setDesktopFileName("waggle")
    return app


def language_of(home: Home) -> Language:
    """The one that was chosen; settings that cannot be read are told by the window itself."""
    try:
        return load_settings(home.settings).window.language
    except WaggleError:
        return "system"


def connect_engine(home: Home) -> EngineClient:
    """A client for the real engine on ``home``."""
    return EngineClient(engine_command(home.root), OutputLog(home.logs, ENGINE_LOG))


def connect_helper(home: Home) -> HelperClient:
    """A client for the helper on ``home``."""
    return HelperClient(helper_command(home.root), OutputLog(home.logs, HELPER_LOG))


def engine_command(home: Path) -> tuple[str, ...]:
    """The command line that starts the engine of ``home``."""
    return (*python_command("core.serve"), "--home", str(home))


def helper_command(home: Path) -> tuple[str, ...]:
    """The command line that starts the helper of ``home``."""
    return (*python_command("core.helper.main"), "--home", str(home))


def read_arguments(arguments: Sequence[str] | None) -> tuple[Home, Opening]:
    """The home that the command line names, else the platform's; and what to open there."""
    parser = _Parser(
        prog="waggle-app",
        description="Open the Waggle window.",
        epilog="Example: waggle-app --hub http://127.0.0.1:8765",
    )
    parser.add_argument("link", nargs="?", default="", metavar="INVITE", help="waggle://join/…")
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
    parser.add_argument(
        "--background", action="store_true", help="start without showing the window"
    )
    asked = parser.parse_args(arguments)
    chosen: Path | None = asked.home
    home = default_home() if chosen is None else Home(chosen.expanduser().absolute())
    told = {"link": asked.link, "hubs": asked.hub, "background": asked.background}
    try:
        return home, msgspec.convert(told, Opening)
    except msgspec.ValidationError:
        parser.error("the link is no invite, or there are too many meeting points")


def _explain_fatal(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    if kind is QtMsgType.QtFatalMsg:
        say_plainly(NO_SCREEN)
        os._exit(1)
    if kind is QtMsgType.QtCriticalMsg and sys.stderr is not None:
        sys.stderr.write(f"{message}\n")


if __name__ == "__main__":
    sys.exit(main())
