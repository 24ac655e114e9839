"""Waggle as its users run it: real processes, spoken to over their real pipes."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeVar

import psutil
from msgspec.structs import replace

from core.api.events import Event, RoundFinished
from core.api.message import JsonMessage
from core.api.pipe import decode_event, encode
from core.ledger.history import History

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT_S = 120.0

Kind = TypeVar("Kind")


class Process:
    """A running command; its errors are kept in a file beside its home."""

    def __init__(self, arguments: list[str], errors: Path) -> None:
        self._errors = errors
        with errors.open("ab") as sink:
            self.popen = subprocess.Popen(  # noqa: S603 - our own command
                [sys.executable, "-m", *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=sink,
                cwd=ROOT,
                env={**os.environ, "OMP_NUM_THREADS": "1"},
            )

    @property
    def out(self) -> IO[bytes]:
        assert self.popen.stdout is not None
        return self.popen.stdout

    def events(self) -> Iterator[Event]:
        """Every event until the process ends."""
        for line in self.out:
            yield decode_event(line)

    def wait_for(self, kind: type[Kind], where: Callable[[Kind], bool] = lambda _: True) -> Kind:
        """The first event of ``kind`` that fits; earlier ones are read over."""
        for event in self.events():
            if isinstance(event, kind) and where(event):
                return event
        raise AssertionError(f"it ended without {kind.__name__}: {self.errors()}")

    def say(self, message: JsonMessage) -> None:
        """Give a command to an engine, or a request to a helper."""
        assert self.popen.stdin is not None
        self.popen.stdin.write(encode(message))
        self.popen.stdin.flush()

    def let_go(self) -> None:
        """Close its stdin: the leash."""
        assert self.popen.stdin is not None
        self.popen.stdin.close()

    def kill(self) -> None:
        """Kill -9, as a power cut would."""
        self.popen.kill()
        self.popen.wait(TIMEOUT_S)

    def interrupt(self) -> None:
        """Ctrl-C."""
        self.popen.send_signal(signal.SIGINT)

    def wait(self) -> int:
        """Its exit code, once it has said all it had to say."""
        for _ in self.out:
            pass
        return self.popen.wait(TIMEOUT_S)

    def errors(self) -> str:
        """What it wrote to stderr."""
        return self._errors.read_text(errors="replace")

    def children(self) -> list[psutil.Process]:
        """Processes that it started."""
        found: list[psutil.Process] = psutil.Process(self.popen.pid).children(recursive=True)
        return found


@contextmanager
def running(arguments: list[str], errors: Path) -> Iterator[Process]:
    """A process that does not outlive the test."""
    process = Process(arguments, errors)
    try:
        yield process
    finally:
        if process.popen.poll() is None:
            process.kill()
        for pipe in (process.popen.stdin, process.popen.stdout):
            if pipe is not None and not pipe.closed:
                pipe.close()


NO_RULES = """\
[rules]
on_battery = "run"
battery_floor = 0
when_in_use = "run"
full_screen = "run"
busy_percent = 0
hottest_c = 0
memory_floor_mb = 0
disk_floor_mb = 0
"""


def furnish(home: Path) -> None:
    """Make ``home``, where the samplers are not tried out: that takes seconds in every new one.

    Nothing pauses it by itself: tests run on battery, too, and keep the processor busy.
    """
    home.mkdir(parents=True, exist_ok=True)
    settings = home / "settings.toml"
    if not settings.exists():
        text = f'[compute]\nsampler = "torch"\n[swarm]\nlan = false\n{NO_RULES}'
        settings.write_text(text, encoding="ascii")


def free_port() -> int:
    """One that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def waggle(home: Path, *arguments: str) -> Iterator[Process]:
    """``waggle ...`` on ``home``."""
    furnish(home)
    command = ["core.cli.main", *arguments, "--home", str(home)]
    with running(command, home / "stderr.txt") as process:
        yield process


@contextmanager
def engine(home: Path, *options: str) -> Iterator[Process]:
    """``waggle-engine`` on ``home``."""
    furnish(home)
    command = ["core.serve", "--home", str(home), *options]
    with running(command, home / "stderr.txt") as process:
        yield process


@contextmanager
def hub(home: Path, port: int = 0) -> Iterator[tuple[Process, str]]:
    """``waggle hub`` on loopback with the base URL it announces."""
    with waggle(home, "hub", "--listen", f"127.0.0.1:{port}") as process:
        words = process.out.readline().decode()
        yield process, next(w for w in words.split() if w.startswith("http://")).rstrip(".")


def rounds(process: Process) -> list[RoundFinished]:
    """All rounds until the process ends by itself."""
    return [event for event in process.events() if isinstance(event, RoundFinished)]


def rounds_on_record(home: Path) -> list[RoundFinished]:
    """Those of spark in the ledger of ``home``, without what depends on clock and processor."""
    timeless = {
        "sample_s": 0,
        "judge_s": 0,
        "share_s": 0,
        "train_s": 0,
        "at": 0,
        "processor_s": None,
        "joules": None,
    }
    with History(home / "ledger.sqlite", "spark") as history:
        return [replace(one, **timeless) for one in history.history()]
