"""A real ``waggle join`` on a host of its own, and what it says while it runs."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.api.events import Event, PhaseEntered, RoundFinished
from core.api.pipe import decode_event
from tests.netns import ROOT, Host

TIMEOUT_S: Final = 60.0
SETTINGS: Final = '[compute]\nsampler = "torch"\n'  # trying samplers out takes seconds


@dataclass(frozen=True, slots=True)
class Heard:
    """An event, and when it was read."""

    event: Event
    at: float  # seconds of ``time.monotonic``


class LiveNode:
    """A running node; every event is kept from the moment it is said."""

    def __init__(self, popen: subprocess.Popen[bytes], home: Path) -> None:
        self.home = home
        self.started_at = time.monotonic()
        self._popen = popen
        self._heard: list[Heard] = []
        self._is_over = False
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._popen.pid

    def rounds_until(self, fits: Callable[[Event], bool], since: float) -> int:
        """How many rounds it began after ``since`` until something was said that fits."""
        at = self.until(fits, since).at
        said = [one.event for one in self.heard if since <= one.at <= at]
        return sum(isinstance(event, PhaseEntered) and event.phase == "asking" for event in said)

    @property
    def heard(self) -> list[Heard]:
        """All events so far."""
        with self._news:
            return list(self._heard)

    def rounds(self, since: float = 0.0) -> list[RoundFinished]:
        """The rounds that were told to be finished after ``since``."""
        late = [one.event for one in self.heard if one.at >= since]
        return [event for event in late if isinstance(event, RoundFinished)]

    def until(
        self, fits: Callable[[Event], bool], since: float = 0.0, within: float = TIMEOUT_S
    ) -> Heard:
        """The first event after ``since`` that fits, said already or ``within`` so many seconds."""
        deadline = time.monotonic() + within
        looked_at = 0
        with self._news:
            while True:
                for one in self._heard[looked_at:]:
                    if one.at >= since and fits(one.event):
                        return one
                looked_at = len(self._heard)
                left = deadline - time.monotonic()
                if left <= 0 or self._is_over:
                    raise AssertionError(f"it only said {self._heard[-5:]}")
                self._news.wait(left)

    def interrupt(self) -> None:
        """Ctrl-C."""
        self._popen.send_signal(signal.SIGINT)

    def wait(self) -> int:
        """Its exit code, once it has said all."""
        self._reader.join(TIMEOUT_S)
        return self._popen.wait(TIMEOUT_S)

    def end(self) -> None:
        """Kill it, if it still runs."""
        if self._popen.poll() is None:
            self._popen.kill()
        self._popen.wait(TIMEOUT_S)
        self._reader.join(TIMEOUT_S)
        for pipe in (self._popen.stdin, self._popen.stdout):
            if pipe is not None:
                pipe.close()

    def _read(self) -> None:
        assert self._popen.stdout is not None
        for line in self._popen.stdout:
            heard = Heard(decode_event(line), time.monotonic())
            with self._news:
                self._heard.append(heard)
                self._news.notify_all()
        with self._news:
            self._is_over = True
            self._news.notify_all()


@contextmanager
def live_node(
    home: Path, *arguments: str, host: Host | None = None, settings: str = ""
) -> Iterator[LiveNode]:
    """``waggle join --json`` with ``spark`` on ``host``, or where this thread is."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "settings.toml").write_text(SETTINGS + settings, encoding="ascii")
    command = [
        *(sys.executable, "-m", "core.cli.main", "join", "--json", "--home", str(home)),
        *("--model", "spark", "--threads", "1", *arguments),
    ]
    with (home / "stderr.txt").open("ab") as sink:
        popen = subprocess.Popen(  # noqa: S603 - our own command
            command if host is None else host.command(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=sink,
            cwd=ROOT,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
    node = LiveNode(popen, home)
    try:
        yield node
    finally:
        node.end()
