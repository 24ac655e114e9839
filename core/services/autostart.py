"""Whether the window opens with the computer, as the system has it: never a setting of ours.

Each system keeps it where a person can see and change it, too: a desktop file in the autostart
folder (XDG), a launch agent (macOS), a value below ``Run`` in the registry (Windows).
"""

import os
import plistlib
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol
from xml.parsers.expat import ExpatError

from core.errors import HomeError
from core.i18n import translatable
from core.paths import Home, default_home
from core.storage.files import replace_file

RUN: Final = r"Software\Microsoft\Windows\CurrentVersion\Run"
"""What starts with the computer: names with command lines."""

RUN_APPROVED: Final = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
"""What a person switched off in the task manager: an odd first byte."""


class Registry(Protocol):
    """Values of the person who is logged in (``HKEY_CURRENT_USER``)."""

    def read(self, key: str, name: str) -> object | None:
        """The value; None where there is none."""

    def write(self, key: str, name: str, value: str) -> None:
        """Set the value to a text."""

    def delete(self, key: str, name: str) -> None:
        """Remove the value, if there is one."""


if sys.platform == "win32":
    import winreg

    class _UserRegistry:
        """The registry of the person who is logged in."""

        def read(self, key: str, name: str) -> object | None:
            try:
                with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened:
                    value: object = winreg.QueryValueEx(opened, name)[0]
                    return value
            except FileNotFoundError:
                return None

        def write(self, key: str, name: str, value: str) -> None:
            with winreg.CreateKey(winreg.HKEY_CURRENT_USER, key) as opened:
                winreg.SetValueEx(opened, name, 0, winreg.REG_SZ, value)

        def delete(self, key: str, name: str) -> None:
            access = winreg.KEY_SET_VALUE
            with (
                suppress(FileNotFoundError),
                winreg.OpenKey(winreg.HKEY_CURRENT_USER, key, 0, access) as opened,
            ):
                winreg.DeleteValue(opened, name)


def open_registry() -> Registry | None:
    """The registry; None on every system but Windows."""
    registry: Registry | None = None
    if sys.platform == "win32":
        registry = _UserRegistry()
    return registry


NAME: Final = "waggle"
LABEL: Final = "org.waggle.window"  # macOS
BUNDLE: Final = "org.waggle.Waggle"
"""The app on macOS; by this its System Settings show Waggle's name and icon beside the switch."""


class Autostart(Protocol):
    """Switch of one system for opening the window at login."""

    def is_on(self) -> bool:
        """Whether the window opens with the computer.

        Raises:
            OSError: the system does not say.
        """

    def set(self, *, on: bool) -> None:
        """Let the window open with the computer, or no longer.

        Raises:
            OSError, HomeError: the system does not allow it.
        """


@dataclass(frozen=True, slots=True)
class DesktopFile:
    """Linux and its kin: ``waggle.desktop`` in the autostart ``folder`` (XDG autostart 0.5)."""

    folder: Path
    command: Sequence[str]

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / f"{NAME}.desktop"

    def is_on(self) -> bool:
        """Whether the file is there and on: a desktop may switch it off without deleting it."""
        try:
            lines = self.path.read_text("utf-8", "replace").split("\n")
        except FileNotFoundError:
            return False
        keys = dict(line.split("=", 1) for line in lines if "=" in line)
        told = {key.strip(): value.strip().lower() for key, value in keys.items()}
        enabled = told.get("X-GNOME-Autostart-enabled", "true")
        return "Exec" in told and told.get("Hidden") != "true" and enabled == "true"

    def set(self, *, on: bool) -> None:
        """Let the window open with the computer, or no longer."""
        call = " ".join(map(quoted, self.command))
        _keep(self.path, _ENTRY.format(call=call).encode() if on else None)


