"""Whether a Waggle that was just unpacked runs here, asked of itself."""

import os
import subprocess
from pathlib import Path
from typing import Final

from core.children import NO_WINDOW

PATIENCE_S: Final = 120.0
"""A first start reads everything from a cold disk, perhaps past a virus scanner."""


def answers(console: Path, version: str) -> bool:
    """Whether ``console --version`` answers that it is ``version``."""
    try:
        done = subprocess.run(  # noqa: S603 - what was just proven to be ours
            [console, "--version"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=PATIENCE_S,
            check=False,
            env=outside_environment(),
            creationflags=NO_WINDOW,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and done.stdout.strip() == f"waggle {version}".encode()


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
