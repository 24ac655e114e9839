"""Python processes of our own: how they start, make way for others, and crash without a sound."""

import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

import core

NO_WINDOW: Final = int(getattr(subprocess, "CREATE_NO_WINDOW", 0))
"""Flags that keep a console from flashing up on Windows."""

PROMPT: Final = int(getattr(subprocess, "NORMAL_PRIORITY_CLASS", 0))
"""Of a child of Windows with little to do and little time; it would be as patient as its parent."""

PART: Final = "--part"
"""The frozen console program's first argument where it is to be one of our modules."""

NICENESS: Final = 10
"""Of what makes way on POSIX: a tenth of a core for which another program competes.

At 19 it would be a fiftieth, too little for the judge, whose answers are due in a second.
"""

_BOOT: Final = (
    "import sys; sys.path.append(sys.argv.pop(1)); from {module} import main; sys.exit(main())"
)


def python_command(module: str) -> tuple[str, ...]:
    """The command line that runs ``main`` of a module of this release; its arguments are appended.

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


def make_way(*, apart: bool = False) -> None:
    """Let other programs have the processor first, before this process and all that it starts.

    ``apart`` from who started it, too: Linux first shares the processor among sessions, and only
    within one of them by niceness. A terminal's Ctrl-C is then for the one that started it alone.

    For good: no process may take that back by itself. Where it is forbidden nothing changes. To be
    called while there is one thread: on Linux each has its own place, and hands it on.
    """
    import psutil  # the window, which imports this module, should open at once

    process = psutil.Process()
    with suppress(psutil.Error, OSError):
        if sys.platform != "win32":
            process.nice(max(NICENESS, process.nice()))
        elif process.nice() != psutil.IDLE_PRIORITY_CLASS:
            process.nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
    if apart and sys.platform == "linux":
        with suppress(OSError):
            os.setsid()
            Path("/proc/self/autogroup").write_text(str(NICENESS))


def make_way_with_this_thread() -> None:
    """Let other programs have the processor before this thread and those that it starts.

    On Linux only: elsewhere threads have no place of their own that they hand on.
    """
    if sys.platform == "linux":
        me = threading.get_native_id()
        with suppress(OSError):
            before = os.getpriority(os.PRIO_PROCESS, me)
            os.setpriority(os.PRIO_PROCESS, me, max(NICENESS, before))


def crash_quietly() -> None:
    """In a process whose crash is an answer: leave neither a core file nor a dialogue."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.SetErrorMode(msvcrt.SEM_NOGPFAULTERRORBOX | msvcrt.SEM_FAILCRITICALERRORS)
    else:
        import resource

        with suppress(ValueError, OSError):  # lower already
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
