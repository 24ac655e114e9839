"""A clock that stands still while the computer sleeps."""

import ctypes

from core.engine.awake import awake_s, unbiased_s


def test_windows_counts_in_hundreds_of_nanoseconds() -> None:
    """It writes them where it is told to; what it returns says nothing of them."""

    def windows(ticks: "ctypes._Pointer[ctypes.c_uint64]") -> int:
        ticks.contents.value = 9 * 3_600 * 10_000_000 + 5_000_000
        return 1

    assert unbiased_s(windows) == 9 * 3_600 + 0.5


def test_it_never_goes_back() -> None:
    """On this system, whichever it is."""
    first = awake_s()
    assert awake_s() >= first > 0
