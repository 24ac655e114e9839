"""The program: what it loads, what it is told, and what it says without a screen."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.desktop.session import DesktopSession
from app.desktop.single_instance import Opening, SingleInstance
from app.main import (
    ENGINE_LOG,
    HELPER_LOG,
    NO_SCREEN,
    connect_engine,
    connect_helper,
    end_with,
    engine_command,
    helper_command,
    read_arguments,
)
from core.paths import Home, default_home
from tests.hand_alarm import OpenWindow

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("torch", "aiohttp", "transformers", "peft", "reasoning_gym", "numpy")


def run_python(code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - this interpreter on a text of our own
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_opening_loads_nothing_heavy() -> None:
    """A fresh interpreter that has built the window knows nothing of what the engine needs."""
    code = f"""
import sys, tempfile
from pathlib import Path
from app.main import connect_helper, connect_engine, open_application
from app.style.appearance import Appearance
from app.shell.main_window import MainWindow
from app.backend.processes import Connectors
from core.paths import Home
app = open_application()
with tempfile.TemporaryDirectory() as folder:
    connectors = Connectors(connect_engine, connect_helper)
    window = MainWindow(Home(Path(folder)), connectors, Appearance(app))
    window.show()
    app.processEvents()
    print([name for name in {HEAVY} if name in sys.modules])
"""
    done = run_python(code, QT_QPA_PLATFORM="offscreen")
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a screen")
def test_without_a_screen_there_is_one_sentence() -> None:
    """Qt would abort with a page of advice; we say what to do and exit with 1."""
    done = run_python(
        "from app.main import main; main([])",
        QT_QPA_PLATFORM="xcb",
        DISPLAY="",
        WAYLAND_DISPLAY="",
    )
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == NO_SCREEN
    assert "Traceback" not in done.stderr


def test_the_home_can_be_chosen(tmp_path: Path) -> None:
    """--home wins over the platform's folder; a relative one counts from here."""
    assert read_arguments(["--home", str(tmp_path)]) == (Home(tmp_path), Opening())
    assert read_arguments(["--home", "here"]) == (Home(Path.cwd() / "here"), Opening())
    assert read_arguments([]) == (default_home(), Opening())


def test_hubs_can_be_named() -> None:
    """One or several, in the order in which they were named."""
    _home, opening = read_arguments(["--hub", "http://one", "--hub", "http://two"])
    assert opening.hubs == ("http://one", "http://two")


def test_an_invite_can_be_opened() -> None:
    """The system starts Waggle with the link that was clicked; anything else is refused."""
    _home, opening = read_arguments(["--background", "waggle://join/abc"])
    assert opening == Opening(link="waggle://join/abc", background=True)
    with pytest.raises(SystemExit):
        read_arguments(["https://example.org"])


@pytest.mark.usefixtures("qapp")
def test_a_second_start_ends_at_once(tmp_path: Path) -> None:
    """With success, when the first one has heard what it was asked."""
    home = Home(tmp_path)
    first = SingleInstance(home)
    assert first.claim(Opening())
    code = "import sys; from app.main import main; sys.exit(main(sys.argv[1:]))"
    done = run_python(code, "--home", str(home.root), QT_QPA_PLATFORM="offscreen")
    first.release()
    assert (done.returncode, done.stderr) == (0, "")


def test_no_update_is_begun_when_the_session_ends(
    session: DesktopSession, open_window: OpenWindow
) -> None:
    """It would be cut off half-way; the window closes at once."""
    window, _client = open_window()
    end_with(session, window)
    window.updating.leave_for(("switch", "--start"))
    session.end_asked.emit()
    assert not window.isVisible()
    started: list[tuple[str, ...]] = []
    window.updating.depart(started.append)
    assert started == []


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    """And leaves with 0."""
    with pytest.raises(SystemExit) as left:
        read_arguments(["--help"])
    assert left.value.code == 0
    assert "Example: waggle-app --hub" in capsys.readouterr().out


def test_nothing_runs_before_it_is_needed(tmp_path: Path) -> None:
    """A client that was made has no process yet."""
    assert connect_engine(Home(tmp_path)).link.phase == "off"
    assert not connect_helper(Home(tmp_path)).is_running


@pytest.mark.parametrize("command", [engine_command, helper_command])
def test_a_child_is_a_program_of_ours(
    tmp_path: Path, command: Callable[[Path], tuple[str, ...]]
) -> None:
    """No look-up on PATH; and it is told whose work it does."""
    done = subprocess.run(  # noqa: S603 - our own program
        [*command(tmp_path), "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "--home" in done.stderr  # stdout is for events and answers alone
    assert command(tmp_path)[-2:] == ("--home", str(tmp_path))


def test_two_children_write_two_files() -> None:
    """Two that rotate one file would lose lines."""
    assert HELPER_LOG != ENGINE_LOG


WITHOUT_OUTPUT = "import sys; sys.stdout = sys.stderr = None; from app.main import main; "


@pytest.mark.parametrize("arguments", ["['waggle://join/?']", "['--fly']"])
def test_a_bad_link_ends_in_order_where_nothing_can_be_written(arguments: str) -> None:
    """A windowed build on Windows has neither stdout nor stderr."""
    done = run_python(
        "import os, sys; written = os.dup(2)\n"
        f"try: {WITHOUT_OUTPUT} main({arguments})\n"
        "except BaseException as error: os.write(written, repr(error).encode())"
    )
    assert done.stderr == "SystemExit(2)"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a screen")
def test_without_a_screen_it_ends_in_order_where_nothing_can_be_written() -> None:
    """As with a terminal: 1, and no crash."""
    none = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": "xcb"}
    assert run_python(f"{WITHOUT_OUTPUT} main([])", **none).returncode == 1
