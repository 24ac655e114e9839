"""Whether a Waggle that was just unpacked runs here, asked of itself."""

import errno
import os
import signal
import subprocess
from pathlib import Path
from typing import Final

from core.children import NO_WINDOW
from core.updates.installation import Installation

TIMEOUT_S: Final = 120.0
"""A first start reads everything from a cold disk, perhaps past a virus scanner."""


_SHORT: Final = frozenset((errno.ENOMEM, errno.EAGAIN, errno.ENFILE, errno.EMFILE))
ENDED: Final = frozenset(
    -getattr(signal, name).value
    for name in ("SIGHUP", "SIGINT", "SIGKILL", "SIGTERM")
    if hasattr(signal, name)
)
"""Exit codes of a program that was ended from outside, as in a log-out or where memory ran out."""


class _CutOffError(Exception):
    pass


def runs(installation: Installation, place: Path, version: str) -> bool | None:
    """Whether the Waggle in ``place`` is ``version``, and both its programs find all they need.

    The window is only asked for its help, which needs no screen and loads Qt all the same. None
    where the trial was cut off: another time it may tell.
    """
    try:
        said = _output(installation.console(place), "--version")
        if said != f"waggle {version}".encode():
            return False
        return _output(installation.window(place), "--help") is not None
    except _CutOffError:
        return None


def _output(program: Path, argument: str) -> bytes | None:
    """The output of ``program`` without spaces around it; None where it fails.

    Raises:
        _CutOffError: it did not come to its own end.
    """
    try:
        done = subprocess.run(  # noqa: S603 - what was just proven to be ours
            [program, argument],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            timeout=TIMEOUT_S,
            check=False,
            env=outside_environment(),
            creationflags=NO_WINDOW,
        )
    except subprocess.TimeoutExpired as error:
        raise _CutOffError from error
    except OSError as error:
        if error.errno in _SHORT:
            raise _CutOffError from error
        return None
    if done.returncode in ENDED:
        raise _CutOffError
    return done.stdout.strip() if done.returncode == 0 else None


def outside_environment() -> dict[str, str]:
    """The environment that this frozen app was started in; another one must not load its parts."""
    made = {name: value for name, value in os.environ.items() if not name.startswith("_PYI_")}
    made["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
    before = made.pop("LD_LIBRARY_PATH_ORIG", None)
    if before is not None:
        made["LD_LIBRARY_PATH"] = before
    elif "_PYI_APPLICATION_HOME_DIR" in os.environ:  # set by the frozen app for itself
        made.pop("LD_LIBRARY_PATH", None)
    return made
