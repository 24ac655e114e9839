"""The few values of the Windows registry that are read and written here."""

import sys
from contextlib import suppress
from typing import Final, Protocol

RUN: Final = r"Software\Microsoft\Windows\CurrentVersion\Run"
"""What starts with the computer: names with command lines."""

RUN_APPROVED: Final = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
"""What a person switched off in the task manager: an odd first byte."""


class Registry(Protocol):
    """Values of the person who is logged in (``HKEY_CURRENT_USER``)."""

    def read(self, key: str, name: str) -> object | None:
        """The value; None where there is none."""
        ...

    def write(self, key: str, name: str, value: str) -> None:
        """Set a text."""
        ...

    def delete(self, key: str, name: str) -> None:
        """Remove the value, if there is one."""
        ...


if sys.platform == "win32":
    import winreg

    class _UserRegistry:
        """The real one."""

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
    if sys.platform == "win32":
        return _UserRegistry()
    return None
