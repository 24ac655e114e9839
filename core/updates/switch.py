"""Puts the new Waggle in place after the old one has ended; brings that back where it must.

    python -m core.updates.switch --place DIR --version 0.2.0 --home DIR --after PID [--start]
                                  [--setup EXE] [--inside PATH]

A process of its own, which outlives the window. It runs from the folder that it renames, so
everything that it needs is loaded before that, and it starts nothing of the old one afterwards.
On Windows a setup renames the folders, and brings the old one back itself.
"""

import argparse
import logging
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
import psutil
from filelock import Timeout

from core.errors import WaggleError
from core.logs import log_to_file
from core.paths import Home
from core.updates.installation import Installation
from core.updates.memory import Known, recall, remember, switch_lock
from core.updates.places import Places, remove
from core.updates.trial import ENDED, outside_environment, runs

QUITTING_S: Final = 90.0
"""For the window and its children to end."""

STARTING_S: Final = 20.0
"""A window that lives so long has started."""

SILENT_SETUP: Final = ("/VERYSILENT", "/SUPPRESSMSGBOXES", "/NORESTART", "/NOCLOSEAPPLICATIONS")
"""What of Waggle was begun since is not closed for it: the setup gives up, and all stays."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SwitchOrder:
    """The arguments of a switch to a new version."""

    installation: Installation
    version: str  # of the new one
    home: Home
    after: int  # process id of the window
    starts: bool  # whether the window is to open again
    starting_s: float = STARTING_S
    setup: Path | None = None  # puts the new one in place, where that is not a folder beside it


def main(arguments: Sequence[str] | None = None) -> int:
    """Switch; exit code 0 where the new one is in place."""
    switch = _read(arguments)
    with suppress(WaggleError):  # without a log, too
        log_to_file(switch.home, "update")
    places = Places(switch.installation.place)
    try:
        with switch_lock(switch.home, places.lock if switch.setup is None else None):
            return 0 if _carry_out_or_heal(switch, places) else 1
    except Timeout:
        _log.warning("Another switch is at work")
        return 1
    except OSError:
        _log.exception("The update could not be put in place")
        if switch.starts:
            _open_window(switch)
        return 1


def _carry_out_or_heal(switch: SwitchOrder, places: Places) -> bool:
    try:
        return carry_out(switch)
    except OSError:
        with suppress(OSError):  # while nobody else changes anything there
            places.heal()
        raise


def carry_out(switch: SwitchOrder, quitting_s: float = QUITTING_S) -> bool:
    """Wait, swap, and try; whether the new one is in place, or its setup at work.

    Raises:
        OSError: a folder cannot be renamed, or the setup not be started.
    """
    places = Places(switch.installation.place)
    has_ended = _wait_for_end(switch.after, places.place, quitting_s)
    known = recall(switch.home.updates)  # now: nothing can be loaded from a folder that is gone
    is_there, is_done = (switch.setup or places.new).exists(), False
    # A setup that gives up tells nobody: this counts until something newer reads it.
    is_held_up = is_there and (switch.setup is not None or not has_ended)
    known = msgspec.structs.replace(known, held_up=is_held_up)
    _keep(switch.home, known)  # not after the trial: a new window may have learnt more by then
    if has_ended and is_there:
        is_done = _swap(switch, places, known) if switch.setup is None else _hand_over(switch)
    elif is_there:
        _log.warning("Something of Waggle still runs; the update waits for another time")
    if switch.starts and not is_done:
        _open_window(switch)
    return is_done


def _swap(switch: SwitchOrder, places: Places, known: Known) -> bool:
    """Let the folders change names; back again where the new one does not start.

    One whose trial was cut off goes, too, and may be fetched and tried again.
    """
    places.swap()
    works = _works(switch)
    if works:
        _log.info("Waggle %s is in place", switch.version)
        remove(places.old)
        return True
    if works is None:
        _log.warning("The trial of Waggle %s was cut off; the one before returns", switch.version)
    else:
        _log.error("Waggle %s did not start; the one before comes back", switch.version)
    places.put_back()
    failed = known.failed if works is None else switch.version
    _keep(switch.home, msgspec.structs.replace(known, failed=failed, staged=""))
    return False


def _hand_over(switch: SwitchOrder) -> bool:
    """Start the setup, which waits a while for this process to end."""
    # With slashes: a backslash at its end would make the quote behind it part of the name.
    again = ["/STARTWAGGLE=1", f"/WAGGLEHOME={switch.home.root.as_posix()}"]
    _start([str(switch.setup), *SILENT_SETUP, *(again if switch.starts else [])])
    _log.info("The setup of Waggle %s is at work", switch.version)
    return True


def _keep(home: Home, known: Known) -> None:
    with suppress(WaggleError):  # the old one works without it, too
        remember(home.updates, known)


def _wait_for_end(window: int, place: Path, seconds: float) -> bool:
    """Whether the window and everything else that runs from ``place`` has ended in time."""
    deadline = time.monotonic() + seconds
    while running := _running(window, place):
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        psutil.wait_procs(running, timeout=left)  # what was started meanwhile is looked for anew
    return True


def _running(window: int, place: Path) -> list[psutil.Process]:
    return [
        process
        for process in psutil.process_iter(["exe"])
        if process.pid == window
        or (_runs_from(place, process.info["exe"]) and process.pid != os.getpid())
    ]


def _runs_from(place: Path, exe: str | None) -> bool:
    return bool(exe) and Path(str(exe)).is_relative_to(place)


def _works(switch: SwitchOrder) -> bool | None:
    """Whether the new one runs, and its window stays where one is to be opened.

    None where the trial was cut off: another time it may tell.
    """
    works = runs(switch.installation, switch.installation.place, switch.version)
    if not works or not switch.starts:
        return works
    window = _open_window(switch)
    if window is None:
        return False
    try:
        code = window.wait(switch.starting_s)
    except subprocess.TimeoutExpired:
        return True
    # 0: it handed over to another one, or was closed
    return None if code in ENDED else code == 0


def _open_window(switch: SwitchOrder) -> "subprocess.Popen[bytes] | None":
    try:
        return _start([str(switch.installation.window()), "--home", str(switch.home.root)])
    except OSError:
        return None


def _start(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603 - our own window, or what was just proven to be ours
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=outside_environment(),
        start_new_session=True,
    )


def _read(arguments: Sequence[str] | None) -> SwitchOrder:
    parser = argparse.ArgumentParser(prog="waggle-switch", description=__doc__)
    parser.add_argument("--place", type=Path, required=True)
    parser.add_argument("--inside", type=Path, default=Path())
    parser.add_argument("--version", required=True)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--after", type=int, required=True)
    parser.add_argument("--start", action="store_true")
    parser.add_argument("--starting-s", type=float, default=STARTING_S)
    parser.add_argument("--setup", type=Path)
    asked = parser.parse_args(arguments)
    installation = Installation("tarball", asked.place, asked.inside)
    home = Home(asked.home)
    return SwitchOrder(
        installation,
        asked.version,
        home,
        asked.after,
        asked.start,
        asked.starting_s,
        asked.setup,
    )


if __name__ == "__main__":
    sys.exit(main())
