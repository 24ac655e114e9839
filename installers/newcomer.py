"""What a newcomer does with Waggle on their first day, watched from outside the machine."""

import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from installers import audit
from installers.clean_root import USER, USER_HOME, CleanRoot, Machine
from installers.screen import Screen
from installers.steps import SmokeError, refuse, step, until

ROUNDS: Final = 5
CODE: Final = (
    "/usr/lib/",
    "/usr/bin/",
    "/usr/sbin/",
    "/lib/",
    "/lib64/",
)  # where a system keeps its
SETTINGS: Final = """\
[swarm]
lan = false
[rules]
on_battery = "run"
battery_floor = 0
when_in_use = "run"
full_screen = "run"
busy_percent = 0
hottest_c = 0
memory_floor_mb = 0
disk_floor_mb = 0
[window]
theme = "light"
"""
"""Alone, and never paused: what tests it may be a busy computer that runs on battery."""

PAINT_S: Final = 60.0
PRACTICE_S: Final = 300.0  # a busy computer takes a minute for what takes seconds on a quiet one
QUIT_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Stage:
    """Where it happens."""

    root: CleanRoot
    machine: Machine
    screen: Screen
    data: Path  # the data folder, as seen from outside

    @property
    def rounds(self) -> int:
        """How many were finished; 0 before there is a ledger."""
        ledger = self.data / "ledger.sqlite"
        if not ledger.exists():
            return 0
        with closing(sqlite3.connect(f"{ledger.as_uri()}?mode=ro", uri=True)) as database:
            try:
                (count,) = database.execute("SELECT count(*) FROM rounds").fetchone()
            except sqlite3.OperationalError:  # it is being made
                return 0
            return int(count)


def spend_a_day(stage: Stage) -> None:
    """From the first start to quitting, with a model to take away.

    Raises:
        SmokeError: something is not as it should be.
        CalledProcessError: a command failed.
    """
    furnish(stage)
    with opened_window(stage) as window:
        with step("the welcome"):
            accept_welcome(stage)
        with step(f"joining, {ROUNDS} rounds"):
            stage.screen.press_button()
            until(lambda: stage.rounds >= ROUNDS, f"not {ROUNDS} rounds", PRACTICE_S)
        with step("looking at what runs"):
            check_processes(stage)
        with step("exporting a GGUF file"):
            export(stage)
        with step("quitting"):
            stage.screen.type_keys("ctrl+q")
            if (code := window.wait(QUIT_S)) != 0:
                raise SmokeError(f"the window ended with {code}")
            until(lambda: not stage.machine.processes(), "not all processes ended", QUIT_S)
    refuse("places open to others", audit.readable_by_others(stage.data))


def furnish(stage: Stage) -> None:
    """Put ``SETTINGS`` where the first start finds them; nothing is agreed to yet."""
    own = ("/usr/bin/install", "-d", "-m", "700", "-o", USER, "-g", USER)
    folder = "/" / stage.data.relative_to(stage.root.folder)
    above = [parent for parent in reversed(folder.parents) if parent.is_relative_to(USER_HOME)]
    stage.root.administer(*own, *map(str, above), str(folder))
    settings = stage.data / "settings.toml"
    settings.write_text(SETTINGS, encoding="ascii")
    stage.root.administer("chown", f"{USER}:", str(folder / settings.name))


@contextmanager
def opened_window(stage: Stage) -> Iterator[subprocess.Popen[bytes]]:
    """The window, painted and listening to keys."""
    command = stage.machine.command("waggle-app", DISPLAY=stage.screen.display)
    with subprocess.Popen(command) as window:  # noqa: S603 - our own command line
        try:
            with step("starting the window"):
                until(lambda: not stage.screen.look().is_blank, "nothing painted", PAINT_S)
            found = until(lambda: stage.screen.window("Waggle"), "no window", PAINT_S)
            stage.screen.focus(found)
            yield window
        finally:
            window.kill()


def accept_welcome(stage: Stage) -> None:
    """Tick the only box, and press the button of each of the three steps."""
    stage.screen.type_keys("Tab", "space")
    for _ in range(3):
        stage.screen.press_button()
    settings = stage.data / "settings.toml"
    until(lambda: "consent = true" in settings.read_text("utf-8"), "nobody agreed", PAINT_S)


def check_processes(stage: Stage) -> None:
    """They run the package's own code, take no calls, and one of them is locked in."""
    running = stage.machine.processes()
    refuse("sockets that others can reach", audit.listening(stage.machine.pid))
    refuse("foreign libraries in use", audit.foreign_code(running, CODE))
    if not audit.locked_in(running):
        raise SmokeError("the judge is not locked in")


def export(stage: Stage) -> None:
    """Take the model away while it practises, as one file for llama.cpp."""
    stage.machine.run("waggle", "export", "--to", "gguf", "--out", "spark.gguf")
    file = stage.root.inside(USER_HOME) / "spark.gguf"
    if file.read_bytes()[:4] != b"GGUF":
        raise SmokeError("what was exported is no GGUF file")
    file.unlink()
