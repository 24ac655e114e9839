"""Lets a frozen folder update itself from a source on this computer, and come back from a bad one.

    .venv-package/bin/python -m installers.smoke_update FOLDER

Needs what signs releases (tuf) and psutil, which that environment has. Linux; no screen.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Any, Final

import psutil

from core.updates.releases import this_platform
from core.updates.switch import STARTING_S
from installers.releases import UpdateSource, copy_release, next_version, put, served_source
from installers.steps import SmokeError, step, verdict

LONGEST_S: Final = 600.0
_ENDING_S: Final = 30.0
_BROKEN: Final = b'#!/bin/sh\n[ "$1" = --help ]\n'
"""A window that finds all its parts, and fails all the same."""

# The window, as the helper sees it: whoever started it, and is gone before anything is switched.
_LAUNCHER: Final = ("/bin/sh", "-c", '"$@"; exit "$?"', "sh")


def _kill_session(leader: int) -> None:
    if sys.platform != "win32":  # which has no sessions, and no shell to launch from either
        os.killpg(leader, signal.SIGKILL)


@contextmanager
def _killed_in_time(process: "subprocess.Popen[str]") -> Iterator[None]:
    """End ``process`` and all that it started, should it take longer than anybody waits."""
    timer = Timer(LONGEST_S, _kill_session, (process.pid,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has unpacked Waggle into ``place``."""

    place: Path
    folder: Path  # of their own

    def version(self) -> str:
        """What the command line says."""
        return self.run(str(self.place / "waggle"), "--version").stdout.split()[-1]

    def ask(self, request: str) -> dict[str, Any]:
        """What the helper answers in the end.

        Raises:
            SmokeError: it refuses, ends without a word, or takes longer than anybody waits.
        """
        helper = (str(self.place / "waggle"), "--part", "core.helper.main", "--home")
        with (
            subprocess.Popen(  # noqa: S603 - the program under test
                [*_LAUNCHER, *helper, str(self.folder / "data")],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=self._environment(),
                text=True,
                start_new_session=True,
            ) as window,
            _killed_in_time(window),
        ):
            assert window.stdin is not None  # noqa: S101 - for mypy: pipes were asked for
            assert window.stdout is not None  # noqa: S101
            window.stdin.write(json.dumps({"type": request, "id": 1}) + "\n")
            window.stdin.flush()
            answers = map(json.loads, window.stdout)
            answer = next((one for one in answers if one["type"] != "update_progress"), None)
            window.stdin.close()
            window.wait()
        if answer is None or answer["type"] != "updates_shown":
            raise SmokeError(f"{request} was answered by {answer}")
        return dict(answer)

    def run(self, *command: str, check: bool = True) -> "subprocess.CompletedProcess[str]":
        """Run a program of Waggle to its end.

        Raises:
            SubprocessError: it failed, unless ``check`` is False, or took too long.
        """
        return subprocess.run(  # noqa: S603 - the program under test
            command,
            capture_output=True,
            check=check,
            cwd=self.folder,
            env=self._environment(),
            text=True,
            timeout=LONGEST_S,
        )

    def close_windows(self) -> int:
        """End everything that runs from the place; how many processes that were."""
        running = [
            process
            for process in psutil.process_iter(["exe"])
            if Path(process.info["exe"] or "/").is_relative_to(self.place)
        ]
        for process in running:
            with suppress(psutil.NoSuchProcess):  # it went with another one
                process.kill()
        psutil.wait_procs(running, timeout=_ENDING_S)
        return len(running)

    def _environment(self) -> dict[str, str]:
        """Nothing that leads to a Python of this system."""
        return {"HOME": str(self.folder), "PATH": "", "QT_QPA_PLATFORM": "offscreen"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all steps; returns 1 if one fails, and says why."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", 1)[0])
    parser.add_argument("folder", type=Path, help="the frozen folder, as the tarball has it")
    parser.add_argument(
        "--starting-s", type=float, default=STARTING_S, help="until a window counts"
    )
    asked = parser.parse_args(arguments)
    folder = asked.folder.resolve()
    with tempfile.TemporaryDirectory(prefix=".waggle-smoke-", dir=folder.parent) as room:

        def test() -> None:
            with served_source(Path(room)) as source:
                smoke(folder, Path(room), source, asked.starting_s)

        return verdict(test)


def smoke(folder: Path, room: Path, source: UpdateSource, starting_s: float) -> None:
    """Go to a good release, and come back from one whose window does not start.

    Raises:
        SmokeError: something is not as it should be.
        SubprocessError: a command failed, or took too long.
    """
    good, bad = next_version(folder, 1), next_version(folder, 2)
    with step("installing, and making two releases"):
        apps, home = room / "apps", room / "home"
        home.mkdir()
        person = Person(
            copy_release(folder, apps / "waggle", next_version(folder, 0), source), home
        )
        copy_release(folder, room / good, good, source)
        broken = copy_release(folder, room / bad, bad, source)
        put(broken / "waggle-app", _BROKEN)
    try:
        with step(f"updating to {good}"):
            source.offer(room / good, _package(good))
            expect(_switched(person, starting_s), 0, "exit code of the switch")
            expect(person.version(), good, "version that is in place")
            expect(person.close_windows() > 0, wanted=True, what="whether its window is open")
            expect([path.name for path in apps.iterdir()], ["waggle"], "folders that are left")
        with step(f"coming back from {bad}"):
            source.offer(broken, _package(bad))
            expect(_switched(person, starting_s), 1, "exit code of the switch")
            expect(person.version(), good, "version that is in place")
            expect(person.close_windows() > 0, wanted=True, what="whether its window is open again")
        with step("not trying that one again"):
            known = person.ask("look_for_update")
            expect((known["newest"], known["failed"]), ("", bad), "newest, failed")
    finally:
        person.close_windows()


def expect(found: object, wanted: object, what: str) -> None:
    """Fail unless both are the same.

    Raises:
        SmokeError: names ``what`` it is.
    """
    if found != wanted:
        raise SmokeError(f"{what}: {found!r}, and not {wanted!r}")


def _switched(person: Person, starting_s: float) -> int:
    """Fetch the newest, let it take its place, and open its window; the switch's exit code."""
    ready = person.ask("get_update")
    command = [*ready["command"], *ready["starting"], "--starting-s", str(starting_s)]
    return person.run(*command, check=False).returncode


def _package(version: str) -> str:
    return f"waggle-{version}-{this_platform()}.tar.gz"


if __name__ == "__main__":
    sys.exit(main())
