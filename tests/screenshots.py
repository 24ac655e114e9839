"""The pictures of the README, from a real window during real training.

    python -m tests.screenshots [--rounds 120] [--alone] [--fake] [--out DIR]

Opens the window on a virtual screen with the real engine behind it, joins a hub on this machine at
which a second node practises, waits for the rounds, and saves one picture in light and one in
dark. ``--alone`` leaves hub and second node out; ``--fake`` takes the pretending engine, to try
the script itself.
"""

import argparse
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from PySide6.QtWidgets import QApplication, QPushButton

from app.appearance import Appearance
from app.engine_client import EngineClient
from app.engine_process import OutputLog
from app.main import connect_desk, connect_engine, open_application
from app.main_window import Children, MainWindow
from core.paths import RESOURCES, Home
from core.settings import Settings, SwarmSettings, WindowSettings, save_settings
from tests.screen import own_screen, settle, take_picture

SIZE = (1_100, 720)
WAGGLE = (sys.executable, "-m", "core.cli.main")


@contextmanager
def companions(folder: Path) -> Iterator[str]:
    """A hub on this machine and a second node on it; gives the hub's address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    hub = (*WAGGLE, "hub", "--listen", f"127.0.0.1:{port}", "--home", str(folder / "hub"))
    node = (*WAGGLE, "join", "--model", "ember", "--hub", url, "--threads", "1", "--json")
    with ExitStack() as stack:
        stack.enter_context(running(hub))
        stack.enter_context(running((*node, "--home", str(folder / "ember"))))
        yield url


@contextmanager
def running(command: tuple[str, ...]) -> Iterator[None]:
    """Let ``command`` run meanwhile."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:  # noqa: S603 - our own program
        try:
            yield
        finally:
            process.terminate()


def connect_fake(home: Home) -> EngineClient:
    """A client for the engine that only pretends."""
    command = (sys.executable, "-m", "tests.fake_engine", "--home", str(home.root))
    return EngineClient((*command, "--pace", "0.002"), OutputLog(home.logs))


def practise(window: MainWindow, rounds: int, minutes: float) -> None:
    """Join as a person would, and watch until ``rounds`` are done."""
    (join,) = (b for b in window.findChildren(QPushButton) if b.text() == "Join swarm")
    join.click()
    end = time.monotonic() + 60 * minutes
    while window.state is not None and window.state.node.round < rounds:
        settle(0.2)
        if not window.state.is_running or time.monotonic() > end:
            raise SystemExit(f"The window stopped practising: {window.state.node.words or 'late'}")


def close(window: MainWindow) -> None:
    """Close as a person would, and wait for the engine."""
    window.close()
    while window.isVisible():
        settle(0.1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=120)
    parser.add_argument("--minutes", type=float, default=30.0, help="give up after this time")
    parser.add_argument("--model", default="spark")
    parser.add_argument("--scale", type=float, default=2.0)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--fake", action="store_true")
    parser.add_argument("--out", type=Path, default=RESOURCES / "screenshots")
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        alone = asked.alone or asked.fake
        hubs = () if alone else (stack.enter_context(companions(folder)),)
        stack.enter_context(own_screen(*SIZE, asked.scale))
        home = Home(folder / "home")
        home.prepare()
        looks = WindowSettings(consent=True, theme="light", model=asked.model)
        save_settings(Settings(swarm=SwarmSettings(hubs=hubs), window=looks), home.settings)
        app = open_application()
        appearance = Appearance(app)
        children = Children(connect_fake if asked.fake else connect_engine, connect_desk)
        window = MainWindow(home, children, appearance)
        window.resize(*SIZE)
        window.show()
        try:
            practise(window, asked.rounds, asked.minutes)
            picture_both(window, appearance, asked.out)
        finally:
            close(window)
            QApplication.quit()


def picture_both(window: MainWindow, appearance: Appearance, out: Path) -> None:
    """One picture in each palette, seconds apart."""
    for theme in ("light", "dark"):
        appearance.choose("dark" if theme == "dark" else "light")
        path = out / f"home-{theme}.png"
        take_picture(window, path)
        sys.stdout.write(f"{path}: {path.stat().st_size // 1_000} kB\n")


if __name__ == "__main__":
    main()
