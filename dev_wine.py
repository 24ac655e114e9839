"""A Windows under Wine for ``dev.py windows``, and how programs are run there."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from dev_system import ROOT

SOURCES = ROOT / "packaging" / "wine"
WORK = ROOT / "build" / "windows"
MINGW = "x86_64-w64-mingw32-"

LEFT_S = 120.0
"""Time for what a program started: a setup goes on for a while in another process."""

LATE = 124
"""Exit code of a program that took too long, as of the command ``timeout``."""

OVERRIDES = "bcryptprimitives,ucrtbase=n,b;mscoree,mshtml="


class WineError(Exception):
    """Something that the Windows run needs is missing or failed; the text says what."""


@dataclass(frozen=True)
class Done:
    """How a program ended, and what it said on both of its outputs; with ``LATE``: too late."""

    code: int
    text: str


@dataclass(frozen=True)
class Wine:
    """A Windows in the folder ``prefix``; ``enter`` is what goes into the system that has Wine."""

    prefix: Path
    enter: tuple[str, ...] = ()

    def start(self, *command: object, **more: str) -> subprocess.Popen[str]:
        """Start a Windows program, with its outputs as one pipe: Wine has no others' files."""
        environment = {**os.environ, **self._variables(), **more}
        return subprocess.Popen(
            [*self.enter, "wine", *map(str, command)],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )

    def run(
        self,
        *command: object,
        limit_s: float = 600,
        log: Path | None = None,
        hear: Callable[[str], object] | None = None,
        **more: str,
    ) -> Done:
        """Run a Windows program to its end; after ``limit_s`` seconds end all that runs there.

        What it says is written to ``log`` and told to ``hear`` as it comes, line by line. What it
        started may go on with that for ``LEFT_S`` after the program itself has ended; then it is
        ended as well.
        """
        said, is_late, is_read = list[str](), threading.Event(), threading.Event()
        with self.start(*command, **more) as process, open_log(log) as file:

            def stop() -> None:
                is_late.set()
                self.end()
                process.kill()

            def end_what_is_left() -> None:
                process.wait()
                if not is_read.wait(LEFT_S):
                    self.end()

            timer = threading.Timer(limit_s, stop)
            timer.start()
            threading.Thread(target=end_what_is_left, daemon=True).start()
            try:
                for line in process.stdout or ():
                    said.append(line)
                    file.write(line)
                    if hear:
                        hear(line)
            finally:
                is_read.set()
                timer.cancel()
        return Done(LATE if is_late.is_set() else process.returncode, "".join(said))

    def end(self) -> None:
        """End every program of this Windows at once."""
        command = [*self.enter, "wineserver", "-k"]
        subprocess.run(command, check=False, env={**os.environ, **self._variables()})

    def make(self) -> None:
        """Make the Windows, unless it is there.

        Raises:
            WineError: Wine failed.
        """
        if (self.prefix / "system.reg").is_file():
            return
        self.prefix.mkdir(parents=True, exist_ok=True)
        for command in (("wineboot", "-i"), ("winecfg", "-v", "win10")):
            done = self.run(*command)
            if done.code:
                raise WineError(f"Wine made no Windows: {' '.join(command)} failed.\n{done.text}")

    def _variables(self) -> dict[str, str]:
        # Intel's OpenMP asks how processors are grouped, which Wine does not tell.
        quiet = {"WINEDEBUG": "-all", "WINEDLLOVERRIDES": OVERRIDES, "KMP_AFFINITY": "disabled"}
        return {"WINEPREFIX": str(self.prefix), "WINEARCH": "win64", **quiet}


def windows_path(path: Path) -> str:
    """As a program of Windows names a file of this system."""
    return "Z:" + str(path).replace("/", "\\")


def log_of(part: str) -> Path:
    """Where it is written what a part says, until it is run again."""
    return WORK / "logs" / f"{part}.txt"


def open_log(log: Path | None) -> TextIO:
    """A file that others can read line by line while it is written; None: nobody reads it."""
    if log is None:
        return Path(os.devnull).open("w", encoding="utf-8")
    log.parent.mkdir(parents=True, exist_ok=True)
    return log.open("w", encoding="utf-8", buffering=1)


def must(command: Sequence[object], otherwise: str) -> str:
    """What ``command`` says.

    Raises:
        WineError: it failed; the text is ``otherwise`` and what it said.
    """
    try:
        parts = [str(part) for part in command]
        done = subprocess.run(parts, check=False, capture_output=True, text=True, cwd=ROOT)
    except OSError as error:
        raise WineError(f"{otherwise}\n{error}") from error
    if done.returncode:
        raise WineError(f"{otherwise}\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout
