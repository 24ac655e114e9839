"""Seconds that the computer is awake: what it sleeps through is no practice.

The steady clocks of Linux and macOS stand still meanwhile; those that Python has on Windows go on.
Written to the documentation of QueryUnbiasedInterruptTime; not yet run on Windows by its authors.
"""

import ctypes
import sys
import time
from collections.abc import Callable
from typing import Final

_TICKS_PER_S: Final = 10_000_000  # of Windows, 100 ns each


def unbiased_s(query: Callable[["ctypes._Pointer[ctypes.c_uint64]"], object]) -> float:
    """The seconds that ``query`` tells as QueryUnbiasedInterruptTime does."""
    ticks = ctypes.c_uint64()
    query(ctypes.pointer(ticks))
    return ticks.value / _TICKS_PER_S


if sys.platform == "win32":

    def awake_s() -> float:
        """Seconds awake since some moment; they rise by a tick at a time, of 16 ms at most."""
        return unbiased_s(ctypes.windll.kernel32.QueryUnbiasedInterruptTime)

else:

    def awake_s() -> float:
        """Seconds awake since some moment."""
        return time.monotonic()
