"""What all parts of ``dev.py`` share, and what it asks of the system.

Of Debian and its kin: which packages are missing, and may we; of the desktop: is there one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
CONSTRAINTS = ROOT / "constraints.txt"


def say(text: str) -> None:
    """Tell the person what is happening, before it happens."""
    print(f"waggle: {text}", flush=True)


def names_in(listing: Path) -> list[str]:
    """The lines of ``listing`` that are neither empty nor a comment."""
    lines = listing.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def version_of(program: Path) -> str:
    """What ``program`` says of its version; nothing where it does not run."""
    try:
        asked = subprocess.run([program, "--version"], check=False, capture_output=True, text=True)
    except OSError:
        return ""
    return asked.stdout


_LACKS = """
import importlib.util, os, sysconfig
if importlib.util.find_spec("ensurepip") is None:
    print("venv")
if not os.path.isfile(os.path.join(sysconfig.get_path("include"), "Python.h")):
    print("dev")
"""


def build_packages(interpreter: str, version: tuple[int, int]) -> list[str]:
    """What ``interpreter`` lacks to make environments, and to compile pycosat and llama.cpp."""
    python = f"python{version[0]}.{version[1]}"
    packages = [] if shutil.which("cc") else ["gcc", "libc6-dev"]
    packages += [] if shutil.which("c++") else ["g++"]
    asked = subprocess.run([interpreter, "-c", _LACKS], check=False, capture_output=True, text=True)
    return packages + [f"{python}-{part}" for part in asked.stdout.split()]


def compiler_advice() -> str:
    """What to install where pycosat cannot be compiled; empty where there is a C compiler."""
    if sys.platform == "win32":
        programs = os.environ.get("PROGRAMFILES(X86)", "")
        found = (Path(programs) / "Microsoft Visual Studio/Installer/vswhere.exe").is_file()
        way = 'the "Desktop development with C++" part of the Build Tools for Visual Studio'
    elif sys.platform == "darwin":  # where cc is always there, and may be an empty shell
        asked = subprocess.run(["xcode-select", "-p"], check=False, capture_output=True)
        found, way = asked.returncode == 0, "Apple's command line tools: xcode-select --install"
    else:
        found, way = shutil.which("cc") is not None, "a C compiler (gcc) and Python's headers"
    return "" if found else f"pycosat is compiled, and there is no compiler here: install {way}."


def missing_packages(wanted: list[str]) -> list[str]:
    """Those of ``wanted`` that dpkg does not know as installed."""
    query = ["dpkg-query", "--show", "--showformat=${Package} ${db:Status-Status}\\n", *wanted]
    answer = subprocess.run(query, check=False, capture_output=True, text=True).stdout
    installed = {line.split()[0] for line in answer.splitlines() if line.endswith(" installed")}
    return [name for name in wanted if name not in installed]


def root_prefix() -> list[str] | None:
    """What makes a command run as root without a question; None where we may not."""
    if sys.platform != "win32" and os.geteuid() == 0:
        return []
    sudo = ["sudo", "-n"]
    if not shutil.which("sudo"):
        return None
    asked = subprocess.run([*sudo, "true"], check=False, capture_output=True)
    return sudo if asked.returncode == 0 else None


def has_screen() -> bool:
    """Whether a window can open here."""
    named = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    return named or sys.platform in ("win32", "darwin")
