"""Python processes of our own: how they are started, and how they crash without a sound."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import core

NO_WINDOW: Final = int(getattr(subprocess, "CREATE_NO_WINDOW", 0))
"""Flags that keep a console from flashing up on Windows."""

PART: Final = "--part"
"""The frozen console program's first argument where it is to be one of our modules."""

_BOOT: Final = (
    "import sys; sys.path.append(sys.argv.pop(1)); from {module} import main; sys.exit(main())"
)


def python_command(module: str) -> tuple[str, ...]:
    """How ``main`` of a module of this release is started; its arguments are appended.

    Isolated mode: no environment variable, user folder or working directory adds to what the
    interpreter loads, so the folder that holds our packages is named. A frozen app has no
    interpreter to be called: its console program, beside the window's, takes the module's name.
    """
    if getattr(sys, "frozen", False):
        console = "waggle.exe" if sys.platform == "win32" else "waggle"
        return (str(Path(sys.executable).with_name(console)), PART, module)
    boot = _BOOT.format(module=module)
    return (sys.executable, "-I", "-c", boot, str(Path(core.__file__).parents[1]))


def bare_environment(**more: str) -> dict[str, str]:
    """Nothing of ours but ``more``; only what a process cannot start without."""
    needed = {"SYSTEMROOT": os.environ["SYSTEMROOT"]} if "SYSTEMROOT" in os.environ else {}
    return needed | more


def crash_quietly() -> None:
    """In a process whose crash is an answer: leave neither a core file nor a dialogue."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.SetErrorMode(msvcrt.SEM_NOGPFAULTERRORBOX | msvcrt.SEM_FAILCRITICALERRORS)
    else:
        import resource

        with suppress(ValueError, OSError):  # lower already
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