@dataclass(frozen=True, slots=True)
class LaunchAgent:
    """macOS: a property list in ``~/Library/LaunchAgents``."""

    folder: Path
    command: Sequence[str]

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / f"{LABEL}.plist"

    def is_on(self) -> bool:
        """Whether the window opens with the computer."""
        try:
            told = plistlib.loads(self.path.read_bytes())
        except (FileNotFoundError, plistlib.InvalidFileException, ExpatError, ValueError):
            return False
        return isinstance(told, dict) and bool(told.get("RunAtLoad")) and not told.get("Disabled")

    def set(self, *, on: bool) -> None:
        """Let the window open with the computer, or no longer."""
        if on and is_fleeting(Path(self.command[0])):
            raise HomeError(
                translatable(
                    "Waggle was opened from its disk image or its download, where it cannot be "
                    "found once the computer has started again. Drag it into Applications, open "
                    "it there, and switch this on again."
                )
            )
        told = {
            "Label": LABEL,
            "ProgramArguments": list(self.command),
            "RunAtLoad": True,
            # As any app that a person opens; otherwise launchd slows down whoever it starts. What
            # should be slow makes way by itself: core.children.
            "ProcessType": "Interactive",
            "AssociatedBundleIdentifiers": [BUNDLE],
        }
        _keep(self.path, plistlib.dumps(told) if on else None)


def _is_read_only(path: Path) -> bool:
    """Whether the disk of ``path`` takes nothing, as that of an image; no where it is not said."""
    is_read_only = False
    if sys.platform != "win32":
        with suppress(OSError):
            is_read_only = bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    return is_read_only


def is_fleeting(program: Path, is_read_only: Callable[[Path], bool] = _is_read_only) -> bool:
    """Whether macOS runs ``program`` from a place that is gone after the next start.

    That is a disk image, or a copy under a random name (app translocation, or Gatekeeper path
    randomisation), as it makes of an app that nobody has moved since it was downloaded.
    """
    return "AppTranslocation" in program.parts or (
        program.is_relative_to("/Volumes") and is_read_only(program)
    )


@dataclass(frozen=True, slots=True)
class RunKey:
    """Windows: a value below ``Run``, and the task manager's own word about it."""

    registry: Registry
    command: Sequence[str]

    def is_on(self) -> bool:
        """Whether the window opens with the computer."""
        if self.registry.read(RUN, NAME) is None:
            return False
        approved = self.registry.read(RUN_APPROVED, NAME)
        return not isinstance(approved, bytes) or not approved or approved[0] % 2 == 0

    def set(self, *, on: bool) -> None:
        """Let the window open with the computer, or no longer."""
        self.registry.delete(RUN_APPROVED, NAME)
        if on:
            self.registry.write(RUN, NAME, subprocess.list2cmdline(self.command))
        else:
            self.registry.delete(RUN, NAME)


def _keep(path: Path, content: bytes | None) -> None:
    """Write ``content`` to ``path``, in a folder that is made for it; None: delete the file."""
    if content is None:
        path.unlink(missing_ok=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, content)


def open_autostart(home: Home) -> Autostart:
    """The autostart switch of this system, for a window on ``home``."""
    command = window_command(home)
    registry = open_registry()
    named = os.environ.get("XDG_CONFIG_HOME")
    switch: Autostart
    if registry is not None:
        switch = RunKey(registry, command)
    elif sys.platform == "darwin":
        switch = LaunchAgent(Path.home() / "Library" / "LaunchAgents", command)
    else:
        folder = (Path(named) if named else Path.home() / ".config") / "autostart"
        switch = DesktopFile(folder, command)
    return switch


def window_command(home: Home) -> tuple[str, ...]:
    """Command line that opens the window in the background: the program beside this, or Python."""
    beside = Path(sys.executable).with_name("waggle-app.exe" if os.name == "nt" else "waggle-app")
    program = (str(beside),) if beside.exists() else (sys.executable, "-m", "app.main")
    elsewhere = () if home == default_home() else ("--home", str(home.root))
    return (*program, "--background", *elsewhere)


def explain(error: OSError) -> HomeError:
    """``error`` of an autostart switch as a sentence for a person."""
    return HomeError(
        translatable(
            "This system does not let Waggle change what starts with it ({}). "
            "Look into its own settings for programs that start by themselves.",
            error.strerror or error,
        )
    )


def quoted(argument: str) -> str:
    """One argument for ``Exec`` of a desktop file (desktop entry specification 1.5)."""
    for sign in '\\"`$':
        argument = argument.replace(sign, f"\\{sign}")
    return '"' + argument.replace("\\", "\\\\").replace("%", "%%") + '"'


_ENTRY: Final = """\
[Desktop Entry]
Type=Application
Name=Waggle
Comment=Lends this computer to a swarm that trains small language models together
Exec={call}
Icon=waggle
Terminal=false
X-GNOME-Autostart-enabled=true
"""
