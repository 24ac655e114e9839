"""What is said before there is a window, or where there can be none."""

import sys
from collections.abc import Callable
from typing import Final

_ERROR_ICON: Final = 0x10  # MB_ICONERROR


def _show_box(text: str) -> None:
    """Windows' own box, which needs nothing of ours; other systems have stderr instead."""
    if sys.platform == "win32":
        import ctypes

        ctypes.WinDLL("user32").MessageBoxW(None, text, "Waggle", _ERROR_ICON)


def say_plainly(text: str, show: Callable[[str], None] = _show_box) -> None:
    """Write ``text`` to stderr, or ``show`` it: a program of windows has no stderr on Windows."""
    if sys.stderr is None:
        show(text)
    else:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
